"""The project's files as the house rules see them."""

from __future__ import annotations

import ast
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Path(__file__).resolve().parent.parent
SOURCE = PROJECT / "src" / "fidelean"

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Module:
    """One source file."""

    path: Path
    tree: ast.Module

    @property
    def name(self) -> str:
        parts = self.path.relative_to(SOURCE.parent).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def is_record_module(self) -> bool:
        return is_record_module(self.name)

    def place(self, node: ast.stmt | ast.expr | ast.arg) -> str:
        return f"{self.path.relative_to(PROJECT)}:{node.lineno}"


def is_record_module(name: str) -> bool:
    """Whether a module holds nothing but data: a tree of mathematics is one, under a name of its own."""
    return name.endswith(".records") or name in {"fidelean.informal.maths.tree", "fidelean.outcome", "fidelean.policy", "fidelean.errors"}


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the package."""
    return tuple(Module(path, ast.parse(path.read_text(encoding="utf8"), str(path))) for path in sorted(SOURCE.rglob("*.py")))


def tracked_files() -> list[Path]:
    """Every file git knows, or a skip outside a checkout."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, check=False, capture_output=True, text=True)
    if listing.returncode != 0:
        pytest.skip("not a git checkout: there is no list of tracked files")
    return [path for name in listing.stdout.split("\0") if name and (path := PROJECT / name).is_file()]


def public_definitions(body: list[ast.stmt]) -> Iterator[Definition]:
    """Functions and classes without a leading underscore, and the same inside public classes."""
    for node in body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from public_definitions(node.body)


def decorator_names(node: Definition) -> set[str]:
    """The last name of each decorator: ``dataclass`` for ``@dataclasses.dataclass(frozen=True)``."""
    called = (decorator.func if isinstance(decorator, ast.Call) else decorator for decorator in node.decorator_list)
    return {name.attr if isinstance(name, ast.Attribute) else name.id for name in called if isinstance(name, (ast.Attribute, ast.Name))}
