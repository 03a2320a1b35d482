"""Rewritings: formulas that are meant as one expression in several forms, and the link of one that breaks.

Pure and without Lean. A link breaks at a point: values of its variables at which everything holds that was read, and the two sides differ.
Two formulas that give the same expression on the left two forms ("$R = (3-n)(2+n)$. Expanding, $R = 6 - n^2$") are one chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from fidelean.decomposition.records import Condition, ConditionKind
from fidelean.evidence.conditions import at_point, defines_function, domains_of, equations_of, holds_at, lies_in
from fidelean.evidence.slips import Slip, kind_of, may_excuse
from fidelean.evidence.wording import (
    draws_on_premise,
    is_for_all,
    is_unspoken,
    names_expansion,
    rewrites_expression,
    speaks_of_imaginary,
    speaks_of_residues,
    uses_something_else,
)
from fidelean.exact.ideals import Equation, contradict
from fidelean.exact.novalue import NoValue
from fidelean.exact.polynomials import Difference, difference, is_atomic, is_product, loses_degree, witnesses
from fidelean.informal.maths.tree import Binary, Chain, Expression, Name, Negate, Number, Relation, children, names
from fidelean.informal.records import Span
from fidelean.obligations.records import Obligation
from fidelean.policy import ArithmeticPolicy

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = ["BrokenLink", "Rewritings"]

_MAX_POINTS = 400
"""Most points that are held against the conditions."""
_MAX_ROOM = 12
"""Most points for which the other variables of the conditions are eliminated."""


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A link that claims an identity and is none."""

    sides: Equation
    """Its two sides."""
    point: dict[str, Fraction]
    """Where they differ, and what was read holds."""
    span: Span | None
    """Where it stands in the step's text; None where its left side stands in the formula in front."""
    spans: tuple[Span, ...]
    """The spans of the two sides; those of the claim where the left side stands in the formula in front."""
    unread: tuple[Condition, ...]
    """Conditions about its variables that were not read: with any, the point says nothing."""
    imaginary: bool = False
    """Whether the letter i is the imaginary unit; then the point gives the other variables."""


