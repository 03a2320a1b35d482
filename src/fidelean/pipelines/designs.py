"""The systems that a benchmark compares: what each does of the full method (FaithSieve, baselines and ablations)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from fidelean.errors import UsageError
from fidelean.policy import Policy

__all__ = ["DESIGNS", "Design", "Judging", "design_of"]


class Judging(StrEnum):
    """Who gives an opinion on the whole proof."""

    NOBODY = "nobody"
    """Evidence alone."""
    DIRECT = "direct"
    """One reading of the whole text."""
    REPEATED = "repeated"
    """Many readings, the majority counts."""
    AGENT = "agent"
    """Several turns of thought over the text."""
    GRAPH = "graph"
    """One reading of the tree."""
    SYNTHESIS = "synthesis"
    """A conclusion from all local findings, asked for where no check broke a step."""


@dataclass(frozen=True, slots=True)
class Design:
    """One system that asks models."""

    name: str
    """Its name on the command line."""
    judging: Judging
    """Who gives an opinion on the whole proof."""
    tree: bool = False
    """Whether the proof becomes a tree of proof states."""
    cut: bool = True
    """Whether steps are cut into substeps; without it whole steps are the units."""
    audit: bool = False
    """Whether suspicion decides where transitions are reviewed."""
    formal: bool = False
    """Whether arithmetic and Lean check anything."""
    gated: bool = True
    """Whether the gate holds back what Lean says of statements that are not faithful."""
    reviews_decide: bool = False
    """Whether a local review alone may name the first error."""

    def policy(self, policy: Policy) -> Policy:
        """The policy under which this system decides."""
        return policy if self.gated else replace(policy, faithfulness=replace(policy.faithfulness, no_gate=True))


DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (
        Design("direct", Judging.DIRECT),
        Design("graph", Judging.GRAPH, tree=True),
        Design("transitions-nl", Judging.NOBODY, tree=True, audit=True, reviews_decide=True),
        Design("no-transitions", Judging.SYNTHESIS, tree=True, cut=False, audit=True, formal=True),
        Design("no-gate", Judging.SYNTHESIS, tree=True, audit=True, formal=True, gated=False),
        Design("full", Judging.SYNTHESIS, tree=True, audit=True, formal=True),
        Design("nl-repeat", Judging.REPEATED),
        Design("nl-agent", Judging.AGENT),
    )
}
"""Every system that asks models, by name; ``rules`` asks none."""


def design_of(name: str) -> Design:
    """Give a system by name. Raises ``UsageError``."""
    if name not in DESIGNS:
        raise UsageError(f"there is no system {name!r}: {', '.join(['rules', *DESIGNS])}")
    return DESIGNS[name]
