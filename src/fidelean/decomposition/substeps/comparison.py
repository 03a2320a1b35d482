"""The repair-prevention check with a model: what a comparison of texts cannot see."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from fidelean.decomposition.substeps.records import Decomposition, FindingSource, RepairFinding, RepairKind, Substep
from fidelean.informal.records import Proof
from fidelean.llm.model import Asker
from fidelean.llm.prompts import load_prompt
from fidelean.outcome import Inconclusive, Reason

__all__ = ["Comparison", "ComparisonReply", "SubstepComparison", "compare_by_model", "with_findings"]


class Comparison(StrEnum):
    """How a substep compares with its step."""

    SAME = "same"
    """It says what the step says."""
    STRENGTHENED = "strengthened"
    """It claims more."""
    WEAKENED = "weakened"
    """It claims less."""
    BETTER_JUSTIFIED = "better_justified"
    """It looks better founded."""
    CHANGED_CONSTANT = "changed_constant"
    """A number is another one."""
    CHANGED_NAME = "changed_name"
    """An object is another one."""
    CHANGED_RELATION = "changed_relation"
    """A relation is another one."""
    MISSING_SCOPE = "missing_scope"
    """A case, supposition or induction is not stated."""
    INVENTED_INFERENCE = "invented_inference"
    """The step does not draw this conclusion."""


class SubstepComparison(BaseModel):
    """One substep against its step."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    substep: str = Field(max_length=40, description="id of the substep, as given")
    comparison: Comparison = Field(description="how the substep compares with its step")
    evidence: str = Field(default="", max_length=1_000, description="the words that show it, short; may be empty for same")


class ComparisonReply(BaseModel):
    """All substeps against their steps."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    comparisons: tuple[SubstepComparison, ...] = Field(description="one for every substep, each exactly once")


async def compare_by_model(asker: Asker, proof: Proof, decomposition: Decomposition) -> tuple[RepairFinding, ...] | Inconclusive:
    """The departures that a model sees; inconclusive unless it speaks of every substep exactly once and of nothing else."""
    prompt = load_prompt(
        "fidelean.decomposition",
        "compare",
        problem=proof.problem.text,
        steps="\n\n".join(f"{step.index}. {step.text}" for step in proof.steps),
        substeps="\n".join(map(_line, decomposition.substeps)),
    )
    reply = await asker.ask(prompt, ComparisonReply)
    if isinstance(reply, Inconclusive):
        return reply
    steps = {substep.id: substep.step for substep in decomposition.substeps}
    said, wanted = Counter(one.substep for one in reply.comparisons), Counter(substep.id for substep in decomposition.substeps)
    if said != wanted:
        wrong = sorted((said - wanted) + (wanted - said))
        return Inconclusive(Reason.MALFORMED_REPLY, f"not every substep exactly once: {', '.join(wrong)[:200]}")
    return tuple(
        RepairFinding(RepairKind(one.comparison.value), steps[one.substep], one.substep, one.evidence, FindingSource.MODEL)
        for one in sorted(reply.comparisons, key=lambda one: list(steps).index(one.substep))
        if one.comparison is not Comparison.SAME
    )


def with_findings(decomposition: Decomposition, findings: tuple[RepairFinding, ...]) -> Decomposition:
    """The decomposition with further findings, in the order of the steps."""
    both = sorted((*decomposition.findings, *findings), key=lambda finding: finding.step)
    return replace(decomposition, findings=tuple(dict.fromkeys(both)))


def _line(substep: Substep) -> str:
    scope = "; ".join(f"{scope.kind}: {scope.text}" for scope in substep.scopes)
    return " ".join(f"{substep.id} [{scope}] {substep.text}".split())
