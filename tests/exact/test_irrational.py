"""Radicals, logarithms and angles: identities pass, near misses are refuted, and what cannot be proved is left open."""

from __future__ import annotations

import math
import random
import threading
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb, ctx

from fidelean.exact import check_claim
from fidelean.exact.algebraic import Algebraic, ball_of, cosine, is_zero, rational, separation_bits, working_precision
from fidelean.outcome import Inconclusive, Passed, Reason, Refuted

TRUE = [
    r"\sqrt{2}+\sqrt{3} = \sqrt{5+2\sqrt{6}}",
    r"\sqrt{3+2\sqrt{2}} = 1+\sqrt{2}",
    r"\sqrt[3]{2+\sqrt{5}} + \sqrt[3]{2-\sqrt{5}} = 1",
    r"\sqrt[3]{\sqrt[3]{2}-1} = \sqrt[3]{\frac19}-\sqrt[3]{\frac29}+\sqrt[3]{\frac49}",
    r"(\sqrt{2}-1)^{10} = 3363 - 2378\sqrt{2}",
    r"\frac{1}{\sqrt{2}-1} = \sqrt{2}+1",
    r"\sqrt{5}+\sqrt{22+2\sqrt{5}} = \sqrt{11+2\sqrt{29}} + \sqrt{16-2\sqrt{29}+2\sqrt{55-10\sqrt{29}}}",
    r"\left(\frac{1+\sqrt5}{2}\right)^5 = \frac{11+5\sqrt5}{2}",
    r"\sqrt{8} = 2^{3/2}",
    r"4^{0.5} = 2",
    r"\sqrt[3]{-27} = -3",
    r"\log_2 8 = 3",
    r"\log_{6} 36 = 2",
    r"\log_2{3} = \frac{\log{3}}{\log{2}}",
    r"\log(6) = \log(2) + \log(3)",
    r"\log_4 8 = \frac32",
    r"\ln 6 = \ln 2 + \ln 3",
    r"\ln(e^5) = 5",
    r"e^{\ln 7} = 7",
    r"2^{\log_2 10} = 10",
    r"\log_2(3) \cdot \log_3(2) = 1",
    r"\log_{\sqrt2} 8 = 6",
    r"\cos\frac{\pi}{5} = \frac{1+\sqrt5}{4}",
    r"\sin\frac{\pi}{12} = \frac{\sqrt6-\sqrt2}{4}",
    r"\cos\frac{\pi}{7}-\cos\frac{2\pi}{7}+\cos\frac{3\pi}{7} = \frac12",
    r"\sin 30^\circ = \frac12",
    r"\tan 45^\circ = 1",
    r"\sin^2(1 \cdot 1) + \cos^2(1 \cdot 1) > 0.999999",
    r"\lfloor \sqrt{2}\cdot 10^{10} \rfloor = 14142135623",
    r"\lfloor (1+\sqrt2)^2 + (1-\sqrt2)^2 \rfloor = 6",
    r"|\sqrt2-2| = 2-\sqrt2",
    r"\pi > 3.14159265358979",
    r"e^\pi > \pi^e",
    r"\frac{355}{113} > \pi",
    r"\pi^2 \cdot \frac1\pi = \pi",
]


@pytest.mark.parametrize("claim", TRUE)
def test_identities_pass(claim: str) -> None:
    assert isinstance(check_claim(claim).outcome, Passed)


FALSE = [
    r"\sqrt{2}+\sqrt{3} = \sqrt{10}",
    r"\sqrt{2}+\sqrt{3} = \pi",
    r"\sqrt{50} = 2\sqrt{5}",
    r"\sqrt{5}+\sqrt{22+2\sqrt{5}} = \sqrt{11+2\sqrt{29}} + \sqrt{16-2\sqrt{29}+2\sqrt{55-10\sqrt{28}}}",
    r"(\sqrt{2}-1)^{10} = 0",
    r"3363 - 2378\sqrt{2} = 0",
    r"(\sqrt{2}-1)^{200} = 0",
    r"\frac{1}{\sqrt{2}-1} = \sqrt{2}-1",
    r"1-\frac1e = 1+\frac1e",
    r"e^\pi - \pi = 20",
    r"e^{\pi\sqrt{163}} = 262537412640768744",
    r"\sqrt[3]{5}+\sqrt[3]{4} = \sqrt[3]{37}",
    r"\cos 36^\circ = \frac{\sqrt5}{3}",
    r"\log_2 5 = \frac73",
    r"\sin(1 \cdot 1) = \sin 1^\circ",
    r"\frac{355}{113} = \pi",
    r"\left(\frac{2143}{22}\right)^{1/4} = \pi",
    r"\lfloor \sqrt{99} \rfloor = 10",
    r"\sqrt{(-3)^2} = -3",
]


