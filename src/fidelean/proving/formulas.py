"""Reading terms and propositions with Lean's own precedences; types are settled afterwards (``typing_rules``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fidelean.proving.lexing import MAX_DEPTH, NotRead, Tokens
from fidelean.proving.signature import FunctionType
from fidelean.proving.terms import (
    Applied,
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
)

__all__ = ["RELATIONS", "Scope", "read_proposition"]

RELATIONS = frozenset("= ≠ < ≤ > ≥ ∣".split())
CARRIERS = frozenset({"Nat", "Int", "Rat"})

_INFIX = {
    "↔": (20, 21),
    "→": (25, 25),
    "∨": (30, 30),
    "∧": (35, 35),
    **dict.fromkeys(RELATIONS, (50, 51)),
    **dict.fromkeys("+-", (65, 66)),
    **dict.fromkeys("*/%", (70, 71)),
    "^": (75, 75),
}
_ENDS_AT = {**dict.fromkeys(RELATIONS, 50), "↔": 20}
"""Signs that do not chain: after one, no sign of its level may follow."""

Formula = Term | Proposition


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that may occur."""

    types: Mapping[str, str | FunctionType]
    """Variables in force with their types; the type is empty for a bound name whose type is still to be settled."""
    generic: str | None = None
    """The name of the generic carrier."""

    def with_name(self, name: str, carrier: str) -> Scope:
        """The scope inside a quantifier."""
        return Scope({**self.types, name: carrier}, self.generic)

    def is_carrier(self, word: str) -> bool:
        """Whether ``word`` is a carrier."""
        return word in CARRIERS or (self.generic is not None and word == self.generic)


def is_name(token: str) -> bool:
    """Whether a token is a plain name."""
    return bool(token) and (token[0].isalpha() or token[0] == "_") and "." not in token


def read_proposition(tokens: Tokens, scope: Scope) -> Proposition:
    """Read a proposition up to the first token that cannot continue it. Raises ``NotRead``."""
    return _proposition(_formula(tokens, scope, 0))


def _proposition(formula: Formula) -> Proposition:
    if isinstance(formula, Term):
        raise NotRead("a term stands where a proposition should")
    return formula


def _term(formula: Formula) -> Term:
    if not isinstance(formula, Term):
        raise NotRead("a proposition stands where a term should")
    return formula


def _formula(tokens: Tokens, scope: Scope, level: int) -> Formula:
    tokens.depth += 1
    if tokens.depth > MAX_DEPTH:
        raise NotRead("brackets are nested too deeply")
    left = _prefix(tokens, scope)
    ceiling = 1_000
    while (sign := tokens.next) in _INFIX:
        own, right_level = _INFIX[sign]
        if own < level or own >= ceiling:
            break
        tokens.take()
        left = _join(sign, left, _formula(tokens, scope, right_level))
        ceiling = _ENDS_AT.get(sign, 1_000)
    tokens.depth -= 1
    return left


def _join(sign: str, left: Formula, right: Formula) -> Formula:
    if sign in RELATIONS:
        return Related(sign, _term(left), _term(right))
    if sign in tuple(Connective):
        return Joined(Connective(sign), _proposition(left), _proposition(right))
    return Binary(sign, _term(left), _term(right))


def _prefix(tokens: Tokens, scope: Scope) -> Formula:
    sign = tokens.next
    if sign == "-":
        tokens.take()
        return Negative(_term(_formula(tokens, scope, 75)))
    if sign == "¬":
        tokens.take()
        return Negated(_proposition(_formula(tokens, scope, 40)))
    if sign in tuple(Quantifier):
        return _quantified(tokens, scope)
    if sign == "False":
        tokens.take()
        return Falsum()
    kind = scope.types.get(sign)
    if isinstance(kind, FunctionType):
        tokens.take()
        return Applied(sign, tuple(_argument(tokens, scope) for _ in kind.arguments))
    return _atom(tokens, scope)


def _argument(tokens: Tokens, scope: Scope) -> Term:
    if isinstance(scope.types.get(tokens.next), FunctionType):
        raise NotRead(f"the function {tokens.next} stands without brackets")
    return _term(_atom(tokens, scope))


def _atom(tokens: Tokens, scope: Scope) -> Formula:
    word = tokens.take()
    if word.isascii() and word.isdigit():
        return Numeral(int(word))
    if word == "(":
        inner = _formula(tokens, scope, 0)
        if tokens.accept(":"):
            inner = Ascribed(_term(inner), _carrier(tokens, scope))
        tokens.expect(")")
        return inner
    if word in scope.types:
        return Variable(word)
    raise NotRead(f"{word} is not read")


def _carrier(tokens: Tokens, scope: Scope) -> str:
    word = tokens.take()
    if not scope.is_carrier(word):
        raise NotRead(f"the type {word} is not read")
    return word


def _quantified(tokens: Tokens, scope: Scope) -> Proposition:
    quantifier = Quantifier(tokens.take())
    groups: list[tuple[list[str], str]] = []
    if tokens.next == "(":
        while tokens.accept("("):
            groups.append(_group(tokens, scope))
            tokens.expect(")")
    else:
        groups.append(_group(tokens, scope))
    bound: tuple[str, Term] | None = None
    if tokens.next in RELATIONS and len(groups) == 1 and len(groups[0][0]) == 1:
        sign = tokens.take()
        bound = (sign, _term(_formula(tokens, scope, 51)))
    tokens.expect(",")
    names = [(name, carrier) for group, carrier in groups for name in group]
    inner = scope
    for name, carrier in names:
        if name in inner.types:
            raise NotRead(f"{name} is bound twice")
        inner = inner.with_name(name, carrier)
    body = _proposition(_formula(tokens, inner, 0))
    if bound is not None:
        connective = Connective.IMPLIES if quantifier is Quantifier.ALL else Connective.AND
        body = Joined(connective, Related(bound[0], Variable(names[0][0]), bound[1]), body)
    for name, carrier in reversed(names):
        body = Quantified(quantifier, name, carrier, body)
    return body


def _group(tokens: Tokens, scope: Scope) -> tuple[list[str], str]:
    names: list[str] = []
    while is_name(tokens.next):
        names.append(tokens.take())
    if not names:
        raise NotRead(f"{tokens.next or 'the end'} stands where a bound name should")
    return names, _carrier(tokens, scope) if tokens.accept(":") else ""
