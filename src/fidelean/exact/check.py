"""Numeric claims → outcomes: FaithSieve's arithmetic checker, with our extensions (no model, no evaluation of text).

A claim is a chain of sides joined by relations. It is refuted if one link is refuted, passed if every link passes, and inconclusive
otherwise. A link with ambiguous sides is decided only where every reading agrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from fidelean.exact.evaluation import Value, evaluate, value_text
from fidelean.exact.novalue import NoValue
from fidelean.exact.relation import congruent, relate
from fidelean.informal.maths.parser import NotRead, parse_chain
from fidelean.informal.maths.tree import Ambiguous, Apply, BigOperator, Binary, Chain, Constant, Expression, Name, Negate, Number, Relation, Unit
from fidelean.informal.maths.tree import children, names, readings, units
from fidelean.informal.records import Claim, Span
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import ArithmeticPolicy

__all__ = ["CheckedClaim", "check_chain", "check_claim"]

_DEFAULT = ArithmeticPolicy()
_MAX_READINGS = 16


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A numeric claim with what exact arithmetic says of it."""

    claim: Claim
    """The claim as written."""
    outcome: Outcome
    """Passed, refuted, or inconclusive with its reason."""
    values: tuple[str, ...] = ()
    """The exact value of each side, left to right, as text; empty where a side has none."""
    broken: Span | None = None
    """The first link that does not hold, as a span of the claim's text; None unless refuted."""


def check_claim(text: str, policy: ArithmeticPolicy = _DEFAULT) -> CheckedClaim:
    """Decide one numeric claim written in LaTeX, Unicode or plain text.

    Never raises for any text and never evaluates it: what is outside the grammar is ``Inconclusive`` with a reason.

    >>> check_claim("1^2+2^2=7").outcome
    Refuted(detail='1^2+2^2 is 5, not 7')
    """
    claim = Claim(text)
    if len(text) > policy.max_claim_chars:
        return CheckedClaim(claim, Inconclusive(Reason.TOO_LARGE, f"more than {policy.max_claim_chars} characters"))
    try:
        chain = parse_chain(text, max_depth=policy.max_depth)
    except NotRead as answer:
        return CheckedClaim(claim, Inconclusive(answer.reason, answer.detail))
    return check_chain(chain, claim, policy)


def check_chain(chain: Chain, claim: Claim, policy: ArithmeticPolicy = _DEFAULT, *, source: str | None = None) -> CheckedClaim:
    """Decide a chain; its spans point into ``source``, by default the claim's own text."""
    text = claim.text if source is None else source
    origin = 0 if source is None or claim.span is None else claim.span.start
    reason = _out_of_reach(chain)
    if reason is not None:
        return CheckedClaim(claim, reason)
    outcomes = [_link(chain, index, text, policy) for index in range(len(chain.relations))]
    broken = next((index for index, outcome in enumerate(outcomes) if isinstance(outcome, Refuted)), None)
    if broken is not None:
        span = Span(chain.spans[broken].start - origin, chain.spans[broken + 1].end - origin)
        return CheckedClaim(claim, outcomes[broken], _values(chain, policy), span)
    outcome = next((outcome for outcome in outcomes if not isinstance(outcome, Passed)), Passed("exact arithmetic"))
    return CheckedClaim(claim, outcome, _values(chain, policy))


def _out_of_reach(chain: Chain) -> Inconclusive | None:
    free = frozenset[str]().union(*(names(side) for side in chain.sides))
    if chain.modulus is not None:
        free |= names(chain.modulus)
    if free:
        return Inconclusive(Reason.HAS_VARIABLE, f"{', '.join(sorted(free)[:5])} has no value here")
    carried = [units(side) for side in chain.sides]
    if len(frozenset[str]().union(*carried)) > 1:
        return Inconclusive(Reason.UNITS_DIFFER, f"the units {', '.join(sorted(frozenset[str]().union(*carried))[:5])} differ")
    return None