class Rewritings:
    """Finds the broken links of the rewritings of one proof."""

    def __init__(self, obligations: Mapping[str, Obligation], problem: str, texts: Mapping[int, str], policy: ArithmeticPolicy) -> None:
        self.obligations = obligations
        self.problem = problem
        self.texts = texts
        self.policy = policy

    def broken(self, obligation: Obligation, chain: Chain, differences: Sequence[Difference | None]) -> BrokenLink | None:
        """A link that claims an identity by its words, and is none; ``differences`` are those of the chain's links."""
        if self.claims_identity(obligation, chain, differences):
            for index, found in enumerate(differences):
                left, right = chain.sides[index], chain.sides[index + 1]
                point = self.breaking_point(obligation, left, right, found) if found is not None else None
                if point is not None:
                    spans = chain.spans[index : index + 2]
                    return self._link(obligation, (left, right), point, Span(spans[0].start, spans[1].end), spans)
        return self._restated(obligation, chain)

    def _link(
        self, obligation: Obligation, sides: Equation, point: dict[str, Fraction], span: Span | None, spans: tuple[Span, ...]
    ) -> BrokenLink:
        imaginary = "i" in names(sides[0]) | names(sides[1])
        found = difference(*sides, self.policy, imaginary="i" if imaginary else None)
        unread = (
            ()
            if self.is_universal(obligation)
            else self.unread_about(obligation, frozenset(found.variables), kind_of(sides, found, self.policy))
        )
        return BrokenLink(sides, point, span, spans, unread, imaginary=imaginary)

    def _restated(self, obligation: Obligation, chain: Chain) -> BrokenLink | None:
        """The link from the last form of the formula in front to the first one of this, where both start with the same expression."""
        premise = self.obligations.get(obligation.premise or "")
        if premise is None or premise.chain is None or obligation.step - premise.step > 1 or not restates(premise.chain, chain):
            return None
        if not (is_unspoken(obligation.cue) or (draws_on_premise(obligation.cue) and not uses_something_else(obligation.cue))):
            return None
        left, right = premise.chain.sides[-1], chain.sides[1]
        if _is_word(left) or _is_word(right):
            return None
        try:
            point = self.breaking_point(obligation, left, right, difference(left, right, self.policy))
        except NoValue:
            return None
        if point is None:
            return None
        return self._link(obligation, (left, right), point, None, chain.spans[:2])

    def breaking_point(self, obligation: Obligation, left: Expression, right: Expression, found: Difference) -> dict[str, Fraction] | None:
        """Where a link that is meant as an identity breaks; for a link with an imaginary unit, the values of the other variables."""
        if found.is_identity or not found.variables:
            return None
        plain = self.is_plain(obligation)
        if not _is_rewriting(left, right) or (not plain and self.may_use_more(obligation)):
            return None
        free, kind = frozenset(found.variables), kind_of((left, right), found, self.policy)
        if not plain and kind is not Slip.ONE_TERM and _states_value(obligation.chain):
            return None
        conditions = self.conditions_about(obligation, free, kind, everything=not plain)
        if conditions is None:
            return None
        if "i" in free:
            return self._breaking_with_imaginary(obligation, left, right, conditions)
        domains = domains_of(obligation.conditions)
        points = islice(witnesses(found, _MAX_POINTS), _MAX_POINTS if conditions else 50)
        point = self._allowed((point for point in points if lies_in(point, domains)), conditions)
        if point is None and kind is Slip.ONE_TERM and self.leaves_nonzero(conditions, free):
            return next((p for p in witnesses(found) if lies_in(p, domains) and all(p.values())), None)
        return point

    def _breaking_with_imaginary(
        self, obligation: Obligation, left: Expression, right: Expression, conditions: Sequence[Condition]
    ) -> dict[str, Fraction] | None:
        if not speaks_of_imaginary(self.problem, self.texts[obligation.step]):
            return None
        others = sorted((names(left) | names(right)) - {"i"})
        unit: Equation = (Binary("^", Name("i"), Number(2)), Negate(Number(1)))
        for start in range(1, 6 if others else 2):
            point = {name: Fraction(start + place) for place, name in enumerate(others)}
            try:
                found = difference(at_point(left, point), at_point(right, point), self.policy, imaginary="i")
            except NoValue:
                continue
            if not found.is_identity and self.has_room(conditions, point, [unit]):
                return point
        return None

    def leaves_nonzero(self, conditions: Sequence[Condition], variables: AbstractSet[str]) -> bool:
        """Whether equations leave room for values of the variables none of which is 0."""
        product: Expression = Name("an inverse")
        for name in sorted(variables):
            product = Binary("*", product, Name(name))
        return self.has_room(conditions, {}, [(product, Number(1))])

    def _allowed(self, points: Iterator[dict[str, Fraction]], conditions: Sequence[Condition]) -> dict[str, Fraction] | None:
        tried = 0
        for point in points:
            wider = [condition for condition in conditions if not condition.variables <= set(point)]
            own = [condition for condition in conditions if condition.variables <= set(point)]
            if not all(holds_at(condition, point, self.policy) for condition in own):
                continue
            if all(holds_at(condition, point, self.policy) for condition in wider):
                return point
            tried += 1
            if tried > _MAX_ROOM:
                return None
            if self.has_room(wider, point):
                return point
        return None

    def has_room(self, conditions: Sequence[Condition], point: Mapping[str, Fraction], more: Sequence[Equation] = ()) -> bool:
        """Whether equations leave room for the point: with it, they have a solution in some field of characteristic 0."""
        equations = list(more)
        for condition in conditions:
            own = equations_of(condition)
            if not own:
                return False
            equations += [(at_point(left, point), at_point(right, point)) for left, right in own]
        try:
            return not contradict(equations, self.policy) and len(conditions) <= 8
        except NoValue:
            return False

    def claims_identity(self, obligation: Obligation, chain: Chain, differences: Sequence[Difference | None]) -> bool:
        """Whether a formula is meant as one expression in several forms: said for all values, a chain, or an expansion."""
        if self.is_universal(obligation) or len(chain.relations) > 1:
            return True
        (left, right), found = chain.sides, differences[0]
        if found is None:
            return False
        if rewrites_expression(obligation.cue):
            return self.is_known(obligation, left)
        if not names_expansion(obligation.cue) or is_product(left) == is_product(right):
            return False
        return loses_degree(left, found, self.policy) or self.has_value(obligation, left)

    def is_known(self, obligation: Obligation, expression: Expression) -> bool:
        """Whether an expression is a part of a formula in force, and no side of an equation, which would be rewritten as a whole."""
        chains = [chain for condition in obligation.conditions if condition.fact for chain in condition.fact.alternatives]
        sides = [side for chain in chains for side in chain.sides]
        return expression not in sides and any(_occurs(expression, side) for side in sides)

    def has_value(self, obligation: Obligation, expression: Expression) -> bool:
        """Whether a formula in force says what an expression is worth as a number, so that another form of it is no equation."""
        chains = (chain for condition in obligation.conditions if condition.fact for chain in condition.fact.alternatives)
        return any(
            expression in chain.sides and any(not names(side) for side in chain.sides)
            for chain in chains
            if set(chain.relations) == {Relation.EQUAL}
        )

    def is_universal(self, obligation: Obligation) -> bool:
        """Whether the words say that the formula holds for all values: in front of it, or right behind."""
        chains = obligation.fact.alternatives if obligation.fact is not None else ()
        free = frozenset[str]().union(*(names(side) for chain in chains for side in chain.sides))
        return is_for_all(obligation.cue, self._behind(obligation), free)

    def is_plain(self, obligation: Obligation) -> bool:
        """Whether nothing around a formula says that more than algebra is used."""
        return self.is_universal(obligation) or not (
            uses_something_else(self._around(obligation)) or uses_something_else(self._behind(obligation))
        )

    def may_use_more(self, obligation: Obligation) -> bool:
        """Whether what is used beside algebra may be something that is not among the conditions as read."""
        return uses_something_else(self._behind(obligation)) or speaks_of_residues(self._around(obligation))

    def _around(self, obligation: Obligation) -> str:
        span = obligation.claim.span
        return self.texts[obligation.step][max(0, span.start - 160) : span.start] if span is not None else ""

    def _behind(self, obligation: Obligation) -> str:
        span = obligation.claim.span
        return self.texts[obligation.step][span.end : span.end + 40] if span is not None else ""

    def conditions_about(
        self, obligation: Obligation, variables: AbstractSet[str], kind: Slip, *, everything: bool
    ) -> list[Condition] | None:
        """The conditions that a breaking point must meet.

        With ``everything``, every formula in force about the variables is one, conclusions included, and words that may say what an
        equation says leave none (None): something else is used, and it may be any of them.
        """
        about = [c for c in obligation.conditions if variables & c.variables and c.domain is None]
        if everything and any(not condition.was_read and may_excuse(condition, kind) for condition in about):
            return None
        return [
            condition
            for condition in about
            if condition.fact is not None
            and not defines_function(condition)
            and (everything or condition.kind is not ConditionKind.DERIVED)
        ]

    def unread_about(self, obligation: Obligation, variables: AbstractSet[str], kind: Slip = Slip.NONE) -> tuple[Condition, ...]:
        """The conditions in force about variables that are known as words only, and may excuse a slip of this kind."""
        return tuple(
            condition
            for condition in obligation.conditions
            if not condition.was_read
            and condition.kind is not ConditionKind.DERIVED
            and variables & condition.variables
            and may_excuse(condition, kind)
        )


