"""Numeric claims → outcomes: FaithSieve's arithmetic checker, with our extensions (no model, no evaluation of text).

A claim is a chain of sides joined by relations. It is refuted if one link is refuted, passed if every link passes, and inconclusive
otherwise. A link with ambiguous sides is decided only where every reading agrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from fidelean.exact.budget import Budget
from fidelean.exact.conventions import MARKS, alike, kinds, one_logarithm
from fidelean.exact.evaluation import evaluate, value_text
from fidelean.exact.novalue import NoValue
from fidelean.exact.relation import congruent, relate
from fidelean.informal.maths.parser import NotRead, parse_chain
from fidelean.informal.maths.tree import Ambiguous, Binary, Chain, Expression, Number, Relation, names, readings, units
from fidelean.informal.records import Claim, Span
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import ArithmeticPolicy

if TYPE_CHECKING:
    from fidelean.exact.rational import Rational
    from fidelean.exact.real import Real

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
    exact: tuple[Rational | Real | None, ...] = ()
    """The exact value of each side, left to right, None where it has two readings; empty where a side has no value."""
    broken: Span | None = None
    """The first link that does not hold, as a span of the claim's text; None unless refuted."""

    @property
    def values(self) -> tuple[str, ...]:
        """The exact values as text, ``?`` where a side has two readings; written only when they are asked for."""
        return tuple("?" if value is None else value_text(value) for value in self.exact)


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
    found: set[str] = set()
    for tree in (*chain.sides, *((chain.modulus,) if chain.modulus is not None else ())):
        kinds(tree, found)
    reason = _out_of_reach(chain, found)
    if reason is not None:
        return CheckedClaim(claim, reason)
    text = claim.text if source is None else source
    origin = 0 if source is None or claim.span is None else claim.span.start
    checking = _Checking(chain, text, Budget(policy), found)
    outcomes = [checking.link(index) for index in range(len(chain.relations))]
    broken = next((index for index, outcome in enumerate(outcomes) if isinstance(outcome, Refuted)), None)
    if broken is not None:
        span = Span(chain.spans[broken].start - origin, chain.spans[broken + 1].end - origin)
        return CheckedClaim(claim, outcomes[broken], checking.values(), span)
    outcome = next((outcome for outcome in outcomes if not isinstance(outcome, Passed)), Passed("exact arithmetic"))
    return CheckedClaim(claim, outcome, checking.values())


def _out_of_reach(chain: Chain, found: set[str]) -> Inconclusive | None:
    trees = chain.sides if chain.modulus is None else (*chain.sides, chain.modulus)
    free = frozenset[str]().union(*map(names, trees)) if "Name" in found else ()
    if free:
        return Inconclusive(Reason.HAS_VARIABLE, f"{', '.join(sorted(free)[:5])} has no value here")
    carried = frozenset[str]().union(*map(units, chain.sides)) if "Unit" in found else ()
    if len(carried) > 1:
        return Inconclusive(Reason.UNITS_DIFFER, f"the units {', '.join(sorted(carried)[:5])} differ")
    return None


class _Checking:
    """One claim being decided; what a side is worth is found once."""

    def __init__(self, chain: Chain, text: str, budget: Budget, found: set[str]) -> None:
        self.chain = chain
        self.text = text
        self.budget = budget
        self.ambiguous = "Ambiguous" in found
        self.marked = not MARKS.isdisjoint(found)
        self.known: dict[int, tuple[Expression, Rational | Real | NoValue]] = {}

    def value(self, tree: Expression) -> Rational | Real:
        """The value of a closed expression; raises ``NoValue``."""
        if isinstance(tree, Number):
            return tree.value
        known = self.known.get(id(tree))
        if known is None:
            try:
                known = (tree, evaluate(tree, self.budget))
            except NoValue as answer:
                known = (tree, answer)
            self.known[id(tree)] = known
        if isinstance(known[1], NoValue):
            raise known[1]
        return known[1]

    def readings(self, tree: Expression) -> list[Expression]:
        """Every reading of a side."""
        return readings(tree) if self.ambiguous or isinstance(tree, Ambiguous) else [tree]

    def link(self, index: int) -> Outcome:
        """Whether two neighbouring sides stand in their relation, in every reading."""
        left, right = self.chain.sides[index], self.chain.sides[index + 1]
        if self.ambiguous or self.marked:
            return self.outcome(index, self.every_reading(index, left, right))
        return self.outcome(index, self.decide(left, self.chain.relations[index], right))

    def every_reading(self, index: int, left: Expression, right: Expression) -> list[Outcome]:
        """What is said of each reading of a link."""
        sides = alike(left, right) if self.marked else (left, right)
        if isinstance(sides, Inconclusive):
            return [sides]
        choices = list(product(*map(self.readings, sides)))
        if len(choices) > _MAX_READINGS:
            return [Inconclusive(Reason.AMBIGUOUS, "too many readings")]
        if len(choices) > 1:
            choices = [choice for choice in choices if one_logarithm(choice)]
        return [outcome for left, right in choices for outcome in self.decide(left, self.chain.relations[index], right)]

    def outcome(self, index: int, outcomes: list[Outcome]) -> Outcome:
        """What the readings of a link agree on."""
        if len(outcomes) != 1 and len({type(outcome) for outcome in outcomes}) != 1:
            return Inconclusive(Reason.AMBIGUOUS, "the readings of the text disagree")
        first = outcomes[0]
        return Refuted(self.explanation(index, first.detail)) if isinstance(first, Refuted) else first

    def decide(self, left: Expression, relation: Relation, right: Expression) -> list[Outcome]:
        """What is said of one reading of a link; two outcomes where the relation itself has two readings."""
        modulus = self.chain.modulus
        try:
            a, b = self.value(left), self.value(right)
            if modulus is not None and relation in (Relation.EQUAL, Relation.CONGRUENT):
                return [congruent(a, b, self.value(modulus))]
            found = [relate((left, a), relation, (right, b), self.budget)]
            if relation is Relation.EQUAL and isinstance(right, Binary) and right.operator == "mod":
                # "15 = 0 mod 5": a remainder, or a congruence in other words
                found.append(congruent(a, self.value(right.left), self.value(right.right)))
        except NoValue as answer:
            return [Inconclusive(answer.reason, answer.detail)]
        return found

    def explanation(self, index: int, detail: str) -> str:
        """What breaks an equality, naming the side that is more than a numeral."""
        chain = self.chain
        if chain.relations[index] is not Relation.EQUAL or chain.modulus is not None:
            return detail
        sides, spans = chain.sides[index : index + 2], chain.spans[index : index + 2]
        try:
            left, right = (value_text(self.value(side)) for side in sides)
        except NoValue:
            return detail
        written = [self.text[span.start : span.end] for span in spans]
        if not isinstance(sides[0], Number):
            return f"{written[0]} is {left}, not {right}"
        return f"{left} is not {right}" if isinstance(sides[1], Number) else f"{written[1]} is {right}, not {left}"

    def values(self) -> tuple[Rational | Real | None, ...]:
        """Each side's value, None where it has two readings; empty where one has no value."""
        try:
            if not self.ambiguous:
                return tuple(self.value(side) for side in self.chain.sides)
            return tuple(self.value(side) if len(self.readings(side)) == 1 else None for side in self.chain.sides)
        except NoValue:
            return ()
