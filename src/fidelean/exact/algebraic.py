"""Real algebraic numbers given by radicals and cosines of rational angles, with a decidable zero test.

Each number carries a separation bound: an ``E != 0`` satisfies ``|E| >= 2 ** -separation_bits(E)`` (Burnikel, Funke, Mehlhorn, Schirra
and Schmitt 2001, "A separation bound for real algebraic expressions"): E is a quotient of two algebraic integers whose conjugates are
bounded by ``2 ** log_u`` and ``2 ** log_l``, in a field whose degree is at most the product of the degrees of its distinct radicals.
A ball of smaller radius around zero therefore proves equality, and a ball off zero proves the opposite.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpq

from fidelean.exact.novalue import NoValue
from fidelean.exact.rational import Rational, bits
from fidelean.outcome import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MAX_SIZE", "Algebraic", "ball_of", "cosine", "is_zero", "rational", "separation_bits", "spelling", "working_precision"]

MAX_SIZE = 1_000
"""Most nodes of an expression, counted as a tree: what one ball costs."""
_MAX_BITS = 1 << 17
"""Largest rational inside an expression (bits)."""
_PRECISION = threading.RLock()


@dataclass(slots=True, unsafe_hash=True)  # not frozen: thousands are made for one claim, and freezing triples the price of each
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
    degrees: Mapping[object, int] = field(compare=False, hash=False, repr=False)
    """Degree of each distinct radical in the expression."""
    size: int = field(default=1, compare=False, hash=False, repr=False)
    """Number of nodes, those that occur twice counted twice."""

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
            if bits(self.number) * exponent > _MAX_BITS:
                raise _too_large()
            return rational(self.number**exponent)
        return _node("^", (self,), self.log_u * exponent, self.log_l * exponent, Fraction(exponent))

    def root(self, index: int) -> Algebraic:
        """The real root of a number that the caller knows to be non-negative, or any number for odd ``index``."""
        node = _node("root", (self,), (self.log_u + (index - 1) * self.log_l) / index, self.log_l, Fraction(index))
        return replace(node, degrees={**node.degrees, (self, index): index})


def rational(value: Rational) -> Algebraic:
    """A rational number as an algebraic one."""
    exact = value if isinstance(value, Fraction) else Fraction(value)
    top, bottom = exact.numerator.bit_length(), exact.denominator.bit_length()
    if top > _MAX_BITS or bottom > _MAX_BITS:
        raise _too_large()
    return Algebraic("rational", (), exact, float(top), float(bottom), {})


def cosine(turns: Fraction) -> Algebraic:
    """``cos(turns * π)``: half an algebraic integer of degree at most the denominator, whose conjugates are cosines too."""
    return Algebraic("cos", (), turns, 1.0, 1.0, {("cos", turns.denominator): max(1, turns.denominator)})


def _node(operator: str, operands: tuple[Algebraic, ...], log_u: float, log_l: float, number: Fraction = Fraction(0)) -> Algebraic:
    size = 1 + sum(operand.size for operand in operands)
    if size > MAX_SIZE:
        raise _too_large()
    degrees: dict[object, int] = {}
    for operand in operands:
        degrees.update(operand.degrees)
    return Algebraic(operator, operands, number, log_u, log_l, degrees, size)


def _too_large() -> NoValue:
    return NoValue(Reason.TOO_LARGE, "more radicals, or larger numbers beside them, than are compared")


@contextmanager
def working_precision(precision: int) -> Generator[None, None, None]:
    """Calculate with balls of ``precision`` bits; the precision belongs to the whole process, so threads take turns."""
    with _PRECISION, ctx.workprec(precision):
        yield


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
    if radicand.contains(0):
        # no digit of the root is known, and arb gives up on some such roots: its size is all there is to say
        largest = radicand.abs_upper()
        return arb(0, largest.root(index).upper()) if largest > 0 else arb(0)
    return -((-radicand).root(index)) if radicand < 0 else radicand.root(index)


def is_zero(number: Algebraic, max_bits: int) -> bool:
    """Whether the number is proved to be zero with balls of not much more than ``max_bits``; False proves nothing."""
    if number.operator == "rational":
        return number.number == 0
    bound = separation_bits(number)
    if bound > max_bits:
        return False
    smallest = arb(2) ** -math.ceil(bound)
    for precision in _precisions(math.ceil(bound)):
        with working_precision(precision):
            ball = ball_of(number)
            if ball.is_finite() and not ball.contains(0):
                return False
            if ball.is_finite() and ball.abs_upper() < smallest:
                return True
    return False


def _precisions(bound: int) -> Iterator[int]:
    precision = 64
    while precision < bound:
        yield precision
        precision *= 2
    yield precision
    yield 2 * precision


def spelling(number: Algebraic) -> str:
    """The expression as text, the same for the same expression only; numbers in hexadecimal, which has no limit of digits."""
    inside = ",".join(spelling(operand) for operand in number.operands)
    return f"{number.operator}{number.number.numerator:x}/{number.number.denominator:x}({inside})"
