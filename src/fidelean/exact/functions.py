"""Functions of exact reals: quotients, roots, powers, logarithms, cosines, integer parts."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq, fmpz

from fidelean.exact.algebraic import cosine, rational, working_precision
from fidelean.exact.budget import Budget
from fidelean.exact.novalue import NoValue
from fidelean.exact.real import ONE, Monomial, Real, algebraic_number, generator, image, real, sign, square_root
from fidelean.outcome import Reason

__all__ = ["EULER", "PI", "cosine_of", "divide", "exponential", "floor", "inverse_function", "logarithm", "power", "reciprocal", "root"]

PI = generator("pi", arb.pi, is_positive=True)
EULER = generator("e", arb.const_e, is_positive=True)
_MAX_CONJUGATES = 4
_MAX_EXPONENT = 1_000
_MAX_MULTIPLIED = 64
"""Highest power of a sum of roots that is multiplied out."""


def reciprocal(number: Real, budget: Budget) -> Real:
    """``1 / number``; raises ``NoValue`` where that is undefined or cannot be told."""
    is_zero = not number.terms if number.is_sum_of_roots() else sign(number, budget) == 0
    if is_zero:
        raise NoValue(Reason.UNDEFINED, "a division by zero")
    if len(number.terms) == 1:
        return _reciprocal_of_term(number)
    if number.is_sum_of_roots():
        conjugated = _by_conjugates(number)
        if conjugated is not None:
            return conjugated
    plain = number.algebraic()
    if plain is not None:
        return algebraic_number(rational(1).over(plain))
    return image("1/", number, lambda ball: 1 / ball)


def _reciprocal_of_term(number: Real) -> Real:
    (((radicand, tail), coefficient),) = number.terms.items()
    return Real({(radicand, tuple((name, -exponent) for name, exponent in tail)): 1 / (coefficient * radicand)}, number.generators)


def _by_conjugates(number: Real) -> Real | None:
    """``1 / number`` for a sum of roots, made rational below the line; None where that takes too many steps."""
    top, bottom = real(1), number
    for _ in range(_MAX_CONJUGATES):
        if len(bottom.terms) == 1:
            return top * _reciprocal_of_term(bottom)
        radicand = max(radicand for radicand, _ in bottom.terms)
        if radicand.bit_length() > 64 or len(bottom.terms) > 16:
            return None
        prime = int(fmpz(radicand).factor()[0][0])
        conjugate = Real({m: -c if m[0] % prime == 0 else c for m, c in bottom.terms.items()}, bottom.generators)
        top, bottom = top * conjugate, bottom * conjugate
    return top * _reciprocal_of_term(bottom) if len(bottom.terms) == 1 else None


def divide(left: Real, right: Real, budget: Budget) -> Real:
    """The quotient, found exactly also where both are the same multiple of one sum (``log_6 36``)."""
    if len(right.terms) > 1 and left.terms.keys() == right.terms.keys():
        ratios = {left.terms[monomial] / coefficient for monomial, coefficient in right.terms.items()}
        if len(ratios) == 1:
            return Real({ONE: ratios.pop()}, {})
    return left * reciprocal(right, budget)


def root(number: Real, index: int, budget: Budget) -> Real:
    """The real ``index``-th root: the non-negative one for even ``index``."""
    if not 2 <= index <= 64:
        raise NoValue(Reason.TOO_LARGE, "a root whose index is not between 2 and 64")
    negative = sign(number, budget) < 0
    if negative and index % 2 == 0:
        raise NoValue(Reason.UNDEFINED, "an even root of a negative number")
    if not number.terms:
        return number
    if negative:
        return -root(-number, index, budget)
    if index == 2 and len(number.terms) == 1 and ONE in number.terms:
        found = square_root(number.terms[ONE])
        if found is not None:
            return found
    plain = number.algebraic()
    if plain is not None:
        return algebraic_number(plain.root(index), is_positive=True)
    return image(f"root{index}", number, lambda ball: ball.root(index))


def power(base: Real, exponent: Real, budget: Budget) -> Real:
    """``base ** exponent`` for a positive base, or any base with an integer exponent."""
    fraction = exponent.rational()
    if fraction is not None and fraction.denominator == 1:
        return _integer_power(base, int(fraction), budget)
    base_sign = sign(base, budget)
    if base_sign <= 0:
        raise NoValue(Reason.UNDEFINED, "a power of a number that is not positive, with an exponent that is no integer")
    if base.terms == EULER.terms:
        return exponential(exponent, budget)
    if fraction is not None and base.algebraic() is not None:
        return _integer_power(root(base, fraction.denominator, budget), fraction.numerator, budget)
    return exponential(exponent * logarithm(base, budget), budget)


def _integer_power(base: Real, exponent: int, budget: Budget) -> Real:
    if exponent < 0:
        return reciprocal(_integer_power(base, -exponent, budget), budget)
    if exponent == 0:
        if sign(base, budget) == 0:
            raise NoValue(Reason.UNDEFINED, "zero to the power zero")
        return real(1)
    if not base.terms:
        return base
    if len(base.terms) == 1:
        return _power_of_term(base, exponent, budget)
    if base.is_sum_of_roots() and exponent <= _MAX_MULTIPLIED and len(base.terms) <= 4:
        return _multiplied(base, exponent, budget)
    plain = base.algebraic()
    if plain is not None:
        if (plain.log_u + plain.log_l + 2) * exponent > budget.max_bits:
            raise _too_large(budget)
        return algebraic_number(plain.power(exponent))
    if exponent > 12:
        raise NoValue(Reason.TOO_LARGE, "a high power of a sum with π, e or logarithms")
    return _multiplied(base, exponent, budget)


def _power_of_term(base: Real, exponent: int, budget: Budget) -> Real:
    (((radicand, tail), coefficient),) = base.terms.items()
    if (coefficient.p.bit_length() + coefficient.q.bit_length() + radicand.bit_length() + 2) * exponent > budget.max_bits:
        raise _too_large(budget)
    if tail and exponent > _MAX_EXPONENT:
        raise NoValue(Reason.TOO_LARGE, f"a power above {_MAX_EXPONENT} of a number that is known by balls")
    monomial: Monomial = (radicand if exponent % 2 else 1, tuple((name, e * exponent) for name, e in tail))
    return Real({monomial: coefficient**exponent * radicand ** (exponent // 2)}, base.generators)


def _too_large(budget: Budget) -> NoValue:
    return NoValue(Reason.TOO_LARGE, f"a power of more than {budget.max_bits} bits")


def _multiplied(base: Real, exponent: int, budget: Budget) -> Real:
    result = base
    for _ in range(exponent - 1):
        budget.spend(len(result.terms) * len(base.terms))
        result = result * base
    return result


def logarithm(number: Real, budget: Budget) -> Real:
    """The natural logarithm, as a combination of logarithms of primes where the number is rational."""
    if sign(number, budget) <= 0:
        raise NoValue(Reason.UNDEFINED, "a logarithm of a number that is not positive")
    if len(number.terms) == 1:
        (((radicand, tail), coefficient),) = number.terms.items()
        if all(name == "e" for name, _ in tail):
            exponent = Fraction(tail[0][1]) if tail else Fraction(0)
            outside, inside = _prime_logarithms(coefficient, Fraction(1)), _prime_logarithms(fmpq(radicand), Fraction(1, 2))
            if outside is not None and inside is not None:
                return outside + inside + real(exponent)
    return image("ln", number, arb.log)


def _prime_logarithms(value: fmpq, factor: Fraction) -> Real | None:
    """``factor * ln value`` as a combination of logarithms of primes; None where the value is too large to be factored at once."""
    if max(value.p.bit_length(), value.q.bit_length()) > 64:
        return None
    total = Real({}, {})
    for integer, side in ((value.p, 1), (value.q, -1)):
        for prime, exponent in integer.factor():
            total = total + _prime_logarithm(int(prime)) * real(side * int(exponent) * factor)
    return total


def _prime_logarithm(prime: int) -> Real:
    return generator(f"ln {prime}", lambda: arb(prime).log(), is_positive=True)


def exponential(number: Real, budget: Budget) -> Real:
    """``e ** number``, exactly where the number is a combination of 1 and logarithms of primes with rational coefficients."""
    result = real(1)
    for monomial, coefficient in number.terms.items():
        factor = _exponential_term(monomial, coefficient, budget)
        if factor is None:
            return image("exp", number, arb.exp)
        result = result * factor
    return result


def _exponential_term(monomial: Monomial, coefficient: fmpq, budget: Budget) -> Real | None:
    radicand, tail = monomial
    exponent = Fraction(int(coefficient.p), int(coefficient.q))
    if radicand != 1:
        return None
    if not tail:
        return Real({(1, (("e", exponent),)): fmpq(1)}, EULER.generators)
    ((name, degree), *rest) = tail
    if rest or degree != 1 or not name.startswith("ln ") or abs(exponent.numerator) > 256 or exponent.denominator > 64:
        return None
    prime = int(name.removeprefix("ln "))
    base = _prime_root(prime, exponent.denominator)
    return (
        _power_of_term(base, exponent.numerator, budget)
        if exponent > 0
        else reciprocal(_power_of_term(base, -exponent.numerator, budget), budget)
    )


def _prime_root(prime: int, index: int) -> Real:
    if index <= 2:
        return Real({(prime, ()) if index == 2 else ONE: fmpq(1) if index == 2 else fmpq(prime)}, {})
    return algebraic_number(rational(prime).root(index), is_positive=True)


def cosine_of(angle: Real) -> Real:
    """The cosine of an angle in radians, algebraic where the angle is a rational multiple of π."""
    turns = _turns(angle)
    if turns is None or turns.denominator > 360:
        return image("cos", angle, arb.cos)
    # cos(-x) = cos x, cos(2π - x) = cos x, cos(π - x) = -cos x
    folded = abs((turns + 1) % 2 - 1)
    return -_acute_cosine(1 - folded) if folded > Fraction(1, 2) else _acute_cosine(folded)


def _acute_cosine(turns: Fraction) -> Real:
    known = _COSINES.get(turns)
    return Real({(r, ()): fmpq(a, b) for r, a, b in known}, {}) if known is not None else algebraic_number(cosine(turns), is_positive=True)


_COSINES: dict[Fraction, tuple[tuple[int, int, int], ...]] = {
    Fraction(0): ((1, 1, 1),),
    Fraction(1, 12): ((6, 1, 4), (2, 1, 4)),
    Fraction(1, 6): ((3, 1, 2),),
    Fraction(1, 5): ((1, 1, 4), (5, 1, 4)),
    Fraction(1, 4): ((2, 1, 2),),
    Fraction(1, 3): ((1, 1, 2),),
    Fraction(2, 5): ((1, -1, 4), (5, 1, 4)),
    Fraction(5, 12): ((6, 1, 4), (2, -1, 4)),
    Fraction(1, 2): (),
}
"""Cosines that are sums of square roots: radicand, numerator and denominator of each term, by the angle in units of π."""


def _turns(angle: Real) -> Fraction | None:
    if not angle.terms:
        return Fraction(0)
    coefficient = angle.terms.get((1, (("pi", 1),)))
    if len(angle.terms) == 1 and coefficient is not None:
        return Fraction(int(coefficient.p), int(coefficient.q))
    return None


def inverse_function(name: str, number: Real) -> Real:
    """``arcsin``, ``arccos`` or ``arctan``, known by its enclosures only."""
    enclose = {"arcsin": arb.asin, "arccos": arb.acos, "arctan": arb.atan}[name]
    return image(name, number, enclose)


def floor(number: Real, budget: Budget) -> int:
    """The largest integer not above the number."""
    precision = 64
    while precision <= budget.max_ball_bits:
        with working_precision(precision):
            low, high = number.ball().lower().floor().unique_fmpz(), number.ball().upper().floor().unique_fmpz()
        if low is not None and high is not None:
            if low == high:
                return int(low)
            if high == low + 1:
                return int(high) if sign(number - real(int(high)), budget) >= 0 else int(low)
        precision *= 2
    raise NoValue(Reason.UNDECIDED, "the integer part could not be told")
