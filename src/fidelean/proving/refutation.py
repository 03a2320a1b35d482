"""A counterexample as a Lean script: the universal statement, taken at the values, contradicts what the kernel computes."""

from __future__ import annotations

from collections.abc import Mapping

from fidelean.proving.evaluation import Number
from fidelean.proving.problem import Demand, Given, Problem
from fidelean.proving.terms import Quantified
from fidelean.proving.witness import Witness

__all__ = ["render_number", "script_of", "values_of"]

_BY_VALUE = "by first | decide +kernel | grind | omega"
_BY_IDENTITY = "by intros; grind"


def render_number(value: Number) -> str:
    """A number as a Lean term that may stand as an argument."""
    if value.denominator == 1:
        return str(value) if value >= 0 else f"({value.numerator})"
    return f"({value.numerator}/{value.denominator})"


def values_of(problem: Problem, witness: Witness) -> dict[str, str]:
    """The values of the statement's variables and functions, as Lean text."""
    return {argument.name: _value(problem, argument.name, witness.values) for argument in problem.arguments if isinstance(argument, Given)}


def script_of(problem: Problem, witness: Witness) -> str:
    """A script that proves ``¬ (∀ ..., ...)``."""
    arguments = [_argument(problem, argument, witness.values) for argument in problem.arguments]
    if not arguments:
        return _BY_VALUE.removeprefix("by ")
    applied = " ".join(["@h", *arguments])
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
