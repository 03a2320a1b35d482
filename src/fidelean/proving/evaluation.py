"""Evaluating terms and propositions at exact values, strictly: where Lean has only a conventional value, there is none here.

No division by zero, no truncated difference over Nat, no quotient of integers that leaves a remainder: a counterexample that needs one
is none (evaluate-proof, 5d). Connectives are read left to right, so ``x = 0 ∨ 1 / x > 0`` has a value at 0.
"""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import prod

from fidelean.proving.polynomials import NotPolynomial, quotient_of, simplified
from fidelean.proving.terms import (
    Ascribed,
    Binary,
    Connective,
    Falsum,
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
    subterms,
)

__all__ = ["NoValue", "Number", "compiled", "compiled_term", "holds"]

Number = int | Fraction
Values = Mapping[str, Number]
MAX_BITS = 4_096

_RELATIONS: dict[str, Callable[[Number, Number], bool]] = {
    "=": operators.eq,
    "≠": operators.ne,
    "<": operators.lt,
    "≤": operators.le,
    ">": operators.gt,
    "≥": operators.ge,
}


class NoValue(Exception):
    """A term or proposition has no value here, or none that this module computes. Never leaves this package."""


def holds(proposition: Proposition, values: Values) -> bool | None:
    """Whether the proposition holds at the values; None where it has no value."""
    try:
        return compiled(proposition)(values)
    except NoValue:
        return None


def compiled_term(term: Term, carrier: str) -> Callable[[Values], Number]:
    """A function that evaluates the term; it raises ``NoValue``."""
    match term:
        case Numeral(value):
            return lambda _values: value
        case Variable(name):
            return operators.itemgetter(name)
        case Negative(inner):
            negated = compiled_term(inner, carrier)
            return lambda values: -negated(values)
        case Ascribed(inner, _):
            return compiled_term(inner, carrier)
        case Binary("^", base, exponent):
            return _power(compiled_term(base, carrier), compiled_term(exponent, "Nat"))
        case Binary(operator, left, right):
            return _operation(operator, carrier, compiled_term(left, carrier), compiled_term(right, carrier))
        case _:
            raise NoValue("a function variable has no value")


def _operation(
    operator: str, carrier: str, left: Callable[[Values], Number], right: Callable[[Values], Number]
) -> Callable[[Values], Number]:
    if operator == "+":
        return lambda values: left(values) + right(values)
    if operator == "*":
        return lambda values: left(values) * right(values)
    if operator == "-" and carrier != "Nat":
        return lambda values: left(values) - right(values)
    step = {"-": _difference, "/": _quotient if carrier == "Rat" else _exact_quotient, "%": _remainder}[operator]
    if operator == "%" and carrier == "Rat":
        raise NoValue("remainders of fractions have no value here")
    return lambda values: step(left(values), right(values))


def _difference(left: Number, right: Number) -> Number:
    if right > left:
        raise NoValue("a difference over Nat is truncated")
    return left - right


def _quotient(left: Number, right: Number) -> Number:
    if right == 0:
        raise NoValue("a denominator is zero")
    return simplified(Fraction(left) / right)


def _exact_quotient(left: Number, right: Number) -> Number:
    if right == 0 or left % right:
        raise NoValue("a quotient of integers leaves a remainder")
    return left // right


def _remainder(left: Number, right: Number) -> Number:
    if right == 0:
        raise NoValue("a modulus is zero")
    return left % abs(right)


def _power(base: Callable[[Values], Number], exponent: Callable[[Values], Number]) -> Callable[[Values], Number]:
    def power(values: Values) -> Number:
        number, times = base(values), exponent(values)
        if max(number.numerator.bit_length(), number.denominator.bit_length()) * times > MAX_BITS:
            raise NoValue("a power is too large")
        return number ** int(times)

    return power


def compiled(proposition: Proposition) -> Callable[[Values], bool]:
    """A function that decides the proposition; it raises ``NoValue``, as this function does where there is no way to decide it."""
    match proposition:
        case Related(relation, left, right, carrier):
            return _relation(relation, carrier, compiled_term(left, carrier), compiled_term(right, carrier))
        case Negated(body):
            denied = compiled(body)
            return lambda values: not denied(values)
        case Joined(connective, left, right):
            return _connective(connective, compiled(left), compiled(right))
        case Quantified():
            return lambda values: _identity_holds(proposition, values)
        case Falsum():
            return lambda _values: False
        case _:
            raise NoValue("a text that was not read has no value")


def _relation(relation: str, carrier: str, left: Callable[[Values], Number], right: Callable[[Values], Number]) -> Callable[[Values], bool]:
    if relation != "∣":
        compare = _RELATIONS[relation]
        return lambda values: compare(left(values), right(values))
    if carrier == "Rat":
        raise NoValue("divisibility of fractions has no value here")

    def divides(values: Values) -> bool:
        divisor, number = left(values), right(values)
        return number == 0 if divisor == 0 else number % divisor == 0

    return divides


def _connective(connective: Connective, left: Callable[[Values], bool], right: Callable[[Values], bool]) -> Callable[[Values], bool]:
    match connective:
        case Connective.AND:
            return lambda values: left(values) and right(values)
        case Connective.OR:
            return lambda values: left(values) or right(values)
        case Connective.IMPLIES:
            return lambda values: not left(values) or right(values)
        case Connective.IFF:
            return lambda values: left(values) == right(values)


def _identity_holds(proposition: Quantified, values: Values) -> bool:
    """Whether an equation holds for every value of the quantified names: over our carriers, whether it is a polynomial identity."""
    names: set[str] = set()
    body: Proposition = proposition
    while isinstance(body, Quantified) and body.quantifier is Quantifier.ALL:
        names.add(body.name)
        body = body.body
    if not isinstance(body, Related) or body.relation != "=":
        raise NoValue("only identities under a quantifier are decided here")
    try:
        (left, below), (right, under) = quotient_of(body.left), quotient_of(body.right)
        if below.names or under.names or _is_junk_prone(body):
            raise NoValue("an identity with a denominator or a difference over Nat is not decided here")
        difference = left * under - right * below
    except NotPolynomial as fault:
        raise NoValue(str(fault)) from None
    by_bound: dict[object, Number] = {}
    for monomial, factor in difference.terms.items():
        bound = tuple(part for part in monomial if part[0] in names)
        coefficient = factor * prod(values[name] ** exponent for name, exponent in monomial if name not in names)
        by_bound[bound] = by_bound.get(bound, 0) + coefficient
    return not any(by_bound.values())


def _is_junk_prone(related: Related) -> bool:
    junk = {"Nat": "-/%", "Int": "/%"}.get(related.carrier, "%")
    return any(isinstance(part, Binary) and part.operator in junk for side in (related.left, related.right) for part in subterms(side))
