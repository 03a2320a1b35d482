"""From evidence to a verdict: pure, so that stored evidence replays under any policy.

An obligation is settled first, over all checkers that answered it; the step follows from its obligations, the proof from its steps
(FaithSieve, evidence fusion, with the load-bearing rule of our own).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto

from fidelean.evidence.records import NO_CHECKER, Evidence
from fidelean.obligations.records import Obligation
from fidelean.outcome import Inconclusive, Passed, Refuted
from fidelean.policy import VerdictPolicy
from fidelean.verdict.records import Basis, ModelOpinion, ProofVerdict, StepStatus, StepVerdict

__all__ = ["decide"]


class _Settlement(Enum):
    HOLDS = auto()
    FALSE = auto()
    CONFLICT = auto()
    TRIED = auto()
    UNTRIED = auto()


def decide(
    n_steps: int,
    evidence: Iterable[Evidence],
    policy: VerdictPolicy | None = None,
    *,
    notices: Iterable[str] = (),
    opinion: ModelOpinion | None = None,
    strength_bar: float = 0.0,
) -> ProofVerdict:
    """Decide on a proof of ``n_steps`` steps.

    The order of ``evidence`` never matters. ``notices`` come first among the verdict's own. Evidence weaker than ``strength_bar`` settles
    nothing. An ``opinion`` names the first error only where no evidence does, and the verdict says so. Raises ``ValueError`` for evidence
    or an opinion on a step that does not exist.
    """
    policy = policy or VerdictPolicy()
    by_step: dict[int, list[Evidence]] = {index: [] for index in range(1, n_steps + 1)}
    for item in evidence:
        if item.obligation.step not in by_step:
            raise ValueError(f"evidence on step {item.obligation.step} of a proof with {n_steps} steps")
        by_step[item.obligation.step].append(item)
    if opinion is not None and opinion.first_error is not None and opinion.first_error not in by_step:
        raise ValueError(f"an opinion on step {opinion.first_error} of a proof with {n_steps} steps")
    steps = tuple(_decide_step(index, items, policy, strength_bar) for index, items in by_step.items())
    broken = next((step.index for step in steps if step.status is StepStatus.REFUTED), None)
    named = opinion.first_error if opinion is not None else None
    return ProofVerdict(
        first_error=named if broken is None else broken,
        unresolved_steps=tuple(step.index for step in steps if step.status in (StepStatus.UNCERTAIN, StepStatus.UNCHECKED)),
        steps=steps,
        notices=(*notices, *(notice for step in steps for notice in _conflict_notices(step, strength_bar))),
        basis=Basis.EVIDENCE if broken is not None else Basis.OPINION if named is not None else None,
        opinion=opinion,
    )


def _decide_step(index: int, evidence: list[Evidence], policy: VerdictPolicy, strength_bar: float) -> StepVerdict:
    ordered = tuple(sorted(evidence, key=_place))
    settled = [(items[0].obligation, _settle(items, strength_bar)) for items in _by_obligation(ordered)]
    return StepVerdict(index, _status(settled, policy), ordered)


def _status(settled: Sequence[tuple[Obligation, _Settlement]], policy: VerdictPolicy) -> StepStatus:
    settlements = {settlement for _, settlement in settled}
    broken = [obligation for obligation, settlement in settled if settlement is _Settlement.FALSE]
    if any(obligation.load_bearing or policy.remarks_count for obligation in broken):
        return StepStatus.REFUTED
    if broken:
        return StepStatus.REFUTED_REMARK
    if settlements & {_Settlement.CONFLICT, _Settlement.TRIED}:
        return StepStatus.UNCERTAIN
    return StepStatus.SUPPORTED if settlements == {_Settlement.HOLDS} else StepStatus.UNCHECKED


def _settle(evidence: Sequence[Evidence], strength_bar: float) -> _Settlement:
    """Settle one obligation: a checker that could not tell takes nothing away from one that could."""
    outcomes = [item.outcome for item in evidence if item.checker != NO_CHECKER]
    reliable = [item.outcome for item in evidence if item.checker != NO_CHECKER and item.strength >= strength_bar]
    holds = any(isinstance(outcome, Passed) for outcome in reliable)
    false = any(isinstance(outcome, Refuted) for outcome in reliable)
    if holds and false:
        return _Settlement.CONFLICT
    if holds or false:
        return _Settlement.HOLDS if holds else _Settlement.FALSE
    return _Settlement.TRIED if outcomes else _Settlement.UNTRIED


def _by_obligation(evidence: Iterable[Evidence]) -> list[list[Evidence]]:
    groups: dict[str, list[Evidence]] = {}
    for item in evidence:
        groups.setdefault(item.obligation.id, []).append(item)
    return list(groups.values())


def _place(evidence: Evidence) -> tuple[object, ...]:
    """Give the place in the text; what follows it only makes the order total."""
    obligation, claim = evidence.obligation, evidence.obligation.claim
    place = (claim.span.start, claim.span.end) if claim.span else (-1, -1)
    asked = (obligation.id, obligation.kind, obligation.load_bearing, claim.text, claim.conditions)
    return (
        *place,
        *asked,
        evidence.checker,
        repr(evidence.outcome),
        evidence.values,
        evidence.rests_on,
        evidence.seconds,
        repr(evidence.artefact),
    )


def _conflict_notices(step: StepVerdict, strength_bar: float) -> Iterator[str]:
    for items in _by_obligation(step.evidence):
        if _settle(items, strength_bar) is _Settlement.CONFLICT:
            names = ", ".join(sorted({item.checker for item in items if not isinstance(item.outcome, Inconclusive)}))
            yield f"step {step.index}: conflict on {items[0].obligation.claim.text!r} between {names}; it counts neither way"
