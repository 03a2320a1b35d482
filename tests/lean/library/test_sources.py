"""Declarations out of JSON lines and out of Lean sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fidelean.errors import InputError, UsageError
from fidelean.lean.library.sources import parse_module, read_declarations

if TYPE_CHECKING:
    from pathlib import Path

SOURCE = """\
/- theorem hidden : False := x -/
namespace A.B
section
/-- Says
something. -/
@[simp]
protected theorem one (n : ℕ)
    (h : n = 1) : n + 0 = 1 := by
  simp
end
def two : ℕ → ℕ
  | 0 => 1
  | n => n
theorem _root_.three : True := trivial
end A.B
structure Four where
  x : ℕ
instance : Inhabited Four := x
"""


def test_a_module_is_read_with_namespaces_signatures_and_documentation() -> None:
    found = parse_module(SOURCE, "M")
    assert [(one.name, one.kind, one.line) for one in found] == [
        ("A.B.one", "theorem", 7),
        ("A.B.two", "def", 11),
        ("three", "theorem", 14),
        ("Four", "structure", 16),
    ]
    assert found[0].signature == "(n : ℕ) (h : n = 1) : n + 0 = 1"
    assert found[0].doc == "Says\nsomething."
    assert found[1].signature == ": ℕ → ℕ"
    assert found[1].doc is None


def test_a_folder_is_read_by_module(tmp_path: Path) -> None:
    (tmp_path / "Deep").mkdir()
    (tmp_path / "Deep" / "File.lean").write_text("theorem t : True := trivial\n", encoding="utf-8")
    assert [(one.name, one.module) for one in read_declarations(tmp_path)] == [("t", "Deep.File")]


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"name": 1, "kind": "def", "module": "M", "line": 1, "signature": ""}'])
def test_a_row_that_is_no_declaration_is_named_by_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "rows.jsonl").write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"rows\.jsonl:2"):
        list(read_declarations(tmp_path / "rows.jsonl"))


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        list(read_declarations(tmp_path / "none"))
    (tmp_path / "bad.jsonl.gz").write_bytes(b"not compressed")
    with pytest.raises(InputError):
        list(read_declarations(tmp_path / "bad.jsonl.gz"))
