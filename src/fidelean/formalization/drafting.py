"""Asking a model for a draft of a statement, first and again."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from fidelean.formalization.records import Draft, Round
from fidelean.informal.records import Claim
from fidelean.llm.model import Asker
from fidelean.llm.prompts import load_prompt
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import FormalizationPolicy

__all__ = ["StatementReply", "draft_statement"]

_ROOM = "fidelean.formalization"


class StatementReply(BaseModel):
    """A Lean statement, or why there is none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lean: str = Field(description="the whole Lean text, one theorem ending in := by sorry; empty only where it cannot be stated")
    notes: str = Field(description="which condition became which hypothesis, and what was left out on purpose", max_length=4_000)
    cannot_state: str = Field(
        default="", description="why the claim cannot be stated in this Lean; empty where it was stated", max_length=2_000
    )


async def draft_statement(
    asker: Asker, claim: Claim, rounds: Sequence[Round], policy: FormalizationPolicy, *, context: str = "", sample: int = 0
) -> Draft | Inconclusive:
    """Ask for the next draft, with what came back of the one before.

    Inconclusive where no reply could be had or read, where it is empty or too long, and where the drafter says that it cannot be stated.
    """
    conditions = "\n".join(f"P{number}: {condition}" for number, condition in enumerate(claim.conditions, start=1)) or "(none)"
    common = {"claim": claim.text, "conditions": conditions, "context": context or "(nothing)"}
    if rounds:
        last = rounds[-1]
        earlier = "\n".join(each.draft.text[:200] for each in rounds[:-1]) or "(none)"
        prompt = load_prompt(_ROOM, "revise", draft=last.draft.text, feedback=last.feedback.text, earlier=earlier, **common)
    else:
        prompt = load_prompt(_ROOM, "draft", **common)
    reply = await asker.ask(prompt, StatementReply, sample=sample)
    if isinstance(reply, Inconclusive):
        return reply
    if reply.cannot_state.strip():
        return Inconclusive(Reason.DECLINED, f"the drafter says that it cannot be stated: {reply.cannot_state.strip()[:400]}")
    if not reply.lean.strip():
        return Inconclusive(Reason.MALFORMED_REPLY, "the draft is empty")
    if len(reply.lean) > policy.max_statement_chars:
        return Inconclusive(Reason.MALFORMED_REPLY, f"the draft has more than {policy.max_statement_chars} characters")
    return Draft(len(rounds) + 1, _without_fence(reply.lean), reply.notes)


def _without_fence(text: str) -> str:
    """Lean text without the code fence that models like to put around it."""
    lines = text.strip().split("\n")
    if len(lines) > 1 and lines[0].startswith("```") and lines[-1].strip() == "```":
        lines = lines[1:-1]
    return "\n".join(lines).strip() + "\n"
