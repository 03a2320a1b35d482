"""Every way in which a tree of proof states is malformed, named one by one and never smoothed over.

The tree may come from a model, from the rules, or from anywhere: nothing is taken for granted about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from fidelean.decomposition.growth.patterns import pattern_faults
from fidelean.decomposition.growth.records import Malformation, MalformationKind
from fidelean.decomposition.growth.shape import Shape
from fidelean.decomposition.records import GOAL_RELATIONS, BranchRole, ConditionKind, ProofState, ProofTree, Transition, TransitionKind
from fidelean.decomposition.substeps.marks import holds, signs
from fidelean.decomposition.substeps.records import ScopeKind, Substep

__all__ = ["malformations"]

_MAY_CHANGE_GOAL = frozenset(
    (TransitionKind.LEMMA, TransitionKind.INDUCTION, TransitionKind.EXISTENTIAL_INSTANTIATION, TransitionKind.IFF_SPLIT)
)
_KEEPS_GOAL = frozenset((BranchRole.MAIN,))
_SCOPED = frozenset((ScopeKind.CASE, ScopeKind.CONTRADICTION))
_OPEN_ROLES = frozenset((BranchRole.CONTINUES, BranchRole.MAIN))


def malformations(tree: ProofTree, substeps: Sequence[Substep] = (), *, steps: int | None = None) -> tuple[Malformation, ...]:
    """Every malformation of a tree, each once.

    Args:
        tree: the tree; one by rules has no substeps.
        substeps: the substeps of the proof that it should stand for; none skips what compares the two.
        steps: how many steps the proof has; None where that is not known.
    """
    shape = Shape(tree)
    found: list[Malformation] = [*_of_names(tree), *_of_order(tree, shape)]
    for transition in tree.transitions:
        found += _of_steps(transition, steps)
        found += _of_links(transition, shape)
        if shape.is_rooted(transition):
            found += _of_states(transition, shape)
        found += pattern_faults(transition, shape)
    if substeps:
        found += _of_substeps(tree, substeps, shape)
    return tuple(dict.fromkeys(found))


def _of_names(tree: ProofTree) -> Iterator[Malformation]:
    for identifier, number in Counter(transition.id for transition in tree.transitions).items():
        if number > 1:
            yield Malformation(MalformationKind.REPEATED_ID, identifier, f"{number} transitions are called {identifier}")
    for identifier, number in Counter(state.id for state in tree.states).items():
        if number > 1:
            yield Malformation(MalformationKind.REPEATED_ID, None, f"{number} states are called {identifier}")
    for state in tree.states:
        names = Counter(condition.name for condition in state.conditions if condition.name)
        for name, number in names.items():
            if number > 1:
                yield Malformation(MalformationKind.REPEATED_ID, None, f"{number} conditions of {state.id} are called {name}")


def _of_order(tree: ProofTree, shape: Shape) -> Iterator[Malformation]:
    """Whether every transition starts from what stands before it in the text; a tree by rules lists its splits last."""
    place = {transition.id: _place(transition) for transition in tree.transitions}
    for transition in tree.transitions:
        sources = (shape.producer(transition.before), transition.premise)
        for source in sources:
            if source is not None and source in place and place[source] > place[transition.id]:
                yield _fault(MalformationKind.ORDER, transition, f"it rests on {source}, which comes later")
    own = [transition for transition in tree.transitions if transition.substep is not None]
    for first, second in pairwise(own):
        if _place(first) > _place(second):
            yield _fault(MalformationKind.ORDER, second, f"it comes behind {first.id}")
    for first, second in pairwise(sorted(own, key=_place)):
        yield from _left(first, second, shape)


def _left(first: Transition, second: Transition, shape: Shape) -> Iterator[Malformation]:
    """Whether the second of two neighbours is back above the branch of the first, without a word on how the branch ended."""
    reached, start = shape.after(first), shape.states.get(second.before)
    if len(reached) != 1 or start is None or second.joins:
        return
    branch = reached[0].branch
    if len(start.branch) < len(branch) and branch[: len(start.branch)] == start.branch:
        yield _fault(MalformationKind.LEFT_BRANCH, second, f"it leaves {'; '.join(branch)}"[:200])


def _place(transition: Transition) -> tuple[int, int]:
    """Step and number within it; what is no number, as that of a split by rules, comes first in its step."""
    number = (transition.substep or transition.id).rpartition(".")[2]
    return transition.step, int(number) if number.isdecimal() and len(number) < 10 else 0


def _of_steps(transition: Transition, steps: int | None) -> Iterator[Malformation]:
    if transition.step < 1 or (steps is not None and transition.step > steps):
        yield _fault(MalformationKind.UNKNOWN_STEP, transition, f"there is no step {transition.step}")


def _of_links(transition: Transition, shape: Shape) -> Iterator[Malformation]:
    if transition.before not in shape.states:
        yield _fault(MalformationKind.UNKNOWN_PARENT, transition, f"there is no state {transition.before}"[:200])
    for identifier in (*transition.after, *transition.joins):
        if identifier not in shape.states:
            yield _fault(MalformationKind.UNKNOWN_STATE, transition, f"there is no state {identifier}"[:200])
    for identifier in transition.joins:
        if identifier in shape.states and transition.before not in shape.above(identifier):
            yield _fault(MalformationKind.OUTSIDE_JOIN, transition, f"{identifier} is not below {transition.before}")
    if shape.is_cyclic(transition):
        yield _fault(MalformationKind.CYCLE, transition, f"{transition.before} comes, over others, from itself")
    if transition.goal_relation is not GOAL_RELATIONS[transition.kind]:
        yield _fault(MalformationKind.WRONG_GOAL_RELATION, transition, f"{transition.kind} with {transition.goal_relation}")


def _of_states(transition: Transition, shape: Shape) -> Iterator[Malformation]:
    before = shape.states[transition.before]
    for state in shape.after(transition):
        yield from _lost(transition, before, state)
        if state.goal != before.goal and (transition.kind not in _MAY_CHANGE_GOAL or state.role in _KEEPS_GOAL):
            yield _fault(MalformationKind.GOAL_CHANGED, transition, f"{state.id} has another goal than {before.id}")
        for condition in state.conditions:
            if condition.kind is not ConditionKind.ASSUMPTION or condition in before.conditions:
                continue
            if state.role in _OPEN_ROLES or len(state.branch) <= len(before.branch):
                yield _fault(MalformationKind.UNSCOPED_ASSUMPTION, transition, condition.text)


def _lost(transition: Transition, before: ProofState, after: ProofState) -> Iterator[Malformation]:
    restated = {old for old, new in transition.transformed if new in after.conditions}
    consumed = set(transition.consumed) if transition.kind is TransitionKind.EXISTENTIAL_ELIMINATION else set[object]()
    kept = set(after.conditions)
    for condition in before.conditions:
        if condition not in kept and condition not in restated and condition not in consumed:
            yield _fault(MalformationKind.LOST_CONDITION, transition, f"{condition.text} is not in force in {after.id}")


def _of_substeps(tree: ProofTree, substeps: Sequence[Substep], shape: Shape) -> Iterator[Malformation]:
    known = {substep.id: substep for substep in substeps}
    edges = Counter(transition.substep for transition in tree.transitions)
    for substep in substeps:
        if not substep.is_motivation and edges[substep.id] == 0:
            yield Malformation(MalformationKind.MISSING_EDGE, None, f"substep {substep.id} has no transition", substep.id)
    for transition in tree.transitions:
        substep = known.get(transition.substep or "")
        if substep is None or substep.is_motivation:
            yield _fault(MalformationKind.INVENTED_EDGE, transition, f"{transition.substep} is no substep that concludes something")
            continue
        if edges[substep.id] > 1:
            yield _fault(MalformationKind.REPEATED_EDGE, transition, f"substep {substep.id} has {edges[substep.id]} transitions")
        if transition.step != substep.step:
            yield _fault(
                MalformationKind.UNKNOWN_STEP, transition, f"substep {substep.id} is of step {substep.step}, not {transition.step}"
            )
        if shape.is_rooted(transition):
            yield from _misplaced(transition, substep, shape)


def _misplaced(transition: Transition, substep: Substep, shape: Shape) -> Iterator[Malformation]:
    before = shape.states[transition.before]
    branches = {word for state in (before, *shape.after(transition)) for word in state.branch}
    in_force = [signs(text) for text in branches]
    for scope in substep.scopes:
        wanted = signs(scope.text)
        if scope.kind in _SCOPED and not any(holds(known, wanted) or holds(wanted, known) for known in in_force if known):
            yield _fault(MalformationKind.MISPLACED_SCOPE, transition, f"{scope.kind}: {scope.text}")


def _fault(kind: MalformationKind, transition: Transition, detail: str) -> Malformation:
    return Malformation(kind, transition.id, detail, transition.substep)
