"""Declarations from a file of JSON lines, or from the sources of a Lean library."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from fidelean.errors import InputError, UsageError
from fidelean.lean.library.records import Declaration

__all__ = ["parse_module", "read_declarations"]

_LONGEST_SIGNATURE = 4_000
_HEAD = re.compile(
    r"^(?:@\[[^\]]*\]\s*)*(?:(?:private|protected|noncomputable|nonrec|unsafe|partial|scoped|local)\s+)*"
    r"(theorem|lemma|def|abbrev|structure|class inductive|class|instance|inductive|axiom|opaque)\s+([^\s:({\[⦃]+)(.*)$"
)
_SCOPE = re.compile(r"^(?:noncomputable\s+)?(namespace|section|end)\b[ \t]*([^\s-]*)")
_END_OF_SIGNATURE = re.compile(r":=|\bwhere\b|^\s*\|", re.MULTILINE)
_COMMENT = re.compile(r"/-.*?-/|--[^\n]*", re.DOTALL)
_BLANKED = re.compile(r"[^\n]")


def read_declarations(source: Path) -> Iterator[Declaration]:
    """Read a file of JSON lines (``.gz`` or not), or every ``.lean`` file below a folder.

    Raises ``UsageError`` where ``source`` is not there, ``InputError`` with the line where a line is no declaration.
    """
    if source.is_dir():
        for file in sorted(source.rglob("*.lean")):
            inner = file.relative_to(source)
            if not any(part.startswith(".") for part in inner.parts):
                yield from parse_module(file.read_text(encoding="utf-8", errors="replace"), ".".join(inner.with_suffix("").parts))
    elif source.is_file():
        yield from _rows(source)
    else:
        raise UsageError(f"{source}: there is no such file or folder")


def _rows(source: Path) -> Iterator[Declaration]:
    opener = gzip.open if source.suffix == ".gz" else open
    number = 0
    try:
        with opener(source, "rt", encoding="utf-8") as stream:
            for line in stream:
                number += 1
                if line.strip():
                    yield _declaration(json.loads(line))
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"is no declaration: {error}", source=str(source), line=number or 1) from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot be read: {error}", source=str(source)) from None


def _declaration(row: object) -> Declaration:
    if not isinstance(row, dict):
        raise TypeError("not an object")
    table = cast("dict[str, Any]", row)
    doc = table.get("doc")
    texts = [table["name"], table["kind"], table["module"], table["signature"]]
    if not all(isinstance(one, str) for one in texts) or not isinstance(table["line"], int) or not isinstance(doc, str | None):
        raise TypeError("a field has the wrong type")
    return Declaration(table["name"], table["kind"], table["module"], table["line"], table["signature"], doc)


def parse_module(text: str, module: str) -> list[Declaration]:
    """Read the declarations of one file that begin a line; what macros make, and instances without a name, are not seen."""
    docs = {text.count("\n", 0, one.end()) + 1: one[0][3:-2].strip() for one in _COMMENT.finditer(text) if one[0].startswith("/--")}
    lines = _COMMENT.sub(lambda one: _BLANKED.sub(" ", one[0]), text).split("\n")
    scopes: list[tuple[str, str]] = []
    found: list[Declaration] = []
    for at, line in enumerate(lines):
        if scope := _SCOPE.match(line):
            _move(scopes, scope[1], scope[2])
        elif head := _HEAD.match(line):
            spaces = [name for kind, name in scopes if kind == "namespace"]
            name = head[2].removeprefix("_root_.") if head[2].startswith("_root_.") else ".".join([*spaces, head[2]])
            found.append(Declaration(name, head[1], module, at + 1, _signature(head[3], lines[at + 1 :]), _doc_before(docs, lines, at)))
    return found


def _move(scopes: list[tuple[str, str]], kind: str, name: str) -> None:
    if kind != "end":
        scopes.append((kind, name))
    elif scopes:
        scopes.pop()


def _signature(first: str, after: list[str]) -> str:
    taken = [first]
    for line in after:
        if _END_OF_SIGNATURE.search(taken[-1]) or not line.startswith((" ", "\t")):
            break
        taken.append(line)
    whole = "\n".join(taken)
    end = _END_OF_SIGNATURE.search(whole)
    return " ".join(whole[: end.start() if end else None].split())[:_LONGEST_SIGNATURE]


def _doc_before(docs: dict[int, str], lines: list[str], at: int) -> str | None:
    """The documentation string that ends above line ``at`` (0-based), with only attributes and blanks between."""
    for above in range(at, -1, -1):
        if above + 1 in docs and above <= at:
            return docs[above + 1]
        if above != at and lines[above].strip() and not lines[above].startswith("@["):
            return None
    return None
