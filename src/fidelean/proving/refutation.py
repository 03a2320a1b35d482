"""A counterexample as a Lean script: the universal statement, taken at the values, contradicts what the kernel computes."""

from __future__ import annotations

from collections.abc import Mapping

from fidelean.proving.evaluation import Number
from fidelean.proving.polynomials import Polynomial
from fidelean.proving.problem import Demand, Given, Problem
from fidelean.proving.terms import Quantified
from fidelean.proving.witness import Witness

__all__ = ["render_number", "render_polynomial", "script_of", "values_of"]

_BY_VALUE = "by first | decide +kernel | grind | omega"
_BY_IDENTITY = "by intros; grind"


def render_number(value: Number) -> str:
    """A number as a Lean term that may stand as an argument."""
    if value.denominator == 1:
        return str(value) if value >= 0 else f"({value.numerator})"
    return f"({value.numerator}/{value.denominator})"


def render_polynomial(polynomial: Polynomial) -> str:
    """A polynomial as a Lean term that stands alone or in brackets."""
    powers = {1: ""}
    parts = [
        " * ".join([render_number(factor), *(f"{name}{powers.get(power, f'^{power}')}" for name, power in monomial)])
        for monomial, factor in polynomial.terms.items()
    ]
    return " + ".join(parts) or "0"


def values_of(problem: Problem, witness: Witness) -> dict[str, str]:
    """The values of the statement's variables and functions, as Lean text."""
    return {argument.name: _value(problem, argument.name, witness.values) for argument in problem.arguments if isinstance(argument, Given)}


def script_of(problem: Problem, witness: Witness) -> str:
    """A script that proves ``¬ (∀ ..., ...)``."""
    arguments = [_argument(problem, argument, witness.values) for argument in problem.arguments]
    if not arguments and not problem.conclusion.names:
        return _BY_VALUE.removeprefix("by ")
    applied = " ".join(["@h" if arguments else "h", *arguments])
    return f"intro h\nexact absurd ({applied}) ({_broken(problem.conclusion, witness.values)})"


def _value(problem: Problem, name: str, values: Mapping[str, Number]) -> str:
    template = next((template for template in problem.templates if template.name == name), None)
    if template is None:
        return render_number(values[name])
    constant, linear, square = (values[coefficient] for coefficient in template.coefficients)
    parts = [f"{render_number(factor)} * {power}" for factor, power in ((square, "t^2"), (linear, "t")) if factor]
    return f"(fun t => {' + '.join([*parts, render_number(constant)])})"


def _argument(problem: Problem, argument: Given | Demand, values: Mapping[str, Number]) -> str:
    if isinstance(argument, Given):
        return _value(problem, argument.name, values)
    return f"({_proof(argument, values)})"


def _proof(demand: Demand, values: Mapping[str, Number]) -> str:
    closing = _BY_IDENTITY if isinstance(demand.body, Quantified) else _BY_VALUE
    if not demand.names:
        return closing
    return f"⟨{', '.join([*(render_number(values[name]) for name in demand.names), closing])}⟩"


def _broken(conclusion: Demand, values: Mapping[str, Number]) -> str:
    return f"fun hn => hn {_proof(conclusion, values)}" if conclusion.names else _BY_VALUE
