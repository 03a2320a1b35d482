"""What must hold for a step: the record, apart from the rules that derive it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fidelean.decomposition.records import Condition, Fact
from fidelean.informal.maths.tree import Chain
from fidelean.informal.records import Claim
from fidelean.outcome import Inconclusive

__all__ = ["Obligation", "ObligationKind", "ObligationSource", "Premise"]


class ObligationKind(StrEnum):
    """What kind of thing must hold (FaithSieve, typed obligations)."""

    DERIVED_FACT = "derived_fact"
    """The context implies the new fact."""
    ENTAILMENT = "entailment"
    """The context implies the fact as stated, no calculation shown."""
    REWRITE = "rewrite"
    """The calculation or rewrite holds."""
    GOAL_REDUCTION = "goal_reduction"
    """The goal afterwards suffices for the goal before."""
    FACT_PLUS_REDUCTION = "fact_plus_reduction"
    """A new fact, then a reduction that uses it."""
    CASE_SPLIT = "case_split"
    """The cases cover."""
    BRANCH_ELIMINATION = "branch_elimination"
    """A branch that was dropped is impossible."""
    OVERLAP_PARTITION = "overlap_partition"
    """The cases are disjoint, where that is said."""
    JUSTIFICATION_FAITHFULNESS = "justification_faithfulness"
    """The reason given is the reason that holds."""
    WITNESS = "witness"
    """The witness satisfies the target."""
    CONTESTED_CLAIM = "contested_claim"
    """The flagged claim is true."""


class ObligationSource(StrEnum):
    """Who says that it must hold."""

    RULES = "rules"
    """The deterministic rules over transitions."""
    REVIEW = "review"
    """A review flagged a claim."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A condition in force, and what has to be established before it may serve."""

    text: str
    """The condition, as written."""
    awaits: tuple[str, ...] = ()
    """Ids of the obligations that establish it; empty for what is given, defined or assumed."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """One thing that must hold for a step to be sound."""

    id: str
    """``<step>.<number>``, both 1-based, unique within a proof."""
    step: int
    """1-based index of the step."""
    kind: ObligationKind
    """What kind of thing must hold."""
    claim: Claim
    """What must hold, anchored in the step's text."""
    load_bearing: bool = True
    """Whether the proof rests on it: its step's own conclusion, or used later. A remark that nothing uses does not."""
    chain: Chain | None = None
    """The conclusion as a tree, with spans into the step's text; None where it was not read."""
    unread: Inconclusive | None = None
    """Why the text alone shows that the conclusion is no numeric claim to be decided; None where it is one."""
    fact: Fact | None = None
    """The conclusion with its alternatives ("x = 2 or x = 3"); None where it was not read."""
    conditions: tuple[Condition, ...] = ()
    """Everything in force where the claim is made, oldest first."""
    cue: str = ""
    """The words in front of the claim, which say how it is meant."""
    premise: str | None = None
    """The obligation on the claim in front, from which the words draw this one; None where there is none."""
    transition: str = ""
    """The transition it comes from; empty where it comes from the text directly."""
    reason: str = ""
    """Why it must hold, in one line."""
    use_lean: bool = True
    """Whether it can be a question for Lean at all."""
    translation_confidence: float = 1.0
    """How well it is expected to translate into Lean (0 to 1)."""
    source: ObligationSource = ObligationSource.RULES
    """Who says that it must hold."""
    priority: int = 0
    """Its place in the order of work, smallest first."""
    premises: tuple[Premise, ...] = ()
    """The conditions in force with what they await; empty where ``claim.conditions`` is all that is known."""
    waits_for: tuple[str, ...] = ()
    """Ids of the obligations of the same transition that must have passed before this one is asked: the fact before the reduction."""
