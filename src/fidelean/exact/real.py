"""Exact real numbers: rational combinations of square roots, other algebraic numbers, powers of π and e, and logarithms.

Two such numbers are *proved equal* when they agree term by term, or when what is left of their difference is algebraic and below its
separation bound; they are *proved different* when rigorous balls separate them. Between the two lies "undecided"; nothing is ever
decided by a numerical coincidence.

Square roots of different squarefree integers are linearly independent over the rationals (Besicovitch 1940), so a sum of them alone is
zero only where no term is left.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple, TypeAlias

from flint import arb, fmpq

from fidelean.exact.algebraic import MAX_SIZE, Algebraic, ball_of, is_zero, rational, spelling, working_precision
from fidelean.exact.budget import Budget
from fidelean.exact.novalue import NoValue
from fidelean.exact.rational import Rational
from fidelean.outcome import Reason

__all__ = [
    "ONE",
    "Generator",
    "Monomial",
    "Real",
    "algebraic_number",
    "generator",
    "image",
    "is_proved_zero",
    "real",
    "sign",
    "square_root",
    "to_text",
]

Tail: TypeAlias = "tuple[tuple[str, Fraction | int], ...]"
"""Generators with their exponents, sorted by name."""
Monomial: TypeAlias = "tuple[int, Tail]"
"""The square root of a squarefree positive integer, times generators; ``(1, ())`` is one."""

ONE: Monomial = (1, ())
_MAX_TERMS = 64
_MAX_PRODUCTS = 1_024
_MAX_BITS = 1 << 17
"""Largest rational coefficient (bits)."""
_TRANSCENDENTAL_SIZE = 10
"""What the ball of a logarithm costs, in nodes of an algebraic number."""


class Generator(NamedTuple):
    """A number that is known by its enclosures."""

    enclose: Callable[[], arb]
    """Gives a ball at the working precision."""
    size: int
    """What a ball costs, in nodes."""
    is_positive: bool = False
    """Whether it is known to be positive without looking."""
    exact: Algebraic | None = None
    """The number itself, where it is algebraic."""


@dataclass(slots=True, eq=False)  # not frozen, for the reason given at ``Algebraic``
class Real:
    """A real number as a sum of terms."""

    terms: Mapping[Monomial, fmpq]
    """Coefficient of each monomial; none of them is zero."""
    generators: Mapping[str, Generator]
    """The generators by name."""

    def __add__(self, other: Real) -> Real:
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            known = terms.get(monomial)
            terms[monomial] = coefficient if known is None else known + coefficient
        return _real(terms, _together(self.generators, other.generators))

    def __mul__(self, other: Real) -> Real:
        if len(other.terms) == 1 and ONE in other.terms:
            return self._scaled(other.terms[ONE])
        if len(self.terms) == 1 and ONE in self.terms:
            return other._scaled(self.terms[ONE])
        if len(self.terms) * len(other.terms) > _MAX_PRODUCTS:
            raise _too_many()
        terms: dict[Monomial, fmpq] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial, factor = _times(left, right)
                coefficient = a * b if factor == 1 else a * b * factor
                known = terms.get(monomial)
                terms[monomial] = coefficient if known is None else known + coefficient
        return _real(terms, _together(self.generators, other.generators))

    def _scaled(self, factor: fmpq) -> Real:
        return _real({monomial: coefficient * factor for monomial, coefficient in self.terms.items()}, self.generators)

    def __neg__(self) -> Real:
        return Real({monomial: -coefficient for monomial, coefficient in self.terms.items()}, self.generators)

    def __sub__(self, other: Real) -> Real:
        return self + (-other)

    def ball(self) -> arb:
        """An enclosure at the working precision of the context."""
        total = arb(0)
        for (radicand, tail), coefficient in self.terms.items():
            term = arb(coefficient)
            if radicand != 1:
                term = term * arb(radicand).sqrt()
            for name, exponent in tail:
                term = term * _ball_power(self.generators[name].enclose(), exponent)
            total += term
        return total

    def size(self) -> int:
        """What a ball of the number costs, in nodes."""
        return len(self.terms) + sum(self.generators[name].size for _, tail in self.terms for name, _ in tail)

    def is_sum_of_roots(self) -> bool:
        """Whether it is a sum of square roots alone, which is zero only where no term is left."""
        return not any(tail for _, tail in self.terms)

    def algebraic(self) -> Algebraic | None:
        """The number as an algebraic expression, where all its generators are algebraic."""
        total: Algebraic | None = None
        for (radicand, tail), coefficient in self.terms.items():
            term = rational(Fraction(int(coefficient.p), int(coefficient.q)))
            if radicand != 1:
                term = term * rational(radicand).root(2)
            for name, exponent in tail:
                exact = self.generators[name].exact
                if exact is None:
                    return None
                power = exact.power(abs(int(exponent)))
                term = term * power if exponent > 0 else term.over(power)
            total = term if total is None else total + term
        return rational(0) if total is None else total

    def rational(self) -> Fraction | None:
        """The number as a rational, where it is one term and that is rational."""
        if not self.terms:
            return Fraction(0)
        coefficient = self.terms.get(ONE)
        return None if coefficient is None or len(self.terms) != 1 else Fraction(int(coefficient.p), int(coefficient.q))


def real(value: Rational) -> Real:
    """A rational as a real."""
    return _integer(value) if type(value) is int and -1_000 < value < 1_000 else _rational(value)


@cache
def _integer(value: int) -> Real:
    return _rational(value)


def _rational(value: Rational) -> Real:
    return Real({ONE: fmpq(value.numerator, value.denominator)} if value else {}, {})


def square_root(value: fmpq) -> Real | None:
    """The square root of a positive rational, its squares drawn out; None where it is too large to be factored at once."""
    product = value.p * value.q
    if product.bit_length() > 64:
        return None
    outside, inside = 1, 1
    for prime, exponent in product.factor():
        outside *= int(prime) ** (int(exponent) // 2)
        inside *= int(prime) if int(exponent) % 2 else 1
    return Real({(inside, ()): fmpq(outside, value.q)}, {})


def generator(name: str, enclose: Callable[[], arb], *, is_positive: bool = False) -> Real:
    """A number that is only known by its enclosures; equal names mean equal numbers."""
    return Real({(1, ((name, 1),)): fmpq(1)}, {name: Generator(enclose, _TRANSCENDENTAL_SIZE, is_positive)})


def algebraic_number(exact: Algebraic, *, is_positive: bool = False) -> Real:
    """An algebraic number that is no sum of square roots, or is not known to be one, as a generator."""
    if exact.operator == "rational":
        return real(exact.number)
    name = _hashed(spelling(exact)) if exact.operands else f"cos {exact.number}"
    return Real({(1, ((name, 1),)): fmpq(1)}, {name: Generator(lambda: ball_of(exact), exact.size, is_positive, exact)})


def image(function: str, number: Real, enclose: Callable[[arb], arb]) -> Real:
    """A function's value at a number, where nothing but its enclosures is known."""
    size = number.size() + _TRANSCENDENTAL_SIZE
    if size > MAX_SIZE:
        raise NoValue(Reason.TOO_LARGE, "functions nested more often than balls are computed")
    name = f"{function}({_hashed(repr(sorted((monomial, str(c)) for monomial, c in number.terms.items())))})"
    return Real({(1, ((name, 1),)): fmpq(1)}, {name: Generator(lambda: enclose(number.ball()), size)})


