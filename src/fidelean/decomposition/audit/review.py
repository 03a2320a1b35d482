"""A local review of each scheduled transition: a model looks at one inference with what is in force there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from fidelean.decomposition.audit.records import Difficulty, ErrorType, LocalReview, Opinion
from fidelean.decomposition.audit.showing import in_one_line, said, show_state
from fidelean.decomposition.records import ProofTree, Transition
from fidelean.informal.records import Proof
from fidelean.llm.model import Asker
from fidelean.llm.prompts import load_prompt
from fidelean.outcome import Inconclusive, Reason

__all__ = ["ReviewReply", "Reviewed", "review_transition", "review_transitions"]


class ReviewReply(BaseModel):
    """The review of one transition."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    opinion: Opinion = Field(description="correct, incorrect or uncertain")
    suspicion: float = Field(ge=0, le=1, allow_inf_nan=False, description="how suspicious it is, 0 to 1")
    error: ErrorType | None = Field(default=None, description="the error that is seen; null where the opinion is correct")
    should_formalize: bool = Field(description="whether a formal statement of it is worth the effort")
    difficulty: Difficulty = Field(description="how hard it is to state formally without changing it")
    reason: str = Field(min_length=1, max_length=4_000, description="why, in a few lines, with the numbers or the counterexample")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A scheduled transition and what came of its review."""

    transition: str
    """Id of the transition."""
    answer: LocalReview | Inconclusive
    """The review; inconclusive where none could be had."""


async def review_transitions(
    asker: Asker, proof: Proof, tree: ProofTree, identifiers: Sequence[str], *, sample: int = 0
) -> tuple[Reviewed, ...]:
    """Review the transitions of these ids, each by itself, so that one that fails costs no other; in the order given.

    Raises ``KeyError`` for an id that the tree does not have: a fault of the code that asks.
    """
    known = {transition.id: transition for transition in tree.transitions}
    wanted = [known[identifier] for identifier in identifiers]
    answers = await asyncio.gather(*(review_transition(asker, proof, tree, transition, sample=sample) for transition in wanted))
    return tuple(Reviewed(transition.id, answer) for transition, answer in zip(wanted, answers, strict=True))


async def review_transition(
    asker: Asker, proof: Proof, tree: ProofTree, transition: Transition, *, sample: int = 0
) -> LocalReview | Inconclusive:
    """Review one transition; a reply that contradicts itself is no review."""
    step = proof.steps[transition.step - 1].text if 1 <= transition.step <= len(proof.steps) else ""
    prompt = load_prompt(
        "fidelean.decomposition",
        "review",
        problem=proof.problem.text,
        step=step,
        before=show_state(tree.state(transition.before)),
        transition=in_one_line(said(transition)),
        after="\n\n".join(show_state(tree.state(state)) for state in transition.after) or "(nothing)",
        pattern=transition.kind.value,
    )
    reply = await asker.ask(prompt, ReviewReply, sample=sample)
    if isinstance(reply, Inconclusive):
        return reply
    if (reply.opinion is Opinion.CORRECT and reply.error is not None) or (reply.opinion is Opinion.INCORRECT and reply.error is None):
        seen = reply.error or "no error"
        return Inconclusive(Reason.MALFORMED_REPLY, f"the review says {reply.opinion} and names {seen}")
    return LocalReview(transition.id, reply.opinion, reply.suspicion, reply.error, reply.should_formalize, reply.difficulty, reply.reason)
