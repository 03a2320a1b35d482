"""Malformations of trees from anywhere: those by rules have none, and each damage to one is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean import Problem, Proof, Step, read_proofs
from fidelean.decomposition.growth.malformations import malformations
from fidelean.decomposition.growth.records import MalformationKind
from fidelean.decomposition.records import GOAL_RELATIONS, GoalRelation, ProofState, ProofTree, Transition, TransitionKind
from fidelean.decomposition.rules import decompose


def proof_of(problem: str, *steps: str) -> Proof:
    return Proof(Problem(problem), tuple(Step(index, text) for index, text in enumerate(steps, start=1)))


def kinds(tree: ProofTree, steps: int | None = None) -> set[MalformationKind]:
    return {fault.kind for fault in malformations(tree, steps=steps)}


def test_trees_of_the_rules_over_the_examples_have_none(project: Path) -> None:
    files = sorted((project / "examples").glob("*.*"))
    proofs = [proof for file in files for proof in read_proofs(file.name, file.read_text(encoding="utf8"))]
    assert len(proofs) >= 6
    assert [(proof.id, malformations(decompose(proof), steps=len(proof.steps))) for proof in proofs] == [(proof.id, ()) for proof in proofs]


def test_trees_of_the_rules_over_the_case_studies_have_none(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "acceptance" / "case_studies.jsonl").read_text(encoding="utf8").splitlines()]
    assert rows
    for row in rows:
        assert malformations(decompose(proof_of(row["problem"], *row["steps"])), steps=len(row["steps"])) == ()


@given(
    st.lists(
        st.sampled_from(
            [
                "Let $x = 3$ be real.",
                "Then $x^2 = 9$, so $x = 3$.",
                "There are two cases.",
                "Case 1: $x = 0$. Then $x^2 = 0$.",
                "Case 2: $x = 1$.",
                "So $x = 2$ or $x = 3$.",
                "Hence.",
                "Suppose $y = 2$. It follows that $3 + 4 = 7$.",
                "Assume for contradiction that $n$ is a positive integer.",
            ]
        ),
        max_size=8,
    )
)
def test_no_tree_of_the_rules_is_malformed(steps: list[str]) -> None:
    proof = proof_of("Real $x$ satisfies $x^2 = 9$. Let $n$ be a number whose digits are prime. Find $x$.", *steps)
    assert malformations(decompose(proof), steps=len(steps)) == ()


TREE = decompose(proof_of("Real $x$ satisfies $x^2 = 9$. Find $x$.", "Hence $x = 3$.", "So $2x = 6$."))


def with_transition(**changes: object) -> ProofTree:
    first, *rest = TREE.transitions
    return replace(TREE, transitions=(replace(first, **changes), *rest))  # pyright: ignore[reportArgumentType]


def with_states(change: Callable[[ProofState], ProofState]) -> ProofTree:
    return replace(TREE, states=tuple(change(state) if state.id == "after 1.1" else state for state in TREE.states))


@pytest.mark.parametrize(
    ("tree", "kind"),
    [
        (with_transition(before="nowhere"), MalformationKind.UNKNOWN_PARENT),
        (with_transition(after=("nowhere",)), MalformationKind.UNKNOWN_STATE),
        (with_transition(step=0), MalformationKind.UNKNOWN_STEP),
        (with_transition(step=3), MalformationKind.UNKNOWN_STEP),
        (with_transition(id="2.1"), MalformationKind.REPEATED_ID),
        (with_transition(premise="2.1"), MalformationKind.ORDER),
        (with_transition(before="after 1.1"), MalformationKind.CYCLE),
        (with_transition(goal_relation=GoalRelation.INDUCTION), MalformationKind.WRONG_GOAL_RELATION),
        (with_transition(kind=TransitionKind.CASE_SPLIT, goal_relation=GoalRelation.CASE_SPLIT), MalformationKind.TOO_FEW_CASES),
        (replace(TREE, states=(*TREE.states, TREE.states[0])), MalformationKind.REPEATED_ID),
        (with_states(lambda state: replace(state, conditions=state.conditions[1:])), MalformationKind.LOST_CONDITION),
        (with_states(lambda state: replace(state, goal="another")), MalformationKind.GOAL_CHANGED),
    ],
)
def test_each_damage_is_named(tree: ProofTree, kind: MalformationKind) -> None:
    assert kinds(TREE, 2) == set()
    assert kind in kinds(tree, 2)


def test_every_pattern_has_its_goal_relation() -> None:
    assert set(GOAL_RELATIONS) == set(TransitionKind)
    assert set(GOAL_RELATIONS.values()) == set(GoalRelation)


STATES = st.lists(st.builds(ProofState, st.sampled_from("abcd"), st.just(()), st.sampled_from("gh")), max_size=4)
TRANSITIONS = st.lists(
    st.builds(
        lambda name, step, kind, before, after, joins: Transition(
            name, step, kind, GOAL_RELATIONS[kind], before, tuple(after), None, joins=tuple(joins)
        ),
        st.sampled_from(["1.1", "1.2", "2.1", "x"]),
        st.integers(-1, 3),
        st.sampled_from(list(TransitionKind)),
        st.sampled_from("abcde"),
        st.lists(st.sampled_from("abcde"), max_size=3),
        st.lists(st.sampled_from("abcde"), max_size=2),
    ),
    max_size=5,
)


@given(STATES, TRANSITIONS)
def test_any_tree_can_be_looked_at(states: list[ProofState], transitions: list[Transition]) -> None:
    found = {(fault.kind, fault.transition) for fault in malformations(ProofTree(tuple(states), tuple(transitions)), steps=3)}
    known = {state.id for state in states}
    for transition in transitions:
        assert ((MalformationKind.UNKNOWN_PARENT, transition.id) in found) >= (transition.before not in known)
        assert ((MalformationKind.CYCLE, transition.id) in found) >= (
            transition.before in transition.after and _leads_alone(transition, transitions)
        )


def _leads_alone(transition: Transition, transitions: list[Transition]) -> bool:
    return sum(transition.before in one.after for one in transitions) == 1
