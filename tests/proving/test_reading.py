from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.proving.reading import read_signature, split_signature
from fidelean.proving.signature import FunctionType, Signature, Variables, render_signature
from fidelean.proving.terms import (
    Applied,
    Binary,
    Connective,
    Joined,
    Negated,
    Negative,
    Numeral,
    Proposition,
    Quantified,
    Quantifier,
    Related,
    Term,
    Unread,
    Variable,
)

FIELD = "{K : Type} [Lean.Grind.Field K] [Lean.Grind.IsCharP K 0]"


def conclusion(text: str) -> Proposition:
    reading = read_signature(text)
    assert reading.signature is not None, reading.reason
    return reading.signature.conclusion


def sides(text: str) -> tuple[Term, Term]:
    related = conclusion(text)
    assert isinstance(related, Related)
    return related.left, related.right


def test_a_minus_before_a_power_denies_the_power() -> None:
    left, right = sides("(x : Rat) : -x^2 = (-x)^2")
    assert left == Negative(Binary("^", Variable("x"), Numeral(2)))
    assert right == Binary("^", Negative(Variable("x")), Numeral(2))


def test_operators_bind_and_associate_as_in_lean() -> None:
    left, right = sides("(a b c : Int) : a - b - c * 2^3^2 = a / b * c")
    power = Binary("^", Numeral(2), Binary("^", Numeral(3), Numeral(2)))
    assert left == Binary("-", Binary("-", Variable("a"), Variable("b")), Binary("*", Variable("c"), power))
    assert right == Binary("*", Binary("/", Variable("a"), Variable("b")), Variable("c"))


def test_connectives_bind_and_associate_as_in_lean() -> None:
    found = conclusion("(x : Int) : ¬ x = 1 ∧ x = 2 ∨ x = 3 → x = 4 → x = 5")
    equal = {n: Related("=", Variable("x"), Numeral(n), "Int") for n in range(1, 6)}
    left = Joined(Connective.OR, Joined(Connective.AND, Negated(equal[1]), equal[2]), equal[3])
    assert found == Joined(Connective.IMPLIES, left, Joined(Connective.IMPLIES, equal[4], equal[5]))


def test_a_bounded_quantifier_is_spelt_out() -> None:
    found = conclusion("(m : Nat) : ∀ n < m, ∃ k ≥ 1, n = k")
    assert isinstance(found, Quantified)
    assert isinstance(found.body, Joined)
    assert found.carrier == "Nat"
    assert found.body.connective is Connective.IMPLIES
    inner = found.body.right
    assert isinstance(inner, Quantified)
    assert isinstance(inner.body, Joined)
    assert inner.body.connective is Connective.AND


def test_a_bound_name_takes_its_type_from_the_function_it_is_given_to() -> None:
    reading = read_signature("(f : Int → Int) (hf : ∀ n, f (n+1) = f n + 3) : f 9 = 33")
    assert reading.signature is not None
    hypothesis = reading.signature.hypotheses[0].proposition
    assert isinstance(hypothesis, Quantified)
    assert hypothesis.carrier == "Int"
    assert reading.signature.functions == (("f", FunctionType(("Int",), "Int")),)


def test_a_closed_statement_outside_the_grammar_passes_through() -> None:
    text = ": ((List.range 36).filter (fun i => i % 5 = 0)).length = 8"
    assert conclusion(text) == Unread("((List.range 36).filter (fun i => i % 5 = 0)).length = 8")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("(x : Real) : x = x", "Real"),
        ("(x : Nat) (y : Int) : x = y", "mixes"),
        ("(x : Rat) : x = 0.5", "."),
        ("(x : Rat) : y = 1", "y"),
        ("(x : Rat) : x = 1 = 1", "="),
        ("(x : Rat) : x", "term"),
        ("(x : Rat) : x^(-1) = 1", "exponent"),
        ("(x : Rat) (x : Rat) : x = 1", "twice"),
        ("{K : Type} [Lean.Grind.Field K] (x : K) : x = 1", "characteristic"),
        ("{K : Type} (x : K) : x = x", "fields"),
        ("(f : Int → Int) : f = f", "="),
        ("(x : Rat) : x = 1 := by simp", ":="),
        ("(x : Rat) : " + "(" * 200 + "x" + ")" * 200 + " = 1", "deeply"),
        ("(x : Rat) : ∃ x : Rat, x = 1", "twice"),
        (f"(x : Rat) : x = {'1' * 5_000}", "digits"),
        (f"(x : Rat) : x = {' + '.join('x' * 2_000)}", "tokens"),
    ],
)
def test_what_is_not_understood_is_not_read(text: str, word: str) -> None:
    reading = read_signature(text)
    assert reading.signature is None
    assert word in reading.reason


def test_the_colon_outside_all_brackets_cuts() -> None:
    assert split_signature("(x : Rat) (h : ∀ y : Rat, y = x) : ∃ z : Rat, z = x") == (
        "(x : Rat) (h : ∀ y : Rat, y = x)",
        "∃ z : Rat, z = x",
    )
    assert split_signature("(x : Rat)") is None


def _again(signature: Signature) -> Signature:
    reading = read_signature(render_signature(signature))
    assert reading.signature is not None, (render_signature(signature), reading.reason)
    return replace(reading.signature, text=signature.text)


def test_written_again_the_acceptance_signatures_are_the_same(shared: Path) -> None:
    read = 0
    for line in (shared / "acceptance" / "obligations.jsonl").read_text(encoding="utf-8").splitlines():
        reading = read_signature(json.loads(line)["signature"])
        assert reading.signature is not None, line
        if not isinstance(reading.signature.conclusion, Unread):
            assert _again(reading.signature) == reading.signature
            read += 1
    assert read == 22


def terms() -> st.SearchStrategy[Term]:
    leaves: st.SearchStrategy[Term] = st.one_of(st.integers(0, 99).map(Numeral), st.sampled_from("xyz").map(Variable))

    def grown(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        return st.one_of(
            inner.map(Negative),
            st.builds(Binary, st.sampled_from("+-*/"), inner, inner),
            st.builds(Binary, st.just("^"), inner, st.integers(0, 9).map(Numeral)),
            inner.map(lambda term: Applied("f", (term,))),
        )

    return st.recursive(leaves, grown, max_leaves=12)


def propositions() -> st.SearchStrategy[Proposition]:
    anchored = terms().map(lambda term: Binary("+", Variable("x"), term))
    related = st.builds(Related, st.sampled_from("= ≠ < ≤ > ≥".split()), anchored, terms(), st.just("Rat"))

    def grown(inner: st.SearchStrategy[Proposition]) -> st.SearchStrategy[Proposition]:
        return st.one_of(
            inner.map(Negated),
            st.builds(Joined, st.sampled_from(Connective), inner, inner),
            st.builds(Quantified, st.sampled_from(Quantifier), st.just("u"), st.just("Rat"), related),
        )

    return st.recursive(related, grown, max_leaves=6)


@given(propositions())
def test_written_and_read_again_a_tree_is_the_same(proposition: Proposition) -> None:
    binders = (Variables(("x", "y", "z"), "Rat"), Variables(("f",), FunctionType(("Rat",), "Rat")))
    signature = Signature("", binders, proposition)
    assert _again(signature) == signature


@given(st.text(alphabet="xyK0123 ():{}[]=≠<≤∧∨¬→↔∀∃,+-*/%^∣", max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    reading = read_signature(text)
    assert (reading.signature is None) == bool(reading.reason)
