"""The typed edges that a model proposes for the substeps of a proof."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from fidelean.decomposition.growth.building import grow, root_of
from fidelean.decomposition.growth.proposals import EdgeProposal
from fidelean.decomposition.growth.records import GrownTree
from fidelean.decomposition.substeps.records import Decomposition, Substep
from fidelean.informal.records import Proof
from fidelean.llm.model import Asker
from fidelean.llm.prompts import load_prompt
from fidelean.outcome import Inconclusive

__all__ = ["EdgesReply", "propose_edges", "tree_by_model"]


class EdgesReply(BaseModel):
    """The edges of a proof."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    edges: tuple[EdgeProposal, ...] = Field(max_length=2_000, description="one edge for every substep, in their order")


async def tree_by_model(asker: Asker, proof: Proof, decomposition: Decomposition) -> GrownTree | Inconclusive:
    """The tree of a proof from the edges that a model proposes, with every malformation; inconclusive where no edges could be had."""
    proposals = await propose_edges(asker, proof, decomposition.inferences)
    if isinstance(proposals, Inconclusive):
        return proposals
    return grow(proof, decomposition, proposals)


async def propose_edges(asker: Asker, proof: Proof, substeps: Sequence[Substep]) -> tuple[EdgeProposal, ...] | Inconclusive:
    """Ask for one edge per substep; whether the answer has them is for the tree's malformations to say."""
    conditions = "\n".join(_line(condition.name, "", condition.text) for condition in root_of(proof.problem).conditions)
    prompt = load_prompt(
        "fidelean.decomposition",
        "edges",
        problem=proof.problem.text,
        conditions=conditions or "(none)",
        substeps="\n".join(
            _line(substep.id, "; ".join(f"{scope.kind}: {scope.text}" for scope in substep.scopes), substep.text) for substep in substeps
        ),
    )
    reply = await asker.ask(prompt, EdgesReply)
    return reply if isinstance(reply, Inconclusive) else reply.edges


def _line(name: str, scope: str, text: str) -> str:
    """One line, whatever line ends the text has: no text can add a line of its own to the list."""
    return " ".join(f"{name} [{scope}] {text}".split())
