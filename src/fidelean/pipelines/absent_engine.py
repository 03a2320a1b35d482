"""The engine that is not there: it answers like any other, and its answer is that it is unavailable and why."""

from __future__ import annotations

from collections.abc import Sequence

from fidelean.lean.records import Elaboration, LeanSource, Status

__all__ = ["AbsentEngine"]


class AbsentEngine:
    """Stands in where there is no Lean, so that every claim Lean would have been asked about says so.

    ``why`` is one line, ``what is missing; what to do``, the second part where something can be done.
    """

    name = "none"

    def __init__(self, why: str) -> None:
        self.why = why

    async def elaborate(self, sources: Sequence[LeanSource]) -> list[Elaboration]:
        """Answer every source with ``unavailable``."""
        return [Elaboration(Status.UNAVAILABLE, engine=self.name, detail=self.why) for _ in sources]

    async def aclose(self) -> None:
        """There is nothing to give back."""
