"""The engine that is not there: it answers like any other, and its answer is that it is unavailable and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fidelean.evidence.records import Evidence
from fidelean.lean.records import Elaboration, LeanSource, Status
from fidelean.outcome import Inconclusive, Reason

__all__ = ["AbsentEngine", "missing_engine"]


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


def missing_engine(evidence: Iterable[Evidence]) -> Iterator[str]:
    """Say once for all claims, rather than claim by claim, that there was no engine to ask."""
    details = {
        (item.obligation.step, item.obligation.claim.text): item.outcome.detail
        for item in evidence
        if isinstance(item.outcome, Inconclusive) and item.outcome.reason is Reason.UNAVAILABLE
    }
    for detail, number in Counter(details.values()).items():
        what, _, advice = detail.partition("; ")
        yield f"{what}: {number} claim{'s' if number > 1 else ''} stayed unchecked" + (f"; {advice}" if advice else "")
