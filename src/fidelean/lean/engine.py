"""The one protocol behind which every Lean stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from fidelean.lean.records import Elaboration, LeanSource

__all__ = ["LeanEngine"]


@runtime_checkable
class LeanEngine(Protocol):
    """Something that elaborates Lean texts behind the source guard.

    Each source is on its own: the answer is the same alone, in any company and in any order. An engine answers every source; what it
    could not find out is a status, not an exception.
    """

    @property
    def name(self) -> str:
        """Name and version, as it stands in every ``Elaboration``."""
        ...

    async def elaborate(self, sources: Sequence[LeanSource]) -> list[Elaboration]:
        """Elaborate ``sources``; one answer each, in their order."""
        ...

    async def aclose(self) -> None:
        """End every process and give everything back."""
        ...
