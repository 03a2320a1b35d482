"""Building an index, and every way to find something in it."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from fidelean.errors import InputError, SetupError
from fidelean.lean.library.building import build_index
from fidelean.lean.library.index import LibraryIndex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fidelean.lean.library.records import Declaration


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Nat.add_comm", "Nat.add_comm"),
        ("nat.ADD_comm", "Nat.add_comm"),
        ("Nat.add_com", "Nat.add_comm"),
        ("Matrx.det_mul", "Matrix.det_mul"),
        ("square root irrational", "Irrational.sqrt_two"),
        ("det (M * N)", "Matrix.det_mul"),
        ("commutative naturals", "Nat.add_comm"),
    ],
)
def test_search_puts_what_was_meant_first(index: LibraryIndex, query: str, first: str) -> None:
    assert index.search(query)[0].declaration.name == first


@pytest.mark.parametrize("query", ["", '"', "OR AND NOT", "name:*", "\x00", "(" * 5_000, "zzzzqqqq"])
def test_search_takes_any_text(index: LibraryIndex, query: str) -> None:
    assert len(index.search(query, 3)) <= 3


def test_search_gives_each_declaration_once(index: LibraryIndex) -> None:
    names = [hit.declaration.name for hit in index.search("add_comm")]
    assert names[0] == "add_comm"
    assert len(names) == len(set(names))


def test_resolve_knows_open_namespaces(index: LibraryIndex) -> None:
    assert [one.name for one in index.resolve("add_comm", ["Nat", "Int"])] == ["add_comm", "Nat.add_comm", "Int.add_comm"]
    assert [one.name for one in index.resolve("_root_.add_comm", ["Nat"])] == ["add_comm"]
    assert not index.resolve("det_mul")


def test_show_is_exact(index: LibraryIndex) -> None:
    assert index.show("Matrix.det_mul")[0].line == 1
    assert not index.show("matrix.det_mul")


def test_a_build_that_fails_leaves_the_index_that_was_there(index_file: Path) -> None:
    def failing() -> Iterator[Declaration]:
        raise InputError("broken")
        yield

    before = index_file.read_bytes()
    for source in (failing(), iter(())):
        with pytest.raises(InputError):
            build_index(source, index_file)
    assert index_file.read_bytes() == before
    assert list(index_file.parent.iterdir()) == [index_file]


def test_no_index_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="library build"):
        LibraryIndex(tmp_path / "none.sqlite")
    sqlite3.connect(tmp_path / "other.sqlite").close()
    with pytest.raises(SetupError, match="library build"):
        LibraryIndex(tmp_path / "other.sqlite")
