"""Conditions as a choice of conjunctions of literals, and each conjunction as a plan: what to compute, in which order, from what.

Linear equations are solved first: a variable that occurs with a constant coefficient is expressed by the others, everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from fidelean.proving.polynomials import NotPolynomial, Polynomial, quotient_of
from fidelean.proving.terms import (
    Connective,
    Joined,
    Negated,
    Proposition,
    Quantified,
    Quantifier,
    Related,
)

__all__ = ["Branch", "branches_of", "solved"]

MAX_BRANCHES = 48
_OPPOSITE = {"=": "≠", "≠": "=", "<": "≥", "≥": "<", ">": "≤", "≤": ">"}


@dataclass(slots=True)
class Branch:
    """One way to meet the conditions."""

    definitions: list[tuple[str, Polynomial]] = field(default_factory=list)
    """Variables expressed by variables that stay free, in the order in which they were solved."""
    equations: list[Polynomial] = field(default_factory=list)
    """What is left of the equations: each must be zero."""
    free: list[str] = field(default_factory=list)
    """Variables to choose, most constrained first."""


def branches_of(conditions: Sequence[Proposition]) -> Iterator[tuple[Proposition, ...]]:
    """Conjunctions of literals, at least one of which holds where the conditions do; at most ``MAX_BRANCHES`` of them."""
    for count, branch in enumerate(_conjunctions(tuple(conditions))):
        if count >= MAX_BRANCHES:
            return
        yield branch


def _conjunctions(rest: tuple[Proposition, ...]) -> Iterator[tuple[Proposition, ...]]:
    if not rest:
        yield ()
        return
    first, others = _positive(rest[0]), rest[1:]
    if isinstance(first, Joined) and first.connective is Connective.AND:
        yield from _conjunctions((first.left, first.right, *others))
    elif isinstance(first, Joined):
        yield from _conjunctions((first.left, *others))
        yield from _conjunctions((first.right, *others))
    else:
        for branch in _conjunctions(others):
            yield (first, *branch)


def _positive(proposition: Proposition) -> Proposition:
    """The same with connectives other than ∧, ∨ and the negation of relations gone at the top."""
    match proposition:
        case Joined(Connective.IMPLIES, left, right):
            return Joined(Connective.OR, Negated(left), right)
        case Joined(Connective.IFF, left, right):
            both, neither = Joined(Connective.AND, left, right), Joined(Connective.AND, Negated(left), Negated(right))
            return Joined(Connective.OR, both, neither)
        case Negated(Negated(body)):
            return _positive(body)
        case Negated(Related(relation, left, right, carrier)) if relation in _OPPOSITE:
            return Related(_OPPOSITE[relation], left, right, carrier)
        case Negated(Joined(Connective.AND, left, right)):
            return Joined(Connective.OR, Negated(left), Negated(right))
        case Negated(Joined(Connective.OR, left, right)):
            return Joined(Connective.AND, Negated(left), Negated(right))
        case Negated(Joined() as inner):
            return _positive(Negated(_positive(inner)))
        case _:
            return proposition


def solved(literals: Sequence[Proposition], names: Sequence[str]) -> Branch | None:
    """Solve the equations among the literals for ``names``, as far as they are linear; None where they contradict each other."""
    equations = [equation for literal in literals for equation in _equations(literal)]
    branch = Branch()
    while True:
        equations = [equation for equation in equations if equation.terms]
        if any(equation.value is not None for equation in equations):
            return None
        try:
            pivot = _pivot(equations, names)
            if pivot is None:
                break
            name, expression = pivot
            branch.definitions = [(other, value.substitute(name, expression)) for other, value in branch.definitions]
            equations = [equation.substitute(name, expression) for equation in equations]
        except NotPolynomial:
            break
        branch.definitions.append((name, expression))
    if any(_vanishes(literal, branch) for literal in literals):
        return None
    defined = {name for name, _ in branch.definitions}
    branch.equations = sorted(equations, key=lambda equation: (len(equation.names), len(equation.terms)))
    weight = {name: sum(name in equation.names for equation in branch.equations) for name in names}
    branch.free = sorted((name for name in names if name not in defined), key=lambda name: -weight[name])
    return branch


def _vanishes(literal: Proposition, branch: Branch) -> bool:
    """Whether the solved equations make both sides of a literal ``a ≠ b`` the same polynomial."""
    if not isinstance(literal, Related) or literal.relation != "≠":
        return False
    try:
        for difference in _equations(Related("=", literal.left, literal.right, literal.carrier)):
            rest = difference
            for name, expression in branch.definitions:
                rest = rest.substitute(name, expression)
            return not rest.terms
    except NotPolynomial:
        pass
    return False


def _equations(literal: Proposition) -> Iterator[Polynomial]:
    """Polynomials that must be zero where the literal holds."""
    bound: set[str] = set()
    while isinstance(literal, Quantified) and literal.quantifier is Quantifier.ALL:
        bound.add(literal.name)
        literal = literal.body
    if not isinstance(literal, Related) or literal.relation != "=":
        return
    try:
        (top, bottom), (other_top, other_bottom) = quotient_of(literal.left), quotient_of(literal.right)
        difference = top * other_bottom - other_top * bottom
    except NotPolynomial:
        return
    yield from _coefficients(difference, bound) if bound else (difference,)


def _coefficients(identity: Polynomial, bound: set[str]) -> Iterator[Polynomial]:
    """The coefficients of an identity in the bound names: each must be zero."""
    parts: dict[object, Polynomial] = {}
    for monomial, factor in identity.terms.items():
        key = tuple(part for part in monomial if part[0] in bound)
        rest = Polynomial({tuple(part for part in monomial if part[0] not in bound): factor})
        parts[key] = parts[key] + rest if key in parts else rest
    yield from parts.values()


def _pivot(equations: Sequence[Polynomial], names: Sequence[str]) -> tuple[str, Polynomial] | None:
    """A variable with its expression by the others: coefficient 1 before others, short equations before long ones."""
    best: tuple[tuple[bool, int, str], str, Polynomial] | None = None
    for equation in equations:
        for name in sorted(equation.names.intersection(names)):
            powers = equation.by_powers(name)
            slope = powers[1].value if set(powers) <= {0, 1} else None
            if slope is None:
                continue
            rank = (abs(slope) != 1, len(equation.terms), name)
            if best is None or rank < best[0]:
                rest = powers.get(0, Polynomial({}))
                best = rank, name, rest * Polynomial.constant(Fraction(-1) / slope)
    return None if best is None else best[1:]