@pytest.mark.parametrize("claim", FALSE)
def test_near_misses_are_refuted(claim: str) -> None:
    assert isinstance(check_claim(claim).outcome, Refuted)


LEFT_OPEN = [
    (r"\sqrt{\pi^2+2\pi+1} = \pi+1", Reason.UNDECIDED),
    (r"4\arctan 1 = \pi", Reason.UNDECIDED),
    (r"\sin^2(1 \cdot 1) + \cos^2(1 \cdot 1) = 1", Reason.UNDECIDED),
    (r"\log_2 3 \cdot \log_3 2 = 1", Reason.AMBIGUOUS),
    (r"\sqrt{-1} = 1", Reason.UNDEFINED),
    (r"\ln 0 = 0", Reason.UNDEFINED),
    (r"\ln(\sqrt2+\sqrt3-\sqrt{5+2\sqrt6}) = 0", Reason.UNDEFINED),
    (r"\frac{1}{\sqrt2+\sqrt3-\sqrt{5+2\sqrt6}} = 0", Reason.UNDEFINED),
    (r"(-8)^{1/3} = -2", Reason.UNDEFINED),
    (r"\tan 90^\circ = 0", Reason.UNDEFINED),
    (r"\sin 30 = \frac12", Reason.AMBIGUOUS),
    (r"\log 100 = 2", Reason.AMBIGUOUS),
    (r"\log(100) = \ln(100)", Reason.AMBIGUOUS),
]


@pytest.mark.parametrize(("claim", "reason"), LEFT_OPEN)
def test_what_cannot_be_proved_is_left_open(claim: str, reason: Reason) -> None:
    outcome = check_claim(claim).outcome
    assert isinstance(outcome, Inconclusive)
    assert outcome.reason is reason


NEARLY_EQUAL_SUMS = [
    ((85, 110, 214), (90, 99, 222)),
    ((27, 142, 231), (61, 118, 186)),
    ((106, 150, 250), (67, 199, 258)),
    ((26, 228, 228), (31, 200, 243)),
    ((53, 90, 128), (33, 61, 211)),
]
"""Sums of three square roots that agree to eleven digits or more, the smaller one first (found by trying all up to 260)."""


@pytest.mark.parametrize(("smaller", "larger"), NEARLY_EQUAL_SUMS)
def test_sums_of_roots_that_nearly_agree_are_told_apart(smaller: tuple[int, ...], larger: tuple[int, ...]) -> None:
    a, b = ("+".join(rf"\sqrt{{{n}}}" for n in numbers) for numbers in (smaller, larger))
    assert isinstance(check_claim(f"{a} < {b}").outcome, Passed)
    assert isinstance(check_claim(f"{a} = {b}").outcome, Refuted)
    assert isinstance(check_claim(f"{a} \\ge {b}").outcome, Refuted)


def random_number(draw: random.Random, depth: int) -> Algebraic:
    if depth == 0 or draw.random() < 0.2:
        return rational(Fraction(draw.randint(-9, 9), draw.randint(1, 4)))
    if draw.random() < 0.1:
        return cosine(Fraction(draw.randint(0, 6), draw.randint(1, 7)))
    kind = draw.choice("++-*/rrr^")
    left, right = (random_number(draw, depth - 1) for _ in "ab")
    if kind == "r":
        index = draw.choice((2, 2, 3))
        return left.root(index) if index == 3 or is_positive(left) else left
    if kind == "^":
        return left.power(draw.randint(0, 3))
    if kind == "/":
        return left.over(right) if is_apart(right) else left
    return left + right if kind == "+" else left + -right if kind == "-" else left * right


def is_positive(number: Algebraic) -> bool:
    with working_precision(256):
        return bool(ball_of(number) > 0)


def is_apart(number: Algebraic) -> bool:
    with working_precision(256):
        return not ball_of(number).contains(0)


@pytest.mark.parametrize("seed", range(300))
def test_no_number_but_zero_is_nearer_to_zero_than_its_separation_bound(seed: int) -> None:
    number = random_number(random.Random(seed), 4)
    bound = separation_bits(number)
    if math.isinf(bound) or bound > 20_000:
        return
    with working_precision(256 + 2 * math.ceil(bound)):
        ball = ball_of(number)
        smallest = arb(2) ** -math.ceil(bound)
        assert ball.abs_upper() < smallest or ball.abs_lower() >= smallest
        assert is_zero(number, 20_000) == bool(ball.abs_upper() < smallest)


