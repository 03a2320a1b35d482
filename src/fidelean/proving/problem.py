"""What a counterexample to a signature must do, without quantifiers: variables to choose, conditions to meet, a conclusion to break.

A generic field is taken at ℚ. Leading ``∀`` and ``→`` of the conclusion, leading ``∃`` of a hypothesis, and functions (as polynomials of
degree two at most) become variables and conditions. What does not fit has no problem: then nothing is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from fidelean.proving.signature import FunctionType, Hypothesis, Signature, Variables
from fidelean.proving.terms import (
    Applied,
    Ascribed,
    Binary,
    Connective,
    Joined,
    Negated,
    Negative,
    Numeral,
    Proposition,
    Quantified,
    Quantifier,
    Related,
    Term,
    Variable,
)

__all__ = ["Demand", "Given", "Problem", "Template", "problem_of", "rename", "with_carrier"]


@dataclass(frozen=True, slots=True)
class Template:
    """A function looked for as a polynomial."""

    name: str
    """The function's name."""
    coefficients: tuple[str, ...]
    """Variables that stand for its coefficients, constant term first."""


@dataclass(frozen=True, slots=True)
class Demand:
    """A proposition that the values must meet (or, as conclusion, break)."""

    names: tuple[str, ...]
    """Variables that stand for the names under its leading ``∃``, in order."""
    body: Proposition
    """What is left of it, functions replaced."""


@dataclass(frozen=True, slots=True)
class Given:
    """A value that the statement takes."""

    name: str
    """The variable, or the function."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A search for a counterexample."""

    carriers: Mapping[str, str]
    """Variables to choose with their carriers (Nat, Int, Rat), in order."""
    arguments: tuple[Given | Demand, ...]
    """What the universal statement takes, in order: values and proofs."""
    conclusion: Demand
    """What must fail; ``names`` are those under a leading ``¬∃``, which the counterexample provides."""
    templates: tuple[Template, ...]
    """Functions looked for."""

    @property
    def conditions(self) -> tuple[Proposition, ...]:
        """Everything that must hold."""
        return tuple(argument.body for argument in self.arguments if isinstance(argument, Demand))

    @property
    def goal(self) -> Proposition:
        """The denied conclusion."""
        body = self.conclusion.body
        return body if self.conclusion.names else Negated(body)


def problem_of(signature: Signature) -> Problem | None:
    """The search for a counterexample to a signature, or None where it does not fit."""
    if any(kind.arguments != (kind.result,) or kind.result not in ("Int", "Rat", signature.generic) for _, kind in signature.functions):
        return None
    return _Builder(signature).build()


