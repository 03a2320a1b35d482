"""What each pattern of inference asks of the states that it leads to (the table of FaithSieve, tree of proof states)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from fidelean.decomposition.growth.records import Malformation, MalformationKind
from fidelean.decomposition.growth.shape import Shape
from fidelean.decomposition.records import BranchRole, Condition, ConditionKind, ProofState, Transition, TransitionKind
from fidelean.decomposition.substeps.marks import signs

__all__ = ["ROLES", "pattern_faults"]

ROLES: Mapping[TransitionKind, frozenset[BranchRole]] = MappingProxyType(
    {
        TransitionKind.SIMPLE_IMPLICATION: frozenset((BranchRole.CONTINUES, BranchRole.SUPPOSITION)),
        TransitionKind.CASE_SPLIT: frozenset((BranchRole.CASE,)),
        TransitionKind.LEMMA: frozenset((BranchRole.LEMMA, BranchRole.MAIN)),
        TransitionKind.INDUCTION: frozenset((BranchRole.BASE, BranchRole.STEP)),
        TransitionKind.EXISTENTIAL_INSTANTIATION: frozenset((BranchRole.CONTINUES,)),
        TransitionKind.EXISTENTIAL_ELIMINATION: frozenset((BranchRole.CONTINUES,)),
        TransitionKind.UNIVERSAL_INSTANTIATION: frozenset((BranchRole.CONTINUES,)),
        TransitionKind.IFF_SPLIT: frozenset((BranchRole.FORWARD, BranchRole.BACKWARD)),
    }
)
"""What the states behind a transition may be for it."""


def pattern_faults(transition: Transition, shape: Shape) -> Iterator[Malformation]:
    """What the pattern of a transition asks for and does not get."""
    states = shape.after(transition)
    for state in states:
        if state.role not in ROLES[transition.kind]:
            yield _fault(
                MalformationKind.INCOMPLETE_PATTERN, transition, f"{state.id} is {state.role}, which {transition.kind} does not lead to"
            )
    yield from _CHECKS[transition.kind](transition, states, shape)


def _single(transition: Transition, states: tuple[ProofState, ...], shape: Shape) -> Iterator[Malformation]:
    del shape
    if len(states) != 1:
        yield _fault(MalformationKind.INCOMPLETE_PATTERN, transition, f"{transition.kind} leads to one state, not {len(states)}")


def _case_split(transition: Transition, states: tuple[ProofState, ...], shape: Shape) -> Iterator[Malformation]:
    """A split by rules names its cases and leads to no states."""
    number = len(states) or len(transition.cases)
    if number < 2:
        yield _fault(MalformationKind.TOO_FEW_CASES, transition, f"{number} case{'' if number == 1 else 's'}")
    for state in states:
        if not _has_new(transition, state, shape, ConditionKind.ASSUMPTION):
            yield _fault(MalformationKind.CASE_WITHOUT_ASSUMPTION, transition, f"{state.id} assumes nothing")


def _lemma(transition: Transition, states: tuple[ProofState, ...], shape: Shape) -> Iterator[Malformation]:
    proofs = [state for state in states if state.role is BranchRole.LEMMA]
    mains = [state for state in states if state.role is BranchRole.MAIN]
    if len(proofs) != 1:
        yield _fault(MalformationKind.INCOMPLETE_PATTERN, transition, f"{len(proofs)} states prove the lemma")
    for state in proofs:
        closing = [one for one in shape.below(state.id) if one.closes and _goal_at(one, shape) == state.goal]
        if not closing:
            yield _fault(MalformationKind.LEMMA_NEVER_CLOSED, transition, f"nothing reaches {state.goal[:160]}")
        if not any(_joins(main, state) and shape.starts(main.id) for main in mains):
            yield _fault(MalformationKind.LEMMA_NEVER_JOINS, transition, f"nothing goes on with {state.goal[:160]}")


def _goal_at(transition: Transition, shape: Shape) -> str | None:
    state = shape.states.get(transition.before)
    return state.goal if state is not None else None


def _joins(main: ProofState, lemma: ProofState) -> bool:
    wanted = signs(lemma.goal)
    return any(signs(condition.text) == wanted for condition in main.conditions)


def _induction(transition: Transition, states: tuple[ProofState, ...], shape: Shape) -> Iterator[Malformation]:
    if all(state.role is not BranchRole.BASE for state in states):
        yield _fault(MalformationKind.INDUCTION_WITHOUT_BASE, transition, "no state is the base")
    steps = [state for state in states if state.role is BranchRole.STEP]
    if not any(_has_new(transition, state, shape, ConditionKind.ASSUMPTION) for state in steps):
        yield _fault(MalformationKind.INDUCTION_WITHOUT_STEP, transition, "no state is the step with its hypothesis")


def _iff_split(transition: Transition, states: tuple[ProofState, ...], shape: Shape) -> Iterator[Malformation]:
    before = shape.states.get(transition.before)
    for role in (BranchRole.FORWARD, BranchRole.BACKWARD):
        own = [state for state in states if state.role is role]
        if len(own) != 1 or (before is not None and own[0].goal == before.goal):
            yield _fault(MalformationKind.IFF_WITHOUT_DIRECTION, transition, f"{len(own)} states are {role}, each needs a goal of its own")


def _witness(transition: Transition, states: tuple[ProofState, ...], shape: Shape) -> Iterator[Malformation]:
    yield from _single(transition, states, shape)
    if not all(_has_new(transition, state, shape, ConditionKind.DEFINITION) for state in states):
        yield _fault(MalformationKind.INCOMPLETE_PATTERN, transition, "no witness is recorded")


def _elimination(transition: Transition, states: tuple[ProofState, ...], shape: Shape) -> Iterator[Malformation]:
    yield from _single(transition, states, shape)
    if not transition.consumed:
        yield _fault(MalformationKind.INCOMPLETE_PATTERN, transition, "no existential is used up")
    if not all(_has_new(transition, state, shape) for state in states):
        yield _fault(MalformationKind.INCOMPLETE_PATTERN, transition, "no witness and property are added")


def _instance(transition: Transition, states: tuple[ProofState, ...], shape: Shape) -> Iterator[Malformation]:
    yield from _single(transition, states, shape)
    if not all(_has_new(transition, state, shape) for state in states):
        yield _fault(MalformationKind.INCOMPLETE_PATTERN, transition, "no instance is added")


def _has_new(transition: Transition, state: ProofState, shape: Shape, kind: ConditionKind | None = None) -> bool:
    before = shape.states.get(transition.before)
    known: tuple[Condition, ...] = before.conditions if before is not None else ()
    return any((kind is None or condition.kind is kind) and condition not in known for condition in state.conditions)


_CHECKS: Mapping[TransitionKind, Callable[[Transition, tuple[ProofState, ...], Shape], Iterator[Malformation]]] = MappingProxyType(
    {
        TransitionKind.SIMPLE_IMPLICATION: _single,
        TransitionKind.CASE_SPLIT: _case_split,
        TransitionKind.LEMMA: _lemma,
        TransitionKind.INDUCTION: _induction,
        TransitionKind.EXISTENTIAL_INSTANTIATION: _witness,
        TransitionKind.EXISTENTIAL_ELIMINATION: _elimination,
        TransitionKind.UNIVERSAL_INSTANTIATION: _instance,
        TransitionKind.IFF_SPLIT: _iff_split,
    }
)


def _fault(kind: MalformationKind, transition: Transition, detail: str) -> Malformation:
    return Malformation(kind, transition.id, detail, transition.substep)
