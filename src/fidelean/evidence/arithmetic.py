"""The arithmetic checker: exact arithmetic on the numeric claims of a proof (FaithSieve, arithmetic checker)."""

from __future__ import annotations

from collections.abc import Sequence

from fidelean.evidence.records import NO_CHECKER, Evidence
from fidelean.exact.step import check_found
from fidelean.informal.claims import FoundClaim
from fidelean.informal.records import Proof
from fidelean.obligations.records import Obligation
from fidelean.outcome import Inconclusive, Reason
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
        return [evidence for obligation in obligations if (evidence := self._answer(proof, obligation, texts[obligation.step])) is not None]

    def _answer(self, proof: Proof, obligation: Obligation, text: str) -> Evidence | None:
        if obligation.chain is None or obligation.unread is not None:
            return None
        found = FoundClaim(obligation.claim, obligation.chain, obligation.unread)
        checked = check_found(found, text, proof.problem.text, self.policy)
        if isinstance(checked.outcome, Inconclusive) and checked.outcome.reason in _OUT_OF_REACH:
            return None
        return Evidence(obligation, checked.outcome, "arithmetic", values=checked.values, rests_on="exact arithmetic")


def unanswered(obligation: Obligation) -> Evidence:
    """The record of an obligation that no checker applies to."""
    return Evidence(obligation, obligation.unread or Inconclusive(Reason.NOT_READ, "no checker applies"), NO_CHECKER)
