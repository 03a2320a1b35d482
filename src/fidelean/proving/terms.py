"""The tree of a Lean signature that we state ourselves: terms, propositions, binders.

Carriers are written as Lean writes them: ``Nat``, ``Int``, ``Rat``, or the name of a generic field.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

__all__ = [
    "Applied",
    "Ascribed",
    "Binary",
    "Connective",
    "Falsum",
    "Joined",
    "Negated",
    "Negative",
    "Numeral",
    "Proposition",
    "Quantified",
    "Quantifier",
    "Related",
    "Term",
    "Unread",
    "Variable",
    "conjuncts",
    "mentioned",
    "subterms",
    "terms_of",
]


class Connective(StrEnum):
    """What joins two propositions, as Lean writes it."""

    AND = "∧"
    """Both hold."""
    OR = "∨"
    """One of them holds."""
    IMPLIES = "→"
    """The second holds where the first does."""
    IFF = "↔"
    """Both hold or neither."""


class Quantifier(StrEnum):
    """The two quantifiers, as Lean writes them."""

    ALL = "∀"
    """For every value."""
    SOME = "∃"
    """For at least one value."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """A natural number written in digits."""

    value: int
    """The number."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A name bound by a binder or a quantifier."""

    name: str
    """As written."""


@dataclass(frozen=True, slots=True)
class Negative:
    """``-t``."""

    term: Term
    """What the sign stands before."""


@dataclass(frozen=True, slots=True)
class Binary:
    """Two terms joined by ``+ - * / % ^``."""

    operator: str
    """The sign."""
    left: Term
    """Left operand."""
    right: Term
    """Right operand; of a power, a term over Nat."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A function variable at its arguments."""

    function: str
    """The function's name."""
    arguments: tuple[Term, ...]
    """As many as its type takes."""


@dataclass(frozen=True, slots=True)
class Ascribed:
    """``(t : Rat)``."""

    term: Term
    """What is ascribed."""
    carrier: str
    """The type written behind the colon."""


Term = Numeral | Variable | Negative | Binary | Applied | Ascribed


@dataclass(frozen=True, slots=True)
class Related:
    """Two terms of one carrier in a relation ``= ≠ < ≤ > ≥ ∣``."""

    relation: str
    """The sign."""
    left: Term
    """Left side."""
    right: Term
    """Right side."""
    carrier: str = ""
    """The carrier both sides live in; empty before types were settled."""


@dataclass(frozen=True, slots=True)
class Negated:
    """``¬ P``."""

    body: Proposition
    """What is denied."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Two propositions joined by a connective."""

    connective: Connective
    """Which one."""
    left: Proposition
    """Left side."""
    right: Proposition
    """Right side."""


@dataclass(frozen=True, slots=True)
class Quantified:
    """``∀ x : T, P`` or ``∃ x : T, P``, one name each; a bound ``∀ x < t, P`` is read as ``∀ x, x < t → P``."""

    quantifier: Quantifier
    """Which one."""
    name: str
    """The bound name."""
    carrier: str
    """The carrier of the name; empty before types were settled."""
    body: Proposition
    """What is said of it."""


@dataclass(frozen=True, slots=True)
class Falsum:
    """``False``."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A closed proposition that is passed through as written."""

    text: str
    """Lean's own text."""


Proposition = Related | Negated | Joined | Quantified | Falsum | Unread


def subterms(term: Term) -> Iterator[Term]:
    """The term and everything in it, outermost first."""
    yield term
    match term:
        case Negative(inner) | Ascribed(inner, _):
            yield from subterms(inner)
        case Binary(_, left, right):
            yield from subterms(left)
            yield from subterms(right)
        case Applied(_, arguments):
            for argument in arguments:
                yield from subterms(argument)
        case _:
            return


def terms_of(proposition: Proposition) -> Iterator[Term]:
    """Both sides of every relation in the proposition."""
    match proposition:
        case Related(_, left, right, _):
            yield left
            yield right
        case Negated(body) | Quantified(_, _, _, body):
            yield from terms_of(body)
        case Joined(_, left, right):
            yield from terms_of(left)
            yield from terms_of(right)
        case _:
            return


def mentioned(proposition: Proposition) -> frozenset[str]:
    """Names of variables and functions that occur, bound ones included."""
    found: set[str] = set()
    for term in terms_of(proposition):
        for part in subterms(term):
            if isinstance(part, Variable):
                found.add(part.name)
            elif isinstance(part, Applied):
                found.add(part.function)
    return frozenset(found)


def conjuncts(proposition: Proposition) -> tuple[Proposition, ...]:
    """The parts of a conjunction, left to right."""
    if isinstance(proposition, Joined) and proposition.connective is Connective.AND:
        return (*conjuncts(proposition.left), *conjuncts(proposition.right))
    return (proposition,)
