"""From which equations a claim is drawn: several in front, a supposition, a list of displays."""

from __future__ import annotations

import pytest

from fidelean import Problem, Proof, Step
from fidelean.evidence.questions import Aim, questions
from fidelean.obligations.rules import derive
from fidelean.policy import ArithmeticPolicy


def contradicted(problem: str, *steps: str) -> list[tuple[str, list[str]]]:
    proof = Proof(Problem(problem), tuple(Step(index, text) for index, text in enumerate(steps, start=1)))
    found = questions(derive(proof), problem, {step.index: step.text for step in proof.steps}, ArithmeticPolicy())
    return [(q.obligation.claim.text, [c.text for c in q.premises]) for q in found if q.aim is Aim.CONTRADICTION]


SYSTEM = r"We get \[a - 1 + 2c = 0,\] \[2a + 4 + c = 0.\]"


def test_a_solution_of_a_system_has_to_solve_it() -> None:
    assert contradicted("", SYSTEM, "Solving this system of equations, we obtain $a = -6$.") == [
        ("a = -6", ["a - 1 + 2c = 0", "2a + 4 + c = 0"])
    ]
    assert contradicted("", SYSTEM, "Solving this system of equations, we obtain $a = -3$.") == []


@pytest.mark.parametrize(
    "step",
    [
        "In the other case we obtain $a = -6$.",
        "Substituting back into one of these equations gives $a = -6$.",
        "Suppose these equations hold or $a = -6$.",
    ],
)
def test_words_that_lead_elsewhere_take_no_system_along(step: str) -> None:
    assert contradicted("", SYSTEM, step) == []


def test_a_list_of_displays_is_drawn_from_the_one_above() -> None:
    steps = r"Substituting back, \[x^2 - 2x = 7. \] \[x^2 - 2x - 7 = 0. \] \[(x - 7)(x + 5) = 0. \]"
    assert contradicted("", steps) == [("(x - 7)(x + 5) = 0", ["x^2 - 2x - 7 = 0"])]


def test_two_cases_in_a_list_of_displays_contradict_nothing() -> None:
    assert contradicted("", r"The factors of \[(x^2 - 4)(x^2 - 9) = 0\] give \[x^2 - 4 = 0\] \[x^2 - 9 = 0\]") == []
    assert contradicted("", r"Two facts are \[x^2 - 4 = 0\] \[y^2 - 9 = 0\]") == []


def test_an_equation_that_is_set_up_is_a_premise() -> None:
    step = "We can set up an equation: $48 = -36 + 7(n-1)$. Subtracting $36$ from both sides gives $12 = 7(n-1)$."
    assert contradicted("", step) == [("12 = 7(n-1)", ["48 = -36 + 7(n-1)"])]


def test_a_negative_power_is_a_quotient() -> None:
    assert contradicted("", r"We have $\frac12 - a^{-1} = 1$, so $a = 2$.") == [("a = 2", [r"\frac12 - a^{-1} = 1"])]


def test_a_letter_with_a_value_for_each_occasion_contradicts_nothing() -> None:
    assert contradicted("If $j = 42$ when $k = 56$, find $j$ when $k = 32$.", r"We have $32j = 2336$.") == []


@pytest.mark.parametrize(
    "step",
    [
        "If $x = 0$, then we have $y = -2$.",
        "The values $x = 0$ and $y = -2$ do not satisfy the second equation.",
    ],
)
def test_a_case_that_is_impossible_is_no_error(step: str) -> None:
    problem = "Numbers satisfy $x(1 + y - 2x^2) = 0$ and $y(3 + x - y) = 0$. Find them."
    assert contradicted(problem, step) == []
    assert contradicted(problem, "Hence $y = -2$.") != []
