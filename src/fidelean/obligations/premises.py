"""Which premises of an obligation may be used now: a fact that the proof concluded is checked before it serves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fidelean.obligations.records import Obligation
from fidelean.outcome import Outcome, Passed, Refuted

__all__ = ["PremiseUse", "may_be_asked", "premises_now"]


@dataclass(frozen=True, slots=True)
class PremiseUse:
    """The premises of an obligation, by what is known of them now."""

    established: tuple[str, ...]
    """Given, defined, assumed, or concluded and checked: they may serve."""
    unchecked: tuple[str, ...]
    """Concluded, and not checked with a result: nothing that rests on them is established."""
    refuted: tuple[str, ...]
    """Concluded, and found to be false."""

    @property
    def unsettled(self) -> tuple[str, ...]:
        """Everything that may not serve."""
        return (*self.unchecked, *self.refuted)


def premises_now(obligation: Obligation, outcomes: Mapping[str, Outcome]) -> PremiseUse:
    """Sort an obligation's premises by the outcomes so far, given by obligation id; where none is given, nothing is known."""
    established: list[str] = []
    unchecked: list[str] = []
    refuted: list[str] = []
    for premise in obligation.premises:
        said = [outcomes.get(awaited) for awaited in premise.awaits]
        if any(isinstance(outcome, Refuted) for outcome in said):
            refuted.append(premise.text)
        elif all(isinstance(outcome, Passed) for outcome in said):
            established.append(premise.text)
        else:
            unchecked.append(premise.text)
    return PremiseUse(tuple(established), tuple(unchecked), tuple(refuted))


def may_be_asked(obligation: Obligation, outcomes: Mapping[str, Outcome]) -> bool:
    """Whether everything that it waits for has passed: a reduction waits for the fact that it uses."""
    return all(isinstance(outcomes.get(awaited), Passed) for awaited in obligation.waits_for)
