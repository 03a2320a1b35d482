"""Step → substeps by a model, each tied to the words of the step; what does not fit is listed, never mended."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict, Field

from fidelean.decomposition.substeps.records import Decomposition, RepairFinding, RepairKind, Scope, ScopeKind, Substep, WholeStep
from fidelean.decomposition.substeps.repair import repair_findings
from fidelean.informal.records import Proof, Span, Step
from fidelean.llm.model import Asker
from fidelean.llm.prompts import load_prompt
from fidelean.outcome import Inconclusive, Reason

__all__ = ["ScopeReply", "SplitReply", "SubstepReply", "decompose_by_model", "kept_whole", "locate", "split_step", "undivided"]


class ScopeReply(BaseModel):
    """One thing that a substep stands under."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: ScopeKind = Field(description="case, contradiction (also any supposition for the sake of argument), induction, or witness")
    text: str = Field(min_length=1, max_length=2_000, description="the assumption, hypothesis or choice, copied from the proof")


class SubstepReply(BaseModel):
    """One inference of the step."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = Field(min_length=1, max_length=8_000, description="the inference in the words of the step, nothing added, nothing left out")
    quotes: tuple[str, ...] = Field(
        min_length=1, max_length=20, description="the places in the step that say it, copied character by character"
    )
    scopes: tuple[ScopeReply, ...] = Field(default=(), max_length=20, description="what it stands under, outermost first; empty if nothing")
    motivation: bool = Field(default=False, description="true only where it announces, motivates or repeats and concludes nothing")


class SplitReply(BaseModel):
    """A step, cut into substeps."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    substeps: tuple[SubstepReply, ...] = Field(min_length=1, max_length=60, description="the substeps in the order of the step")


async def decompose_by_model(asker: Asker, proof: Proof) -> Decomposition:
    """Cut every step of a proof and compare the substeps with their steps, without asking the model again.

    A step that gets no usable reply stands whole, in its author's words, and is listed with the reason.
    """
    answers = await asyncio.gather(*(split_step(asker, proof, step) for step in proof.steps))
    substeps: list[Substep] = []
    absent: list[RepairFinding] = []
    whole: list[WholeStep] = []
    for step, answer in zip(proof.steps, answers, strict=True):
        if isinstance(answer, Inconclusive):
            whole.append(WholeStep(step.index, answer))
            substeps.append(kept_whole(step))
        else:
            own, missing = answer
            substeps += own
            absent += missing
    cut = {one.step for one in whole}
    findings = [*absent, *repair_findings(proof, [substep for substep in substeps if substep.step not in cut])]
    return Decomposition(tuple(substeps), tuple(sorted(findings, key=lambda finding: finding.step)), tuple(whole))


async def split_step(asker: Asker, proof: Proof, step: Step) -> tuple[tuple[Substep, ...], tuple[RepairFinding, ...]] | Inconclusive:
    """The substeps of one step, and a finding for each quotation that the step does not hold."""
    before = "\n\n".join(f"{other.index}. {other.text}" for other in proof.steps[: step.index - 1])
    reply = await asker.ask(
        load_prompt("fidelean.decomposition", "decompose", problem=proof.problem.text, before=before or "(none)", step=step.text),
        SplitReply,
    )
    if isinstance(reply, Inconclusive):
        return reply
    if all(one.motivation for one in reply.substeps) and re.search(r"[=<>≤≥]", step.text):
        return Inconclusive(Reason.DRIFTED, f"step {step.index} is called motivation as a whole, and it has formulas")
    substeps = tuple(_substep(step, number, one) for number, one in enumerate(reply.substeps, start=1))
    return substeps, tuple(_absent(step, substeps, reply.substeps))


def undivided(proof: Proof) -> Decomposition:
    """The proof with every step as one substep: what an evaluation without transitions looks at."""
    return Decomposition(tuple(map(kept_whole, proof.steps)))


def kept_whole(step: Step) -> Substep:
    """A step as one substep in its author's words."""
    return Substep(f"{step.index}.1", step.index, step.text, (Span(0, len(step.text)),))


def locate(text: str, quotation: str) -> Span | None:
    """Where a quotation first stands in a text, white space apart; None where it does not."""
    words = quotation.split()
    if not words:
        return None
    match = re.search(r"\s+".join(map(re.escape, words)), text)
    return Span(match.start(), match.end()) if match else None


def _substep(step: Step, number: int, reply: SubstepReply) -> Substep:
    found = (locate(step.text, quotation) for quotation in reply.quotes)
    return Substep(
        id=f"{step.index}.{number}",
        step=step.index,
        text=reply.text,
        anchors=tuple(dict.fromkeys(span for span in found if span is not None)),
        scopes=tuple(Scope(scope.kind, scope.text) for scope in reply.scopes),
        is_motivation=reply.motivation,
    )


def _absent(step: Step, substeps: Sequence[Substep], replies: Sequence[SubstepReply]) -> Iterator[RepairFinding]:
    for substep, reply in zip(substeps, replies, strict=True):
        for quotation in reply.quotes:
            if locate(step.text, quotation) is None:
                yield RepairFinding(RepairKind.ABSENT_QUOTATION, step.index, substep.id, quotation[:200])
