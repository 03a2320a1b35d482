"""Opinions on a whole proof: the direct judge, its repetition, the agent without tools, the judge of the tree, the final synthesis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from fidelean.decomposition.audit.records import LocalReview
from fidelean.decomposition.audit.review import Reviewed
from fidelean.decomposition.audit.showing import in_one_line, show_transitions
from fidelean.decomposition.records import ProofTree
from fidelean.evidence.records import NO_CHECKER, Evidence
from fidelean.informal.records import Proof
from fidelean.llm.desk import RoleAsker
from fidelean.llm.direct import DirectLabel, read_label
from fidelean.llm.prompts import load_prompt
from fidelean.outcome import Inconclusive, Reason
from fidelean.verdict.records import ModelOpinion

__all__ = ["AgentReply", "LabelReply", "judge_by_agent", "judge_directly", "judge_repeatedly", "judge_tree", "synthesize"]

_ROOM = "fidelean.pipelines"


class LabelReply(BaseModel):
    """Where the first error is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first_error: int | None = Field(ge=1, description="number of the first step that breaks the proof; null where there is none")
    reason: str = Field(max_length=4_000, description="why, in a few lines")


class AgentMove(StrEnum):
    """What an agent does in one turn."""

    EXAMINE = "examine"
    """It looks at one step again."""
    ANSWER = "answer"
    """It gives its answer."""


class AgentReply(BaseModel):
    """One turn of the agent."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    move: AgentMove = Field(description="examine or answer")
    step: int | None = Field(
        default=None, ge=1, description="the step examined, or the first error; null where the answer is that there is none"
    )
    notes: str = Field(max_length=4_000, description="what was found, or the reason for the answer")


async def judge_directly(asker: RoleAsker, proof: Proof, *, sample: int = 0) -> ModelOpinion | Inconclusive:
    """One reading of the whole proof, one reply: ``correct`` or ``step N``."""
    prompt = load_prompt(_ROOM, "direct", problem=proof.problem.text, steps=steps_text(proof))
    label = await asker.ask_text(prompt, lambda text: read_label(text, len(proof.steps)), sample=sample)
    return _opinion(label, "", "direct judge") if isinstance(label, DirectLabel) else label


async def judge_repeatedly(asker: RoleAsker, proof: Proof, samples: int) -> ModelOpinion | Inconclusive:
    """So many direct judgements; the label most of them give, the earlier one where two are as frequent, none counting as latest."""
    said = [await judge_directly(asker, proof, sample=sample) for sample in range(samples)]
    labels = Counter(each.first_error for each in said if isinstance(each, ModelOpinion))
    if not labels:
        return next((each for each in said if isinstance(each, Inconclusive)), Inconclusive(Reason.NO_REPLY, "nobody was asked"))
    label, number = min(labels.items(), key=lambda item: (-item[1], item[0] or len(proof.steps) + 1))
    return ModelOpinion(label, f"{number} of {samples} judgements", "repeated direct judge")


async def judge_by_agent(asker: RoleAsker, proof: Proof, turns: int) -> ModelOpinion | Inconclusive:
    """An agent without tools: it examines steps turn by turn and answers within ``turns``."""
    notes: list[str] = []
    for _ in range(turns):
        prompt = load_prompt(_ROOM, "agent", problem=proof.problem.text, steps=steps_text(proof), notes="\n".join(notes) or "(nothing)")
        reply = await asker.ask(prompt, AgentReply)
        if isinstance(reply, Inconclusive):
            return reply
        if reply.step is not None and reply.step > len(proof.steps):
            return _no_such_step(reply.step, proof)
        if reply.move is AgentMove.ANSWER:
            return ModelOpinion(reply.step, reply.notes, "agent without tools")
        place = "the whole" if reply.step is None else f"step {reply.step}"
        notes.append(in_one_line(f"{place}: {reply.notes}"))
    return Inconclusive(Reason.GAVE_UP, f"the agent gave no answer in {turns} turns")


async def judge_tree(asker: RoleAsker, proof: Proof, tree: ProofTree) -> ModelOpinion | Inconclusive:
    """One reading of the tree of proof states."""
    prompt = load_prompt(_ROOM, "graph", problem=proof.problem.text, steps=steps_text(proof), transitions=show_transitions(tree))
    return _label(await asker.ask(prompt, LabelReply), proof, "judge of the tree")


async def synthesize(
    asker: RoleAsker, proof: Proof, evidence: Sequence[Evidence], reviews: Sequence[Reviewed]
) -> ModelOpinion | Inconclusive:
    """The final synthesis over all local findings, for a proof of which no check broke a step."""
    findings = "\n".join([*map(_finding, evidence), *map(_review, reviews)])
    prompt = load_prompt(_ROOM, "synthesis", problem=proof.problem.text, steps=steps_text(proof), findings=findings or "(nothing)")
    return _label(await asker.ask(prompt, LabelReply), proof, "final synthesis")


def steps_text(proof: Proof) -> str:
    """The steps with their numbers, one a line: no text can add a step of its own."""
    return "\n".join(in_one_line(f"{step.index}. {step.text}") for step in proof.steps)


def _label(reply: LabelReply | Inconclusive, proof: Proof, by: str) -> ModelOpinion | Inconclusive:
    if isinstance(reply, Inconclusive):
        return reply
    if reply.first_error is not None and reply.first_error > len(proof.steps):
        return _no_such_step(reply.first_error, proof)
    return ModelOpinion(reply.first_error, reply.reason, by)


def _opinion(label: DirectLabel, reason: str, by: str) -> ModelOpinion:
    return ModelOpinion(label.first_error, reason, by)


def _no_such_step(step: int, proof: Proof) -> Inconclusive:
    return Inconclusive(Reason.MALFORMED_REPLY, f"there is no step {step}: the proof has {len(proof.steps)}")


def _finding(item: Evidence) -> str:
    outcome = item.outcome
    reason = f" ({outcome.reason.value})" if isinstance(outcome, Inconclusive) else ""
    checker = "no check" if item.checker == NO_CHECKER else item.checker
    said = f"step {item.obligation.step}: {item.obligation.claim.text[:300]} | {checker}: {type(outcome).__name__.lower()}{reason}"
    return in_one_line(said)


def _review(reviewed: Reviewed) -> str:
    answer = reviewed.answer
    if isinstance(answer, LocalReview):
        return in_one_line(f"inference {reviewed.transition}: a review says {answer.opinion.value}: {answer.reason[:600]}")
    return f"inference {reviewed.transition}: no review could be had ({answer.reason.value})"
