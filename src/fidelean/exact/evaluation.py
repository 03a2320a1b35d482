"""Closed expressions → exact values: rationals where possible, else exact reals."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from fidelean.exact.budget import Budget
from fidelean.exact.novalue import NoValue
from fidelean.exact.rational import Irrational, Rational, evaluate_rational
from fidelean.informal.maths.tree import Apply, BigOperator, Binary, Constant, Expression, Name, Negate, Number, Unit
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
        return _Reals(budget).value(tree, {})


def value_text(value: Rational | Real) -> str:
    """A value for a reader: an exact rational, or the first digits of an irrational followed by ``…``."""
    if isinstance(value, int | Fraction):
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


class _Reals:
    """Evaluation over exact reals; python-flint is loaded only here."""

    def __init__(self, budget: Budget) -> None:
        from fidelean.exact import real

        self.budget = budget
        self.real = real

    def value(self, tree: Expression, bound: Mapping[str, int]) -> Real:
        try:
            return self.real.real(evaluate_rational(tree, self.budget, bound))
        except Irrational:
            return self.irrational(tree, bound)

    def irrational(self, tree: Expression, bound: Mapping[str, int]) -> Real:
        match tree:
            case Constant(name):
                return self.real.PI if name == "pi" else self.real.EULER
            case Negate(operand):
                return -self.value(operand, bound)
            case Unit(operand, _):
                return self.value(operand, bound)
            case Binary(operator, left, right):
                return self.binary(operator, left, right, bound)
            case Apply(function, arguments):
                return self.apply(function, arguments, bound)
            case BigOperator():
                return self.big_operator(tree, bound)
            case Number() | Name() | _:
                raise NoValue(Reason.NOT_READ, "an expression without a value")

    def binary(self, operator: str, left_tree: Expression, right_tree: Expression, bound: Mapping[str, int]) -> Real:
        left, right = self.value(left_tree, bound), self.value(right_tree, bound)
        match operator:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
            case "/":
                return self.real.divide(left, right, self.budget)
            case "^":
                return self.real.power(left, right, self.budget)
            case _:
                raise NoValue(Reason.UNDEFINED, "a remainder of something other than integers")

    def apply(self, function: str, arguments: tuple[Expression, ...], bound: Mapping[str, int]) -> Real:
        values = [self.value(argument, bound) for argument in arguments]
        match function:
            case "root" | "log":
                return self.root(*values) if function == "root" else self.logarithm(*values)
            case "ln":
                return self.real.logarithm(values[0], self.budget)
            case "exp":
                return self.real.exponential(values[0])
            case "percent":
                return values[0] * self.real.real(Fraction(1, 100))
            case "degree":
                return values[0] * self.real.PI * self.real.real(Fraction(1, 180))
            case "max" | "min":
                return self.extreme(function, values)
            case "abs" | "floor" | "ceil":
                return self.step_function(function, values[0])
            case "arcsin" | "arccos" | "arctan":
                return self.real.inverse_function(function, values[0])
            case _:
                return self.trigonometric(function, values[0])

    def root(self, radicand: Real, index: Real) -> Real:
        whole = index.rational()
        if whole is None or whole.denominator != 1:
            raise NoValue(Reason.UNDEFINED, "a root whose index is no integer")
        return self.real.root(radicand, int(whole), self.budget)

    def logarithm(self, number: Real, base: Real) -> Real:
        top, bottom = (self.real.logarithm(value, self.budget) for value in (number, base))
        return self.real.divide(top, bottom, self.budget)

    def step_function(self, function: str, number: Real) -> Real:
        if function == "abs":
            return -number if self.real.sign(number, self.budget) < 0 else number
        if function == "floor":
            return self.real.real(self.real.floor(number, self.budget))
        return self.real.real(-self.real.floor(-number, self.budget))

    def extreme(self, function: str, values: list[Real]) -> Real:
        best = values[0]
        for value in values[1:]:
            larger = self.real.sign(value - best, self.budget) > 0
            best = value if larger == (function == "max") else best
        return best

    def trigonometric(self, function: str, angle: Real) -> Real:
        quarter = self.real.PI * self.real.real(Fraction(1, 2))
        cosine = self.real.cosine_of(angle)
        if function == "cos":
            return cosine
        sine = self.real.cosine_of(quarter - angle)
        match function:
            case "sin":
                return sine
            case "tan":
                return self.real.divide(sine, cosine, self.budget)
            case "cot":
                return self.real.divide(cosine, sine, self.budget)
            case "sec":
                return self.real.reciprocal(cosine, self.budget)
            case "csc":
                return self.real.reciprocal(sine, self.budget)
            case _:
                raise NoValue(Reason.UNDEFINED, f"{function} of something that is no integer")

    def big_operator(self, tree: BigOperator, bound: Mapping[str, int]) -> Real:
        low, high = (self.value(end, bound).rational() for end in (tree.low, tree.high))
        if low is None or high is None or low.denominator != 1 or high.denominator != 1:
            raise NoValue(Reason.UNDEFINED, "a range that is not between integers")
        if high - low >= _MAX_REAL_TERMS:
            raise NoValue(Reason.TOO_LARGE, f"a sum or product of more than {_MAX_REAL_TERMS} irrational terms")
        total = self.real.real(0 if tree.operator == "sum" else 1)
        for index in range(int(low), int(high) + 1):
            term = self.value(tree.body, {**bound, tree.variable: index})
            total = total + term if tree.operator == "sum" else total * term
        return total