def surd(draw: random.Random) -> tuple[str, Any]:
    """A random expression in radicals, π, e and logarithms, with its value to 80 digits."""
    kind = draw.choice(("root", "cube", "pi", "e", "ln", "rational", "sum", "sum", "product", "quotient", "nested", "cos", "power"))
    a, b = draw.randint(1, 40), draw.randint(2, 40)
    match kind:
        case "root":
            return rf"\frac{{{a}}}{{{b}}}\sqrt{{{b + a}}}", mpmath.mpf(a) / b * mpmath.sqrt(a + b)
        case "cube":
            return rf"\sqrt[3]{{{a}}}", mpmath.root(a, 3)
        case "pi":
            return rf"\frac{{{a}\pi}}{{{b}}}", a * mpmath.pi / b
        case "e":
            return rf"e^{{{a % 5}}}", mpmath.e ** (a % 5)
        case "ln":
            return rf"\ln({a + 1})", mpmath.log(a + 1)
        case "rational":
            return rf"\frac{{{a}}}{{{b}}}", mpmath.mpf(a) / b
        case "cos":
            return rf"\cos\left(\frac{{{a}\pi}}{{{b}}}\right)", mpmath.cos(a * mpmath.pi / b)
        case "power":
            return rf"{b}^{{{a}/7}}", mpmath.mpf(b) ** (mpmath.mpf(a) / 7)
        case "nested":
            text, value = surd(draw)
            return rf"\sqrt{{\left({text}\right)^2+{a}}}", mpmath.sqrt(value**2 + a)
        case _:
            (left, x), (right, y) = surd(draw), surd(draw)
            if kind == "sum":
                return f"({left} + {right})", x + y
            if kind == "product" or abs(y) < mpmath.mpf(10) ** -70:
                return f"({left})({right})", x * y
            return rf"\frac{{{left}}}{{{right}}}", x / y


@pytest.mark.parametrize("seed", range(250))
def test_random_surds_compare_as_their_digits_do(seed: int) -> None:
    draw = random.Random(seed)
    with mpmath.workdps(80):
        (left, x), (right, y) = surd(draw), surd(draw)
        if abs(x - y) < mpmath.mpf(10) ** -60:
            assert not isinstance(check_claim(f"{left} \\ne {right}").outcome, Passed)
            return
        sign = "<" if x < y else ">"
        digits = mpmath.nstr(x, 15, min_fixed=-100, max_fixed=100, strip_zeros=False)
    true, equal, false = (check_claim(f"{left} {relation} {right}").outcome for relation in (sign, "=", "<>"[sign == "<"]))
    if isinstance(true, Inconclusive):
        assert true.reason is Reason.TOO_LARGE
        return
    assert isinstance(true, Passed)
    assert isinstance(equal, Refuted)
    assert isinstance(false, Refuted)
    if abs(x) > mpmath.mpf(10) ** -60:
        assert isinstance(check_claim(rf"{left} \approx {digits}").outcome, Passed)


@pytest.mark.parametrize("seed", range(100))
def test_random_squares_of_sums_of_roots_are_what_algebra_says(seed: int) -> None:
    draw = random.Random(seed)
    a, b, m, n = (draw.randint(1, 30) for _ in range(4))
    square = rf"({a}\sqrt{{{m}}}+{b}\sqrt{{{n}}})^2"
    expanded = a * a * m + b * b * n
    assert isinstance(check_claim(rf"{square} = {expanded}+{2 * a * b}\sqrt{{{m * n}}}").outcome, Passed)
    assert isinstance(check_claim(rf"{square} = {expanded + 1}+{2 * a * b}\sqrt{{{m * n}}}").outcome, Refuted)
    assert isinstance(check_claim(rf"\sqrt{{{m + n}+2\sqrt{{{m * n}}}}} = \sqrt{{{m}}}+\sqrt{{{n}}}").outcome, Passed)
    assert isinstance(check_claim(rf"\sqrt{{{m + n}+2\sqrt{{{m * n + 1}}}}} = \sqrt{{{m}}}+\sqrt{{{n}}}").outcome, Refuted)


def test_threads_do_not_change_each_others_precision() -> None:
    claims = [*TRUE[:12], *FALSE[:12]]
    expected = [type(check_claim(claim).outcome) for claim in claims]
    found: list[list[type]] = []

    def run() -> None:
        found.append([type(check_claim(claim).outcome) for claim in claims for _ in range(3)])

    threads = [threading.Thread(target=run) for _ in range(4)]
    before = ctx.prec
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[kind for kind in expected for _ in range(3)]] * 4
    assert ctx.prec == before
