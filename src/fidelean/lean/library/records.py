"""Declarations, hits, and what every searcher answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

__all__ = ["Declaration", "Hit", "LibrarySearch"]


@dataclass(frozen=True, slots=True)
class Declaration:
    """One declaration of a library, as its source states it."""

    name: str
    """Full name, namespaces included."""
    kind: str
    """Keyword that declares it: theorem, lemma, def, class, ..."""
    module: str
    """Module it stands in, such as ``Mathlib.Order.Basic``; empty where a searcher does not say."""
    line: int
    """Line in the file of the module, 1-based; 0 where a searcher does not say."""
    signature: str
    """Binders and type as written; variables of the section are not repeated."""
    doc: str | None
    """Documentation string, or None."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer of a search."""

    declaration: Declaration
    """What was found."""
    how: str
    """By what: exact, name, fuzzy, words, or remote."""


class LibrarySearch(Protocol):
    """What searchers on this machine and elsewhere have in common. All raise ``MachineryError`` where they cannot answer."""

    def search(self, query: str, limit: int = 10) -> Sequence[Hit]:
        """At most ``limit`` hits, best first."""
        ...

    def show(self, name: str) -> Sequence[Declaration]:
        """The declarations of exactly this name; more than one where files declare it twice."""
        ...

    def resolve(self, name: str, opened: Sequence[str] = ()) -> Sequence[Declaration]:
        """What ``name`` can mean where the namespaces ``opened`` are open."""
        ...
