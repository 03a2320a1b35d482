"""Expressions in variables → quotients of polynomials over ℚ, compared exactly.

Whatever is no quotient of polynomials (a root of a variable, an undefined function, a power with a variable exponent) is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from fidelean.exact.budget import Budget
from fidelean.exact.novalue import NoValue
from fidelean.exact.rational import Irrational, evaluate_rational
from fidelean.informal.maths.tree import Ambiguous, Binary, Expression, Name, Negate, Number, Unit, children, names
from fidelean.outcome import Reason
from fidelean.policy import ArithmeticPolicy

if TYPE_CHECKING:
    from flint import fmpq, fmpq_mpoly

__all__ = ["Difference", "difference", "is_atomic", "is_product", "loses_degree", "witnesses"]

_MAX_DEGREE = 60
_MAX_TERMS = 2_000
_MAX_TRIED = 3_000
_CANDIDATES = (1, 2, 3, 5, 7, 4, 10, -1, -2, Fraction(1, 2), 0)


@dataclass(frozen=True, slots=True)
class Difference:
    """``left - right`` of an equation, as a quotient of polynomials."""

    variables: tuple[str, ...]
    """The variables, in the order of the polynomials' generators."""
    numerator: fmpq_mpoly
    """Zero exactly where the equation is an identity of rational functions."""
    denominator: fmpq_mpoly
    """Not zero; where it vanishes the equation says nothing."""

    @property
    def is_identity(self) -> bool:
        """Whether both sides are the same rational function."""
        return self.numerator.is_zero()


def difference(left: Expression, right: Expression, policy: ArithmeticPolicy, *, imaginary: str | None = None) -> Difference:
    """The difference of two expressions; ``imaginary`` names the letter whose square is -1.

    Raises ``NoValue`` where a side is no quotient of polynomials over ℚ, or one of more than 60 in degree or 2,000 terms.
    """
    from flint import Ordering, fmpq_mpoly_ctx

    free = names(left) | names(right)
    variables = tuple(sorted(free, key=lambda name: (name != imaginary, name)))
    # the names of the text may be Greek, which the library does not take; only the order of the generators counts
    context = fmpq_mpoly_ctx.get(tuple(f"v{index}" for index in range(max(1, len(variables)))), Ordering.lex)
    generators = dict(zip(variables, context.gens(), strict=False))
    reader = _Reader(generators, context.constant, Budget(policy))
    (a, b), (c, d) = reader.read(left), reader.read(right)
    top, bottom = a * d - c * b, b * d
    if imaginary in generators:
        square = generators[imaginary] ** 2 + 1
        top, bottom = top % square, bottom % square
    return Difference(variables, top, bottom)


Quotient = "tuple[fmpq_mpoly, fmpq_mpoly]"


