"""A small library of declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fidelean.lean.library.building import build_index
from fidelean.lean.library.index import LibraryIndex
from fidelean.lean.library.records import Declaration

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DECLARATIONS = (
    Declaration("Nat.add_comm", "theorem", "Init.Nat", 3, "(n m : ℕ) : n + m = m + n", "Addition of naturals is commutative."),
    Declaration("Int.add_comm", "theorem", "Init.Int", 5, "(a b : ℤ) : a + b = b + a", None),
    Declaration("add_comm", "theorem", "Algebra.Basic", 9, "(a b : G) : a + b = b + a", None),
    Declaration("Irrational.sqrt_two", "lemma", "Real.Irrational", 7, ": Irrational (√2)", "The square root of two is irrational."),
    Declaration("Matrix.det_mul", "theorem", "Matrix.Det", 1, "(M N) : det (M * N) = det M * det N", None),
)


@pytest.fixture
def index_file(tmp_path: Path) -> Path:
    """An index of the small library."""
    build_index(DECLARATIONS, tmp_path / "library.sqlite")
    return tmp_path / "library.sqlite"


@pytest.fixture
def index(index_file: Path) -> Iterator[LibraryIndex]:
    """The searcher over it."""
    library = LibraryIndex(index_file)
    yield library
    library.close()
