"""Whether two exact values stand in a relation, with the rules for rounded decimals."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from fidelean.exact.budget import Budget
from fidelean.exact.evaluation import Value, value_text
from fidelean.exact.rational import RATIONAL, Rational
from fidelean.informal.maths.tree import Apply, Expression, Negate, Number, Relation, Unit, children
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted

__all__ = ["congruent", "relate", "sign_of_difference"]

_MACHINE_DIGITS = 12

Side = tuple[Expression, Value]
"""What was written and what it is worth."""

_HOLDS: dict[Relation, Callable[[int], bool]] = {
    Relation.LESS: lambda sign: sign < 0,
    Relation.LESS_EQUAL: lambda sign: sign <= 0,
    Relation.GREATER: lambda sign: sign > 0,
    Relation.GREATER_EQUAL: lambda sign: sign >= 0,
    Relation.NOT_EQUAL: lambda sign: sign != 0,
}


def relate(left: Side, relation: Relation, right: Side, budget: Budget) -> Outcome:
    """Whether ``left relation right`` holds; raises ``NoValue`` where the sides cannot be told apart."""
    if relation in (Relation.DIVIDES, Relation.NOT_DIVIDES):
        return _divides(left[1], relation, right[1])
    sign = sign_of_difference(left[1], right[1], budget)
    if relation is Relation.EQUAL:
        return Passed() if sign == 0 else _unequal(left, right, budget)
    if relation is Relation.ABOUT:
        return Passed() if sign == 0 else _about(left, right, budget)
    if relation is Relation.CONGRUENT:
        return Passed() if sign == 0 else Inconclusive(Reason.OTHER_ARITHMETIC, "a congruence without its modulus")
    if _HOLDS[relation](sign):
        return Passed()
    return Refuted(f"the left side is {value_text(left[1])}, the right side {value_text(right[1])}")


def sign_of_difference(left: Value, right: Value, budget: Budget) -> int:
    """The sign of ``left - right``: -1, 0 or 1, proved; raises ``NoValue`` where it cannot be."""
    if isinstance(left, RATIONAL) and isinstance(right, RATIONAL):
        return (left > right) - (left < right)
    from fidelean.exact.real import Real, real, sign

    a = left if isinstance(left, Real) else real(left)
    b = right if isinstance(right, Real) else real(right)
    return sign(a - b, budget)


def _divides(left: Value, relation: Relation, right: Value) -> Outcome:
    if not isinstance(left, RATIONAL) or not isinstance(right, RATIONAL) or left.denominator != 1 or right.denominator != 1:
        return Inconclusive(Reason.UNDEFINED, "divisibility of something other than integers")
    holds = right == 0 if left == 0 else right % left == 0
    if holds == (relation is Relation.DIVIDES):
        return Passed()
    return Refuted(f"{right} divided by {left} leaves {right % left}" if left else "zero divides only zero")


def congruent(left: Value, right: Value, modulus: Value) -> Outcome:
    """Whether two rationals are congruent modulo a positive integer; inverses count where they exist."""
    if not isinstance(modulus, RATIONAL) or modulus.denominator != 1 or modulus <= 0:
        return Inconclusive(Reason.UNDEFINED, "a modulus that is no positive integer")
    m = int(modulus)
    if not isinstance(left, RATIONAL) or not isinstance(right, RATIONAL):
        return Inconclusive(Reason.UNDEFINED, "a congruence between irrational numbers")
    difference = left - right
    if math.gcd(difference.denominator, m) != 1:
        return Inconclusive(Reason.UNDEFINED, f"a denominator without inverse modulo {m}")
    remainder = difference.numerator % m
    if remainder == 0:
        return Passed()
    return Refuted(f"the sides differ by {value_text(difference)}, which is not 0 modulo {m}")


def _unequal(left: Side, right: Side, budget: Budget) -> Outcome:
    for decimal, exact in _decimal_sides(left, right):
        unit = _last_digit(decimal[0], in_company_of=exact[0])
        if unit is None or _fits(exact[1], unit):
            continue
        if _closer_than(left[1], right[1], unit, budget):
            return Inconclusive(Reason.ROUNDING, f"{value_text(exact[1])} beside {value_text(decimal[1])}, which may be its rounding")
    return Refuted(f"{value_text(left[1])} is not {value_text(right[1])}")


def _decimal_sides(left: Side, right: Side) -> list[tuple[Side, Side]]:
    """The ways to read one side as the decimal that rounds the other, the coarser decimal first."""
    return [(right, left), (left, right)]


def _last_digit(tree: Expression, in_company_of: Expression) -> Fraction | None:
    """One unit of the last digit of a decimal numeral; None where the side is no decimal numeral.

    An integer numeral counts as one beside an expression that is itself written with decimals.
    """
    number, scale = _numeral(tree)
    if number is None:
        return None
    if number.decimals is None:
        return scale if _has_decimals(in_company_of) else None
    return scale / 10**number.decimals


def _numeral(tree: Expression) -> tuple[Number | None, Fraction]:
    match tree:
        case Number():
            return tree, Fraction(1)
        case Negate(operand) | Unit(operand, _):
            return _numeral(operand)
        case Apply("percent", (operand,)):
            number, scale = _numeral(operand)
            return number, scale / 100
        case _:
            return None, Fraction(1)


def _has_decimals(tree: Expression) -> bool:
    if isinstance(tree, Number):
        return tree.decimals is not None
    return any(_has_decimals(child) for child in children(tree))


def _fits(value: Value, unit: Fraction) -> bool:
    return isinstance(value, RATIONAL) and (value / unit).denominator == 1


def _closer_than(left: Value, right: Value, distance: Rational, budget: Budget) -> bool:
    """Whether ``|left - right| < distance``."""
    if isinstance(left, RATIONAL) and isinstance(right, RATIONAL):
        return abs(left - right) < distance
    from fidelean.exact.real import Real, real, sign

    a = left if isinstance(left, Real) else real(left)
    b = right if isinstance(right, Real) else real(right)
    return sign(a - b - real(distance), budget) < 0 < sign(a - b + real(distance), budget)


def _about(left: Side, right: Side, budget: Budget) -> Outcome:
    found: list[Outcome] = []
    for decimal, exact in _decimal_sides(left, right):
        number, scale = _numeral(decimal[0])
        if number is not None:
            found.append(_rounds(exact[1], decimal[1], scale * _written_unit(number), budget))
    if not found:
        return Inconclusive(Reason.ROUNDING, "neither side is a decimal")
    return next((o for o in found if isinstance(o, Passed)), next((o for o in found if isinstance(o, Inconclusive)), found[0]))


def _written_unit(number: Number) -> Fraction:
    """One unit of the last digit that can count: trailing zeros of an integer may be rounded."""
    if number.decimals is not None:
        return Fraction(1, 10**number.decimals)
    text = str(number.value) if number.value and abs(number.value) < 10**400 else "1"
    return Fraction(10 ** (len(text) - len(text.rstrip("0"))))


def _rounds(exact: Value, decimal: Value, unit: Fraction, budget: Budget) -> Outcome:
    if isinstance(decimal, RATIONAL) and abs(decimal) > unit * 10**_MACHINE_DIGITS:
        # as many digits as a pocket calculator or a float prints: the last ones are its noise
        unit = abs(Fraction(decimal)) / 10**_MACHINE_DIGITS
    if _closer_than(exact, decimal, unit / 2, budget) or _is_cut(exact, decimal, unit, budget):
        return Passed()
    if isinstance(exact, RATIONAL) and isinstance(decimal, RATIONAL) and abs(exact - decimal) == unit / 2:
        return Passed()
    if _closer_than(exact, decimal, 2 * unit, budget):
        return Inconclusive(Reason.ROUNDING, f"{_digits(exact)} beside {_digits(decimal)}, off by less than two units of its last digit")
    return Refuted(f"{_digits(exact)} is not about {_digits(decimal)}")


def _digits(value: Value) -> str:
    """A value beside a decimal: a rational with its first digits, which say more than its numerator."""
    if not isinstance(value, Fraction) or value.denominator == 1 or abs(value) > 10**_MACHINE_DIGITS:
        return value_text(value)
    scaled = abs(value) * 10**_MACHINE_DIGITS
    whole, tail = divmod(int(scaled), 10**_MACHINE_DIGITS)
    digits = f"{'-' if value < 0 else ''}{whole}.{tail:0{_MACHINE_DIGITS}d}"
    return digits.rstrip("0") if scaled.denominator == 1 else f"{digits}…"


def _is_cut(exact: Value, decimal: Value, unit: Fraction, budget: Budget) -> bool:
    """Whether ``decimal`` is ``exact`` cut off after its last digit, towards zero."""
    if not _closer_than(exact, decimal, unit, budget):
        return False
    towards_zero = sign_of_difference(exact, decimal, budget)
    return towards_zero == sign_of_difference(decimal, 0, budget) or decimal == 0
