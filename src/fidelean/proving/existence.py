"""Existence: a value found by exact search, given to the kernel."""

from __future__ import annotations

from collections.abc import Iterator

from fidelean.policy import ProvingPolicy
from fidelean.proving.branches import solved
from fidelean.proving.evaluation import NoValue
from fidelean.proving.polynomials import NotPolynomial
from fidelean.proving.problem import with_carrier
from fidelean.proving.refutation import render_number, render_polynomial
from fidelean.proving.signature import Signature
from fidelean.proving.terms import Proposition, Quantified, Quantifier, mentioned
from fidelean.proving.witness import find_values

__all__ = ["by_given_value"]

_BY_VALUE = "by first | decide +kernel | grind | omega"


def by_given_value(signature: Signature) -> Iterator[str]:
    """``∃ x, P x``: values that make a closed ``P`` hold, or the expression that a linear equation gives for one value."""
    names: dict[str, str] = {}
    body: Proposition = signature.conclusion
    while isinstance(body, Quantified) and body.quantifier is Quantifier.SOME:
        names[body.name] = body.carrier
        body = body.body
    if not names:
        return
    if mentioned(body) <= names.keys():
        yield from _by_numbers(names, with_carrier(body, signature.generic, "Rat"), signature.generic)
    else:
        yield from _by_expression(names, body)


def _by_numbers(names: dict[str, str], body: Proposition, generic: str | None) -> Iterator[str]:
    carriers = {name: "Rat" if carrier == generic else carrier for name, carrier in names.items()}
    found = find_values(carriers, (body,), ProvingPolicy())
    if found is not None:
        yield f"exact ⟨{', '.join([*(render_number(found.values[name]) for name in names), _BY_VALUE])}⟩"


def _by_expression(names: dict[str, str], body: Proposition) -> Iterator[str]:
    """Solve the body's equations for the names, everything else being a parameter."""
    try:
        branch = solved((body,), tuple(names))
    except (NoValue, NotPolynomial):
        return
    if branch is None:
        return
    given = {name: expression for name, expression in branch.definitions if name in names}
    if given.keys() == names.keys() and not any(expression.names & names.keys() for expression in given.values()):
        yield f"exact ⟨{', '.join([*(f'({render_polynomial(given[name])})' for name in names), _BY_VALUE])}⟩"
