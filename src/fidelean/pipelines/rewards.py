"""Verdicts as rewards for those who train models: the records, and the rules that make them of a verdict or of a fault."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from fidelean.errors import FideleanError, InputError, MachineryError
from fidelean.evidence.records import NO_CHECKER
from fidelean.informal.records import Problem, Proof
from fidelean.outcome import Inconclusive, Reason
from fidelean.pipelines.coverage import Coverage, Share, coverage_of
from fidelean.policy import Policy, RewardPolicy
from fidelean.verdict.fusion import decide
from fidelean.verdict.records import Basis, ProofVerdict, StepStatus

__all__ = ["Abstention", "AbstentionReason", "Reward", "StepReward", "reward_of", "reward_of_fault"]

MAX_DETAIL = 300
"""Longest account of a fault that is kept (code points)."""

_FROM_BUDGET = frozenset((Reason.BUDGET_SPENT, Reason.TIMEOUT))
_FROM_MACHINERY = frozenset((Reason.UNAVAILABLE, Reason.CRASHED, Reason.OUT_OF_MEMORY, Reason.NO_REPLY))


class AbstentionReason(StrEnum):
    """Why a proof in which no error was found gets no judgement."""

    NOTHING_CHECKABLE = "nothing_checkable"
    """Nothing that counts was within reach of a checker."""
    LOW_COVERAGE = "low_coverage"
    """Less was checked than the policy asks for."""
    MACHINERY = "machinery"
    """An engine was missing or failed, and coverage is too low without it."""
    BUDGET_SPENT = "budget_spent"
    """Time, tokens or money were used up, and coverage is too low without what was left."""
    NOT_READ = "not_read"
    """The proof could not be read: it has no step, or is no proof at all."""
    FAILED = "failed"
    """Something broke that is our fault; the other proofs went on."""


@dataclass(frozen=True, slots=True)
class Abstention:
    """No judgement, and why."""

    reason: AbstentionReason
    """Why, from the closed list."""
    detail: str = ""
    """The same for a reader, in one line."""


@dataclass(frozen=True, slots=True)
class StepReward:
    """What a step earns."""

    index: int
    """1-based index of the step."""
    status: StepStatus
    """What the evidence says of it."""
    probability: float
    """That the first error is not here, given that it is not before: the policy's frequency for the status (0 to 1)."""
    asserted: int
    """Assertions of the step, as ``pipelines/coverage.py`` counts them."""
    checked: int
    """How many of them were decided."""
    evidence: tuple[str, ...] = ()
    """Ids of the evidence, ``<obligation>/<checker>``, in the order of the text; answers that no checker gave are left out."""


@dataclass(frozen=True, slots=True)
class Reward:
    """What a proof earns. *No error found* is not *proved*; plain data, to be pickled and written as JSON (``dataclasses.asdict``)."""

    id: str
    """The proof's id; may be empty."""
    first_error: int | None
    """1-based index of the first step that the evidence breaks; None where none does. What a model only thinks is not told here."""
    abstention: Abstention | None
    """Why there is no judgement; None where there is one. Never beside a first error."""
    probability: float | None
    """That no step is an error: the product over the steps; None for an abstention."""
    coverage: float
    """Checked over asserted (0 to 1)."""
    asserted: int
    """Assertions of all steps, and one that the problem is answered."""
    checked: int
    """How many of them were decided."""
    steps: tuple[StepReward, ...]
    """One for each step, in order; empty where the proof could not be read."""


def reward_of(proof: Proof, verdict: ProofVerdict, policy: Policy | None = None) -> Reward:
    """Turn a verdict into a reward: a pure function, so that stored verdicts give the same rewards.

    Raises ``ValueError`` where the verdict is on another number of steps.
    """
    policy = policy or Policy()
    coverage = coverage_of(proof, verdict, strength_bar=policy.faithfulness.strength_bar)
    first_error = verdict.first_error if verdict.basis is Basis.EVIDENCE else None
    abstention = _abstention(verdict, coverage, policy.rewards) if first_error is None else None
    return _reward(proof.id, verdict, coverage, policy.rewards, first_error, abstention)


def _reward(
    name: str, verdict: ProofVerdict, coverage: Coverage, policy: RewardPolicy, first_error: int | None, abstention: Abstention | None
) -> Reward:
    steps = tuple(
        StepReward(
            index=step.index,
            status=step.status,
            probability=_probability(step.status, policy),
            asserted=share.asserted,
            checked=share.checked,
            evidence=tuple(f"{item.obligation.id}/{item.checker}" for item in step.evidence if item.checker != NO_CHECKER),
        )
        for step, share in zip(verdict.steps, coverage.steps, strict=True)
    )
    return Reward(
        id=name,
        first_error=first_error,
        abstention=abstention,
        probability=math.prod(step.probability for step in steps) if abstention is None else None,
        coverage=coverage.share,
        asserted=coverage.asserted,
        checked=coverage.checked,
        steps=steps,
    )


def _probability(status: StepStatus, policy: RewardPolicy) -> float:
    frequencies = {
        StepStatus.SUPPORTED: policy.supported,
        StepStatus.REFUTED: policy.refuted,
        StepStatus.REFUTED_REMARK: policy.refuted_remark,
        StepStatus.UNCERTAIN: policy.uncertain,
        StepStatus.UNCHECKED: policy.unchecked,
    }
    return frequencies[status].probability


def _abstention(verdict: ProofVerdict, coverage: Coverage, policy: RewardPolicy) -> Abstention | None:
    """Say why there is no judgement on a proof without a first error; a fault of ours is named only where it made the difference."""
    needed = policy.min_coverage * coverage.asserted
    if coverage.checked and coverage.checked >= needed:
        return None
    lost = [item.outcome for step in verdict.steps for item in step.evidence if isinstance(item.outcome, Inconclusive)]
    for reasons, reason in ((_FROM_BUDGET, AbstentionReason.BUDGET_SPENT), (_FROM_MACHINERY, AbstentionReason.MACHINERY)):
        of_these = [outcome for outcome in lost if outcome.reason in reasons]
        if of_these and coverage.checked + len(of_these) >= needed:
            return Abstention(reason, f"{len(of_these)} unanswered: {_one_line(of_these[0].detail or of_these[0].reason)}")
    if not coverage.checked:
        return Abstention(AbstentionReason.NOTHING_CHECKABLE, f"none of {coverage.asserted} assertions was checked")
    return Abstention(AbstentionReason.LOW_COVERAGE, f"{coverage.checked} of {coverage.asserted} assertions were checked")


def reward_of_fault(proof: Proof | None, error: Exception, policy: Policy) -> Reward:
    """The abstention on a proof whose evaluation raised ``error``; ``proof`` is None where what was given is no proof."""
    if proof is None or isinstance(error, InputError):
        reason = AbstentionReason.NOT_READ
    else:
        reason = AbstentionReason.MACHINERY if isinstance(error, MachineryError) else AbstentionReason.FAILED
    what = str(error) if isinstance(error, FideleanError) else f"{type(error).__name__}: {error}"
    proof = proof or Proof(Problem(""), ())
    verdict = decide(len(proof.steps), [])
    # not counted from the text, which may be what broke
    coverage = Coverage(tuple(Share(asserted=1, checked=0) for _ in proof.steps), answers=False)
    return _reward(proof.id, verdict, coverage, policy.rewards, None, Abstention(reason, _one_line(what)))


def _one_line(text: str) -> str:
    """One line of signs that can be written in any encoding of Unicode."""
    return "".join(sign if sign.isprintable() else " " for sign in text[:MAX_DETAIL])
