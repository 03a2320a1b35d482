"""Polynomials in several variables over the rationals, bounded in size, as far as the witness search needs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import gcd, isqrt, lcm

from fidelean.proving.terms import Ascribed, Binary, Negative, Numeral, Term, Variable

__all__ = ["Monomial", "NotPolynomial", "Polynomial", "Quotient", "quotient_of", "rational_roots", "simplified"]

Monomial = tuple[tuple[str, int], ...]
"""Names with their exponents, sorted by name."""

MAX_TERMS = 300
MAX_PRODUCTS = 4_000
MAX_EXPONENT = 40
MAX_BITS = 4_096
_MAX_DIVISORS_OF = 1 << 40
_MAX_TRIAL = 2_000


class NotPolynomial(Exception):
    """A term is no quotient of polynomials, or a computation grew beyond the bounds. Never leaves this package."""


class Polynomial:
    """A polynomial; never changed once made."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial, int | Fraction]) -> None:
        self.terms: dict[Monomial, int | Fraction] = {monomial: factor for monomial, factor in terms.items() if factor}
        if len(self.terms) > MAX_TERMS:
            raise NotPolynomial("too many terms")

    @staticmethod
    def constant(value: int | Fraction) -> Polynomial:
        """The constant polynomial."""
        return Polynomial({(): value})

    @staticmethod
    def variable(name: str) -> Polynomial:
        """The polynomial that is one variable."""
        return Polynomial({((name, 1),): 1})

    def __add__(self, other: Polynomial) -> Polynomial:
        terms = dict(self.terms)
        for monomial, factor in other.terms.items():
            terms[monomial] = terms.get(monomial, 0) + factor
        return Polynomial(terms)

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -factor for monomial, factor in self.terms.items()})

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def __mul__(self, other: Polynomial) -> Polynomial:
        if len(self.terms) * len(other.terms) > MAX_PRODUCTS:
            raise NotPolynomial("a product has too many terms")
        terms: dict[Monomial, int | Fraction] = {}
        for left, factor in self.terms.items():
            for right, times in other.terms.items():
                product = factor * times
                if max(product.numerator.bit_length(), product.denominator.bit_length()) > MAX_BITS:
                    raise NotPolynomial("a coefficient is too large")
                monomial = _product(left, right)
                terms[monomial] = terms.get(monomial, 0) + product
        return Polynomial(terms)

    def __pow__(self, exponent: int) -> Polynomial:
        if exponent > MAX_EXPONENT:
            raise NotPolynomial("an exponent is too large")
        power = Polynomial.constant(1)
        for _ in range(exponent):
            power *= self
        return power

    @property
    def names(self) -> frozenset[str]:
        """The variables that occur."""
        return frozenset(name for monomial in self.terms for name, _ in monomial)

    @property
    def value(self) -> int | Fraction | None:
        """The value of a constant polynomial, or None where it is not constant."""
        if not self.terms:
            return 0
        return self.terms[()] if len(self.terms) == 1 and () in self.terms else None

    def by_powers(self, name: str) -> dict[int, Polynomial]:
        """Coefficients by power of ``name``."""
        parts: dict[int, dict[Monomial, int | Fraction]] = {}
        for monomial, factor in self.terms.items():
            power = next((exponent for variable, exponent in monomial if variable == name), 0)
            rest = tuple(part for part in monomial if part[0] != name)
            parts.setdefault(power, {})[rest] = factor
        return {power: Polynomial(terms) for power, terms in parts.items()}

    def substitute(self, name: str, replacement: Polynomial) -> Polynomial:
        """Put ``replacement`` in the place of ``name``."""
        if name not in self.names:
            return self
        total = Polynomial({})
        for power, coefficient in self.by_powers(name).items():
            total += coefficient * replacement**power
        return total

    def evaluate(self, values: Mapping[str, int | Fraction]) -> int | Fraction:
        """The value where every variable has one; a number above the bounds raises ``NotPolynomial``."""
        total: int | Fraction = 0
        for monomial, factor in self.terms.items():
            product = factor
            for name, exponent in monomial:
                base = values[name]
                if max(base.numerator.bit_length(), base.denominator.bit_length()) * exponent > MAX_BITS:
                    raise NotPolynomial("a value is too large")
                product *= base**exponent
            total += product
        return total

    def specialise(self, name: str, values: Mapping[str, int | Fraction]) -> dict[int, int | Fraction]:
        """Coefficients by power of ``name``, every other variable having its value."""
        found = {power: part.evaluate(values) for power, part in self.by_powers(name).items()}
        return {power: factor for power, factor in found.items() if factor}


