"""Closed expressions → exact rationals, with every size bounded before it is computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from fidelean.exact.budget import Budget
from fidelean.exact.novalue import NoValue
from fidelean.informal.maths.tree import Apply, BigOperator, Binary, Constant, Expression, Name, Negate, Number, Unit
from fidelean.outcome import Reason

__all__ = ["RATIONAL", "Irrational", "Rational", "apply_rational", "bits", "combine", "evaluate_rational", "exact_root", "rational_power"]

Rational = int | Fraction
"""An exact rational; an ``int`` wherever the value is integral and was computed from integers."""


RATIONAL = (int, Fraction)
"""The same for ``isinstance``, which is asked often, and would make a union anew each time."""


class Irrational(Exception):
    """The expression needs real numbers."""


def bits(value: Rational) -> int:
    """Size of a rational: bits of the larger of numerator and denominator."""
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def evaluate_rational(tree: Expression, budget: Budget, bound: Mapping[str, int] | None = None) -> Rational:
    """The exact value of a closed expression.

    Args:
        tree: an expression without ambiguous nodes.
        budget: the size bounds and the work left, applied before a large number is computed.
        bound: values of the indices of the sums around the expression.

    Raises:
        Irrational: a root, π, e, a logarithm or an angle occurs.
        NoValue: a free name, a division by zero, or a value over the bounds.
    """
    kind = type(tree)
    if kind is Number:
        return tree.value  # type: ignore[union-attr]
    if kind is Binary:
        return _binary(tree, budget, bound)  # type: ignore[arg-type]
    if kind is Negate:
        return -evaluate_rational(tree.operand, budget, bound)  # type: ignore[union-attr]
    if kind is Unit:
        return evaluate_rational(tree.operand, budget, bound)  # type: ignore[union-attr]
    match tree:
        case Apply(function, arguments):
            return _apply(function, arguments, budget, bound)
        case BigOperator():
            return _big_operator(tree, budget, bound)
        case Name(name):
            if bound is not None and name in bound:
                return bound[name]
            raise NoValue(Reason.HAS_VARIABLE, f"{name} has no value here")
        case Constant():
            raise Irrational
        case _:
            raise NoValue(Reason.AMBIGUOUS, "two readings")


def _binary(tree: Binary, budget: Budget, bound: Mapping[str, int] | None) -> Rational:
    operator, left, right = tree
    return combine(operator, evaluate_rational(left, budget, bound), evaluate_rational(right, budget, bound), budget)


def combine(operator: str, left: Rational, right: Rational, budget: Budget) -> Rational:
    """``left operator right``; raises ``Irrational`` for a power that is, ``NoValue`` where it is undefined or too large."""
    if operator == "^":
        return rational_power(left, right, budget)
    if type(left) is int and type(right) is int and -_SMALL < left < _SMALL and -_SMALL < right < _SMALL:
        budget.spend(1)
        return _of_small_integers(operator, left, right)
    sizes = bits(left), bits(right)
    budget.spend_on(*sizes)
    if operator == "mod":
        return modulo(left, right)
    if operator == "*" or type(left) is not int or type(right) is not int:
        budget.bound("a result", sum(sizes))
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    return left * right if operator == "*" else divide(left, right)


_SMALL = 1 << 500


def _of_small_integers(operator: str, left: int, right: int) -> Rational:
    """What most claims are made of, without asking how large it gets."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return divide(left, right)
        case _:
            return modulo(left, right)


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


def rational_power(base: Rational, exponent: Rational, budget: Budget) -> Rational:
    """A power; raises ``Irrational`` where the exponent is no integer and no exact root exists."""
    if exponent.denominator != 1:
        return _root_power(base, Fraction(exponent), budget)
    power = int(exponent)
    if base == 0 and power <= 0:
        raise NoValue(Reason.UNDEFINED, "zero to a power that is not positive")
    if base in (0, 1):
        return base
    if base == -1:
        return -1 if power % 2 else 1
    budget.bound("a power", bits(base) * abs(power))
    budget.spend_on(bits(base) * abs(power))
    return base**power if power >= 0 else _lowered(Fraction(1) / Fraction(base) ** -power)


