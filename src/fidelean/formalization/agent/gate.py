"""The independent gate inside the loop: readers other than the drafting agent compare its file with the sentence."""

from __future__ import annotations

from typing import Protocol

from fidelean.faithfulness.gate import critical_lints, refusal, weigh
from fidelean.faithfulness.judge import judge_by_consensus
from fidelean.faithfulness.lints import lint
from fidelean.faithfulness.records import Judgement
from fidelean.formalization.agent.records import GateReport
from fidelean.formalization.wording import judgement_words
from fidelean.informal.records import Statement
from fidelean.lean.declarations import statement_of
from fidelean.lean.guard import normalise, screen
from fidelean.lean.records import LeanStatement
from fidelean.llm.model import Asker
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import FaithfulnessPolicy

__all__ = ["ConsensusGate", "StatementGate"]

_MAX_CHARS = 4_000


class StatementGate(Protocol):
    """Looks at a file that the agent hands in. It does not run Lean, so that it gives no feedback that the tool set withholds."""

    async def report(self, statement: Statement, lean_text: str) -> GateReport:
        """Say whether the file may pass, and why."""
        ...


class ConsensusGate:
    """Lints first, then every judge apart; all have to admit the file."""

    def __init__(self, judges: tuple[Asker, ...], policy: FaithfulnessPolicy | None = None) -> None:
        self._judges = judges
        self._policy = policy or FaithfulnessPolicy()

    async def report(self, statement: Statement, lean_text: str) -> GateReport:
        """See ``StatementGate``."""
        text = normalise(lean_text)
        refusals = screen(text).refusals
        if refusals:
            return GateReport(False, "\n".join(f"line {each.position.line}: {each.detail}" for each in refusals[:10])[:_MAX_CHARS])
        read = statement_of(text)
        if read is None:
            return GateReport(False, "it cannot be read as one theorem")
        judgement = await self._judged(statement, read)
        if isinstance(judgement, Inconclusive):
            return GateReport(False, f"it was not judged: {judgement.reason}: {judgement.detail}", judgement)
        refused = refusal(judgement)
        if refused is None:
            return GateReport(True, "it says what the sentence says, as far as the readers can tell", judgement=judgement)
        opening = "The readers disagree." if refused.reason is Reason.AMBIGUOUS else "It does not say what the sentence says."
        words = (word for word in judgement_words(judgement, opening) if word)
        return GateReport(False, "\n".join(words)[:_MAX_CHARS], judgement=judgement)

    async def _judged(self, statement: Statement, read: LeanStatement) -> Judgement | Inconclusive:
        """A report that does not fit the texts is asked for once more; a second one leaves the file unjudged."""
        lints = lint(read, statement.claim)
        if critical_lints(lints) and not self._policy.no_gate:
            return weigh((), self._policy, lints)  # a judge could not mend it
        judgement = await judge_by_consensus(self._judges, statement.claim, read, self._policy)
        if isinstance(judgement, Inconclusive) and judgement.reason is Reason.MALFORMED_REPLY:
            judgement = await judge_by_consensus(self._judges, statement.claim, read, self._policy, sample=1)
        return judgement
