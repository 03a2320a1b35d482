"""What two neighbouring sides leave unsaid: whether a degree or a percent sign on one of them is a unit, whether a unit is converted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fidelean.informal.maths.tree import (
    Ambiguous,
    Apply,
    BigOperator,
    Binary,
    Constant,
    Expression,
    Name,
    Negate,
    Number,
    Unit,
    children,
    units,
)
from fidelean.outcome import Inconclusive, Reason

__all__ = ["MARKS", "alike", "kinds", "one_logarithm"]

MARKS = frozenset(("Unit", "degree", "percent", "arcsin", "arccos", "arctan"))
"""Kinds of nodes without which nothing is left unsaid, and ``alike`` has nothing to do."""


def kinds(tree: Expression, found: set[str] | None = None) -> set[str]:
    """The kinds of nodes that occur in a tree: the names of classes, numerals left out, and of functions."""
    if found is None:
        found = set()
    waiting: list[Expression] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Number):
            continue
        found.add(type(node).__name__)
        if isinstance(node, Apply):
            found.add(node.function)
        waiting += (node.left, node.right) if isinstance(node, Binary) else children(node)
    return found


def one_logarithm(trees: Iterable[Expression]) -> bool:
    """Whether all logarithms without a base are read with the same one; an author does not change it within a formula."""
    return len({type(base) for tree in trees for base in _bases(tree)}) < 2


def _bases(tree: Expression) -> Iterator[Expression]:
    if isinstance(tree, Apply) and tree.function == "log" and tree.arguments[1] in (Number(10), Constant("e")):
        yield tree.arguments[1]
    for child in children(tree):
        yield from _bases(child)


def alike(left: Expression, right: Expression) -> tuple[Expression, Expression] | Inconclusive:
    """The sides as they are to be compared, or why they cannot be."""
    if _is_conversion(left, right):
        return Inconclusive(Reason.UNITS_DIFFER, "a quantity with a unit, and a calculation without one")
    if _has_arc(left) != _has_arc(right) and not any(map(_names_an_angle, (left, right))):
        return Inconclusive(Reason.AMBIGUOUS, "an angle without its unit")
    return _percentages_alike(*_degrees_alike(left, right))


def _degrees_alike(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """A degree sign is a unit like any other, unless a side speaks of π or gives an angle as a value of an inverse function."""
    if not (_has_degrees(left) or _has_degrees(right)) or _has_pi(left) or _has_pi(right) or _has_arc(left) or _has_arc(right):
        return left, right
    return _without_degrees(left), _without_degrees(right)


def _has_degrees(tree: Expression) -> bool:
    if isinstance(tree, Apply) and tree.function in ("sin", "cos", "tan", "cot", "sec", "csc"):
        return False
    return (isinstance(tree, Apply) and tree.function == "degree") or any(_has_degrees(child) for child in children(tree))


def _is_conversion(left: Expression, right: Expression) -> bool:
    """Whether, as in "5 weeks = 5 * 7", the left side is a quantity, the right side a number of another unit that goes unsaid."""
    return (
        isinstance(left, Unit)
        and left.unit != "$"
        and isinstance(left.operand, Number)
        and not isinstance(right, Number)
        and not units(right)
    )


def _has_arc(tree: Expression) -> bool:
    return (isinstance(tree, Apply) and tree.function.startswith("arc")) or any(_has_arc(child) for child in children(tree))


def _names_an_angle(tree: Expression) -> bool:
    return not _has_arc(tree) and (_has_degrees(tree) or _has_pi(tree))


def _has_pi(tree: Expression) -> bool:
    return isinstance(tree, Constant) or any(_has_pi(child) for child in children(tree))


def _without_degrees(tree: Expression) -> Expression:
    match tree:
        case Apply("degree", (operand,)):
            return operand
        case Negate(operand):
            return Negate(_without_degrees(operand))
        case Binary(operator, left, right):
            return Binary(operator, _without_degrees(left), _without_degrees(right))
        case Ambiguous(first, second):
            return Ambiguous(_without_degrees(first), _without_degrees(second))
        case Unit(operand, unit):
            return Unit(_without_degrees(operand), unit)
        case Number() | Constant() | Name() | Apply() | BigOperator():
            return tree


def _percentages_alike(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """Read "12/48 × 100 = 25 %" both ways: where the other side multiplies by 100, the sign may be a unit."""
    if isinstance(right, Apply) and right.function == "percent" and _multiplies_by_hundred(left):
        return left, Ambiguous(right, right.arguments[0])
    return left, right


def _multiplies_by_hundred(tree: Expression) -> bool:
    if isinstance(tree, Binary) and tree.operator in ("*", "/"):
        return any(_multiplies_by_hundred(child) for child in (tree.left, tree.right))
    return isinstance(tree, Number) and tree.value == 100
