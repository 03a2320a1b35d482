"""Closed expressions → exact rationals, with every size bounded before it is computed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from fidelean.exact.novalue import NoValue
from fidelean.informal.maths.tree import Apply, BigOperator, Binary, Constant, Expression, Name, Negate, Number, Unit
from fidelean.outcome import Reason
from fidelean.policy import ArithmeticPolicy

__all__ = ["Irrational", "Rational", "bits", "evaluate_rational", "exact_root", "rational_power"]

Rational = int | Fraction
"""An exact rational; an ``int`` wherever the value is integral and was computed from integers."""


class Irrational(Exception):  # noqa: N818 - a signal to use real numbers
    """The expression needs real numbers."""


def bits(value: Rational) -> int:
    """Size of a rational: bits of the larger of numerator and denominator."""
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def evaluate_rational(tree: Expression, policy: ArithmeticPolicy, bound: Mapping[str, int] | None = None) -> Rational:
    """The exact value of a closed expression.

    Args:
        tree: an expression without ambiguous nodes.
        policy: the size bounds, applied before a large number is computed.
        bound: values of the indices of the sums around the expression.

    Raises:
        Irrational: a root, π, e, a logarithm or an angle occurs.
        NoValue: a free name, a division by zero, or a value over the bounds.
    """
    kind = type(tree)
    if kind is Number:
        return tree.value  # type: ignore[union-attr]
    if kind is Binary:
        return _binary(tree, policy, bound)  # type: ignore[arg-type]
    if kind is Negate:
        return -evaluate_rational(tree.operand, policy, bound)  # type: ignore[union-attr]
    if kind is Unit:
        return evaluate_rational(tree.operand, policy, bound)  # type: ignore[union-attr]
    match tree:
        case Apply(function, arguments):
            return _apply(function, arguments, policy, bound)
        case BigOperator():
            return _big_operator(tree, policy, bound)
        case Name(name):
            if bound is not None and name in bound:
                return bound[name]
            raise NoValue(Reason.HAS_VARIABLE, f"{name} has no value here")
        case Constant():
            raise Irrational
        case _:
            raise NoValue(Reason.AMBIGUOUS, "two readings")


def _binary(tree: Binary, policy: ArithmeticPolicy, bound: Mapping[str, int] | None) -> Rational:
    operator, left_tree, right_tree = tree
    left = evaluate_rational(left_tree, policy, bound)
    right = evaluate_rational(right_tree, policy, bound)
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        if bits(left) + bits(right) > policy.max_bits:
            raise too_large("a product", policy)
        return left * right
    if operator == "/":
        return divide(left, right)
    if operator == "^":
        return rational_power(left, right, policy)
    return modulo(left, right)


def too_large(what: str, policy: ArithmeticPolicy) -> NoValue:
    """The answer for a value over the bounds."""
    return NoValue(Reason.TOO_LARGE, f"{what} of more than {policy.max_bits} bits")


def divide(left: Rational, right: Rational) -> Rational:
    """An exact quotient; ``NoValue`` for a division by zero."""
    if right == 0:
        raise NoValue(Reason.UNDEFINED, "a division by zero")
    if type(left) is int and type(right) is int:
        quotient, remainder = divmod(left, right)
        return quotient if remainder == 0 else Fraction(left, right)
    return _lowered(Fraction(left) / right)


def _lowered(value: Fraction) -> Rational:
    return value.numerator if value.denominator == 1 else value


def modulo(left: Rational, right: Rational) -> int:
    """The remainder in ``0..m-1`` of an integer; ``NoValue`` where that is not defined."""
    if left.denominator != 1 or right.denominator != 1 or right <= 0:
        raise NoValue(Reason.UNDEFINED, "a remainder of or by something other than a positive integer")
    return int(left) % int(right)


def rational_power(base: Rational, exponent: Rational, policy: ArithmeticPolicy) -> Rational:
    """A power; raises ``Irrational`` where the exponent is no integer and no exact root exists."""
    if exponent.denominator != 1:
        return _root_power(base, Fraction(exponent), policy)
    power = int(exponent)
    if base == 0 and power <= 0:
        raise NoValue(Reason.UNDEFINED, "zero to a power that is not positive")
    if base in (0, 1):
        return base
    if base == -1:
        return -1 if power % 2 else 1
    if bits(base) * abs(power) > policy.max_bits:
        raise too_large("a power", policy)
    return base**power if power >= 0 else _lowered(Fraction(1) / Fraction(base) ** -power)


def _root_power(base: Rational, exponent: Fraction, policy: ArithmeticPolicy) -> Rational:
    if base < 0:
        raise NoValue(Reason.UNDEFINED, "a negative number to a fractional power")
    if exponent.denominator > 64:
        raise too_large("a root", policy)
    root = exact_root(base, exponent.denominator)
    if root is None:
        raise Irrational
    return rational_power(root, exponent.numerator, policy)


def exact_root(value: Rational, index: int) -> Rational | None:
    """The non-negative rational ``r`` with ``r ** index == value``, or None; ``value`` must not be negative."""
    top, bottom = _integer_root(value.numerator, index), _integer_root(value.denominator, index)
    if top is None or bottom is None:
        return None
    return top if bottom == 1 else Fraction(top, bottom)


def _integer_root(value: int, index: int) -> int | None:
    if index == 2:
        root = math.isqrt(value)
    else:
        from flint import fmpz

        root = int(fmpz(value).root(index))
    return root if root**index == value else None


def _apply(function: str, arguments: tuple[Expression, ...], policy: ArithmeticPolicy, bound: Mapping[str, int] | None) -> Rational:
    if function not in _RATIONAL_FUNCTIONS:
        if function == "call":
            raise NoValue(Reason.HAS_VARIABLE, "an undefined function occurs")
        raise Irrational
    values = [evaluate_rational(argument, policy, bound) for argument in arguments]
    return _RATIONAL_FUNCTIONS[function](values, policy)


def _integers(values: list[Rational], what: str) -> list[int]:
    if any(value.denominator != 1 for value in values):
        raise NoValue(Reason.UNDEFINED, f"{what} of something other than integers")
    return [int(value) for value in values]


def _factorial(values: list[Rational], policy: ArithmeticPolicy) -> int:
    (n,) = _integers(values, "a factorial")
    if n < 0:
        raise NoValue(Reason.UNDEFINED, "the factorial of a negative number")
    if n * max(1, n.bit_length()) > policy.max_bits:
        raise too_large("a factorial", policy)
    return math.factorial(n)


def _binomial(values: list[Rational], policy: ArithmeticPolicy) -> int:
    n, k = _integers(values, "a binomial")
    if n < 0 or k < 0:
        raise NoValue(Reason.UNDEFINED, "a binomial of negative numbers")
    if min(k, n - k) * n.bit_length() > policy.max_bits:
        raise too_large("a binomial", policy)
    return math.comb(n, k)


def _lcm(values: list[Rational], policy: ArithmeticPolicy) -> int:
    found = _integers(values, "a least common multiple")
    if sum(value.bit_length() for value in found) > policy.max_bits:
        raise too_large("a least common multiple", policy)
    return math.lcm(*found)


def _root(values: list[Rational], policy: ArithmeticPolicy) -> Rational:
    radicand, index = values
    if index.denominator != 1 or index < 2:
        raise NoValue(Reason.UNDEFINED, "a root whose index is no integer above one")
    if index > 64:
        raise too_large("a root", policy)
    sign = 1
    if radicand < 0:
        if int(index) % 2 == 0:
            raise NoValue(Reason.UNDEFINED, "an even root of a negative number")
        radicand, sign = -radicand, -1
    root = exact_root(radicand, int(index))
    if root is None:
        raise Irrational
    return sign * root


_RATIONAL_FUNCTIONS = {
    "factorial": _factorial,
    "binom": _binomial,
    "gcd": lambda values, policy: math.gcd(*_integers(values, "a common divisor")),
    "lcm": _lcm,
    "max": lambda values, policy: max(values),
    "min": lambda values, policy: min(values),
    "floor": lambda values, policy: math.floor(values[0]),
    "ceil": lambda values, policy: math.ceil(values[0]),
    "abs": lambda values, policy: abs(values[0]),
    "percent": lambda values, policy: divide(values[0], 100),
    "root": _root,
}


def _big_operator(tree: BigOperator, policy: ArithmeticPolicy, bound: Mapping[str, int] | None) -> Rational:
    low, high = _integers([evaluate_rational(tree.low, policy, bound), evaluate_rational(tree.high, policy, bound)], "a range")
    depth = len(bound) if bound else 0
    if high - low >= policy.max_terms or depth > 1:
        raise NoValue(Reason.TOO_LARGE, f"a sum or product of more than {policy.max_terms} terms")
    total: Rational = 0 if tree.operator == "sum" else 1
    work = 0
    for index in range(low, high + 1):
        term = evaluate_rational(tree.body, policy, {**(bound or {}), tree.index: index})
        work += bits(term) + bits(total)
        if bits(total) + bits(term) > policy.max_bits or work > 64 * policy.max_bits:
            raise too_large("a sum or product", policy)
        total = total + term if tree.operator == "sum" else total * term
    return total
