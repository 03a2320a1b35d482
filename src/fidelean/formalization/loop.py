"""The statement loop: draft, guard and elaborate, judge, and again with what came back (FaithSieve, Lean branch).

It stops once a draft elaborates and passes the gate, when the drafts are used up, or where going on would only repeat. Nothing here
looks at whether the statement can be proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fidelean.faithfulness.gate import critical_lints, refusal, weigh
from fidelean.faithfulness.judge import judge_by_consensus
from fidelean.faithfulness.lints import lint
from fidelean.faithfulness.records import Judgement
from fidelean.formalization.drafting import draft_statement
from fidelean.formalization.records import Draft, Feedback, FeedbackKind, Formalization, Round, Trajectory
from fidelean.formalization.wording import judgement_words
from fidelean.informal.records import Claim
from fidelean.lean.contracts import accept_statement
from fidelean.lean.declarations import statement_of
from fidelean.lean.engine import LeanEngine
from fidelean.lean.guard import normalise, screen
from fidelean.lean.messages import errors_as_text
from fidelean.lean.records import LeanSource, LeanStatement, SourceKind, Status
from fidelean.llm.model import Asker
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import Policy

__all__ = ["StatementLoop", "reopened"]

_NOT_RUN = frozenset((Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.CRASHED))
_ENDS = {
    FeedbackKind.REFUSED: (Reason.REFUSED, "no draft got past the source guard"),
    FeedbackKind.ERRORS: (Reason.DID_NOT_ELABORATE, "no draft elaborates"),
}


@dataclass(frozen=True, slots=True)
class StatementLoop:
    """Turns claims into Lean statements."""

    drafter: Asker
    """Who writes the drafts."""
    judges: tuple[Asker, ...]
    """Who compares them with the claim, each apart; one at least."""
    engine: LeanEngine
    """What elaborates them."""
    policy: Policy
    """Thresholds and bounds."""

    async def run(self, claim: Claim, *, context: str = "", so_far: Trajectory | None = None) -> Formalization:
        """State a claim; ``so_far`` is a run that is taken up again, with a fault as its last feedback.

        The result is never an exception of the model's: a reply that cannot be had ends the loop with its reason.
        """
        rounds = list(so_far.rounds if so_far else ())
        room = len(rounds) + self.policy.formalization.max_drafts
        repeats = 0
        while len(rounds) < room:
            draft = await draft_statement(self.drafter, claim, rounds, self.policy.formalization, context=context)
            if isinstance(draft, Inconclusive):
                return _ended(rounds, draft)
            found = await self._round(draft, claim, rounds)
            if isinstance(found, Inconclusive):
                return _ended(rounds, found)
            rounds.append(found)
            if found.feedback.kind is FeedbackKind.UNJUDGED:
                break
            if found.feedback.kind is FeedbackKind.ADMITTED:
                return Formalization(found.statement, found.judgement, Trajectory(tuple(rounds)))
            repeats += found.feedback.kind is FeedbackKind.REPEATED
            if repeats > self.policy.formalization.max_repeats:
                break
        return _ended(rounds, _exhausted(rounds))

    async def _round(self, draft: Draft, claim: Claim, before: Sequence[Round]) -> Round | Inconclusive:
        if any(each.draft.text == draft.text for each in before):
            return Round(
                draft, Feedback(FeedbackKind.REPEATED, f"this draft was sent before. What was said of it:\n{before[-1].feedback.text}")
            )
        text = normalise(draft.text)
        refusals = screen(text).refusals
        if refusals:
            return Round(
                draft, self._feedback(FeedbackKind.REFUSED, (f"line {each.position.line}: {each.detail}" for each in refusals[:10]))
            )
        (elaboration,) = await self.engine.elaborate([LeanSource(text, SourceKind.STATEMENT, name=f"draft {draft.number}")])
        if elaboration.status is Status.UNAVAILABLE:
            return Inconclusive(Reason.UNAVAILABLE, elaboration.detail)
        acceptance = accept_statement(text, elaboration)
        statement = statement_of(text) if acceptance.accepted else None
        if statement is None:
            kind = FeedbackKind.ERRORS if elaboration.status is Status.ERRORS else FeedbackKind.REFUSED
            kind = FeedbackKind.NOT_RUN if elaboration.status in _NOT_RUN else kind
            words = [str(objection) for objection in acceptance.objections[:10]] or ["it cannot be read as one theorem"]
            return Round(draft, self._feedback(kind, [*words, errors_as_text(elaboration)]))
        return await self._judged(draft, claim, statement)

    async def _judged(self, draft: Draft, claim: Claim, statement: LeanStatement) -> Round:
        lints = lint(statement, claim)
        judgement: Judgement | Inconclusive
        if critical_lints(lints) and not self.policy.faithfulness.no_gate:
            judgement = weigh((), self.policy.faithfulness, lints)  # a judge could not mend it
        else:
            judgement = await self._judge(claim, statement)
        if isinstance(judgement, Inconclusive):
            return Round(draft, Feedback(FeedbackKind.UNJUDGED, f"{judgement.reason}: {judgement.detail}"), statement)
        return Round(draft, self._verdict(judgement), statement, judgement)

    async def _judge(self, claim: Claim, statement: LeanStatement) -> Judgement | Inconclusive:
        """A report that does not fit the texts is asked for once more; a second one leaves the statement unjudged."""
        policy = self.policy.faithfulness
        judgement = await judge_by_consensus(self.judges, claim, statement, policy)
        if isinstance(judgement, Inconclusive) and judgement.reason is Reason.MALFORMED_REPLY:
            judgement = await judge_by_consensus(self.judges, claim, statement, policy, sample=1)
        return judgement

    def _verdict(self, judgement: Judgement) -> Feedback:
        refused = refusal(judgement)
        if refused is None:
            return Feedback(FeedbackKind.ADMITTED, "it elaborates and says what the text says, as far as the judges can tell")
        kind = FeedbackKind.DISAGREEMENT if refused.reason is Reason.AMBIGUOUS else FeedbackKind.DRIFT
        return self._feedback(kind, judgement_words(judgement))

    def _feedback(self, kind: FeedbackKind, words: Iterable[str]) -> Feedback:
        return Feedback(kind, "\n".join(word for word in words if word)[: self.policy.formalization.max_feedback_chars])


def reopened(formalization: Formalization, fault: str) -> Trajectory:
    """The run with a confirmed fault of its last statement as the last feedback, to be taken up again."""
    rounds = formalization.trajectory.rounds
    last = formalization.trajectory.last_elaborated
    if last is None:
        raise ValueError("a statement that does not exist has no fault")
    feedback = Feedback(FeedbackKind.FAULT, f"It elaborates, but its proof showed a fault of the statement itself:\n{fault}")
    return Trajectory((*rounds, replace(last, draft=replace(last.draft, number=len(rounds) + 1), feedback=feedback)))


def _ended(rounds: Sequence[Round], outcome: Inconclusive) -> Formalization:
    trajectory = Trajectory(tuple(rounds))
    last = trajectory.last_elaborated
    return Formalization(last.statement if last else None, last.judgement if last else None, trajectory, outcome)


def _exhausted(rounds: Sequence[Round]) -> Inconclusive:
    """What the drafts failed at: the furthest that any of them came counts."""
    tried = f"after {len(rounds)} draft{'s' if len(rounds) != 1 else ''}"
    judged = next((each for each in reversed(rounds) if each.statement is not None), None)
    if judged is not None:
        return _unadmitted(judged, tried)
    last = next((each for each in reversed(rounds) if each.feedback.kind is not FeedbackKind.REPEATED), None)
    if last is None:
        return Inconclusive(Reason.BUDGET_SPENT, "no draft is allowed")
    line = last.feedback.text.split("\n")[0][:200]
    if last.feedback.kind is FeedbackKind.NOT_RUN:
        return Inconclusive(Reason(line.partition(":")[0]), f"Lean came to no end {tried}")
    reason, words = _ENDS.get(last.feedback.kind, (Reason.DID_NOT_ELABORATE, "no draft elaborates"))
    return Inconclusive(reason, f"{words} {tried}: {line}")


def _unadmitted(judged: Round, tried: str) -> Inconclusive:
    feedback = judged.feedback
    if feedback.kind is FeedbackKind.UNJUDGED:
        reason, _, detail = feedback.text.partition(": ")
        return Inconclusive(Reason(reason), f"it was not judged: {detail}")
    refused = refusal(judged.judgement) if judged.judgement else None
    if feedback.kind is FeedbackKind.FAULT or refused is None:
        return Inconclusive(Reason.UNFAITHFUL, f"{feedback.text}; {tried}")
    return Inconclusive(refused.reason, f"{refused.detail}; {tried}")
