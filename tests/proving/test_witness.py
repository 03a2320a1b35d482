from __future__ import annotations

import json
import time
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.policy import ProvingPolicy
from fidelean.proving.evaluation import Number, holds
from fidelean.proving.polynomials import rational_roots
from fidelean.proving.problem import problem_of
from fidelean.proving.reading import read_signature
from fidelean.proving.refutation import script_of
from fidelean.proving.signature import Signature
from fidelean.proving.witness import find_counterexample, find_example

POLICY = ProvingPolicy()


def read(text: str) -> Signature:
    reading = read_signature(text)
    assert reading.signature is not None, reading.reason
    return reading.signature


def counterexample(text: str) -> dict[str, Number] | None:
    problem = problem_of(read(text))
    found = find_counterexample(problem, POLICY) if problem is not None else None
    return None if found is None else dict(found.values)


def test_false_acceptance_obligations_get_values_and_the_others_none(shared: Path) -> None:
    refuted = 0
    for line in (shared / "acceptance" / "obligations.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["domain"] == "closed":
            continue
        signature = read(row["signature"])
        found = counterexample(row["signature"])
        assert (found is not None) == (row["outcome"] == "refuted"), row["id"]
        if found is not None:
            refuted += 1
            assert all(holds(hypothesis.proposition, found) is True for hypothesis in signature.hypotheses)
            assert holds(signature.conclusion, found) is False
    assert refuted == 10


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("(x y : Rat) (h : 3*x + 2*y = 7) (g : x - y = 5/3) : x = 2", {"x": Fraction(31, 15), "y": Fraction(2, 5)}),
        ("(r : Rat) (h : 8*r^3 = 27) : r = 3", {"r": Fraction(3, 2)}),
        ("(n : Nat) (h : n % 7 = 3) (g : 100 ≤ n) : n = 101", {"n": 122}),
        ("(n : Int) : ∀ m : Int, n < m → n + 2 ≤ m", {"n": 0, "m": 1}),
        ("(n : Int) (h : ∃ k : Int, n = 6*k) : n % 4 = 0", {"n": 6, "k": 1}),
        ("(x : Rat) : ¬ ∃ y : Rat, x + y = 4", {"x": 4, "y": 0}),
        ("(f : Int → Int) (h : ∀ n, f (n + 1) = f n + 2) : f 5 = 10", {"f0": 1, "f1": 2, "f2": 0}),
    ],
)
def test_values_that_break_a_claim(text: str, values: dict[str, Number]) -> None:
    found = counterexample(text)
    assert found is not None
    problem = problem_of(read(text))
    assert problem is not None
    assert all(holds(condition, found) is True for condition in problem.conditions)
    assert holds(problem.goal, found) is True
    assert found.keys() == values.keys()


@pytest.mark.parametrize(
    "text",
    [
        "(x : Rat) (h : x = 5) : 1/(x - 5) = 1",
        "(x : Rat) : x/x = 1",
        "(n : Nat) : n - 5 + 5 = n",
        "(n : Int) : n / 2 * 2 = n",
        "(n m : Int) : n % m < m ∨ m < 0",
        "(x : Rat) (h : 1/x = 0) : x = 7",
        "(x : Int) (h : 2*x = 1) : x = 7",
    ],
)
def test_values_that_lean_alone_would_accept_are_none(text: str) -> None:
    assert counterexample(text) is None


def test_a_guard_in_front_lets_a_quotient_have_its_value() -> None:
    found = counterexample("(x : Rat) (h : x = 0 ∨ 1/x = 2) : x = 1/2")
    assert found == {"x": 0}


def test_the_search_gives_the_same_answer_twice_and_ends() -> None:
    text = "(a b c d e : Int) (h : a^4 + b^4 + c^4 = d^4 + 7*e^3 + 11) : a*b*c*d*e ≠ 12345"
    began = time.monotonic()
    assert counterexample(text) == counterexample(text)
    assert time.monotonic() - began < 5


def test_contradictory_conditions_have_no_example() -> None:
    for text in ("(x : Int) (h1 : x = 1) (h2 : x = 2) : x = 77", "(x : Rat) (h1 : x < 1) (h2 : x > 1) : x = 77"):
        problem = problem_of(read(text))
        assert problem is not None
        assert find_example(problem, POLICY) is None


def test_what_cannot_be_searched_has_no_problem() -> None:
    assert problem_of(read("(f : Nat → Nat) (h : f 0 = 1) : f 1 = 1")) is None


FRACTIONS = st.lists(st.fractions(-20, 20, max_denominator=9), min_size=1, max_size=2)
INTEGERS = st.lists(st.integers(-6, 6).map(Fraction), min_size=3, max_size=4)


@given(st.one_of(FRACTIONS, INTEGERS))
def test_a_polynomial_made_from_its_roots_has_them(roots: list[Fraction]) -> None:
    coefficients: dict[int, Number] = {0: Fraction(1)}
    for root in roots:
        shifted = {power + 1: factor for power, factor in coefficients.items()}
        for power, factor in coefficients.items():
            shifted[power] = shifted.get(power, Fraction(0)) - root * factor
        coefficients = {power: factor for power, factor in shifted.items() if factor}
    assert {Fraction(root) for root in rational_roots(coefficients)} == set(roots)


def test_the_script_takes_the_statement_at_the_values() -> None:
    text = "(k : Rat) (hk : k ≠ 0) (h : k = -1 ∨ k = -9) : k = -9"
    problem = problem_of(read(text))
    assert problem is not None
    found = find_counterexample(problem, POLICY)
    assert found is not None
    closing = "(by first | decide +kernel | grind | omega)"
    assert script_of(problem, found) == f"intro h\nexact absurd (@h (-1) {closing} {closing}) {closing}"
