"""Later errors that would stand even if the first broken step were mended: for the reader only, they change no verdict."""

from __future__ import annotations

from fidelean.decomposition.records import ConditionKind
from fidelean.evidence.records import Evidence
from fidelean.outcome import Refuted
from fidelean.verdict.records import ProofVerdict, StepStatus

__all__ = ["independent_errors"]


def independent_errors(verdict: ProofVerdict) -> tuple[int, ...]:
    """1-based indices of refuted steps behind the first one that rest on nothing broken, ascending.

    A claim rests on what is broken if it repeats a refuted claim, or was checked under conditions of which one was concluded there or in
    what rests on it, or right in front. A false calculation with numbers is checked under no condition: it is false whatever stands
    in front of it.
    """
    if verdict.first_error is None:
        return ()
    broken: set[str] = set()
    repeated: set[str] = set()
    found: list[int] = []
    for step in verdict.steps:
        own = [item for item in step.evidence if isinstance(item.outcome, Refuted) and item.obligation.load_bearing]
        free = [item for item in own if not _rests_on(item, broken) and _plain(item) not in repeated]
        if free and step.index > verdict.first_error and step.status is StepStatus.REFUTED:
            found.append(step.index)
        for item in step.evidence:
            if isinstance(item.outcome, Refuted) or _rests_on(item, broken):
                broken.add(item.obligation.id)
            if isinstance(item.outcome, Refuted):
                repeated.add(_plain(item))
    return tuple(found)


def _rests_on(item: Evidence, broken: set[str]) -> bool:
    used = set(item.obligation.claim.conditions)
    derived = {
        condition.transition
        for condition in item.obligation.conditions
        if condition.kind is ConditionKind.DERIVED and condition.text in used
    }
    drawn = {item.obligation.premise} if used else set[str | None]()
    return bool(broken & (derived | drawn))


def _plain(item: Evidence) -> str:
    return "".join(item.obligation.claim.text.split())