Quotient = tuple[Polynomial, Polynomial]
"""Numerator and denominator."""


def _product(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    exponents = dict(left)
    for name, exponent in right:
        exponents[name] = exponents.get(name, 0) + exponent
    if max(exponents.values()) > MAX_EXPONENT:
        raise NotPolynomial("a degree is too large")
    return tuple(sorted(exponents.items()))


def quotient_of(term: Term) -> Quotient:
    """Read a term as a quotient of polynomials. Raises ``NotPolynomial`` where it is none."""
    one = Polynomial.constant(1)
    match term:
        case Numeral(value):
            return Polynomial.constant(value), one
        case Variable(name):
            return Polynomial.variable(name), one
        case Negative(inner):
            top, bottom = quotient_of(inner)
            return -top, bottom
        case Ascribed(inner, _):
            return quotient_of(inner)
        case Binary("^", base, Numeral(exponent)):
            top, bottom = quotient_of(base)
            return top**exponent, bottom**exponent
        case Binary(operator, left, right) if operator in "+-*/":
            return _combined(operator, quotient_of(left), quotient_of(right))
        case _:
            raise NotPolynomial("a term is no quotient of polynomials")


def _combined(operator: str, left: Quotient, right: Quotient) -> Quotient:
    (top, bottom), (other_top, other_bottom) = left, right
    if operator == "*":
        return top * other_top, bottom * other_bottom
    if operator == "/":
        if not other_top.terms:
            raise NotPolynomial("a denominator is zero")
        if (divisor := other_top.value) is not None and other_bottom.value == 1:
            return top * Polynomial.constant(Fraction(1) / divisor), bottom
        return top * other_bottom, bottom * other_top
    other_top = other_top if operator == "+" else -other_top
    if bottom.terms == other_bottom.terms:
        return top + other_top, bottom
    return top * other_bottom + other_top * bottom, bottom * other_bottom


def simplified(value: int | Fraction) -> int | Fraction:
    """The same number, as an int where it is one."""
    return value.numerator if value.denominator == 1 else value


def divisors(number: int) -> Iterator[int]:
    """Divisors up to a bound of trial division, small ones first, with their partners; of 0, none."""
    number = abs(number)
    if not number or number > _MAX_DIVISORS_OF:
        return
    for small in range(1, min(isqrt(number), _MAX_TRIAL) + 1):
        if number % small == 0:
            yield small
            if small * small != number:
                yield number // small


def rational_roots(coefficients: Mapping[int, int | Fraction]) -> list[int | Fraction]:
    """Rational roots of a nonzero polynomial in one variable, by size; above degree 2 those that trial division finds."""
    scale = lcm(*(factor.denominator for factor in coefficients.values()))
    whole = {power: int(factor * scale) for power, factor in coefficients.items()}
    lowest = min(whole)
    roots: set[int | Fraction] = {0} if lowest else set()
    whole = {power - lowest: factor for power, factor in whole.items()}
    degree = max(whole)
    if degree == 1:
        roots.add(Fraction(-whole[0], whole[1]))
    elif degree == 2:
        roots.update(_square_roots(whole))
    elif degree > 2:
        roots.update(_trial_roots(whole, degree))
    return sorted({simplified(root) for root in roots}, key=lambda root: (abs(root), root < 0))


def _square_roots(whole: Mapping[int, int]) -> Iterator[Fraction]:
    a, b, c = whole[2], whole.get(1, 0), whole[0]
    discriminant = b * b - 4 * a * c
    if discriminant >= 0 and (root := isqrt(discriminant)) ** 2 == discriminant:
        yield Fraction(-b + root, 2 * a)
        yield Fraction(-b - root, 2 * a)


def _trial_roots(whole: Mapping[int, int], degree: int) -> Iterator[Fraction]:
    tops, bottoms = (sorted(divisors(whole[power]))[:60] for power in (0, degree))
    for bottom in bottoms:
        for top in tops:
            if gcd(top, bottom) == 1:
                for numerator in (top, -top):
                    value = sum(factor * numerator**power * bottom ** (degree - power) for power, factor in whole.items())
                    if value == 0:
                        yield Fraction(numerator, bottom)
