"""Mathematics as a tree: what the reader of LaTeX, Unicode and plain text produces.

A tree says what was written, not what it is worth. Where the text has two readings, an ``Ambiguous`` node keeps both.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from itertools import islice, product
from typing import NamedTuple, TypeAlias

from fidelean.informal.records import Span

__all__ = [
    "Ambiguous",
    "Apply",
    "BigOperator",
    "Binary",
    "Chain",
    "Constant",
    "Expression",
    "Name",
    "Negate",
    "Number",
    "Relation",
    "Unit",
    "children",
    "is_deeper",
    "names",
    "readings",
    "units",
    "with_children",
]


class Relation(StrEnum):
    """What two neighbouring sides of a chain are said to be to each other."""

    EQUAL = "="
    NOT_EQUAL = "≠"
    LESS = "<"
    LESS_EQUAL = "≤"
    GREATER = ">"
    GREATER_EQUAL = "≥"
    ABOUT = "≈"
    CONGRUENT = "≡"
    DIVIDES = "∣"
    NOT_DIVIDES = "∤"


class Number(NamedTuple):
    """A numeral."""

    value: Fraction | int
    """Its exact value."""
    decimals: int | None = None
    """Digits after the decimal point; None for an integer numeral."""


class Constant(NamedTuple):
    """π or e."""

    name: str
    """``pi`` or ``e``."""


class Name(NamedTuple):
    """A letter, possibly with a subscript: a variable as far as anybody can tell."""

    name: str
    """As written, without spaces."""


class Negate(NamedTuple):
    """A leading minus sign."""

    operand: Expression
    """What it stands before."""


class Binary(NamedTuple):
    """Two operands and one of ``+ - * / ^ mod``."""

    operator: str
    """The operator."""
    left: Expression
    """Left operand; the base of a power."""
    right: Expression
    """Right operand; the exponent of a power."""


class Apply(NamedTuple):
    """A named function applied to its arguments: ``sqrt``, ``root``, ``binom``, ``factorial``, ``percent`` ..."""

    function: str
    """The function's name."""
    arguments: tuple[Expression, ...]
    """Its arguments, in the usual order (``root``: radicand, index; ``log``: argument, base)."""


class BigOperator(NamedTuple):
    """A finite sum or product with an index."""

    operator: str
    """``sum`` or ``prod``."""
    variable: str
    """The index's name, bound in ``body``."""
    low: Expression
    """First value of the index."""
    high: Expression
    """Last value of the index."""
    body: Expression
    """The general term."""


class Unit(NamedTuple):
    """An operand with a unit, a currency or a counted noun behind it."""

    operand: Expression
    """The number part."""
    unit: str
    """The unit, lower case, singular as far as an ending tells."""


class Ambiguous(NamedTuple):
    """A text with two readings."""

    first: Expression
    """One reading."""
    second: Expression
    """The other."""


Expression: TypeAlias = Number | Constant | Name | Negate | Binary | Apply | BigOperator | Unit | Ambiguous


class Chain(NamedTuple):
    """Sides joined by relations, ``a = b < c``: a claim as long as it has at least one relation."""

    sides: tuple[Expression, ...]
    """The sides, at least two."""
    relations: tuple[Relation, ...]
    """``relations[i]`` stands between ``sides[i]`` and ``sides[i + 1]``."""
    spans: tuple[Span, ...]
    """Where each side stands in the text that was read."""
    modulus: Expression | None = None
    """The modulus, where the chain ends in "(mod m)"."""


def children(tree: Expression) -> tuple[Expression, ...]:
    """The direct subtrees, left to right; an index of a sum is no subtree."""
    if isinstance(tree, Number | Constant | Name):
        return ()
    if isinstance(tree, Binary):
        return (tree.left, tree.right)
    if isinstance(tree, Negate | Unit):
        return (tree.operand,)
    if isinstance(tree, Apply):
        return tree.arguments
    return (tree.first, tree.second) if isinstance(tree, Ambiguous) else (tree.low, tree.high, tree.body)


def is_deeper(tree: Expression, limit: int) -> bool:
    """Whether a tree has more than ``limit`` levels; never recurses, so that any tree can be asked about."""
    level: list[Expression] = [tree]
    for _ in range(limit):
        level = [child for parent in level for child in children(parent)]
        if not level:
            return False
    return True


def names(tree: Expression) -> frozenset[str]:
    """The free names of a tree."""
    found: set[str] = set()
    _collect_names(tree, found)
    return frozenset(found)


def _collect_names(tree: Expression, found: set[str]) -> None:
    if isinstance(tree, Name):
        found.add(tree.name)
    elif isinstance(tree, BigOperator):
        found |= names(tree.low) | names(tree.high) | (names(tree.body) - {tree.variable})
    else:
        for child in children(tree):
            _collect_names(child, found)


def units(tree: Expression) -> frozenset[str]:
    """The units that occur in a tree."""
    found = frozenset[str]().union(*(units(child) for child in children(tree)))
    return found | {tree.unit} if isinstance(tree, Unit) else found


def readings(tree: Expression, limit: int = 17) -> list[Expression]:
    """Every reading of a tree, none of them ambiguous; at most ``limit`` of them."""
    if isinstance(tree, Ambiguous):
        return [*readings(tree.first, limit), *readings(tree.second, limit)][:limit]
    parts = children(tree)
    if not parts:
        return [tree]
    choices = [readings(part, limit) for part in parts]
    if all(len(choice) == 1 for choice in choices):
        return (
            [with_children(tree, [choice[0] for choice in choices])]
            if any(c[0] is not p for c, p in zip(choices, parts, strict=True))
            else [tree]
        )
    return [with_children(tree, list(combination)) for combination in islice(product(*choices), limit)]


def with_children(tree: Expression, parts: list[Expression]) -> Expression:
    """The same node over other subtrees, as many and in the same order as ``children`` gives."""
    match tree:
        case Negate():
            return Negate(parts[0])
        case Unit(_, unit):
            return Unit(parts[0], unit)
        case Binary(operator):
            return Binary(operator, parts[0], parts[1])
        case Apply(function):
            return Apply(function, tuple(parts))
        case BigOperator(operator, index):
            return BigOperator(operator, index, parts[0], parts[1], parts[2])
        case _:
            return tree
