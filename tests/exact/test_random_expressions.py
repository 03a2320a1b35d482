"""Random expressions, rendered as an author would, read back and decided, against values that come from ``Fraction`` alone."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exact.expressions import expression, written_value
from fidelean.exact import check_claim
from fidelean.exact.budget import Budget
from fidelean.exact.evaluation import evaluate
from fidelean.informal.maths.parser import parse_expression
from fidelean.informal.maths.tree import readings
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import ArithmeticPolicy

MAY_BE_AMBIGUOUS = 0.2
"""Share of random texts with two readings (``a/b(c)``, ``3 \\frac12``, a percentage added) above which the test proves little."""

CHANGES = (Fraction(1), Fraction(-1), Fraction(7), Fraction(1, 3), Fraction(-2, 7), Fraction(10**6), Fraction(1, 10**9 + 7))
"""What is added to a value to make it wrong."""


def check_expressions(seed: int, count: int) -> None:
    draw = random.Random(seed)
    undecided = 0
    for _ in range(count):
        latex = draw.random() < 0.6
        made = expression(draw, draw.randint(1, 4), latex=latex)
        tree = parse_expression(made.text)
        values = {evaluate(reading, Budget(ArithmeticPolicy())) for reading in readings(tree)}
        assert made.value in values, (made.text, made.value, values)
        true = f"{made.text} = {written_value(draw, made.value, latex=latex)}"
        change = draw.choice(CHANGES)
        false = f"{made.text} = {written_value(draw, made.value + change, latex=latex)}"
        outcomes = check_claim(true).outcome, check_claim(false).outcome
        assert not isinstance(outcomes[0], Refuted), true
        assert not isinstance(outcomes[1], Passed), false
        if len(values) == 1:
            assert isinstance(outcomes[0], Passed), (true, outcomes[0])
            assert isinstance(outcomes[1], Refuted) or (abs(change) < 1 and may_be_rounded(made.text, outcomes[1])), (false, outcomes[1])
        else:
            undecided += 1
    assert undecided < MAY_BE_AMBIGUOUS * count


def may_be_rounded(text: str, outcome: Outcome) -> bool:
    """Whether the text has decimals, and the outcome is the excuse that decimals have."""
    return "." in text and isinstance(outcome, Inconclusive) and outcome.reason is Reason.ROUNDING


@pytest.mark.parametrize("seed", range(4))
def test_true_equalities_pass_and_false_ones_are_refuted(seed: int) -> None:
    check_expressions(seed, 500)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(100, 110))
def test_the_same_of_twenty_thousand(seed: int) -> None:
    check_expressions(seed, 2_000)
