"""Exact real numbers: polynomials in π, e and logarithms with algebraic coefficients.

Two such numbers are *proved equal* when they agree coefficient by coefficient, whatever the generators are worth, and *proved different*
when rigorous balls separate them. Between the two lies "undecided"; nothing is ever decided by a numerical coincidence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from flint import arb, fmpq, fmpz

from fidelean.exact.algebraic import MAX_SIZE, Algebraic, ball_of, cosine, is_zero, rational, spelling, working_precision
from fidelean.exact.budget import Budget
from fidelean.exact.novalue import NoValue
from fidelean.exact.rational import Rational
from fidelean.outcome import Reason

__all__ = ["Real", "cosine_of", "exponential", "logarithm", "power", "real", "root", "sign", "to_text"]

Monomial = tuple[tuple[str, Fraction | int], ...]
"""Generators with their exponents, sorted by name; the empty tuple for a plain algebraic number."""

_MAX_TERMS = 64
_TRANSCENDENTAL_SIZE = 10
"""What the ball of a logarithm costs, in nodes of an algebraic number."""


class Generator(NamedTuple):
    """A number that is known by its enclosures."""

    enclose: Callable[[], arb]
    """Gives a ball at the working precision."""
    size: int
    """What a ball costs, in nodes."""


@dataclass(slots=True, eq=False)  # not frozen, for the reason given at ``Algebraic``
class Real:
    """A real number in canonical form."""

    terms: Mapping[Monomial, Algebraic]
    """Coefficient of each monomial; none of them is the rational zero."""
    generators: Mapping[str, Generator] = field(default_factory=dict[str, Generator])
    """The generators by name."""

    def __add__(self, other: Real) -> Real:
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            terms[monomial] = terms[monomial] + coefficient if monomial in terms else coefficient
        return _real(terms, {**self.generators, **other.generators})

    def __mul__(self, other: Real) -> Real:
        terms: dict[Monomial, Algebraic] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                monomial = _times(left, right)
                terms[monomial] = terms[monomial] + a * b if monomial in terms else a * b
        return _real(terms, {**self.generators, **other.generators})

    def __neg__(self) -> Real:
        return Real({monomial: -coefficient for monomial, coefficient in self.terms.items()}, self.generators)

    def __sub__(self, other: Real) -> Real:
        return self + (-other)

    def ball(self) -> arb:
        """An enclosure at the working precision of the context."""
        total = arb(0)
        for monomial, coefficient in self.terms.items():
            term = ball_of(coefficient)
            for name, exponent in monomial:
                term = term * _ball_power(self.generators[name].enclose(), exponent)
            total += term
        return total

    def size(self) -> int:
        """What a ball of the number costs, in nodes."""
        own = sum(coefficient.size for coefficient in self.terms.values())
        return own + sum(self.generators[name].size for monomial in self.terms for name, _ in monomial)

    def algebraic(self) -> Algebraic | None:
        """The number without generators, where it has none."""
        if not self.terms:
            return rational(0)
        return self.terms[()] if len(self.terms) == 1 and () in self.terms else None

    def rational(self) -> Fraction | None:
        """The number as a rational, where it is written as one."""
        plain = self.algebraic()
        return plain.number if plain is not None and plain.operator == "rational" else None


def real(value: Rational) -> Real:
    """A rational as a real."""
    return _real({(): rational(value)}, {})


def generator(name: str, enclose: Callable[[], arb], size: int = _TRANSCENDENTAL_SIZE) -> Real:
    """A number that is only known by its enclosures; equal names mean equal numbers."""
    return Real({((name, 1),): rational(1)}, {name: Generator(enclose, size)})


def _image(function: str, number: Real, enclose: Callable[[arb], arb]) -> Real:
    """A function's value at a number, where nothing but its enclosures is known."""
    size = number.size() + _TRANSCENDENTAL_SIZE
    if size > MAX_SIZE:
        raise NoValue(Reason.TOO_LARGE, "functions nested more often than balls are computed")
    return generator(f"{function}({_key(number)})", lambda: enclose(number.ball()), size)


PI = generator("pi", arb.pi)
EULER = generator("e", arb.const_e)


def _real(terms: dict[Monomial, Algebraic], generators: Mapping[str, Generator]) -> Real:
    kept = terms
    if any(c.operator == "rational" and not c.number for c in terms.values()):
        kept = {m: c for m, c in terms.items() if not (c.operator == "rational" and not c.number)}
    if len(kept) > _MAX_TERMS:
        raise NoValue(Reason.TOO_LARGE, f"more than {_MAX_TERMS} terms in π, e or logarithms")
    number = Real(kept, generators)
    if len(kept) > 1 and number.size() > MAX_SIZE:
        raise NoValue(Reason.TOO_LARGE, "more terms than balls are computed of")
    return number


