"""Which formulas a step claims, and where the words around them change that."""

from __future__ import annotations

import sys

import pytest

from fidelean.exact import check_step
from fidelean.informal.claims import find_claims
from fidelean.outcome import Inconclusive, Reason, Refuted


def found(text: str) -> list[str]:
    return [claim.claim.text for claim in find_claims(text)]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("So 2 + 3 = 5, and 4 * 5 = 20.", ["2 + 3 = 5", "4 * 5 = 20"]),
        ("She pays $12 + $5 = $17 in all.", ["$12 + $5 = $17"]),
        (r"We get \(2+3 = 5\) and \[4 < 5.\]", ["2+3 = 5", "4 < 5"]),
        ("$2+3$ = $5$", ["2+3$ = $5"]),
        (r"\begin{align*} x &= 2+3 \\ &= 5 \end{align*}", [r"x &= 2+3 \\ &= 5", r"2+3 \\ &= 5"]),
        ("$$2+3$$\n\n$$=6$$", ["2+3$$\n\n$$=6"]),
        (r"\[2+3\] \[= 5\] \[= 6.\] \[x = 7\]", [r"2+3\] \[= 5\] \[= 6", "x = 7"]),
        (r"\[2+3 = 5.\] \[= 5\]", ["2+3 = 5"]),
        ("(we know 2 + 3 = 5)", ["2 + 3 = 5"]),
        ("Total cost = 3 * 4 = 12 dollars.", ["3 * 4 = 12"]),
        (r"$f(2) = 2^2 = 4$", ["f(2) = 2^2 = 4", "2^2 = 4"]),
        (r"$9 \equiv 2 \pmod{7}$", [r"9 \equiv 2"]),
        ("No formula here.", []),
        ("", []),
    ],
)
def test_formulas_are_found_where_they_stand(text: str, claims: list[str]) -> None:
    assert found(text) == claims


NOT_DECIDED = [
    ("Suppose 2 + 2 = 5.", Reason.NOT_ASSERTED),
    ("Is 2 + 2 = 5?", Reason.NOT_ASSERTED),
    ("If 2 + 2 = 5 then all is lost.", Reason.NOT_ASSERTED),
    ("It is wrong that 2 + 2 = 5.", Reason.NOT_ASSERTED),
    ("We get 2 + 2 = 5, a contradiction.", Reason.NOT_ASSERTED),
    ("We get 2 + 2 = 5. This is impossible.", Reason.NOT_ASSERTED),
    ("Step 4 = 5.", Reason.FRAGMENT),
    ("Twice 2 + 2 = 5.", Reason.FRAGMENT),
    ("Half of 2 + 2 = 5.", Reason.FRAGMENT),
    ("9 ÷ 7 = 1 remainder 2", Reason.FRAGMENT),
    ("The ratio is 3:4 = 5:6.", Reason.FRAGMENT),
    (r"$\boxed{4 - 4} = -3$", Reason.FRAGMENT),
    ("Modulo 5, 2 + 4 = 1.", Reason.OTHER_ARITHMETIC),
    ("In base 8, 5 + 5 = 12.", Reason.OTHER_ARITHMETIC),
    ("Adding, 12_b and 3 give 5 + 5 = 12.", Reason.OTHER_ARITHMETIC),
    ("43/5 = 8 full boxes", Reason.ROUNDING),
]


@pytest.mark.parametrize(("text", "reason"), NOT_DECIDED)
def test_what_is_not_claimed_is_not_refuted(text: str, reason: Reason) -> None:
    outcomes = [checked.outcome for checked in check_step(text)]
    assert not any(isinstance(outcome, Refuted) for outcome in outcomes)
    assert reason in {outcome.reason for outcome in outcomes if isinstance(outcome, Inconclusive)} or not outcomes


@pytest.mark.parametrize(
    "text",
    [
        "If we add them, we get 2 + 2 = 5.",
        "Then 2 + 2 = 5. Suppose now that x = 1.",
        "Suppose x = 1. Then 2 + 2 = 5.",
        "Let's check if it works. We know 3 + 3 = 6. " + "Indeed all is well. " * 12 + "So 2 + 2 = 5.",
        "Modulo 5, 2 + 2 = 5.",
        r"Therefore \boxed{2 + 2 = 5}.",
    ],
)
def test_what_is_claimed_is_refuted(text: str) -> None:
    assert any(isinstance(checked.outcome, Refuted) for checked in check_step(text))


def test_the_problem_can_change_the_arithmetic() -> None:
    assert isinstance(check_step("So 5 + 5 = 12.")[0].outcome, Refuted)
    assert isinstance(check_step("So 5 + 5 = 12.", context="Add the numbers in base 8.")[0].outcome, Inconclusive)
    assert isinstance(check_step("So 5 + 5 = 3.", context="Work modulo 7.")[0].outcome, Inconclusive)
    assert isinstance(check_step("So 5 + 5 = 4.", context="Work modulo 7.")[0].outcome, Refuted)


def test_the_broken_link_is_marked() -> None:
    text = "So $15^2 = 225 = 9 \\cdot 25 = 235$."
    (checked,) = check_step(text, step=3)
    assert checked.broken is not None
    assert checked.claim.text[checked.broken.start : checked.broken.end] == "9 \\cdot 25 = 235"
    assert checked.claim.step == 3
    assert checked.values == ("225", "225", "225", "235")


def test_line_ends_without_number_take_linear_time() -> None:
    """Counted, not timed: twice the line ends, about twice the calls."""
    counts: list[int] = []
    for length in (2_000, 4_000):
        calls = 0

        def count(_frame: object, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        text = "a = 2 " + "\n" * length + " = 3 + 4"
        sys.setprofile(count)
        try:
            find_claims(text)
        finally:
            sys.setprofile(None)
        counts.append(calls)
    assert counts[1] < 2.5 * counts[0]
