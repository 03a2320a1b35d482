"""The arithmetic checker: exact arithmetic on the numeric claims of a proof (FaithSieve, arithmetic checker)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from fidelean.evidence.records import NO_CHECKER, Evidence
from fidelean.evidence.values import put_in
from fidelean.exact.check import CheckedClaim
from fidelean.exact.step import check_found
from fidelean.informal.claims import FoundClaim
from fidelean.informal.context import sentences_of
from fidelean.informal.maths.tree import Chain, Relation
from fidelean.informal.records import Proof
from fidelean.obligations.bearing import returns
from fidelean.obligations.records import Obligation
from fidelean.outcome import Inconclusive, Reason, Refuted
from fidelean.policy import ArithmeticPolicy

__all__ = ["ArithmeticChecker"]

_OUT_OF_REACH = frozenset(
    (Reason.NO_RELATION, Reason.NOT_READ, Reason.FRAGMENT, Reason.HAS_VARIABLE, Reason.HAS_WORDS, Reason.HAS_ELLIPSIS, Reason.QUANTIFIED)
)


class ArithmeticChecker:
    """Decides claims without variables; everything else is out of its reach and stays unanswered."""

    def __init__(self, policy: ArithmeticPolicy) -> None:
        self.policy = policy

    async def check(self, cases: Sequence[tuple[Proof, Sequence[Obligation]]]) -> list[list[Evidence]]:
        """Answer the numeric obligations of each proof; never raises for any text."""
        return [self._check(proof, obligations) for proof, obligations in cases]

    def _check(self, proof: Proof, obligations: Sequence[Obligation]) -> list[Evidence]:
        texts = {step.index: step.text for step in proof.steps}
        known = {obligation.id: obligation for obligation in obligations}
        answers = (
            self._answer(proof, obligation, texts[obligation.step])
            or self._with_values(proof, obligation, known.get(obligation.premise or ""), texts[obligation.step])
            for obligation in obligations
        )
        return [evidence for evidence in answers if evidence is not None]

    def _with_values(self, proof: Proof, obligation: Obligation, premise: Obligation | None, text: str) -> Evidence | None:
        """Refute a claim with variables that the values which the text itself gives them make false."""
        if obligation.unread is None or obligation.unread.reason is not Reason.HAS_VARIABLE:
            return None
        chain = put_in(obligation, premise)
        if chain is None or (obligation.claim.span is not None and not sentences_of(text).asserts(obligation.claim.span)):
            return None
        checked = check_found(FoundClaim(obligation.claim, chain, None), text, proof.problem.text, self.policy)
        if not isinstance(checked.outcome, Refuted):
            return None
        return Evidence(obligation, checked.outcome, "arithmetic", values=checked.values, rests_on="exact arithmetic, with values put in")

    def _answer(self, proof: Proof, obligation: Obligation, text: str) -> Evidence | None:
        if obligation.chain is None or obligation.unread is not None:
            return None
        found = FoundClaim(obligation.claim, obligation.chain, obligation.unread)
        checked = check_found(found, text, proof.problem.text, self.policy)
        if isinstance(checked.outcome, Inconclusive) and checked.outcome.reason in _OUT_OF_REACH:
            return None
        if obligation.load_bearing and _is_loose(obligation.chain, checked) and obligation.claim.span is not None:
            later = [step.text for step in proof.steps[obligation.step :]]
            used = returns(text, obligation.claim.span, obligation.chain.spans[-1], later)
            obligation = replace(obligation, load_bearing=used)
        return Evidence(obligation, checked.outcome, "arithmetic", values=checked.values, rests_on="exact arithmetic")


def _is_loose(chain: Chain, checked: CheckedClaim) -> bool:
    """Whether a refuted chain ends in an approximation that is only a little off: by less than 1 %, and right before the point."""
    if not isinstance(checked.outcome, Refuted) or chain.relations[-1] is not Relation.ABOUT or len(checked.values) < 2:
        return False
    exact, written = (_approximate(value) for value in checked.values[-2:])
    if exact is None or written is None or checked.broken is None or checked.claim.span is None:
        return False
    in_last = checked.broken.start == chain.spans[-2].start - checked.claim.span.start
    return in_last and math.floor(exact) == math.floor(written) and 100 * abs(exact - written) < abs(exact)


def _approximate(value: str) -> Fraction | None:
    """A value as it is shown, cut off where it is."""
    try:
        return Fraction(value.rstrip("…"))
    except (ValueError, ZeroDivisionError):
        return None


def unanswered(obligation: Obligation) -> Evidence:
    """The record of an obligation that no checker applies to."""
    return Evidence(obligation, obligation.unread or Inconclusive(Reason.NOT_READ, "no checker applies"), NO_CHECKER)
