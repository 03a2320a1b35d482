"""The tree of proof states: conditions, roles, scope, cases."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fidelean import Problem, Proof, Step
from fidelean.decomposition.domains import declared_domains
from fidelean.decomposition.records import ConditionKind, NumberKind, ProofTree, TransitionKind
from fidelean.decomposition.roles import Role, is_alternative, names_case, role_of
from fidelean.decomposition.rules import decompose


def tree_of(problem: str, *steps: str) -> ProofTree:
    return decompose(Proof(Problem(problem), tuple(Step(index, text) for index, text in enumerate(steps, start=1))))


def claims(tree: ProofTree) -> list[tuple[int, str]]:
    return [(t.step, t.claim.text) for t in tree.transitions if t.claim is not None]


def given_texts(tree: ProofTree) -> list[str]:
    return [c.text for c in tree.states[0].conditions if c.fact is not None]


def test_formulas_of_the_problem_are_conditions_and_those_of_steps_are_claims() -> None:
    tree = tree_of("Real numbers $a$ and $b$ satisfy $3a-2b=2$ and $a+b=1$. Find $a$.", "Adding gives $5a = 4$.", "Hence $a = 1$.")
    assert given_texts(tree) == ["3a-2b=2", "a+b=1"]
    assert claims(tree) == [(1, "5a = 4"), (2, "a = 1")]


def test_what_is_to_be_shown_is_no_condition() -> None:
    assert given_texts(tree_of("Let $x > 1$. Show that $x^2 > x$.", "Clear.")) == ["x > 1"]


def test_definitions_and_suppositions_are_conditions_never_claims() -> None:
    tree = tree_of("", "Let $x = 3$. Then $x^2 = 9$.", "Suppose $y = 2$. Hence $y^2 = 4$.", "If $z = 1$, then $z^2 = 1$.")
    assert [text for _, text in claims(tree)] == ["x^2 = 9", "y^2 = 4", "z^2 = 1"]


def test_a_supposition_ends_with_its_step_and_a_definition_does_not() -> None:
    tree = tree_of("", "Let $x = 3$ and suppose $y = 2$. Then $xy = 6$.", "So $x^2 = 9$.")
    last = next(t for t in tree.transitions if t.step == 2)
    before = next(state for state in tree.states if state.id == last.before)
    assert {c.text for c in before.conditions if c.kind is not ConditionKind.DERIVED} == {"x = 3", "y = 2"} - {"y = 2"}


def test_conclusions_of_a_case_do_not_leave_it() -> None:
    tree = tree_of("", "Case 1: $x = 0$. Then $x^2 = 0$.", "So $y = 1$.")
    last = next(t for t in tree.transitions if t.step == 2)
    before = next(state for state in tree.states if state.id == last.before)
    assert before.conditions == ()


def test_a_calculation_is_a_claim_wherever_it_stands() -> None:
    assert (1, "3 + 4 = 8") in claims(tree_of("", "For the second pile we need $3 + 4 = 8$ stones."))


def test_alternatives_are_one_conclusion() -> None:
    tree = tree_of("", "Hence $x = 2$ or $x = 3$.", r"So \[ y = 6 \quad \text{or} \quad y = 4 \]")
    facts = [t.fact for t in tree.transitions]
    assert [len(fact.alternatives) for fact in facts if fact is not None] == [2, 2]


def test_cases_ask_that_they_cover_where_they_are_announced() -> None:
    tree = tree_of("A real number $x$ satisfies $x(x-1)=0$.", "There are two cases.", "Case 1: $x = 0$.", "Case 2: $x = 1$.", "Done.")
    split = [t for t in tree.transitions if t.kind is TransitionKind.CASE_SPLIT]
    assert [(t.step, [fact.text for fact in t.cases]) for t in split] == [(1, ["x = 0", "x = 1"])]


def test_one_case_alone_is_no_split() -> None:
    tree = tree_of("", "Case 1: $x = 0$. Then $x^2 = 0$.")
    assert all(t.kind is not TransitionKind.CASE_SPLIT for t in tree.transitions)


def test_sentences_about_variables_that_say_more_are_kept_as_unread() -> None:
    tree = tree_of("Let $n$ be a number whose digits are all prime. Find $n$.", "So $n = 2$.")
    unread = [c for c in tree.states[0].conditions if not c.was_read]
    assert [c.variables for c in unread] == [frozenset("n")]


def test_roles() -> None:
    assert role_of("Let ", None) is Role.DEFINITION
    assert role_of("Let us see: then we get ", None) is Role.CLAIM
    assert role_of("Substituting ", None) is Role.ASSUMPTION
    assert role_of(" and ", Role.ASSUMPTION) is Role.ASSUMPTION
    assert role_of("", None) is Role.CLAIM
    assert is_alternative(r" \quad\text{or}\quad ")
    assert not is_alternative(" or else, since it is odd, ")
    assert names_case("Case 2: $")
    assert not names_case("In this case we have $")


def test_a_declared_domain_is_shown_with_all_that_is_declared() -> None:
    """What a model is shown, and a judge may quote, is the condition's text."""
    (state, *_) = decompose(Proof(Problem("Let $a$ be a positive real number and let $n$ be an integer."), ())).states
    assert [condition.text for condition in state.conditions if condition.domain is not None] == ["a: positive real", "n: integer"]


def test_domains() -> None:
    found = {
        d.variable: d for d in declared_domains("Let $m$ be a positive integer and let $x, y$ be real numbers with $z \\in \\mathbb{C}$.")
    }
    assert found["m"].number is NumberKind.INTEGER
    assert found["m"].positive
    assert found["x"].number is found["y"].number is NumberKind.REAL
    assert found["z"].number is NumberKind.COMPLEX


@given(
    st.lists(
        st.sampled_from(["Let $x = 3$.", "Then $x^2 = 9$.", "Case 1: $x = 0$.", "So $x = 2$ or $x = 3$.", "Hence.", "$3 + 4 = 7$"]),
        max_size=6,
    )
)
def test_every_transition_starts_from_a_state_of_the_tree_and_ids_are_unique(steps: list[str]) -> None:
    tree = tree_of("Real $x$ satisfies $x^2 = 9$.", *(" ".join(steps[: n + 1]) for n in range(len(steps))))
    states = {state.id for state in tree.states}
    assert {t.before for t in tree.transitions} <= states
    assert len({t.id for t in tree.transitions}) == len(tree.transitions)
    assert {t.step for t in tree.transitions} == set(range(1, len(steps) + 1))