def _states_value(chain: Chain | None) -> bool:
    """Whether a chain says what an expression is worth, as an equation does."""
    return chain is not None and any(not names(side) for side in chain.sides)


def restates(premise: Chain, chain: Chain) -> bool:
    """Whether two chains of equalities give the same expression on the left another form."""
    if any(relation is not Relation.EQUAL for relation in (*premise.relations, *chain.relations)):
        return False
    return premise.modulus is None and chain.modulus is None and premise.sides[0] == chain.sides[0] and premise.sides[-1] != chain.sides[0]


def _occurs(part: Expression, whole: Expression) -> bool:
    return part == whole or any(_occurs(part, child) for child in children(whole))


def _is_word(tree: Expression) -> bool:
    """Whether a side is nothing but letters next to each other: a number by its digits, or a segment, as well as a product."""
    return isinstance(tree, Name) or (isinstance(tree, Binary) and tree.operator == "*" and _is_word(tree.left) and _is_word(tree.right))


def _is_rewriting(left: Expression, right: Expression) -> bool:
    """Whether a link may rewrite one expression as another: the same variables on both sides, and no root of unity among them."""
    if names(left) != names(right) or is_atomic(left) or is_atomic(right):
        return False
    return not any(name.lstrip("\\").startswith(("omega", "ω", "zeta")) for name in names(left))
