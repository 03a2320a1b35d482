"""What a transition rests on besides the conditions in force: the proof of its lemma, the ends of its branches."""

from __future__ import annotations

from fidelean.decomposition.growth.shape import Shape
from fidelean.decomposition.records import BranchRole, ProofTree

__all__ = ["rests_on"]


def rests_on(tree: ProofTree, identifier: str) -> tuple[str, ...]:
    """The transitions whose soundness what this one adds depends on, in the order of the tree; empty for an id the tree does not have.

    A lemma rests on the inferences that reach it, a conclusion from branches on the inferences at their ends. A condition that names this
    transition as its source may serve as a premise once these are checked too (FaithSieve, typed obligations).
    """
    shape = Shape(tree)
    transition = shape.transitions.get(identifier)
    if transition is None:
        return ()
    found = {shape.producer(state) for state in transition.joins}
    for state in shape.after(transition):
        if state.role is BranchRole.LEMMA:
            found |= {one.id for one in shape.below(state.id) if one.closes and _has_goal(shape, one.before, state.goal)}
    return tuple(one.id for one in tree.transitions if one.id in found and one.id != identifier)


def _has_goal(shape: Shape, state: str, goal: str) -> bool:
    return state in shape.states and shape.states[state].goal == goal
