"""What the words around a formula do to it."""

from __future__ import annotations

import pytest

from fidelean.informal.context import Sentences, arithmetic_of
from fidelean.informal.records import Span


def asserts(text: str) -> bool:
    """Whether the formula between « and » is asserted."""
    start, end = text.index("«"), text.index("»") - 1
    return Sentences(text.replace("«", "").replace("»", "")).asserts(Span(start, end))


@pytest.mark.parametrize(
    "text",
    [
        "«a»",
        "Thus «a».",
        "Suppose b. Then «a».",
        "If b, then «a».",
        "If b, «a».",
        "«a». Suppose b.",
        "What is b? It is «a».",
        "«a». The rest follows from what was said above and needs no more words than these, as one easily sees in detail. This is false.",
    ],
)
def test_asserted(text: str) -> None:
    assert asserts(text)


@pytest.mark.parametrize(
    "text",
    [
        "Suppose that «a».",
        "Assume «a» and b.",
        "If «a», then b.",
        "It is not true that «a».",
        "We cannot have «a».",
        "Is it so that «a»?",
        "«a» is a contradiction.",
        "«a». But this is impossible.",
        "«a» does not hold.",
        r"«a» \neq b",
        "Let's check if b holds. We get «a».",
        "Unless «a», we are done.",
    ],
)
def test_not_asserted(text: str) -> None:
    assert not asserts(text)


@pytest.mark.parametrize("text", ["Work modulo 7.", r"$a \equiv b \pmod{7}$", r"in $\mathbb{Z}/7$", "mod 7"])
def test_a_modulus_is_read(text: str) -> None:
    arithmetic = arithmetic_of(text)
    assert arithmetic.modular
    assert arithmetic.moduli == (7,)


@pytest.mark.parametrize("text", ["in base 8", "base-two", "the binary numeral", "$12_5$", "$12_b$", "$12_{7}$"])
def test_another_base_is_noticed(text: str) -> None:
    assert arithmetic_of(text).other_base


@pytest.mark.parametrize("text", ["the base of the triangle", "based on 8 facts", "$x_1 + x_2$", "mode", "the model"])
def test_ordinary_words_change_nothing(text: str) -> None:
    arithmetic = arithmetic_of(text)
    assert not arithmetic.other_base
    assert not arithmetic.modular


def test_a_problem_and_a_step_speak_together() -> None:
    both = arithmetic_of("modulo 7") | arithmetic_of("the operation a * b")
    assert both.modular
    assert both.own_operation
    assert both.moduli == (7,)
