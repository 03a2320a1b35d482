"""Whatever the text, the answer is an outcome, soon."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fidelean.exact import check_claim, check_step
from fidelean.informal.claims import find_claims
from fidelean.outcome import Inconclusive, Passed, Reason, Refuted

CLAIM_SECONDS = 0.5
"""No claim may take longer (CPU seconds)."""


def decide(text: str) -> None:
    """Decide a text as a claim and as a step, and look at the clock and at the spans."""
    seconds = 0.0
    for _ in range(2):  # the collection of everybody's garbage may fall into one of them
        started = time.process_time()
        assert isinstance(check_claim(text).outcome, Passed | Refuted | Inconclusive)
        seconds = time.process_time() - started
        if seconds < CLAIM_SECONDS:
            break
    else:
        pytest.fail(f"{seconds:.2f} s, twice")
    started = time.process_time()
    checked = check_step(text)
    assert time.process_time() - started < CLAIM_SECONDS * (1 + len(checked))
    for item in checked:
        span = item.claim.span
        assert span is not None
        assert text[span.start : span.end] == item.claim.text
        if item.broken is not None:
            assert 0 <= item.broken.start < item.broken.end <= len(item.claim.text)


def nested(opening: str, inner: str, closing: str, depth: int) -> str:
    return opening * depth + inner + closing * depth


HOSTILE = {
    "deep brackets": nested("(", "1", ")", 2_000) + "=1",
    "open brackets": "(" * 4_000,
    "bars": "|" * 4_000,
    "signs": "-" * 3_990 + "1=1",
    "relations": "=" * 4_000,
    "long chain": "=".join(["1+1"] * 1_000),
    "long sum": "+".join(["1"] * 1_900) + "=1900",
    "long product": "*".join(["7"] * 1_900) + "=1",
    "deep roots": nested(r"\sqrt{", "2", "}", 300) + "=1",
    "bare roots": r"\sqrt" * 790 + "2=1",
    "bare fractions": r"\frac" * 790 + "12=1",
    "roots of indices": nested(r"\sqrt[", "2", "]{2}", 200) + "=1",
    "function calls": nested("f(", "1", ")", 900) + "=1",
    "subscripts": nested("x_{", "1", "}", 700) + "=1",
    "towers": "5^" * 1_900 + "5=1",
    "braced towers": nested("5^{", "5", "}", 700) + "=1",
    "huge exponent": "2^{" + "9" * 3_900 + "}=1",
    "huge exponent of e": "e^{" + "9" * 3_900 + "}=1",
    "huge numeral": "9" * 3_990 + "=1",
    "huge product": "9" * 1_990 + "*" + "9" * 1_990 + "=1",
    "huge decimal": "0." + "3" * 3_900 + "=1/3",
    "huge period": r"0.\overline{" + "3" * 3_900 + "}=1/3",
    "huge superscript": "2" + "²" * 3_900 + "=1",
    "huge factorial": "9" * 100 + "!=1",
    "factorials of factorials": "(" * 40 + "3" + ")!" * 40 + "=1",
    "exclamations": "1" + "!" * 3_900 + "=1",
    "percents": "1" + "%" * 3_900 + "=1",
    "degrees": "1" + "°" * 3_900 + "=1",
    "percentages added": "100" + "-10%" * 900 + "=1",
    "ambiguous products": "a/b(c)" * 600 + "=1",
    "ambiguous moduli": "1+1 mod " * 400 + "2=1",
    "mixed numbers": "1 1/2 + " * 480 + "1=1",
    "binomials": r"\binom{10^{50}}{10^{49}}=1",
    "nested binomials": r"\binom" * 600 + "1 2=1",
    "nested sums": r"\sum_{i=1}^{9999}" * 9 + "i=1",
    "large terms": r"\sum_{i=1}^{9999} \gcd(2^{30000}, 3^{20000}) = 1",
    "harmonic sum": r"\sum_{i=1}^{9999} \frac1i = 1",
    "sums of roots": r"\sum_{i=1}^{200} \sum_{j=1}^{200} \sqrt{i+j} = 1",
    "products of sums of roots": r"\prod_{i=1}^{200} (1+\sqrt{i}) = 1",
    "fractions of powers": "+".join(f"1/3^{{{n}}}" for n in range(10_000, 10_300)) + "=1",
    "quotients of powers": "1" + "/3^{30000}" * 110 + "=1",
    "products of powers and π": r"\pi" + r"\cdot 2^{30000}" * 100 + "=1",
    "powers of powers and π": r"(2^{30000}\pi)^{1000} = 1",
    "nested tangents": nested(r"\tan(", "1", ")", 28) + "=1",
    "nested logarithms": nested(r"\log(", "10", ")", 28) + "=1",
    "bare sines": "sin " * 900 + "2=1",
    "powers of functions": r"\sin^" * 900 + "2=1",
    "exponentials": nested(r"\exp(", "9", ")", 28) + "=1",
    "large angles": r"\sin(10^{9000}) = 1",
    "denormal angles": r"\cos(\frac{\pi}{10^{9000}}) = 1",
    "high powers of surds": r"(1+\sqrt2)^{30000} = (3+2\sqrt2)^{15000}",
    "many radicals": "+".join(rf"\sqrt{{{n}}}" for n in range(2, 110)) + "=700",
    "many zero tests": r"\sqrt{\sqrt2-\sqrt2}+" * 80 + "1=1",
    "zero tests in towers": nested(r"\frac{1}{1-", r"\sqrt2+\sqrt3-\sqrt{5+2\sqrt6}", "}", 26) + "=1",
    "nearly integral powers": r"\lfloor (2+\sqrt3)^{4000} \rfloor = 1",
    "nothing": "",
    "spaces": " " * 4_000,
    "line ends": "1\n" * 2_000 + "=1",
    "dollars": "$" * 4_000,
    "backslashes": "\\" * 3_999,
    "text": r"\text{" * 600 + "}=1",
    "environments": r"\begin{align}" * 300 + "1=1",
    "commas": "1,111" * 700 + "=1",
    "units": "3 feet " * 500 + "=1",
    "too long": "1+" * 3_000 + "1=1",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_claims_are_answered_soon(text: str) -> None:
    decide(text)


FOREIGN_DIGITS = ["٣+٤=٧", "३+४=७", "３+４=７", "𝟑+𝟒=𝟕", "1٣=13", "1.٥=1.5", "Ⅷ=8", "①+①=②", "1²³⁴=1", "2⁻-¹=1", "১/২=0.5"]


@pytest.mark.parametrize("text", FOREIGN_DIGITS)
def test_digits_of_other_scripts_are_read_or_left_alone_but_never_misread(text: str) -> None:
    decide(text)
    assert not isinstance(check_claim(text).outcome, Refuted)


PIECES = [
    *"0123456789", "12", "1000", "0.5", ".25", "1,234", "1{,}000", *"+-*/=<>()[]{}|!%^_.,;:?&$ \n\t'\"~#@xyznabe", "==", "!=",
    "<=", "≤", "≥", "≠", "≈", "≡",
    "−", "×", "·", "÷", "√", "∛", "π", "∞", "°", "½", "²", "³", "⁻¹", "…", "⌊", "⌋", "∑", "∏", "∀", "∈", "→", "⇒", "∣", "∤",
    "\u00a0", "\u200b", "\u0660", "é", "中", "😀",
    r"\frac", r"\frac{1}{2}", r"\frac12", r"\sqrt", r"\sqrt[3]", r"\cdot", r"\times", r"\div", r"\left(", r"\right)", r"\left|",
    r"\right|", r"\left.", r"\pi",
    r"\sum_{k=1}^{5}", r"\prod", r"\binom", r"\binom{5}{2}", r"\choose", r"\over", r"\pmod", r"\bmod", r"\equiv", r"\mid",
    r"\approx", r"\le", r"\geq", r"\ne",
    r"\gcd", r"\ln", r"\log_2", r"\sin", r"\cos", r"\arctan", r"\text{ cm}", r"\text{", r"\%", r"\$", r"\(", r"\)", r"\[", r"\]",
    "$$", "\\\\", r"\,", r"\ldots", r"\quad",
    r"\begin{align*}", r"\end{align*}", r"\begin{cases}", r"\boxed{", r"\overline{3}", r"^\circ", r"^{2}", r"\lfloor", r"\rfloor",
    r"\forall", r"\in", r"\mathbb{Z}",
    " and ", " is ", " of ", " we have ", " suppose ", " if ", " then ", " mod ", " remainder ", " percent", " dollars", " cm",
    " feet ", "Step 1: ", "So ", ". ", "\n\n",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


@settings(max_examples=1_500)
@given(TEXTS)
def test_text_of_known_pieces_is_answered_soon(text: str) -> None:
    decide(text)


@settings(max_examples=500)
@given(st.text(max_size=200))
def test_any_text_is_answered_soon(text: str) -> None:
    decide(text)


SEEDS = [
    r"\frac{5\times4\times3}{2\times1}=60",
    r"2^{10}\equiv 1 \pmod{11}",
    r"\sum_{k=1}^{10} k = \frac{10 \cdot 11}{2} = 55",
    r"\left|2-5\right| = \lfloor 7/2 \rfloor \approx 3.0",
    r"She pays $\$12 \times 3 = \$36$, that is 20% of $180$, and 48 + 9 = 58 marbles.",
    r"We have \(\sqrt{50} = 5\sqrt{2} \approx 7.07\) cm and \[\log_2 8 = 3.\]",
    r"Suppose $x = 3$. Then $3^2 + 1\frac12 = 10.5$, so 9 ÷ 7 = 1 with a remainder of 2.",
]


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """A real claim after a few cuts, repeats, swaps and insertions."""
    text = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 12)))
        piece = text[start:end]
        text = text[:start] + draw(st.sampled_from(["", piece * 2, piece[::-1], *PIECES])) + text[end:]
    return text


@settings(max_examples=1_500)
@given(mutations())
def test_mutated_claims_are_answered_soon(text: str) -> None:
    decide(text)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_same_of_twenty_thousand_texts() -> None:
    settings(max_examples=10_000)(given(TEXTS)(decide))()
    settings(max_examples=10_000)(given(mutations())(decide))()


@pytest.mark.parametrize(
    "text", ["x" * 200_000, "1+1=2. " * 20_000, "$1+1=2$ " * 10_000, "a=b " * 20_000, "$" * 50_000 + "=", "(" * 50_000 + "1=1"]
)
def test_finding_claims_takes_time_in_proportion_to_the_text(text: str) -> None:
    started = time.process_time()
    find_claims(text)
    assert time.process_time() - started < 5e-5 * len(text) + 1


def test_every_formula_of_the_public_steps_keeps_its_place(shared: Path) -> None:
    rows = json.loads((shared / "data" / "first_error" / "processbench_gsm8k.json").read_text(encoding="utf8"))
    for row in rows[:150]:
        for step in row["steps"]:
            for found in find_claims(step):
                span = found.claim.span
                assert span is not None
                assert step[span.start : span.end] == found.claim.text


def test_a_claim_that_costs_too_much_says_so() -> None:
    outcome = check_claim(r"\sum_{i=1}^{9999} \frac1i = 1").outcome
    assert isinstance(outcome, Inconclusive)
    assert outcome.reason is Reason.TOO_LARGE
