"""Suspicion without a model: refuted claims, unread reasoning, risky words. It orders work; the checkers decide."""

from __future__ import annotations

from dataclasses import dataclass, field

from fidelean.decomposition.audit.records import ErrorPrior, ErrorType, Likelihood, Suspicion, SuspicionScan
from fidelean.decomposition.growth.risks import risks_of
from fidelean.decomposition.records import ProofTree, RiskFlag, Transition
from fidelean.exact.check import check_claim
from fidelean.informal.context import sentences_of
from fidelean.informal.records import Proof
from fidelean.outcome import Inconclusive, Outcome, Passed, Refuted
from fidelean.policy import ArithmeticPolicy

__all__ = ["RuleSuspicion", "scan_by_rules"]

_REFUTED, _MOST, _UNTOUCHED, _DECIDED = 1.0, 0.9, 0.1, 0.0
_WEIGHTS = {
    RiskFlag.UNSUPPORTED: 0.3,
    RiskFlag.DRIFT: 0.3,
    RiskFlag.UNREAD: 0.2,
    RiskFlag.SIGNATURE: 0.15,
    RiskFlag.DECISIVE_WORD: 0.15,
    RiskFlag.JOINS: 0.05,
}
"""One flag alone stays under the usual threshold; a bare assertion in decisive words that was not read does not."""
_PRIORS = {RiskFlag.UNSUPPORTED: ErrorType.GAP, RiskFlag.DECISIVE_WORD: ErrorType.QUANTIFIER, RiskFlag.SIGNATURE: ErrorType.MISSING_CASE}


@dataclass(frozen=True, slots=True)
class RuleSuspicion:
    """The scan without a model."""

    policy: ArithmeticPolicy = field(default_factory=ArithmeticPolicy)
    """Bounds of the arithmetic that looks at each claim."""

    async def scan(self, proof: Proof, tree: ProofTree) -> SuspicionScan | Inconclusive:
        """Score every transition; this scan can always be had."""
        return scan_by_rules(proof, tree, self.policy)


def scan_by_rules(proof: Proof, tree: ProofTree, policy: ArithmeticPolicy | None = None) -> SuspicionScan:
    """Score every transition from its claim, its words and its pattern; pure."""
    bounds = policy or ArithmeticPolicy()
    ordered = sorted(tree.transitions, key=lambda transition: transition.step)
    suspicions = tuple(_suspicion(transition, _words(transition, proof), bounds) for transition in ordered)
    refuted = any(one.likely_wrong for one in suspicions)
    decided = bool(suspicions) and all(one.score == _DECIDED for one in suspicions)
    overall = Likelihood.LIKELY_INCORRECT if refuted else Likelihood.LIKELY_CORRECT if decided else Likelihood.UNCERTAIN
    return SuspicionScan(suspicions, overall, "rules")


def _suspicion(transition: Transition, text: str, policy: ArithmeticPolicy) -> Suspicion:
    outcome = _arithmetic(transition, policy)
    if isinstance(outcome, Refuted):
        prior = (ErrorPrior(ErrorType.ARITHMETIC, 1.0),)
        return Suspicion(transition.id, _REFUTED, likely_wrong=True, should_formalize=False, priors=prior, reason=outcome.detail)
    if isinstance(outcome, Passed):
        return Suspicion(transition.id, _DECIDED, likely_wrong=False, should_formalize=False, reason="decided by exact arithmetic")
    flags = transition.risks or risks_of(transition, text)
    score = min(_MOST, _UNTOUCHED + sum(_WEIGHTS[flag] for flag in flags))
    priors = tuple(ErrorPrior(_PRIORS[flag], _WEIGHTS[flag]) for flag in flags if flag in _PRIORS)
    return Suspicion(
        transition.id, score, likely_wrong=False, should_formalize=transition.fact is not None, priors=priors, reason=", ".join(flags)
    )


def _words(transition: Transition, proof: Proof) -> str:
    """The words in which a transition is made: its substep, else the sentence of its claim, else its step."""
    if transition.text or not 1 <= transition.step <= len(proof.steps):
        return transition.text
    step = proof.steps[transition.step - 1].text
    if transition.claim is None or transition.claim.span is None:
        return step
    sentence = sentences_of(step).around(transition.claim.span)
    return step[sentence.start : sentence.end]


def _arithmetic(transition: Transition, policy: ArithmeticPolicy) -> Outcome | None:
    """What exact arithmetic says of a conclusion that the text alone lets it decide; None where there is nothing to decide."""
    if transition.claim is None or transition.fact is None or transition.unread is not None or transition.cases:
        return None
    return check_claim(transition.claim.text, policy).outcome
