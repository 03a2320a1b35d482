"""Stating facts in Lean: what is written reads back as the same tree, denominators are guarded, and what has no meaning is not stated."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fidelean.faithfulness.stating import Carrier, NotStated, Premise, state
from fidelean.informal.maths.parser import parse_chain
from fidelean.informal.maths.tree import Binary, Chain, Name, Number, Relation
from fidelean.informal.records import Span
from fidelean.proving.reading import read_signature


def stated(conclusion: str, *premises: str, carrier: Carrier = Carrier.RATIONAL) -> str:
    return state([Premise((parse_chain(text),)) for text in premises], [parse_chain(conclusion)], carrier).signature


def test_conditions_become_hypotheses() -> None:
    assert stated("a = 4/5", "3a - 2b = 2", "a + b = 1") == "(a b : Rat) (h1 : 3 * a - 2 * b = 2) (h2 : a + b = 1) : a = 4 / 5"


def test_every_denominator_is_guarded() -> None:
    assert stated(r"\frac{x^2-1}{x-1} = x + 1").startswith("(x : Rat) (h1 : x - 1 ≠ 0) : ")
    assert stated("x^{-1} = 2").startswith("(x : Rat) (h1 : x^1 ≠ 0) : ")


def test_a_contradiction_has_no_conclusion() -> None:
    premises = [Premise((parse_chain(text),)) for text in ("x = 1", "x = 2")]
    assert state(premises, [], Carrier.INTEGER).signature == "(x : Int) (h1 : x = 1) (h2 : x = 2) : False"


def test_congruences_are_divisibility_over_the_integers() -> None:
    assert stated(r"n^2 \equiv 1 \pmod{8}", carrier=Carrier.INTEGER) == "(n : Int) : 8 ∣ n^2 - 1"


def test_a_function_is_a_variable_and_its_law_holds_for_every_argument() -> None:
    law = Premise((parse_chain("f(n+1) = f(n) + 3"),), ("n",))
    assert (
        state([law], [parse_chain("f(3) = 15")], Carrier.INTEGER).signature
        == "(f : Int → Int) (h1 : ∀ n : Int, f (n + 1) = f n + 3) : f 3 = 15"
    )


@pytest.mark.parametrize(
    ("claim", "carrier"),
    [
        ("x < 1", Carrier.FIELD),
        ("x/2 = 1", Carrier.INTEGER),
        (r"\sqrt{x} = 2", Carrier.RATIONAL),
        ("2^x = 4", Carrier.RATIONAL),
        (r"x \approx 2", Carrier.RATIONAL),
        (r"3 \mid x", Carrier.RATIONAL),
        ("x/0 = 1", Carrier.RATIONAL),
        (r"x \equiv 1", Carrier.INTEGER),
    ],
)
def test_what_has_no_meaning_over_the_carrier_is_not_stated(claim: str, carrier: Carrier) -> None:
    with pytest.raises(NotStated):
        stated(claim, carrier=carrier)


@pytest.mark.parametrize("name", ["K", "h1", "fun", r"\lambda", "x_1", "x'"])
def test_names_never_collide_with_lean_or_with_ours(name: str) -> None:
    sides = (Binary("+", Name(name), Name("y")), Number(2))
    chain = Chain(sides, (Relation.EQUAL,), (Span(0, 0), Span(0, 0)))
    signature = state([Premise((parse_chain("y = 1"),))], [chain], Carrier.FIELD).signature
    assert read_signature(signature).signature is not None


EXPRESSIONS = st.recursive(
    st.one_of(st.integers(0, 30).map(str), st.sampled_from(["x", "y", "z", "0.5"])),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", r"\cdot "]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, st.integers(0, 4)).map(lambda t: f"({t[0]})^{{{t[1]}}}"),
        st.tuples(inner, inner).map(lambda t: rf"\frac{{{t[0]}}}{{{t[1]}}}"),
        inner.map(lambda t: f"(-{t})"),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, EXPRESSIONS)
def test_whatever_is_stated_reads_back(left: str, right: str) -> None:
    try:
        signature = stated(f"{left} = {right}")
    except NotStated as answer:
        assume("another tree" in str(answer) or "read back" in str(answer))
        raise
    assert read_signature(signature).signature is not None
