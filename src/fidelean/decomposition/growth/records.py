"""What is wrong with a tree of proof states: the records (FaithSieve, tree of proof states)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fidelean.decomposition.records import ProofTree

__all__ = ["GrownTree", "Malformation", "MalformationKind"]


class MalformationKind(StrEnum):
    """How a tree departs from what a tree of proof states is."""

    MISSING_EDGE = "missing_edge"
    """A substep has no transition."""
    REPEATED_EDGE = "repeated_edge"
    """A substep has more than one."""
    INVENTED_EDGE = "invented_edge"
    """A transition stands for no substep that concludes something."""
    REPEATED_ID = "repeated_id"
    """Two states, two transitions or two conditions in force share a name."""
    UNKNOWN_PARENT = "unknown_parent"
    """A transition starts from a state that the tree does not have."""
    UNKNOWN_STATE = "unknown_state"
    """A transition leads to a state, or joins one, that the tree does not have."""
    UNKNOWN_STEP = "unknown_step"
    """A transition belongs to a step that the proof does not have, or not to the step of its substep."""
    CYCLE = "cycle"
    """A transition starts, over others, from what it leads to."""
    ORDER = "order"
    """A transition starts from what a later substep reaches, or transitions are not in the order of the text."""
    OUTSIDE_JOIN = "outside_join"
    """A transition joins a branch that does not start below the state from which it goes on."""
    LEFT_BRANCH = "left_branch"
    """It follows an inference of a branch, stands outside it, and joins nothing: what the branch assumes would be forgotten."""
    LOST_CONDITION = "lost_condition"
    """A condition in force is gone, and the pattern uses none up."""
    UNKNOWN_CONDITION = "unknown_condition"
    """A condition is used up or restated that is not in force."""
    INVENTED_CONDITION = "invented_condition"
    """A condition has a number, name, relation, word or formula that neither the step nor the goal has."""
    INVENTED_GOAL = "invented_goal"
    """A goal has one."""
    UNSTATED_CONCLUSION = "unstated_conclusion"
    """The step asserts a formula that neither the new conditions nor those in force hold."""
    UNSCOPED_ASSUMPTION = "unscoped_assumption"
    """Something is assumed outside every branch, so that it would hold for the rest of the proof."""
    MISPLACED_SCOPE = "misplaced_scope"
    """A substep stands under a case or a supposition, and its transition does not."""
    GOAL_CHANGED = "goal_changed"
    """The goal is another one, and the pattern does not change it."""
    WRONG_GOAL_RELATION = "wrong_goal_relation"
    """The goal relation is not that of the pattern."""
    TOO_FEW_CASES = "too_few_cases"
    """A case split has fewer than two cases."""
    CASE_WITHOUT_ASSUMPTION = "case_without_assumption"
    """A case does not say what is assumed in it."""
    LEMMA_NEVER_CLOSED = "lemma_never_closed"
    """Nothing in the lemma's subtree reaches the lemma."""
    LEMMA_NEVER_JOINS = "lemma_never_joins"
    """The proof does not go on with the lemma among its conditions."""
    INDUCTION_WITHOUT_BASE = "induction_without_base"
    """An induction has no base state."""
    INDUCTION_WITHOUT_STEP = "induction_without_step"
    """An induction has no step state with a hypothesis."""
    IFF_WITHOUT_DIRECTION = "iff_without_direction"
    """An equivalence has not exactly one state for each direction, with its goal."""
    INCOMPLETE_PATTERN = "incomplete_pattern"
    """Something that the pattern asks for is not there: the witness, the existential, the instance, the state that follows."""


@dataclass(frozen=True, slots=True)
class Malformation:
    """One departure."""

    kind: MalformationKind
    """How the tree departs."""
    transition: str | None
    """The transition; None where one is missing."""
    detail: str
    """What shows it, in one line."""
    substep: str | None = None
    """The substep, where it is known."""


@dataclass(frozen=True, slots=True)
class GrownTree:
    """A tree as a model proposed it, with what is wrong with it."""

    tree: ProofTree
    """The tree, faults included."""
    malformations: tuple[Malformation, ...] = ()
    """Every departure that was found."""

    @property
    def malformed(self) -> frozenset[str]:
        """Ids of the transitions whose evidence is not to be trusted."""
        return frozenset(fault.transition for fault in self.malformations if fault.transition is not None)
