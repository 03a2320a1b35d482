"""Which questions are put to Lean, and what an answer would mean; no Lean here."""

from __future__ import annotations

import pytest

from fidelean import Problem, Proof, Step
from fidelean.evidence.questions import Aim, Question, questions
from fidelean.faithfulness.stating import Carrier
from fidelean.obligations.rules import derive
from fidelean.policy import ArithmeticPolicy


def asked(problem: str, *steps: str) -> list[Question]:
    proof = Proof(Problem(problem), tuple(Step(index, text) for index, text in enumerate(steps, start=1)))
    return list(questions(derive(proof), problem, {step.index: step.text for step in proof.steps}, ArithmeticPolicy()))


def aims(problem: str, *steps: str) -> list[tuple[str, Aim]]:
    return [(q.obligation.id, q.aim) for q in asked(problem, *steps)]


def test_an_identity_is_put_to_every_field() -> None:
    (question,) = asked("", "Expanding, $(x+1)^2 = x^2 + 2x + 1$.")
    assert (question.aim, question.stated.carrier, question.premises) == (Aim.SUPPORT, Carrier.FIELD, ())


@pytest.mark.parametrize(
    "step",
    [
        "For all real $x$ we have $(x+1)^2 = x^2 + 1$.",
        "We have $(x+1)^2 = x^2 + 1$ for all $x$.",
        "Now $(x+1)(x+2) = x^2 + 3x + 2 = x(x+3) + 3$.",
        "Factoring, we obtain $2x^2 - x - 3 = (2x+3)(x-1)$.",
    ],
)
def test_a_false_identity_asks_for_a_counterexample(step: str) -> None:
    (question,) = asked("", step)
    assert question.aim is Aim.COUNTEREXAMPLE
    assert question.point
    assert question.unread == ()


@pytest.mark.parametrize(
    "step",
    [
        "We have $2x + 6 = x + 100$.",
        "Substituting $y = 2$, we get $x^2 + 2x = x^2 + 4 = 8$.",
        "Since $x^2 = 5$, we have $(x+1)^2 = x^2 + 2x + 1 = 2x + 6$.",
        r"With a primitive root $\omega$, $\omega^2 + \omega = \omega^3 - 2 = \omega^6 - 2$.",
    ],
)
def test_an_equation_is_no_identity_by_itself(step: str) -> None:
    assert all(aim is not Aim.COUNTEREXAMPLE for _, aim in aims("", step))


def test_a_consequence_and_a_contradiction_of_the_conditions() -> None:
    problem = "Real numbers $a$ and $b$ satisfy $3a-2b=2$ and $a+b=1$. Find $a$."
    assert aims(problem, "Adding gives $5a = 4$.", r"Hence $a = \frac45$.") == [("1.1", Aim.SUPPORT), ("2.1", Aim.SUPPORT)]
    assert aims(problem, r"Hence $a = \frac43$.") == [("1.1", Aim.CONTRADICTION)]


def test_an_equation_that_the_words_draw_from_the_one_in_front() -> None:
    assert aims("", r"We have $3(x - 2) = 9$, so $x = 5$.") == [("1.2", Aim.SUPPORT)]
    (question,) = asked("", r"We have $3(x - 2) = 9$, so $x = 3$.")
    assert (question.aim, question.drawn) == (Aim.CONTRADICTION, True)


@pytest.mark.parametrize(
    "step",
    [
        r"$x - 1 = 0$ or $x - 2 = 0$.",
        "First $x - 1 = 0$. The second factor gives $x - 2 = 0$.",
        "If $x = 1$ then $2x = 2$. Let $x = 2$. Then $2x = 4$.",
    ],
)
def test_two_values_in_two_places_contradict_nothing(step: str) -> None:
    assert all(aim is not Aim.CONTRADICTION for _, aim in aims("", step))


def test_curves_and_letters_with_a_new_meaning_contradict_nothing() -> None:
    assert aims("The lines $y = 2x + 1$ and $y = 2x + 5$ are parallel.", "We have $y = 3$.") == []
    assert aims("Let $x$ satisfy $x^2 = 2$.", r"Let $x = t + 1$ for a new number. Then we have $x = 7$.") == []


def test_a_listed_value_that_solves_nothing() -> None:
    (question,) = [q for q in asked("", "From $x^2 - 5x + 6 = 0$ we get $x = 2$ or $x = -3$.") if q.aim is Aim.CONTRADICTION]
    assert "x = -3" in question.stated.signature


def test_conditions_in_words_leave_a_counterexample_without_weight() -> None:
    problem = "Let $n$ be a number whose digits are prime and with $n > 1$. Show that $n > 5$."
    found = asked(problem, "Hence $n > 5$.")
    assert all(q.unread for q in found if q.aim is Aim.EITHER)


def test_cases_that_do_not_cover() -> None:
    steps = ("There are two cases.", "Case 1: $x = 0$. Then $x^2 = 0$.", "Case 2: $x = 1$. Then $x^2 = 1$.")
    found = [q for q in asked("A real number $x$ satisfies $x(x-1)(x+2) = 0$.", *steps) if q.obligation.id.endswith("cases")]
    assert [(q.aim, q.unread) for q in found] == [(Aim.EITHER, ())]
    assert found[0].stated.signature.endswith("x = 0 ∨ x = 1")


def test_the_imaginary_unit_squares_to_minus_one() -> None:
    (question,) = asked("", "Expanding, $(1 + 2i)(1 - 2i) = 1 - 4i^2 = 5$ where nothing else.") or [None]
    assert question is None or question.aim is not Aim.COUNTEREXAMPLE


@pytest.mark.parametrize(
    ("problem", "step"),
    [
        ("A function $f$ on the integers satisfies $f(2n) = n$ for all $n$.", r"Applying the rule, $f(1) = \frac{1}{2}$."),
        ("Real numbers $x$ and $y$ satisfy $f(x) = y$.", "Hence $f(1) = y$."),
    ],
)
def test_the_law_of_a_function_holds_where_the_text_says_and_nowhere_else(problem: str, step: str) -> None:
    for question in asked(problem, step):
        assert "∀" not in question.stated.signature or question.stated.carrier is Carrier.INTEGER
        assert "1 / 2" not in question.stated.signature


def test_a_defined_function_holds_for_every_argument() -> None:
    (question,) = asked("Let $f(x) = x^2 + 1$.", "Hence $f(3) = 10$.")
    assert "(h1 : ∀ x : K, f x = x^2 + 1)" in question.stated.signature


def test_for_all_without_a_verb_claims() -> None:
    assert aims("", "For all $x$ and $y$, $(x+y)^2 = x^2+y^2$.") == [("1.1", Aim.COUNTEREXAMPLE)]