class _Builder:
    def __init__(self, signature: Signature) -> None:
        self._signature = signature
        self._carriers: dict[str, str] = {}
        self._templates: dict[str, Template] = {}
        self._arguments: list[Given | Demand] = []
        self._taken = {name for name, _ in signature.variables}

    def build(self) -> Problem:
        for binder in self._signature.binders:
            if isinstance(binder, Variables):
                for name in binder.names:
                    self._take(name, binder.type)
            elif isinstance(binder, Hypothesis):
                self._arguments.append(self._demand(binder.proposition, Quantifier.SOME))
        conclusion = self._stripped(self._signature.conclusion)
        if isinstance(conclusion, Negated) and isinstance(conclusion.body, Quantified) and conclusion.body.quantifier is Quantifier.SOME:
            broken = self._demand(conclusion.body, Quantifier.SOME)
        else:
            broken = Demand((), self._concrete(conclusion))
        return Problem(self._carriers, tuple(self._arguments), broken, tuple(self._templates.values()))

    def _take(self, name: str, kind: str | FunctionType) -> None:
        self._arguments.append(Given(name))
        if isinstance(kind, str):
            self._carriers[name] = self._at_rationals(kind)
            return
        coefficients = tuple(self._fresh(f"{name}{power}") for power in range(3))
        for coefficient in coefficients:
            self._carriers[coefficient] = self._at_rationals(kind.result)
        self._templates[name] = Template(name, coefficients)

    def _stripped(self, conclusion: Proposition) -> Proposition:
        """Take leading ``∀`` and ``→`` of the conclusion as further arguments."""
        while True:
            if isinstance(conclusion, Quantified) and conclusion.quantifier is Quantifier.ALL:
                fresh = self._fresh(conclusion.name)
                conclusion, kind = rename(conclusion.body, conclusion.name, fresh), conclusion.carrier
                self._take(fresh, kind)
            elif isinstance(conclusion, Joined) and conclusion.connective is Connective.IMPLIES:
                self._arguments.append(self._demand(conclusion.left, Quantifier.SOME))
                conclusion = conclusion.right
            else:
                return conclusion

    def _demand(self, proposition: Proposition, quantifier: Quantifier) -> Demand:
        names: list[str] = []
        while isinstance(proposition, Quantified) and proposition.quantifier is quantifier:
            fresh = self._fresh(proposition.name)
            self._carriers[fresh] = self._at_rationals(proposition.carrier)
            names.append(fresh)
            proposition = rename(proposition.body, proposition.name, fresh)
        return Demand(tuple(names), self._concrete(proposition))

    def _fresh(self, name: str) -> str:
        while name in self._taken:
            name += "'"
        self._taken.add(name)
        return name

    def _at_rationals(self, carrier: str) -> str:
        return "Rat" if carrier == self._signature.generic else carrier

    def _concrete(self, proposition: Proposition) -> Proposition:
        return _mapped(proposition, self._function_free, self._at_rationals)

    def _function_free(self, term: Term) -> Term:
        if isinstance(term, Ascribed):
            return Ascribed(term.term, self._at_rationals(term.carrier))
        if not isinstance(term, Applied):
            return term
        constant, linear, square = (Variable(name) for name in self._templates[term.function].coefficients)
        (at,) = term.arguments
        return Binary("+", Binary("+", Binary("*", square, Binary("^", at, Numeral(2))), Binary("*", linear, at)), constant)


def rename(proposition: Proposition, old: str, new: str) -> Proposition:
    """Put the name ``new``, which must not occur, in the place of ``old``."""
    if old == new:
        return proposition
    return _mapped(proposition, lambda term: Variable(new) if term == Variable(old) else term, lambda carrier: carrier)


def with_carrier(proposition: Proposition, old: str | None, new: str) -> Proposition:
    """Put the carrier ``new`` in the place of ``old``."""

    def on_carrier(carrier: str) -> str:
        return new if carrier == old else carrier

    def on_term(term: Term) -> Term:
        return Ascribed(term.term, on_carrier(term.carrier)) if isinstance(term, Ascribed) else term

    return _mapped(proposition, on_term, on_carrier)


def _mapped(proposition: Proposition, on_term: Callable[[Term], Term], on_carrier: Callable[[str], str]) -> Proposition:
    match proposition:
        case Related(relation, left, right, carrier):
            return Related(relation, _mapped_term(left, on_term), _mapped_term(right, on_term), on_carrier(carrier))
        case Negated(body):
            return Negated(_mapped(body, on_term, on_carrier))
        case Joined(_, left, right):
            return replace(proposition, left=_mapped(left, on_term, on_carrier), right=_mapped(right, on_term, on_carrier))
        case Quantified(_, _, carrier, body):
            return replace(proposition, carrier=on_carrier(carrier), body=_mapped(body, on_term, on_carrier))
        case _:
            return proposition


def _mapped_term(term: Term, on_term: Callable[[Term], Term]) -> Term:
    """Rebuild a term from its leaves up."""
    match term:
        case Negative(inner):
            return on_term(Negative(_mapped_term(inner, on_term)))
        case Ascribed(inner, carrier):
            return on_term(Ascribed(_mapped_term(inner, on_term), carrier))
        case Binary(operator, left, right):
            return on_term(Binary(operator, _mapped_term(left, on_term), _mapped_term(right, on_term)))
        case Applied(function, arguments):
            return on_term(Applied(function, tuple(_mapped_term(argument, on_term) for argument in arguments)))
        case _:
            return on_term(term)
