"""Settling types: which carrier each relation lives in. A relation that mixes carriers, or whose carrier cannot be told, is not read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fidelean.proving.formulas import Scope
from fidelean.proving.lexing import NotRead
from fidelean.proving.signature import FunctionType
from fidelean.proving.terms import (
    Applied,
    Ascribed,
    Binary,
    Joined,
    Negated,
    Negative,
    Numeral,
    Proposition,
    Quantified,
    Related,
    Term,
    Variable,
    subterms,
    terms_of,
)

__all__ = ["settle"]


def settle(proposition: Proposition, scope: Scope) -> Proposition:
    """Give every relation and every bound name its carrier. Raises ``NotRead`` where one cannot be told."""
    match proposition:
        case Related(relation, left, right, _):
            return Related(relation, left, right, _carrier(proposition, scope))
        case Negated(body):
            return Negated(settle(body, scope))
        case Joined(_, left, right):
            return replace(proposition, left=settle(left, scope), right=settle(right, scope))
        case Quantified(quantifier, name, carrier, body):
            carrier = carrier or _bound_carrier(name, body, scope)
            return Quantified(quantifier, name, carrier, settle(body, scope.with_name(name, carrier)))
        case _:
            return proposition


def _carrier(related: Related, scope: Scope) -> str:
    found = {carrier for side in (related.left, related.right) for carrier in _leaves(side, scope)}
    if len(found) > 1:
        raise NotRead(f"a relation mixes {' and '.join(sorted(found))}")
    if found:
        carrier = found.pop()
        if not carrier:
            raise NotRead("a bound name has no type")
        return carrier
    signed = any(isinstance(part, Negative) for side in (related.left, related.right) for part in subterms(side))
    return "Int" if signed else "Nat"


def _leaves(term: Term, scope: Scope) -> Iterator[str]:
    """The carriers that the leaves of a term name; checks arguments and exponents on the way."""
    match term:
        case Variable(name):
            kind = scope.types[name]
            if not isinstance(kind, str):
                raise NotRead(f"the function {name} stands without argument")
            yield kind
        case Negative(inner):
            yield from _leaves(inner, scope)
        case Ascribed(inner, carrier):
            _expect(inner, carrier, scope)
            yield carrier
        case Binary(operator, left, right):
            yield from _leaves(left, scope)
            if operator == "^":
                _expect_exponent(right, scope)
            else:
                yield from _leaves(right, scope)
        case Applied(function, arguments):
            kind = _function_type(function, scope)
            for argument, carrier in zip(arguments, kind.arguments, strict=True):
                _expect(argument, carrier, scope)
            yield kind.result
        case Numeral():
            return


def _function_type(name: str, scope: Scope) -> FunctionType:
    kind = scope.types[name]
    if not isinstance(kind, FunctionType):
        raise NotRead(f"{name} is no function")
    return kind


def _expect(term: Term, carrier: str, scope: Scope) -> None:
    for found in _leaves(term, scope):
        if found != carrier:
            raise NotRead(f"a term of {found or 'no type'} stands where one of {carrier} should")


def _expect_exponent(term: Term, scope: Scope) -> None:
    _expect(term, "Nat", scope)
    if any(isinstance(part, Negative) or (isinstance(part, Binary) and part.operator in "-/%") for part in subterms(term)):
        raise NotRead("an exponent is more than a sum of products")


def _bound_carrier(name: str, body: Proposition, scope: Scope) -> str:
    """The carrier of a bound name without one: that of an argument place it fills, or of what it is related to."""
    for term in terms_of(body):
        for part in subterms(term):
            if isinstance(part, Applied):
                kind = _function_type(part.function, scope)
                for argument, carrier in zip(part.arguments, kind.arguments, strict=True):
                    if any(inner == Variable(name) for inner in subterms(argument) if not isinstance(inner, Applied)):
                        return carrier
    neighbours = {carrier for related in _relations_with(name, body) for carrier in _typed_leaves(related, name, scope)}
    if len(neighbours) != 1:
        raise NotRead(f"the type of {name} is not given")
    return neighbours.pop()


def _relations_with(name: str, body: Proposition) -> Iterator[Related]:
    match body:
        case Related(_, left, right, _):
            if any(part == Variable(name) for side in (left, right) for part in subterms(side)):
                yield body
        case Negated(inner) | Quantified(_, _, _, inner):
            yield from _relations_with(name, inner)
        case Joined(_, left, right):
            yield from _relations_with(name, left)
            yield from _relations_with(name, right)
        case _:
            return


def _typed_leaves(related: Related, name: str, scope: Scope) -> Iterator[str]:
    for side in (related.left, related.right):
        for part in subterms(side):
            kind = scope.types.get(part.name) if isinstance(part, Variable) and part.name != name else None
            if isinstance(kind, str) and kind:
                yield kind
