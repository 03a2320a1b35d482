"""Repairs that refutations show: offered only where they were checked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.evidence.records import Artefact, Evidence
from fidelean.informal.records import Claim, Span
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.pipelines.evaluate_proof import evaluate_proof
from fidelean.report.suggestions import Suggestion, SuggestionKind, suggestions
from fidelean.verdict.fusion import decide

LEAN = Artefact("lean", "theorem t : True := trivial")


def of_step(text: str) -> list[str]:
    return [one.text for one in suggestions(evaluate_proof("How much?", [text]))]


def from_lean(
    claim: str,
    *values: str,
    kind: ObligationKind = ObligationKind.ENTAILMENT,
    outcome: Outcome | None = None,
    artefact: Artefact | None = LEAN,
) -> list[Suggestion]:
    obligation = Obligation("1.1.1", 1, kind, Claim(claim, ("c",), 1, Span(0, len(claim))), transition="1.1")
    return list(suggestions(decide(1, [Evidence(obligation, outcome or Refuted(), "lean", values, "the kernel", artefact)])))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is $9 \\cdot 25 = 235$.", ["225, not 235: 9 \\cdot 25 = 225"]),
        ("It is $35 = 5 \\cdot 5$.", ["25, not 35: 5 \\cdot 5 = 25"]),
        ("It is $1 - 6 = 5$.", ["-5, not 5: 1 - 6 = -5"]),
        ("It is $\\frac{1}{2} + \\frac{1}{3} = 2$.", ["5/6, not 2: \\frac{1}{2} + \\frac{1}{3} = 5/6"]),
        ("It is $2 + 2 = 4 = 3 + 2$.", ["5, not 4: 3 + 2 = 5"]),
        ("It is $2 + 2 = 5$, I repeat, $2 + 2 = 5$.", ["4, not 5: 2 + 2 = 4"]),
        ("It is $2 + 2 = 1 + 4$.", []),  # either side may be the wrong one
        ("It is $3 = 4$.", []),
        ("It is $2 + 2 > 5$.", []),
        ("It is $\\sqrt{2} + 1 = 2$.", []),  # no decimal is the exact value
        ("It is $2 + 2 = 4$.", []),
    ],
)
def test_the_right_constant(text: str, expected: list[str]) -> None:
    assert of_step(text) == expected


def test_the_constant_has_its_place_in_the_step() -> None:
    text = "It is $9 \\cdot 25 = 235$."
    (one,) = suggestions(evaluate_proof("How much?", [text]))
    assert (one.step, one.obligation, one.kind, one.replacement) == (1, "1.1", SuggestionKind.CONSTANT, "225")
    assert one.span is not None
    assert text[one.span.start : one.span.end] == "235"


@given(st.integers(-500, 500), st.integers(-500, 500), st.integers(-500, 500))
def test_what_is_suggested_is_true(first: int, second: int, said: int) -> None:
    found = of_step(f"It is ${first} + ({second}) = {said}$.")
    assert found == ([] if first + second == said else [f"{first + second}, not {said}: {first} + ({second}) = {first + second}"])


@pytest.mark.parametrize(
    ("claim", "values", "kind", "expected"),
    [
        ("x = 2", ["x = (-2)"], ObligationKind.DERIVED_FACT, (SuggestionKind.MISSING_CASE, "x = -2")),
        ("x = 2 or x = 3", ["x = 1/2"], ObligationKind.DERIVED_FACT, (SuggestionKind.MISSING_CASE, "x = 1/2")),
        ("n is even or odd", ["n = 2", "m = 0"], ObligationKind.CASE_SPLIT, (SuggestionKind.MISSING_CASE, "n = 2, m = 0")),
        ("x^2/x = x + x", ["x = -2", "-2", "-4"], ObligationKind.REWRITE, (SuggestionKind.MISSING_HYPOTHESIS, "x ≥ 0")),
        ("x/x = 1", ["x = 0"], ObligationKind.REWRITE, (SuggestionKind.MISSING_HYPOTHESIS, "x ≠ 0")),
        ("\\sqrt{x^2} = x", ["x = (-1)"], ObligationKind.REWRITE, (SuggestionKind.MISSING_HYPOTHESIS, "x ≥ 0")),
        ("a*b/b = a", ["a = 1", "b = 0"], ObligationKind.REWRITE, (SuggestionKind.MISSING_HYPOTHESIS, "b ≠ 0")),
    ],
)
def test_what_a_counterexample_leaves_out(
    claim: str, values: list[str], kind: ObligationKind, expected: tuple[SuggestionKind, str]
) -> None:
    (one,) = from_lean(claim, *values, kind=kind)
    assert (one.kind, one.replacement) == expected
    assert one.checked.startswith("the counterexample was checked by the Lean kernel; whether ")
    assert one.checked.endswith(" was not")


def test_the_value_that_conditions_force() -> None:
    (one,) = from_lean("a = \\frac{4}{3}", "a = 4/5", outcome=Refuted("5a = 4 gives a = 4/5"))
    assert (one.kind, one.text, one.replacement, one.span) == (SuggestionKind.CONSTANT, "5a = 4 gives a = 4/5", "4/5", Span(4, 15))
    assert one.checked.startswith("computed exactly from conditions in force; ")


def test_nothing_is_suggested_without_a_refutation_that_the_kernel_checked() -> None:
    assert from_lean("x = 2", "x = (-2)", outcome=Passed()) == []
    assert from_lean("x = 2", "x = (-2)", outcome=Inconclusive(Reason.GAVE_UP)) == []
    assert from_lean("x = 2", "x = (-2)", artefact=None) == []
    assert from_lean("x = 2") == []


def test_nothing_is_suggested_where_the_point_tells_too_little() -> None:
    assert from_lean("12 divides n^3 - n", "n = 2") == []
    assert from_lean("a = b", "a = 0", "b = 1", kind=ObligationKind.WITNESS) == []
    assert from_lean("x = 2", "x = fun y => y") == []
    assert from_lean("a + b = c", "a = 0", "b = 0", "c = 1") == []
