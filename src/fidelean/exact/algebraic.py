"""Real algebraic numbers given by radicals and cosines of rational angles, with a decidable zero test.

Each number carries a separation bound: an ``E != 0`` satisfies ``|E| >= 2 ** -separation_bits(E)`` (Burnikel, Funke, Mehlhorn, Schirra
and Schmitt 2001, "A separation bound for real algebraic expressions"): E is a quotient of two algebraic integers whose conjugates are
bounded by ``2 ** log_u`` and ``2 ** log_l``, in a field whose degree is at most the product of the degrees of its distinct radicals.
A ball of smaller radius around zero therefore proves equality, and a ball off zero proves the opposite.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpq

from fidelean.exact.rational import Rational, bits

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Algebraic", "ball_of", "cosine", "is_zero", "rational", "separation_bits"]


@dataclass(frozen=True, slots=True)
class Algebraic:
    """A node of an expression over the rationals."""

    operator: str
    """``rational + * / ^ root cos``."""
    operands: tuple[Algebraic, ...]
    """Subexpressions."""
    number: Fraction
    """The rational itself, the exponent of ``^``, the index of ``root``, or ``r`` in ``cos(r π)``."""
    log_u: float
    """log2 of a bound on the conjugates of the numerator."""
    log_l: float
    """log2 of a bound on the conjugates of the denominator."""
    degrees: Mapping[object, int] = field(compare=False, hash=False)
    """Degree of each distinct radical in the expression."""

    def __add__(self, other: Algebraic) -> Algebraic:
        if self.operator == other.operator == "rational":
            return rational(self.number + other.number)
        log_u = max(self.log_u + other.log_l, self.log_l + other.log_u) + 1
        return _node("+", (self, other), log_u, self.log_l + other.log_l)

    def __mul__(self, other: Algebraic) -> Algebraic:
        if self.operator == other.operator == "rational":
            return rational(self.number * other.number)
        return _node("*", (self, other), self.log_u + other.log_u, self.log_l + other.log_l)

    def __neg__(self) -> Algebraic:
        return self * rational(-1)

    def over(self, other: Algebraic) -> Algebraic:
        """The quotient; the caller has made sure that ``other`` is not zero."""
        if self.operator == other.operator == "rational":
            return rational(self.number / other.number)
        return _node("/", (self, other), self.log_u + other.log_l, self.log_l + other.log_u)

    def power(self, exponent: int) -> Algebraic:
        """An integer power with a non-negative exponent."""
        if self.operator == "rational":
            return rational(self.number**exponent)
        return _node("^", (self,), self.log_u * exponent, self.log_l * exponent, Fraction(exponent))

    def root(self, index: int) -> Algebraic:
        """The real root of a number that the caller knows to be non-negative, or any number for odd ``index``."""
        node = _node("root", (self,), (self.log_u + (index - 1) * self.log_l) / index, self.log_l, Fraction(index))
        return Algebraic(node.operator, node.operands, node.number, node.log_u, node.log_l, {**node.degrees, (self, index): index})


def rational(value: Rational) -> Algebraic:
    """A rational number as an algebraic one."""
    exact = Fraction(value)
    return Algebraic("rational", (), exact, float(exact.numerator.bit_length()), float(exact.denominator.bit_length()), {})


def cosine(turns: Fraction) -> Algebraic:
    """``cos(turns * π)``: half an algebraic integer of degree at most the denominator, whose conjugates are cosines too."""
    return Algebraic("cos", (), turns, 1.0, 1.0, {("cos", turns.denominator): max(1, turns.denominator)})


def _node(operator: str, operands: tuple[Algebraic, ...], log_u: float, log_l: float, number: Fraction = Fraction(0)) -> Algebraic:
    degrees: dict[object, int] = {}
    for operand in operands:
        degrees.update(operand.degrees)
    return Algebraic(operator, operands, number, log_u, log_l, degrees)


def separation_bits(number: Algebraic) -> float:
    """B such that the number is zero or at least ``2 ** -B`` in absolute value; infinite where the bound is out of reach."""
    degree = 1
    for factor in number.degrees.values():
        degree *= factor
        if degree > 1 << 20:
            return math.inf
    # one bit for each float operation above, far more than their rounding can lose
    return (degree - 1) * (number.log_u + 1) + number.log_l + 8


def ball_of(number: Algebraic) -> arb:
    """A real ball around the number at the working precision of the context."""
    match number.operator:
        case "rational":
            return arb(fmpq(number.number.numerator, number.number.denominator))
        case "+":
            return ball_of(number.operands[0]) + ball_of(number.operands[1])
        case "*":
            return ball_of(number.operands[0]) * ball_of(number.operands[1])
        case "/":
            return ball_of(number.operands[0]) / ball_of(number.operands[1])
        case "^":
            return ball_of(number.operands[0]) ** int(number.number)
        case "root":
            return _root_ball(ball_of(number.operands[0]), int(number.number))
        case _:
            return arb.cos_pi_fmpq(fmpq(number.number.numerator, number.number.denominator))


def _root_ball(radicand: arb, index: int) -> arb:
    if index % 2 and radicand < 0:
        return -((-radicand).root(index))
    # a radicand that is known to be non-negative may have a ball that reaches below zero
    return radicand.nonnegative_part().root(index) if index % 2 == 0 else radicand.root(index)


def is_zero(number: Algebraic, max_bits: int) -> bool | None:
    """Whether the number is zero; None where deciding needs more than ``max_bits`` of precision."""
    if number.operator == "rational":
        return number.number == 0
    bound = separation_bits(number)
    for precision in _precisions(max_bits):
        with ctx.workprec(precision):
            ball = ball_of(number)
            if not ball.is_finite():
                continue
            if not ball.contains(0):
                return False
            if bound < max_bits and ball.abs_upper() < arb(2) ** -math.ceil(bound):
                return True
    return None


def _precisions(max_bits: int) -> Iterator[int]:
    precision = 64
    while precision < max_bits:
        yield precision
        precision *= 2
    yield max_bits
    yield 2 * max_bits


def size_bits(number: Algebraic) -> int:
    """Size of the largest rational in the expression."""
    own = bits(number.number)
    return max([own, *(size_bits(operand) for operand in number.operands)])
