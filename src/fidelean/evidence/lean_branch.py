"""The Lean branch: an obligation is stated, judged, frozen, and proved or refuted; evidence follows by a pure rule (FaithSieve, 5b to 5d).

``LeanBranch.examine`` finds out, with models and Lean; ``lean_evidence`` decides, from what was found and a policy alone, so that another
threshold or the ablation without the gate replays without a model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from fidelean.evidence.records import NO_CHECKER, Artefact, Evidence, LeanFinding
from fidelean.faithfulness.gate import refusal, rejudged
from fidelean.faithfulness.judge import judge_by_consensus
from fidelean.faithfulness.records import Judgement
from fidelean.faithfulness.slots import SlotKind, statement_slots
from fidelean.formalization.loop import StatementLoop, reopened
from fidelean.formalization.records import Formalization
from fidelean.informal.records import Claim
from fidelean.lean.records import LeanStatement
from fidelean.obligations.premises import may_be_asked, premises_now
from fidelean.obligations.records import Obligation
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import FaithfulnessPolicy
from fidelean.proving.model_proofs import ProofLoop
from fidelean.proving.records import Leaning, ProofAttempt, ProofSearch, Transfer

__all__ = ["CHECKER", "LeanBranch", "lean_evidence"]

CHECKER = "lean"
"""The ``checker`` of this evidence."""

_SAYS_RATIONAL = re.compile(r"\brationals?\b|\\mathbb\s*\{?Q|\\Q\b|ℚ", re.IGNORECASE)
_RATIONAL_WORDS = frozenset(("Rat", "ℚ"))
_CARRIES = {
    Transfer.FIELDS: "proved in every field of characteristic 0, so it holds in ℚ, ℝ and ℂ",
    Transfer.ORDERED_FIELDS: "proved in every linearly ordered field, so it holds in ℚ and ℝ",
    Transfer.SAME_DOMAIN: "it speaks of the stated domain only",
    Transfer.UPWARDS: "a point that refutes it over ℝ and ℂ too",
    Transfer.UPWARDS_ORDERED: "a point that refutes it over ℝ too",
    Transfer.INSTANCE: "ℚ, which is one such field, breaks it",
}
_GOES_UP = frozenset((Transfer.FIELDS, Transfer.ORDERED_FIELDS, Transfer.UPWARDS, Transfer.UPWARDS_ORDERED))


@dataclass(frozen=True, slots=True)
class LeanBranch:
    """States obligations in Lean and has them proved or refuted."""

    statements: StatementLoop
    """Turns a claim into a statement that passes the gate."""
    proofs: ProofLoop
    """Proves or refutes a frozen statement."""

    async def examine(
        self,
        obligation: Obligation,
        *,
        leaning: Leaning = Leaning.UNCERTAIN,
        outcomes: Mapping[str, Outcome] | None = None,
        context: str = "",
    ) -> LeanFinding:
        """Find out what Lean says of an obligation; ``outcomes`` are those of other obligations so far, by id.

        Raises:
            EngineError: the engine failed in a way that no single text explains.
        """
        known = outcomes or {}
        unsettled = premises_now(obligation, known).unsettled
        engine = self.proofs.engine.name
        reason = self._not_asked(obligation, known)
        if reason is not None:
            return LeanFinding(obligation, unsettled=unsettled, not_asked=reason, engine=engine)
        formalization = await self.statements.run(obligation.claim, context=context)
        search = await self._search(formalization, leaning)
        for _ in range(self.statements.policy.formalization.max_reopenings):
            fault = await self._fault(obligation.claim, formalization, search)
            if not fault:
                break
            again = await self.statements.run(obligation.claim, context=context, so_far=reopened(formalization, fault))
            if not again.admitted:
                # the statement before is what Lean has spoken about; the run shows that nothing better came of it
                formalization = replace(formalization, trajectory=again.trajectory)
                break
            formalization, search = again, await self._search(again, leaning)
        return LeanFinding(obligation, formalization, search, unsettled, engine=engine)

    async def check(
        self,
        obligation: Obligation,
        *,
        leaning: Leaning = Leaning.UNCERTAIN,
        outcomes: Mapping[str, Outcome] | None = None,
        context: str = "",
    ) -> Evidence:
        """Find out and decide under the policy of the statement loop."""
        finding = await self.examine(obligation, leaning=leaning, outcomes=outcomes, context=context)
        return lean_evidence(finding, self.statements.policy.faithfulness)

    def _not_asked(self, obligation: Obligation, outcomes: Mapping[str, Outcome]) -> Inconclusive | None:
        bar = self.statements.policy.faithfulness.translation_bar
        if not obligation.use_lean:
            return Inconclusive(Reason.GAVE_UP, "it is no question for Lean")
        if obligation.translation_confidence < bar:
            words = f"it is not expected to translate into Lean: confidence {obligation.translation_confidence:.2f}, wanted {bar:.2f}"
            return Inconclusive(Reason.GAVE_UP, words)
        if not may_be_asked(obligation, outcomes):
            return Inconclusive(Reason.GAVE_UP, f"it waits for {', '.join(obligation.waits_for)}, which has not passed")
        return None

    async def _search(self, formalization: Formalization, leaning: Leaning) -> ProofSearch | None:
        """A statement that the gate holds back gets the portfolio alone: what Lean says of it is kept, and costs no model."""
        if formalization.statement is None:
            return None
        loop = self.proofs if formalization.admitted else replace(self.proofs, prover=None)
        return await loop.run(formalization.statement, leaning=leaning)

    async def _fault(self, claim: Claim, formalization: Formalization, search: ProofSearch | None) -> str:
        """A fault of an admitted statement that the kernel shows, or that the prover suspects and judges, asked afresh, confirm."""
        statement = formalization.statement
        if search is None or statement is None or not formalization.admitted:
            return ""
        if search.fault or not search.suspected_fault:
            return search.fault
        policy = self.statements.policy.faithfulness
        again = await judge_by_consensus(self.statements.judges, claim, statement, policy, sample=2)
        refused = None if isinstance(again, Inconclusive) else refusal(again)
        return f"{search.suspected_fault}\n{refused.detail}" if refused is not None else ""


def lean_evidence(finding: LeanFinding, policy: FaithfulnessPolicy) -> Evidence:
    """What a finding amounts to under a policy. Pure.

    A kernel-checked result counts only where the gate admits its statement, where it carries over to the numbers the text is about, and,
    for a proof, where it rests on no premise that is still open. What does not count keeps its artefact, which shows what Lean did say.
    """
    if finding.not_asked is not None or finding.formalization is None:
        return Evidence(finding.obligation, finding.not_asked or Inconclusive(Reason.GAVE_UP), NO_CHECKER)
    formalization, search = finding.formalization, finding.search
    judgement = rejudged(formalization.judgement, policy) if formalization.judgement is not None else None
    outcome = _outcome(finding, formalization, judgement, policy)
    attempt = search.attempt if search is not None else None
    is_decided = not isinstance(outcome, Inconclusive)
    report = judgement.report if judgement is not None else None
    return Evidence(
        finding.obligation,
        outcome,
        CHECKER,
        values=tuple(f"{name} = {value}" for name, value in attempt.witness.items()) if attempt is not None and is_decided else (),
        rests_on=_rests_on(finding.engine, attempt, judgement) if is_decided and attempt is not None else "",
        artefact=_artefact(attempt, formalization.statement),
        seconds=attempt.seconds if attempt is not None else 0.0,
        strength=judgement.strength if judgement is not None else 0.0,
        faithfulness=report,
    )


def _outcome(finding: LeanFinding, formalization: Formalization, judgement: Judgement | None, policy: FaithfulnessPolicy) -> Outcome:
    statement, search = formalization.statement, finding.search
    if statement is None or search is None:
        return formalization.outcome or Inconclusive(Reason.GAVE_UP, "no statement was found")
    said = search.attempt.outcome
    refused = _refused(formalization, judgement, policy)
    if refused is not None:
        if isinstance(said, Inconclusive):
            return refused
        word = "proves" if isinstance(said, Passed) else "refutes"
        return Inconclusive(refused.reason, f"Lean {word} the statement, but it does not count: {refused.detail}")
    if isinstance(said, Inconclusive):
        return said
    if (elsewhere := _speaks_elsewhere(finding.obligation.claim, statement, search.attempt)) is not None:
        return elsewhere
    if isinstance(said, Passed) and finding.unsettled:
        return Inconclusive(Reason.GAVE_UP, f"it is proved from something that has not been checked: {_short(finding.unsettled[0])}")
    return said


def _refused(formalization: Formalization, judgement: Judgement | None, policy: FaithfulnessPolicy) -> Inconclusive | None:
    if judgement is not None:
        return refusal(judgement)
    return None if policy.no_gate else formalization.outcome or Inconclusive(Reason.UNFAITHFUL, "nobody judged the statement")


def _speaks_elsewhere(claim: Claim, statement: LeanStatement, attempt: ProofAttempt) -> Inconclusive | None:
    """Why a result over ℚ, or in some field, says nothing of the text's numbers; None where it does (evaluate-proof, 5d)."""
    if attempt.transfer in _GOES_UP:
        return None
    is_rational = any(_SAYS_RATIONAL.search(text) for text in (claim.text, *claim.conditions))
    slots = statement_slots(statement)
    is_over_rationals = any(slot.kind is SlotKind.VARIABLE and _RATIONAL_WORDS & set(slot.says.split(" ")) for slot in slots)
    if attempt.transfer is Transfer.INSTANCE:
        is_over_rationals = True
    elif isinstance(attempt.outcome, Refuted) and any(slot.kind is SlotKind.STRUCTURE for slot in slots):
        return Inconclusive(Reason.NOT_IMPLIED, "it is refuted in some field, which need not be that of the text")
    if is_over_rationals and not is_rational:
        what = "proved" if isinstance(attempt.outcome, Passed) else "refuted"
        return Inconclusive(Reason.NOT_IMPLIED, f"it is {what} over ℚ alone, which says nothing of other numbers")
    return None


def _rests_on(engine: str, attempt: ProofAttempt, judgement: Judgement | None) -> str:
    carries = f", {_CARRIES[attempt.transfer]}" if attempt.transfer is not None else ""
    readers = len(judgement.reports) if judgement is not None else 0
    report = judgement.report if judgement is not None else None
    judged = (
        f"; {readers} judge{'s' if readers != 1 else ''}, faithfulness {report.s:.2f}"
        if report is not None
        else "; the statement was not judged"
    )
    return f"the kernel of {engine}{carries}{judged}"


def _artefact(attempt: ProofAttempt | None, statement: LeanStatement | None) -> Artefact | None:
    if attempt is not None and attempt.script:
        return Artefact("lean", attempt.script)
    return Artefact("lean", statement.text) if statement is not None else None


def _short(text: str, limit: int = 120) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"