def _times(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    exponents = dict(left)
    for name, exponent in right:
        exponents[name] = exponents.get(name, 0) + exponent
    return tuple(sorted((name, exponent) for name, exponent in exponents.items() if exponent))


def _ball_power(base: arb, exponent: Fraction | int) -> arb:
    if exponent.denominator == 1:
        return base ** int(exponent)
    return base ** arb(fmpq(exponent.numerator, exponent.denominator))


_MAX_UNPROVED_BITS = 1_024
"""Precision after which sides that agree so far, without a proof that they do for ever, are left undecided."""


def sign(number: Real, budget: Budget) -> int:
    """-1, 0 or 1; raises ``NoValue(UNDECIDED)`` where neither balls nor an exact argument tell."""
    exact = number.rational()
    if exact is not None:
        return (exact > 0) - (exact < 0)
    precision, limit = 64, budget.max_ball_bits
    while precision <= limit:
        budget.spend(number.size() * (1 + precision // 256))
        with working_precision(precision):
            ball = number.ball()
            if ball > 0:
                return 1
            if ball < 0:
                return -1
        if precision == 64:
            if _is_proved_zero(number, budget.max_ball_bits):
                return 0
            limit = min(limit, _MAX_UNPROVED_BITS)
        precision *= 2
    raise NoValue(Reason.UNDECIDED, "the sides agree to all the digits that were computed, and no exact argument applies")


def _is_proved_zero(number: Real, max_bits: int) -> bool:
    return all(is_zero(coefficient, max_bits) for coefficient in number.terms.values())


def reciprocal(number: Real, budget: Budget) -> Real:
    """``1 / number``; raises ``NoValue`` where that is undefined or cannot be told."""
    if sign(number, budget) == 0:
        raise NoValue(Reason.UNDEFINED, "a division by zero")
    if len(number.terms) == 1:
        ((monomial, coefficient),) = number.terms.items()
        inverse = tuple((name, -exponent) for name, exponent in monomial)
        return Real({inverse: rational(1).over(coefficient)}, number.generators)
    return _image("1/", number, lambda ball: 1 / ball)


def divide(left: Real, right: Real, budget: Budget) -> Real:
    """The quotient, found exactly also where both are the same multiple of one sum (``log_6 36``)."""
    if len(right.terms) > 1 and left.terms.keys() == right.terms.keys():
        ratios = [_rational_ratio(left.terms[m], right.terms[m]) for m in right.terms]
        if ratios[0] is not None and all(ratio == ratios[0] for ratio in ratios):
            return real(ratios[0])
    return left * reciprocal(right, budget)


def _rational_ratio(left: Algebraic, right: Algebraic) -> Fraction | None:
    return left.number / right.number if left.operator == right.operator == "rational" else None


def _key(number: Real) -> str:
    """A name that tells numbers apart, and does not grow with nesting."""
    written = repr(sorted((monomial, spelling(coefficient)) for monomial, coefficient in number.terms.items()))
    return hashlib.sha256(written.encode()).hexdigest()


def root(number: Real, index: int, budget: Budget) -> Real:
    """The real ``index``-th root: the non-negative one for even ``index``."""
    if not 2 <= index <= 64:
        raise NoValue(Reason.TOO_LARGE, "a root whose index is not between 2 and 64")
    negative = sign(number, budget) < 0
    if negative and index % 2 == 0:
        raise NoValue(Reason.UNDEFINED, "an even root of a negative number")
    plain = number.algebraic()
    if plain is not None:
        return _real({(): -(-plain).root(index) if negative else plain.root(index)}, {})
    if negative:
        return -root(-number, index, budget)
    return _image(f"root{index}", number, lambda ball: ball.root(index))


def power(base: Real, exponent: Real, budget: Budget) -> Real:
    """``base ** exponent`` for a positive base, or any base with an integer exponent."""
    fraction = exponent.rational()
    if fraction is not None and fraction.denominator == 1:
        return _integer_power(base, int(fraction), budget)
    base_sign = sign(base, budget)
    if base_sign <= 0:
        raise NoValue(Reason.UNDEFINED, "a power of a number that is not positive, with an exponent that is no integer")
    if base.terms == EULER.terms:
        return exponential(exponent)
    if fraction is not None and base.algebraic() is not None:
        return _integer_power(root(base, fraction.denominator, budget), fraction.numerator, budget)
    return exponential(exponent * logarithm(base, budget))


def _integer_power(base: Real, exponent: int, budget: Budget) -> Real:
    if exponent < 0:
        return reciprocal(_integer_power(base, -exponent, budget), budget)
    if exponent == 0:
        if sign(base, budget) == 0:
            raise NoValue(Reason.UNDEFINED, "zero to the power zero")
        return real(1)
    plain = base.algebraic()
    if plain is not None:
        if (plain.log_u + plain.log_l + 2) * exponent > budget.max_bits:
            raise NoValue(Reason.TOO_LARGE, f"a power of more than {budget.max_bits} bits")
        return _real({(): plain.power(exponent)}, {})
    if len(base.terms) == 1 and exponent <= 1_000:
        ((monomial, coefficient),) = base.terms.items()
        return Real({tuple((name, e * exponent) for name, e in monomial): coefficient.power(exponent)}, base.generators)
    if exponent > 12:
        raise NoValue(Reason.TOO_LARGE, "a high power of a sum with π, e or logarithms")
    result = base
    for _ in range(exponent - 1):
        result = result * base
    return result


def logarithm(number: Real, budget: Budget) -> Real:
    """The natural logarithm, as a combination of logarithms of primes where the number is rational."""
    if sign(number, budget) <= 0:
        raise NoValue(Reason.UNDEFINED, "a logarithm of a number that is not positive")
    if len(number.terms) == 1:
        ((monomial, coefficient),) = number.terms.items()
        if all(name == "e" for name, _ in monomial):
            exponent = monomial[0][1] if monomial else Fraction(0)
            found = _algebraic_logarithm(coefficient)
            if found is not None:
                return found + real(exponent)
    return _image("ln", number, arb.log)


def _algebraic_logarithm(number: Algebraic) -> Real | None:
    if number.operator == "rational":
        return _prime_logarithms(number.number)
    if number.operator == "root":
        inner = _algebraic_logarithm(number.operands[0])
        return None if inner is None else inner * real(1 / number.number)
    return None


def _prime_logarithms(value: Fraction) -> Real | None:
    if value <= 0 or max(value.numerator.bit_length(), value.denominator.bit_length()) > 64:
        return None
    total = Real({})
    for integer, side in ((value.numerator, 1), (value.denominator, -1)):
        for prime, exponent in fmpz(integer).factor():
            total = total + _prime_logarithm(int(prime)) * real(side * int(exponent))
    return total


def _prime_logarithm(prime: int) -> Real:
    return generator(f"ln {prime}", lambda: arb(prime).log())


def exponential(number: Real) -> Real:
    """``e ** number``, exactly where the number is a combination of 1 and logarithms of primes with rational coefficients."""
    result = real(1)
    for monomial, coefficient in number.terms.items():
        factor = _exponential_term(monomial, coefficient)
        if factor is None:
            return _image("exp", number, arb.exp)
        result = result * factor
    return result


def _exponential_term(monomial: Monomial, coefficient: Algebraic) -> Real | None:
    if coefficient.operator != "rational":
        return None
    exponent = coefficient.number
    if not monomial:
        return Real({(("e", exponent),): rational(1)}, EULER.generators)
    ((name, degree), *rest) = monomial
    if rest or degree != 1 or not name.startswith("ln ") or abs(exponent.numerator) > 256 or exponent.denominator > 64:
        return None
    prime = int(name.removeprefix("ln "))
    base = rational(prime) if exponent.denominator == 1 else rational(prime).root(exponent.denominator)
    raised = base.power(abs(exponent.numerator))
    return _real({(): raised if exponent > 0 else rational(1).over(raised)}, {})


def cosine_of(angle: Real) -> Real:
    """The cosine of an angle in radians, algebraic where the angle is a rational multiple of π."""
    turns = _turns(angle)
    if turns is not None and turns.denominator <= 360:
        exact = _COSINES.get(abs((turns + 1) % 2 - 1))
        return real(exact) if exact is not None else _real({(): cosine(turns)}, {})
    return _image("cos", angle, arb.cos)


_COSINES = {Fraction(0): 1, Fraction(1): -1, Fraction(1, 2): 0, Fraction(1, 3): Fraction(1, 2), Fraction(2, 3): Fraction(-1, 2)}


def _turns(angle: Real) -> Fraction | None:
    if not angle.terms:
        return Fraction(0)
    coefficient = angle.terms.get((("pi", 1),))
    if len(angle.terms) == 1 and coefficient is not None and coefficient.operator == "rational":
        return coefficient.number
    return None


def inverse_function(name: str, number: Real) -> Real:
    """``arcsin``, ``arccos`` or ``arctan``, known by its enclosures only."""
    enclose = {"arcsin": arb.asin, "arccos": arb.acos, "arctan": arb.atan}[name]
    return _image(name, number, enclose)


def floor(number: Real, budget: Budget) -> int:
    """The largest integer not above the number."""
    for precision in _doubling(budget):
        with working_precision(precision):
            low, high = number.ball().lower().floor().unique_fmpz(), number.ball().upper().floor().unique_fmpz()
        if low is None or high is None:
            continue
        if low == high:
            return int(low)
        if high == low + 1:
            return int(high) if sign(number - real(int(high)), budget) >= 0 else int(low)
    raise NoValue(Reason.UNDECIDED, "the integer part could not be told")


def _doubling(budget: Budget) -> Iterator[int]:
    precision = 64
    while precision <= budget.max_ball_bits:
        yield precision
        precision *= 2


def to_text(number: Real, digits: int = 12) -> str:
    """The number: an integer where it is proved to be one, else some decimal digits, marked as cut off."""
    for precision in (64, 256, 1024):
        with working_precision(precision):
            ball = number.ball()
            nearest = (ball + arb(0.5)).floor().unique_fmpz()
        if nearest is not None and ball.contains(nearest) and _is_proved_zero(number - real(int(nearest)), 4 * precision):
            return str(int(nearest))
        with working_precision(precision):
            if ball.is_finite() and ball.rel_accuracy_bits() > 3.4 * digits:
                return f"{ball.str(digits, radius=False)}…"
    return "a real number whose digits were not computed"
