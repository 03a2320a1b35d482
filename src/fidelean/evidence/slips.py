"""Slips: how far a link that breaks looks like a mistake in algebra, whatever else is known of its variables.

A relation between the variables excuses a broken link only if the difference of its sides is a multiple of it.
"""

from __future__ import annotations

from enum import Enum, auto

from fidelean.decomposition.records import Condition
from fidelean.evidence.wording import binds_in_words, says_vanishing
from fidelean.exact.ideals import Equation
from fidelean.exact.novalue import NoValue
from fidelean.exact.polynomials import Difference, difference, loses_degree
from fidelean.informal.maths.tree import Binary
from fidelean.policy import ArithmeticPolicy

__all__ = ["Slip", "kind_of", "may_excuse"]


class Slip(Enum):
    """What the difference of the sides of a broken link looks like."""

    ONE_TERM = auto()
    """One product of powers: the link holds only where one of its variables is 0."""
    LOWER_TERMS = auto()
    """The leading terms agree: the same expression in another form, with a mistake in it."""
    NONE = auto()
    """Neither: a relation between the variables may have been used."""


def kind_of(sides: Equation, found: Difference, policy: ArithmeticPolicy) -> Slip:
    """What the difference of two sides, ``found``, looks like."""
    if len(found.numerator) == 1 and "i" not in found.variables:
        return Slip.ONE_TERM
    return Slip.LOWER_TERMS if _keeps_leading_terms(sides, policy) else Slip.NONE


def may_excuse(condition: Condition, kind: Slip) -> bool:
    """Whether words may say of the variables what makes a broken link hold."""
    if kind is Slip.NONE:
        return True
    if kind is Slip.LOWER_TERMS:
        return binds_in_words(condition.text) or says_vanishing(condition.text)
    return says_vanishing(condition.text)


def _keeps_leading_terms(sides: Equation, policy: ArithmeticPolicy) -> bool:
    """Whether the leading terms of both sides agree; quotients by the same denominator are compared by their numerators."""
    left, right = sides
    try:
        match left, right:
            case Binary("/", top, bottom), Binary("/", other_top, other_bottom) if difference(bottom, other_bottom, policy).is_identity:
                left, right = top, other_top
            case _:
                pass
        return loses_degree(left, difference(left, right, policy), policy)
    except NoValue:
        return False