def _root_power(base: Rational, exponent: Fraction, budget: Budget) -> Rational:
    if base < 0:
        raise NoValue(Reason.UNDEFINED, "a negative number to a fractional power")
    if exponent.denominator > 64:
        raise NoValue(Reason.TOO_LARGE, "a root with an index above 64")
    budget.spend_on(bits(base))
    root = exact_root(base, exponent.denominator)
    if root is None:
        raise Irrational
    return rational_power(root, exponent.numerator, budget)


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


def _apply(function: str, arguments: tuple[Expression, ...], budget: Budget, bound: Mapping[str, int] | None) -> Rational:
    if function not in _RATIONAL_FUNCTIONS:
        if function == "call":
            raise NoValue(Reason.HAS_VARIABLE, "an undefined function occurs")
        raise Irrational
    return apply_rational(function, [evaluate_rational(argument, budget, bound) for argument in arguments], budget)


def apply_rational(function: str, values: list[Rational], budget: Budget) -> Rational:
    """A function's value at rationals; raises ``Irrational`` where it is, or may be, none."""
    found = _RATIONAL_FUNCTIONS.get(function)
    if found is None:
        raise Irrational
    budget.spend_on(*map(bits, values))
    return found(values, budget)


def _integers(values: list[Rational], what: str) -> list[int]:
    if any(value.denominator != 1 for value in values):
        raise NoValue(Reason.UNDEFINED, f"{what} of something other than integers")
    return [int(value) for value in values]


def _factorial(values: list[Rational], budget: Budget) -> int:
    (n,) = _integers(values, "a factorial")
    if n < 0:
        raise NoValue(Reason.UNDEFINED, "the factorial of a negative number")
    size = n * max(1, n.bit_length())
    budget.bound("a factorial", size)
    budget.spend_on(size)
    return math.factorial(n)


def _binomial(values: list[Rational], budget: Budget) -> int:
    n, k = _integers(values, "a binomial")
    if n < 0 or k < 0:
        raise NoValue(Reason.UNDEFINED, "a binomial of negative numbers")
    size = max(0, min(k, n - k)) * n.bit_length()
    budget.bound("a binomial", size)
    budget.spend_on(size)
    return math.comb(n, k)


def _lcm(values: list[Rational], budget: Budget) -> int:
    found = _integers(values, "a least common multiple")
    budget.bound("a least common multiple", sum(value.bit_length() for value in found))
    return math.lcm(*found)


def _root(values: list[Rational], budget: Budget) -> Rational:
    radicand, index = values
    if index.denominator != 1 or index < 2:
        raise NoValue(Reason.UNDEFINED, "a root whose index is no integer above one")
    if index > 64:
        raise NoValue(Reason.TOO_LARGE, "a root with an index above 64")
    budget.spend_on(bits(radicand))
    sign = 1
    if radicand < 0:
        if int(index) % 2 == 0:
            raise NoValue(Reason.UNDEFINED, "an even root of a negative number")
        radicand, sign = -radicand, -1
    root = exact_root(radicand, int(index))
    if root is None:
        raise Irrational
    return sign * root


_RATIONAL_FUNCTIONS: dict[str, Callable[[list[Rational], Budget], Rational]] = {
    "factorial": _factorial,
    "binom": _binomial,
    "gcd": lambda values, budget: math.gcd(*_integers(values, "a common divisor")),
    "lcm": _lcm,
    "max": lambda values, budget: max(values),
    "min": lambda values, budget: min(values),
    "floor": lambda values, budget: math.floor(values[0]),
    "ceil": lambda values, budget: math.ceil(values[0]),
    "abs": lambda values, budget: abs(values[0]),
    "percent": lambda values, budget: divide(values[0], 100),
    "root": _root,
}


def _big_operator(tree: BigOperator, budget: Budget, bound: Mapping[str, int] | None) -> Rational:
    low, high = _integers([evaluate_rational(tree.low, budget, bound), evaluate_rational(tree.high, budget, bound)], "a range")
    if high - low >= budget.max_terms:
        raise NoValue(Reason.TOO_LARGE, f"a sum or product of more than {budget.max_terms} terms")
    total: Rational = 0 if tree.operator == "sum" else 1
    for index in range(low, high + 1):
        term = evaluate_rational(tree.body, budget, {**(bound or {}), tree.variable: index})
        sizes = bits(term), bits(total)
        budget.bound("a sum or product", sum(sizes))
        budget.spend(2)
        budget.spend_on(*sizes)
        total = total + term if tree.operator == "sum" else total * term
    return total