def _link(chain: Chain, index: int, text: str, policy: ArithmeticPolicy) -> Outcome:
    left, right = chain.sides[index], chain.sides[index + 1]
    if _is_conversion(left, right):
        return Inconclusive(Reason.UNITS_DIFFER, "a quantity with a unit, and a calculation without one")
    if (_has_arc(left) or _has_arc(right)) and not (_has_arc(left) and _has_arc(right)) and not any(map(_names_an_angle, (left, right))):
        return Inconclusive(Reason.AMBIGUOUS, "an angle without its unit")
    left, right = _degrees_alike(left, right)
    left, right = _percentages_alike(left, right)
    choices = list(product(readings(left), readings(right)))
    if len(choices) > _MAX_READINGS:
        return Inconclusive(Reason.AMBIGUOUS, "too many readings")
    outcomes: list[Outcome] = []
    for left_reading, right_reading in choices:
        outcomes.extend(_decide(left_reading, chain.relations[index], right_reading, chain.modulus, policy))
    kinds = {type(outcome) for outcome in outcomes}
    if len(kinds) > 1:
        return Inconclusive(Reason.AMBIGUOUS, "the readings of the text disagree")
    first = outcomes[0]
    return Refuted(_explanation(chain, index, text, first.detail, policy)) if isinstance(first, Refuted) else first


def _decide(left: Expression, relation: Relation, right: Expression, modulus: Expression | None, policy: ArithmeticPolicy) -> list[Outcome]:
    try:
        if modulus is not None and relation in (Relation.EQUAL, Relation.CONGRUENT):
            return [congruent(evaluate(left, policy), evaluate(right, policy), evaluate(modulus, policy))]
        found = [relate((left, evaluate(left, policy)), relation, (right, evaluate(right, policy)), policy)]
        if relation is Relation.EQUAL and isinstance(right, Binary) and right.operator == "mod":
            # "15 = 0 mod 5": a remainder, or a congruence in other words
            found.append(congruent(evaluate(left, policy), evaluate(right.left, policy), evaluate(right.right, policy)))
    except NoValue as answer:
        return [Inconclusive(answer.reason, answer.detail)]
    return found


def _explanation(chain: Chain, index: int, text: str, detail: str, policy: ArithmeticPolicy) -> str:
    """What breaks an equality, naming the side that is more than a numeral."""
    if chain.relations[index] is not Relation.EQUAL or chain.modulus is not None:
        return detail
    try:
        left, right = (value_text(evaluate(chain.sides[i], policy)) for i in (index, index + 1))
    except NoValue:
        return detail
    shown = [text[chain.spans[i].start : chain.spans[i].end] for i in (index, index + 1)]
    if isinstance(chain.sides[index], Number) and not isinstance(chain.sides[index + 1], Number):
        return f"{shown[1]} is {right}, not {left}"
    if isinstance(chain.sides[index], Number):
        return f"{left} is not {right}"
    return f"{shown[0]} is {left}, not {right}"


def _values(chain: Chain, policy: ArithmeticPolicy) -> tuple[str, ...]:
    try:
        return tuple(value_text(evaluate(readings(side)[0], policy)) if len(readings(side)) == 1 else "?" for side in chain.sides)
    except NoValue:
        return ()


def _degrees_alike(left: Expression, right: Expression) -> tuple[Expression, Expression]:
    """A degree sign on one side only is a unit, unless the other side speaks of π."""
    marked = [_has_degrees(side) for side in (left, right)]
    if marked[0] == marked[1] or _has_pi(left) or _has_pi(right) or _has_arc(left) or _has_arc(right):
        return left, right
    return _without_degrees(left), _without_degrees(right)


def _has_degrees(tree: Expression) -> bool:
    if isinstance(tree, Apply) and tree.function in ("sin", "cos", "tan", "cot", "sec", "csc"):
        return False
    return (isinstance(tree, Apply) and tree.function == "degree") or any(_has_degrees(child) for child in children(tree))


def _is_conversion(left: Expression, right: Expression) -> bool:
    """"5 weeks = 5 * 7": the left side is a quantity, the right side a number of another unit that goes unsaid."""
    return isinstance(left, Unit) and left.unit != "$" and isinstance(left.operand, Number) and not isinstance(right, Number) and not units(right)


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
    """"12/48 × 100 = 25 %": where the other side multiplies by 100, the sign may be a unit."""
    if isinstance(right, Apply) and right.function == "percent" and _multiplies_by_hundred(left):
        return left, Ambiguous(right, right.arguments[0])
    return left, right


def _multiplies_by_hundred(tree: Expression) -> bool:
    if isinstance(tree, Binary) and tree.operator in ("*", "/"):
        return any(_multiplies_by_hundred(child) for child in (tree.left, tree.right))
    return isinstance(tree, Number) and tree.value == 100