def _hashed(text: str) -> str:
    """A name that tells numbers apart, and does not grow with nesting."""
    return hashlib.sha256(text.encode()).hexdigest()


def _times(left: Monomial, right: Monomial) -> tuple[Monomial, int]:
    """The product of two monomials, and the integer that their square roots give off."""
    (a, left_tail), (b, right_tail) = left, right
    tail = _joined(left_tail, right_tail) if left_tail and right_tail else left_tail or right_tail
    if a == 1 or b == 1:
        return (a * b, tail), 1
    common = math.gcd(a, b)
    return (a // common * (b // common), tail), common


def _joined(left: Tail, right: Tail) -> Tail:
    exponents = dict(left)
    for name, exponent in right:
        exponents[name] = exponents.get(name, 0) + exponent
    return tuple(sorted((name, exponent) for name, exponent in exponents.items() if exponent))


def _together(left: Mapping[str, Generator], right: Mapping[str, Generator]) -> Mapping[str, Generator]:
    if not right or left is right:
        return left
    return {**left, **right} if left else right


def _real(terms: dict[Monomial, fmpq], generators: Mapping[str, Generator]) -> Real:
    number = Real(terms if all(terms.values()) else {m: coefficient for m, coefficient in terms.items() if coefficient}, generators)
    if len(number.terms) > _MAX_TERMS:
        raise _too_many()
    for coefficient in number.terms.values():
        if coefficient.height_bits() > _MAX_BITS:
            raise NoValue(Reason.TOO_LARGE, f"a number of more than {_MAX_BITS} bits beside a root")
    if generators and len(number.terms) > 1 and number.size() > MAX_SIZE:
        raise NoValue(Reason.TOO_LARGE, "more terms than balls are computed of")
    return number


def _too_many() -> NoValue:
    return NoValue(Reason.TOO_LARGE, f"more than {_MAX_TERMS} terms in roots, π, e or logarithms")


def _ball_power(base: arb, exponent: Fraction | int) -> arb:
    if exponent.denominator == 1:
        return base if exponent == 1 else base ** int(exponent)
    return base ** arb(fmpq(exponent.numerator, exponent.denominator))


_MAX_UNPROVED_BITS = 1_024
"""Precision after which sides that agree so far, without a proof that they do for ever, are left undecided."""


def sign(number: Real, budget: Budget) -> int:
    """-1, 0 or 1; raises ``NoValue(UNDECIDED)`` where neither balls nor an exact argument tell."""
    told = _sign_of_term(number)
    if told is not None:
        return told
    precision, limit = 64, budget.max_ball_bits
    while precision <= limit:
        budget.spend(number.size() * (1 + precision // 256))
        with working_precision(precision):
            ball = number.ball()
            if ball > 0:
                return 1
            if ball < 0:
                return -1
        if precision == 64 and not number.is_sum_of_roots():
            if is_proved_zero(number, budget.max_ball_bits):
                return 0
            limit = min(limit, _MAX_UNPROVED_BITS)
        precision *= 2
    raise NoValue(Reason.UNDECIDED, "the sides agree to all the digits that were computed, and no exact argument applies")


def _sign_of_term(number: Real) -> int | None:
    """The sign of a number of at most one term, where it can be seen."""
    if not number.terms:
        return 0
    if len(number.terms) > 1:
        return None
    (((_, tail), coefficient),) = number.terms.items()
    if tail and not all(number.generators[name].is_positive for name, _ in tail):
        return None
    return 1 if coefficient.p > 0 else -1


def is_proved_zero(number: Real, max_bits: int) -> bool:
    """Whether the number is proved to be zero: the algebraic factor of every power of π, e and logarithms is."""
    parts: dict[Tail, dict[Monomial, fmpq]] = {}
    for (radicand, tail), coefficient in number.terms.items():
        exact = tuple(pair for pair in tail if number.generators[pair[0]].exact is not None)
        rest = tuple(pair for pair in tail if number.generators[pair[0]].exact is None)
        parts.setdefault(rest, {})[radicand, exact] = coefficient
    return all(_is_algebraic_zero(Real(terms, number.generators), max_bits) for terms in parts.values())


def _is_algebraic_zero(number: Real, max_bits: int) -> bool:
    if number.is_sum_of_roots():
        return not number.terms
    exact = number.algebraic()
    return exact is not None and is_zero(exact, max_bits)


def to_text(number: Real, digits: int = 12) -> str:
    """The number: an integer where it is proved to be one, else some decimal digits, marked as cut off."""
    for precision in (64, 256, 1024):
        with working_precision(precision):
            ball = number.ball()
            nearest = (ball + arb(0.5)).floor().unique_fmpz()
        if nearest is not None and ball.contains(nearest) and is_proved_zero(number - real(int(nearest)), 4 * precision):
            return str(int(nearest))
        with working_precision(precision):
            if ball.is_finite() and ball.rel_accuracy_bits() > 3.4 * digits:
                return f"{ball.str(digits, radius=False)}…"
    return "a real number whose digits were not computed"
