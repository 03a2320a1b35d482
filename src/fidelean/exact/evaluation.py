"""Closed expressions → exact values: rationals where possible, else exact reals."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from fidelean.exact.budget import Budget
from fidelean.exact.novalue import NoValue
from fidelean.exact.rational import RATIONAL, Irrational, Rational, apply_rational, combine, evaluate_rational
from fidelean.informal.maths.tree import Apply, BigOperator, Binary, Constant, Expression, Negate, Number, Unit
from fidelean.outcome import Reason

if TYPE_CHECKING:
    from fidelean.exact.real import Real

__all__ = ["Value", "evaluate", "value_text"]

Value: TypeAlias = "Rational | Real"
"""What an expression is worth."""
_MAX_REAL_TERMS = 200


def evaluate(tree: Expression, budget: Budget) -> Rational | Real:
    """The exact value of a closed expression without ambiguous nodes.

    Raises:
        NoValue: a free name, an undefined term, or a value over the bounds of the budget.
    """
    try:
        return evaluate_rational(tree, budget)
    except Irrational:
        return _Mixed(budget).value(tree, {})


def value_text(value: Rational | Real) -> str:
    """A value for a reader: an exact rational, or the first digits of an irrational followed by ``…``."""
    if isinstance(value, RATIONAL):
        return _rational_text(value)
    from fidelean.exact.real import to_text

    exact = value.rational()
    return _rational_text(exact) if exact is not None else to_text(value)


def _rational_text(value: Rational) -> str:
    size = max(value.numerator.bit_length(), value.denominator.bit_length())
    if size <= 160:
        return str(value)
    digits = value.numerator.bit_length() * 30103 // 100000
    return f"a rational of {digits}+ digits" if value.denominator == 1 else f"a rational of {size} bits"


class _Mixed:
    """Evaluation over rationals and exact reals, rational as far as it goes; python-flint is loaded only here."""

    def __init__(self, budget: Budget) -> None:
        from fidelean.exact import functions, real

        self.budget = budget
        self.real = real
        self.functions = functions

    def lifted(self, value: Rational | Real) -> Real:
        """A value as a real."""
        return self.real.real(value) if isinstance(value, RATIONAL) else value

    def value(self, tree: Expression, bound: Mapping[str, int]) -> Rational | Real:
        kind = type(tree)
        if kind is Number:
            return tree.value  # type: ignore[union-attr]
        if kind is Binary:
            return self.binary(tree, bound)  # type: ignore[arg-type]
        match tree:
            case Constant(name):
                return self.functions.PI if name == "pi" else self.functions.EULER
            case Negate(operand) | Unit(operand, _):
                value = self.value(operand, bound)
                return -value if kind is Negate else value
            case Apply(function, arguments):
                return self.apply(function, arguments, bound)
            case BigOperator():
                return self.big_operator(tree, bound)
            case _:
                return evaluate_rational(tree, self.budget, bound)

    def binary(self, tree: Binary, bound: Mapping[str, int]) -> Rational | Real:
        operator = tree.operator
        left, right = self.value(tree.left, bound), self.value(tree.right, bound)
        if isinstance(left, RATIONAL) and isinstance(right, RATIONAL):
            try:
                return combine(operator, left, right, self.budget)
            except Irrational:
                pass
        a, b = self.lifted(left), self.lifted(right)
        match operator:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                return self.functions.divide(a, b, self.budget)
            case "^":
                return self.functions.power(a, b, self.budget)
            case _:
                raise NoValue(Reason.UNDEFINED, "a remainder of something other than integers")

    def apply(self, function: str, arguments: tuple[Expression, ...], bound: Mapping[str, int]) -> Rational | Real:
        values = [self.value(argument, bound) for argument in arguments]
        rationals = [value for value in values if isinstance(value, RATIONAL)]
        if len(rationals) == len(values):
            try:
                return apply_rational(function, rationals, self.budget)
            except Irrational:
                pass
        return self.irrational(function, [self.lifted(value) for value in values])

    def irrational(self, function: str, values: list[Real]) -> Rational | Real:
        match function:
            case "root" | "log":
                return self.root(*values) if function == "root" else self.logarithm(*values)
            case "ln":
                return self.functions.logarithm(values[0], self.budget)
            case "exp":
                return self.functions.exponential(values[0], self.budget)
            case "percent":
                return values[0] * self.real.real(Fraction(1, 100))
            case "degree":
                return values[0] * self.functions.PI * self.real.real(Fraction(1, 180))
            case "max" | "min":
                return self.extreme(function, values)
            case "abs" | "floor" | "ceil":
                return self.step_function(function, values[0])
            case "arcsin" | "arccos" | "arctan":
                return self.functions.inverse_function(function, values[0])
            case _:
                return self.trigonometric(function, values[0])

    def root(self, radicand: Real, index: Real) -> Real:
        whole = index.rational()
        if whole is None or whole.denominator != 1:
            raise NoValue(Reason.UNDEFINED, "a root whose index is no integer")
        return self.functions.root(radicand, int(whole), self.budget)

    def logarithm(self, number: Real, base: Real) -> Real:
        top, bottom = (self.functions.logarithm(value, self.budget) for value in (number, base))
        return self.functions.divide(top, bottom, self.budget)

    def step_function(self, function: str, number: Real) -> Rational | Real:
        if function == "abs":
            return -number if self.real.sign(number, self.budget) < 0 else number
        if function == "floor":
            return self.functions.floor(number, self.budget)
        return -self.functions.floor(-number, self.budget)

    def extreme(self, function: str, values: list[Real]) -> Real:
        best = values[0]
        for value in values[1:]:
            larger = self.real.sign(value - best, self.budget) > 0
            best = value if larger == (function == "max") else best
        return best

    def trigonometric(self, function: str, angle: Real) -> Real:
        cosine_of, budget = self.functions.cosine_of, self.budget
        match function:
            case "cos":
                return cosine_of(angle)
            case "sin":
                return self.sine(angle)
            case "tan":
                return self.functions.divide(self.sine(angle), cosine_of(angle), budget)
            case "cot":
                return self.functions.divide(cosine_of(angle), self.sine(angle), budget)
            case "sec":
                return self.functions.reciprocal(cosine_of(angle), budget)
            case "csc":
                return self.functions.reciprocal(self.sine(angle), budget)
            case _:
                raise NoValue(Reason.UNDEFINED, f"{function} of something that is no integer")

    def sine(self, angle: Real) -> Real:
        quarter = self.functions.PI * self.real.real(Fraction(1, 2))
        return self.functions.cosine_of(quarter - angle)

    def big_operator(self, tree: BigOperator, bound: Mapping[str, int]) -> Rational | Real:
        low, high = (self.lifted(self.value(end, bound)).rational() for end in (tree.low, tree.high))
        if low is None or high is None or low.denominator != 1 or high.denominator != 1:
            raise NoValue(Reason.UNDEFINED, "a range that is not between integers")
        if high - low >= _MAX_REAL_TERMS:
            raise NoValue(Reason.TOO_LARGE, f"a sum or product of more than {_MAX_REAL_TERMS} irrational terms")
        total = self.real.real(0 if tree.operator == "sum" else 1)
        for index in range(int(low), int(high) + 1):
            term = self.lifted(self.value(tree.body, {**bound, tree.variable: index}))
            total = total + term if tree.operator == "sum" else total * term
        return total
