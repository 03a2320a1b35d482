"""Scanning a whole tree for what may be wrong: the protocol, and the twin that a model answers (FaithSieve, suspicion search)."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

from fidelean.decomposition.audit.records import ErrorPrior, ErrorType, Likelihood, Suspicion, SuspicionScan
from fidelean.decomposition.audit.showing import in_one_line, show_transitions
from fidelean.decomposition.audit.window import text_order
from fidelean.decomposition.records import ProofTree
from fidelean.informal.records import Proof
from fidelean.llm.model import Asker
from fidelean.llm.prompts import load_prompt
from fidelean.outcome import Inconclusive, Reason

__all__ = ["ModelSuspicion", "PriorReply", "ScanReply", "SuspicionReply", "SuspicionSearch", "scan_by_model"]


class SuspicionSearch(Protocol):
    """Somebody who scans a tree for what may be wrong."""

    async def scan(self, proof: Proof, tree: ProofTree) -> SuspicionScan | Inconclusive:
        """Score every transition of the tree; inconclusive where no scan could be had."""
        ...


class PriorReply(BaseModel):
    """How plausible one kind of error is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    error: ErrorType = Field(description="the kind of error")
    weight: float = Field(ge=0, le=1, allow_inf_nan=False, description="its plausibility, 0 to 1")


class SuspicionReply(BaseModel):
    """One transition."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    transition: str = Field(max_length=80, description="id of the transition, as given")
    score: float = Field(ge=0, le=1, allow_inf_nan=False, description="how suspicious it is: 0 surely sound, 1 surely broken")
    likely_wrong: bool = Field(description="whether it looks wrong rather than merely unclear")
    should_formalize: bool = Field(description="whether a formal statement of it is worth the effort")
    priors: tuple[PriorReply, ...] = Field(default=(), max_length=20, description="which errors are plausible, each kind at most once")
    reason: str = Field(default="", max_length=2_000, description="why, in a line or two")


class ScanReply(BaseModel):
    """The scan of a proof."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    transitions: tuple[SuspicionReply, ...] = Field(description="every transition exactly once, the earliest plausible error first")
    overall: Likelihood = Field(description="likely_correct, likely_incorrect or uncertain, for the whole proof")


class ModelSuspicion:
    """The scan that a model answers."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    async def scan(self, proof: Proof, tree: ProofTree) -> SuspicionScan | Inconclusive:
        """Score every transition in one pass."""
        return await scan_by_model(self._asker, proof, tree)


async def scan_by_model(asker: Asker, proof: Proof, tree: ProofTree) -> SuspicionScan | Inconclusive:
    """One pass over all transitions; inconclusive unless it scores every one exactly once and nothing else."""
    if not tree.transitions:
        return SuspicionScan((), Likelihood.UNCERTAIN, "model")
    prompt = load_prompt(
        "fidelean.decomposition",
        "suspect",
        problem=proof.problem.text,
        steps="\n".join(in_one_line(f"{step.index}. {step.text}") for step in proof.steps),
        transitions=show_transitions(tree),
    )
    reply = await asker.ask(prompt, ScanReply)
    if isinstance(reply, Inconclusive):
        return reply
    order = text_order(tree)
    said, wanted = Counter(one.transition for one in reply.transitions), Counter(order)
    if said != wanted:
        wrong = sorted((said - wanted) + (wanted - said))
        return Inconclusive(Reason.MALFORMED_REPLY, f"not every transition exactly once: {', '.join(wrong)}"[:300])
    scored = sorted(reply.transitions, key=lambda one: order.index(one.transition))
    return SuspicionScan(tuple(map(_suspicion, scored)), reply.overall, "model")


def _suspicion(reply: SuspicionReply) -> Suspicion:
    return Suspicion(
        transition=reply.transition,
        score=reply.score,
        likely_wrong=reply.likely_wrong,
        should_formalize=reply.should_formalize,
        priors=tuple(ErrorPrior(prior.error, prior.weight) for prior in reply.priors),
        reason=reply.reason,
    )
