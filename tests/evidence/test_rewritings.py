r"""Which broken links of a rewriting are put to Lean as slips, and which may have used something else."""

from __future__ import annotations

import pytest

from fidelean import Problem, Proof, Step
from fidelean.evidence.questions import Aim, Question, questions
from fidelean.obligations.rules import derive
from fidelean.policy import ArithmeticPolicy


def asked(problem: str, *steps: str) -> list[Question]:
    proof = Proof(Problem(problem), tuple(Step(index, text) for index, text in enumerate(steps, start=1)))
    return list(questions(derive(proof), problem, {step.index: step.text for step in proof.steps}, ArithmeticPolicy()))


def refuting(problem: str, *steps: str) -> list[Question]:
    aims = (Aim.COUNTEREXAMPLE, Aim.CONTRADICTION, Aim.EITHER)
    return [question for question in asked(problem, *steps) if question.aim in aims and not question.unread]


@pytest.mark.parametrize(
    "steps",
    [
        (r"The income is $R = (450-5n)(500+10n)$. Expanding gives $R = 225000 + 4000n - 50n^2$.",),
        (r"\[R = (3-n)(2+n)\] \[R = 6 + 2n - n^2\]",),
        (r"\[(x+1)(x+2)\] \[= x^2 + 3x + 2\] \[= x(x+3) + 3.\]",),
        (r"Let's call the price $p$. Then $(p+1)^2 + p = p^2 + 2p + 1 + p = p^2 + 4p + 1$.",),
    ],
)
def test_a_form_that_is_none_of_the_expression_breaks(steps: tuple[str, ...]) -> None:
    (question,) = refuting("", *steps)
    assert question.aim is Aim.COUNTEREXAMPLE
    assert question.point


@pytest.mark.parametrize(
    "step",
    [
        r"$N = aaa$. So $N = 100a + 10a + a$.",  # digits, no product
        r"$R = (3-n)(2+n)$. For the other firm we get $R = 6 - n^2$.",
        r"$R = (3-n)(2+n)$. Since $n^2 = n$, we get $R = 6$.",
        r"We set the two equal: $x^2 + 2 = (x+2)^2$. We expand the right-hand side: $x^2 + 2 = x^2 + 4x + 4$.",
    ],
)
def test_an_equation_or_another_value_is_no_other_form(step: str) -> None:
    assert all(question.aim is not Aim.COUNTEREXAMPLE for question in asked("", step))


def test_a_rewritten_fraction_is_meant_as_an_identity() -> None:
    problem = r"Solve $\frac{x^2+4x}{x-1} + \frac{72x-72}{x^2+4x} = 18$."
    step = r"We rewrite the second fraction as follows: $\frac{72x-72}{x^2+4x} = \frac{72(x-1)}{(x-1)(x+4)}$."
    assert [question.aim for question in refuting(problem, step)] == [Aim.COUNTEREXAMPLE]


@pytest.mark.parametrize(
    ("problem", "broken"),
    [
        # one term off: it holds only where a variable is 0, whatever the sum of the roots is
        ("The sum of the roots $r$ and $s$ of a polynomial is known to Anna.", True),
        ("One of $r$ and $s$ may be zero in this problem.", False),
    ],
)
def test_words_excuse_a_slip_of_one_term_only_if_they_speak_of_nothing(problem: str, broken: bool) -> None:
    step = r"We have $(r+s)^2 + r = r^2 + 2rs + s^2 + r = r^2 + 3rs + s^2 + r$."
    assert bool(refuting(problem, step)) is broken


@pytest.mark.parametrize(
    ("words", "broken"), [("Anna's favourite numbers are $x$ and $y$.", True), ("Anna's numbers $x$ and $y$ have the sum one.", False)]
)
def test_words_that_bind_excuse_lower_terms(words: str, broken: bool) -> None:
    step = r"We have $(x+y)^2 + x = x^2 + 2xy + y^2 + x = x^2 + 2xy + y^2 + y + 2x$."
    assert bool(refuting(words, step)) is broken


def test_a_reason_in_words_counts_only_if_it_was_not_read() -> None:
    step = r"Since $y = 7$ was found, $(x+1)^2 + x^3 = x^2 + 2x + 1 + x^3 = x^3 + x^2 + 3x + 1$."
    assert [question.aim for question in refuting("", step)] == [Aim.COUNTEREXAMPLE]
    assert refuting("", step.replace("y = 7", "x^2 = x").replace("x^3 + x^2 + 3x + 1", "x^3 + 3x + 1")) == []


def test_other_variables_of_a_condition_leave_room_or_none() -> None:
    chain = r"We have $(a+b)^2 + a^3 = a^2 + 2ab + b^2 + a^3 = a^3 + a^2 + b^2 + 2a$."
    assert refuting("Numbers satisfy $a + b + c = 4$.", chain)
    assert not refuting("Numbers satisfy $b = 1$ and $a + b + c = 4$.", chain)


def test_a_slip_with_the_imaginary_unit_contradicts_its_square() -> None:
    step = r"We multiply: $(1 + 2i)(3 - i) = 3 - i + 6i - 2i^2 = 3 + 5i - 2$."
    (question,) = refuting("Complex numbers are multiplied.", step)
    assert question.aim is Aim.CONTRADICTION
    assert "i^2 = -1" in question.stated.signature
    assert refuting("Real numbers are multiplied.", step) == []
    assert refuting("Complex numbers are multiplied.", step.replace("- 2$", "+ 2$")) == []