class _Reader:
    def __init__(self, generators: Mapping[str, fmpq_mpoly], constant: Callable[[int | fmpq], fmpq_mpoly], budget: Budget) -> None:
        self.generators = generators
        self.constant = constant
        self.budget = budget

    def read(self, tree: Expression) -> tuple[fmpq_mpoly, fmpq_mpoly]:
        if not isinstance(tree, Ambiguous) and not names(tree):
            return self.number(tree)
        match tree:
            case Name(name):
                return self.generators[name], self.constant(1)
            case Negate(operand):
                top, bottom = self.read(operand)
                return -top, bottom
            case Unit(operand, _):
                return self.read(operand)
            case Binary(operator, left, right):
                return self.binary(operator, left, right)
            case _:
                raise NoValue(Reason.NOT_READ, "no quotient of polynomials")

    def number(self, tree: Expression) -> tuple[fmpq_mpoly, fmpq_mpoly]:
        from flint import fmpq

        try:
            value = evaluate_rational(tree, self.budget)
        except Irrational:
            raise NoValue(Reason.NOT_READ, "an irrational coefficient") from None
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > 4_000:
            raise NoValue(Reason.TOO_LARGE, "a coefficient of more than 4,000 bits")
        return self.constant(fmpq(value.numerator, value.denominator)), self.constant(1)

    def binary(self, operator: str, left: Expression, right: Expression) -> tuple[fmpq_mpoly, fmpq_mpoly]:
        if operator == "^":
            return self.power(left, right)
        (a, b), (c, d) = self.read(left), self.read(right)
        if operator == "+":
            return self.bounded(a * d + c * b, b * d)
        if operator == "-":
            return self.bounded(a * d - c * b, b * d)
        if operator == "*":
            return self.bounded(a * c, b * d)
        if operator == "/":
            if c.is_zero():
                raise NoValue(Reason.UNDEFINED, "a division by zero")
            return self.bounded(a * d, b * c)
        raise NoValue(Reason.NOT_READ, "a remainder of polynomials")

    def power(self, base: Expression, exponent: Expression) -> tuple[fmpq_mpoly, fmpq_mpoly]:
        if names(exponent) or isinstance(exponent, Ambiguous):
            raise NoValue(Reason.NOT_READ, "a variable exponent")
        try:
            value = evaluate_rational(exponent, self.budget)
        except Irrational:
            raise NoValue(Reason.NOT_READ, "an irrational exponent") from None
        if value.denominator != 1 or abs(value) > _MAX_DEGREE:
            raise NoValue(Reason.NOT_READ, "an exponent that is no small integer")
        top, bottom = self.read(base)
        degree = max([0, *top.degrees(), *bottom.degrees()])
        if degree * abs(int(value)) > _MAX_DEGREE or max(len(top), len(bottom)) ** min(abs(int(value)), 12) > 10**6:
            raise NoValue(Reason.TOO_LARGE, "a polynomial of high degree")
        if value < 0:
            if top.is_zero():
                raise NoValue(Reason.UNDEFINED, "a division by zero")
            top, bottom = bottom, top
        return self.bounded(top ** abs(int(value)), bottom ** abs(int(value)))

    def bounded(self, top: fmpq_mpoly, bottom: fmpq_mpoly) -> tuple[fmpq_mpoly, fmpq_mpoly]:
        if len(top) > _MAX_TERMS or len(bottom) > _MAX_TERMS or max([0, *top.degrees(), *bottom.degrees()]) > 2 * _MAX_DEGREE:
            raise NoValue(Reason.TOO_LARGE, "a polynomial of more than 2,000 terms")
        return top, bottom


def witnesses(found: Difference, limit: int = 50) -> Iterator[dict[str, Fraction]]:
    """Values of the variables where both sides exist and differ, simplest first."""
    from flint import fmpq

    for tried, values in enumerate(_grid(len(found.variables))):
        if tried >= _MAX_TRIED or limit <= 0:
            return
        point = [fmpq(value.numerator, value.denominator) for value in map(Fraction, values)]
        if found.denominator(*point) != 0 and found.numerator(*point) != 0:
            limit -= 1
            yield dict(zip(found.variables, map(Fraction, values), strict=True))


def _grid(dimension: int) -> Iterator[Sequence[Fraction | int]]:
    """Points with small coordinates; equal coordinates first, since they read best."""
    for value in _CANDIDATES:
        yield (value,) * dimension
    if dimension > 1:
        width = max(2, min(len(_CANDIDATES), int(2_000 ** (1 / dimension))))
        yield from product(_CANDIDATES[:width], repeat=dimension)


def loses_degree(left: Expression, found: Difference, policy: ArithmeticPolicy) -> bool:
    """Whether the leading terms of both sides of an equation cancel: it is then meant as one expression in two forms."""
    whole = difference(left, Number(0), policy).numerator
    return found.denominator.is_constant() and _total_degree(found.numerator) < _total_degree(whole)


def _total_degree(polynomial: fmpq_mpoly) -> int:
    return max((sum(map(int, monomial)) for monomial in polynomial.monoms()), default=0)


def is_product(tree: Expression) -> bool:
    """Whether an expression is a product or a power of sums, as a factored form is."""
    while isinstance(tree, Negate):
        tree = tree.operand
    if not isinstance(tree, Binary):
        return False
    if tree.operator == "^":
        return _is_sum(tree.left)
    return tree.operator == "*" and (_has_sum(tree.left) or _has_sum(tree.right))


def _is_sum(tree: Expression) -> bool:
    return isinstance(tree, Binary) and tree.operator in ("+", "-")


def _has_sum(tree: Expression) -> bool:
    return _is_sum(tree) or (isinstance(tree, Binary) and tree.operator in ("*", "^") and (_has_sum(tree.left) or _has_sum(tree.right)))


def is_atomic(tree: Expression) -> bool:
    """Whether a tree is a numeral or a name, with or without a sign."""
    return isinstance(tree, Number | Name) or (isinstance(tree, Negate) and is_atomic(tree.operand)) or (not children(tree))
