"""The rules of the house that no linter knows."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest

import source_tree
from source_tree import PROJECT, Module

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FORBIDDEN_STEMS = ("verif", "valid")
"""Words that hide which fact was established (``AGENTS.md``, Words)."""

THIRD_PARTY_NAMES: frozenset[str] = frozenset()
"""Names that another library makes us define although they hold a forbidden word."""

# Written in pieces, so that this file does not hold what it looks for.
OUTSIDE = re.compile(
    "|".join(
        [
            r"py" + r"pi\.org",
            r"python" + r"hosted",
            r"npm" + r"js\.(?:org|com)",
            r"/work" + r"/(?:main|shared|\.library)",
            r"/root" + r"/",
            r"/tmp" + r"/(?:v|brief|leantry|fresh\w*)(?:/|\b)",
            r"/opt" + r"/(?:pypi|wheels)",
        ]
    )
)

MODULES = pytest.mark.parametrize("module", source_tree.modules(), ids=lambda module: module.name)


def defined_names(module: Module) -> Iterator[tuple[str, str]]:
    """Every public name that the module gives to something, with its place."""
    yield module.name, str(module.path.relative_to(PROJECT))
    for node in ast.walk(module.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, module.place(node)
        elif isinstance(node, ast.arg):
            yield node.arg, module.place(node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, module.place(node)


def words(name: str) -> list[str]:
    """``isValidProof_v2.check`` → is, valid, proof, v2, check."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace(".", "_").lower().split("_")


@MODULES
def test_no_name_hides_which_fact_was_established(module: Module) -> None:
    hiding = [
        f"{place} {name}"
        for name, place in defined_names(module)
        if name not in THIRD_PARTY_NAMES and any(word.startswith(FORBIDDEN_STEMS) for word in words(name))
    ]
    assert hiding == []


def test_the_rule_on_names_sees_them() -> None:
    tree = ast.parse("def run(is_validated):\n    isVerified = 1\n\nclass ProofVerifier: ...\n\nverdict = value = invalid = 1")
    module = Module(source_tree.SOURCE / "invented.py", tree)
    hiding = [name for name, _ in defined_names(module) if any(word.startswith(FORBIDDEN_STEMS) for word in words(name))]
    assert sorted(hiding) == ["ProofVerifier", "isVerified", "is_validated"]


@MODULES
def test_every_record_field_says_what_it_is(module: Module) -> None:
    silent = [
        f"{module.place(field)} {owner.name}.{ast.unparse(field.target)}"
        for owner in ast.walk(module.tree)
        if isinstance(owner, ast.ClassDef) and "dataclass" in source_tree.decorator_names(owner)
        for field, after in zip(owner.body, [*owner.body, None][1:], strict=True)
        if isinstance(field, ast.AnnAssign) and "ClassVar" not in ast.unparse(field.annotation) and not is_docstring(after)
    ]
    assert silent == []


def is_docstring(node: ast.stmt | None) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


@pytest.mark.parametrize("module", [module for module in source_tree.modules() if module.is_record_module], ids=lambda module: module.name)
def test_every_record_is_frozen(module: Module) -> None:
    loose = [
        f"{module.place(owner)} {owner.name}"
        for owner in source_tree.public_definitions(module.tree.body)
        for decorator in owner.decorator_list
        if "dataclass" in source_tree.decorator_names(owner) and not {"frozen=True", "slots=True"} <= keywords(decorator)
    ]
    assert loose == []


def keywords(decorator: ast.expr) -> set[str]:
    return {f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in getattr(decorator, "keywords", [])}


@MODULES
def test_every_public_definition_has_a_docstring(module: Module) -> None:
    spared = {"overload", "setter", "override"}
    silent = [
        f"{module.place(node)} {node.name}"
        for node in source_tree.public_definitions(module.tree.body)
        if not ast.get_docstring(node) and not spared & source_tree.decorator_names(node)
    ]
    assert ast.get_docstring(module.tree), f"{module.name} does not say what it is"
    assert silent == []


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    found = [
        f"{path.relative_to(PROJECT)}:{number} {match[0]}"
        for path in source_tree.tracked_files()
        for number, line in enumerate(read(path).splitlines(), 1)
        if (match := OUTSIDE.search(line))
    ]
    assert found == []


def read(path: Path) -> str:
    return path.read_text(encoding="utf8", errors="replace")


def test_every_make_target_that_the_documents_name_exists() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", read(PROJECT / "Makefile"), re.MULTILINE))
    documents = [path for path in source_tree.tracked_files() if path.suffix == ".md"]
    named = {
        (document.name, target)
        for document in documents
        for target in re.findall(r"(?:^|`|\$ )make (?:[A-Z]+=\S+ )*([a-z][a-z-]*)", read(document), re.MULTILINE)
    }
    assert {name for _, name in named} >= {"demo", "test"}, "the README names its two commands"
    assert {(document, target) for document, target in named if target not in targets} == set()


def test_what_a_room_may_import_is_checked_for_every_room() -> None:
    contract = read(PROJECT / "pyproject.toml")
    rooms = {path.name for path in source_tree.SOURCE.iterdir() if (path / "__init__.py").exists()}
    assert "exhaustive = true" in contract
    assert {room for room in rooms if not re.search(rf"\b{room}\b", contract)} == set()
