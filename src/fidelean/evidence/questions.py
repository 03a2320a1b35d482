"""Obligations about variables → questions for Lean: which are worth asking, and what an answer would mean.

Pure and without Lean. Exact polynomials sieve: an identity, a consequence of equations and a contradiction between equations are found
here and then put to the kernel; what the sieve does not find is asked only in the form the text itself gives it. The words decide what a
formula means: "for all $x$" and a chain of rewritings claim an identity, "we have $2x = 6$" claims a consequence of the conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from fidelean.decomposition.records import Condition, ConditionKind, Domain, Fact
from fidelean.evidence.conditions import (
    all_integers,
    as_premise,
    carriers_for,
    defines_function,
    domain_premises,
    domains_of,
    equations_of,
    has_calls,
    has_decimals,
    holds_at,
    is_integral,
    lies_in,
)
from fidelean.evidence.wording import (
    draws_on_premise,
    is_for_all,
    is_one_of_several,
    is_rearrangement,
    names_expansion,
    speaks_of_curves,
    speaks_of_integers,
    uses_something_else,
)
from fidelean.exact.ideals import Equation, contradict, imply
from fidelean.exact.novalue import NoValue
from fidelean.exact.polynomials import Difference, difference, is_atomic, is_product, loses_degree, witnesses
from fidelean.faithfulness.stating import Carrier, NotStated, Premise, Stated, state
from fidelean.informal.maths.tree import Chain, Expression, Name, Relation, names
from fidelean.informal.records import Span
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.policy import ArithmeticPolicy

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = ["Aim", "Question", "questions"]


class Aim(StrEnum):
    """What an answer to a question says about the claim."""

    SUPPORT = "support"
    """A proof supports the claim."""
    COUNTEREXAMPLE = "counterexample"
    """A counterexample refutes the claim."""
    EITHER = "either"
    """A proof supports the claim, a counterexample refutes it: the text itself says from what the claim has to follow."""
    ENTAILMENT = "entailment"
    """A proof supports the claim; a counterexample only shows that what was read does not suffice, and more may be in force."""
    CONTRADICTION = "contradiction"
    """A proof of ``False`` from the premises and the claim refutes the claim."""


@dataclass(frozen=True, slots=True)
class Question:
    """A statement put to Lean about one obligation."""

    obligation: Obligation
    """What is asked about."""
    aim: Aim
    """What an answer says."""
    stated: Stated
    """The statement."""
    premises: tuple[Condition, ...]
    """The conditions the statement uses."""
    unread: tuple[Condition, ...] = ()
    """Conditions in force about its variables that were not read: with any, a counterexample says nothing."""
    point: tuple[tuple[str, Fraction], ...] = ()
    """A counterexample that the sieve found: values of the variables."""
    span: Span | None = None
    """The link of the chain that is asked about, in the step's text; None for the whole claim."""
    drawn: bool = False
    """Whether the words draw the claim from the equation right in front, its one premise: then the question is about that inference,
    whatever the premise itself is worth."""


_MAX_PREMISES = 8
_MAX_VARIABLES = 6


def questions(obligations: Sequence[Obligation], problem: str, texts: Mapping[int, str], policy: ArithmeticPolicy) -> Iterator[Question]:
    """The questions about the obligations of one proof, in their order.

    Args:
        obligations: everything that must hold, in the order of the text.
        problem: the problem's text.
        texts: the text of each step.
        policy: the size bounds of the sieve.
    """
    asker = _Asker({obligation.id: obligation for obligation in obligations}, problem, texts, policy)
    for obligation in obligations:
        yield from asker.ask(obligation)


class _Asker:
    def __init__(self, obligations: Mapping[str, Obligation], problem: str, texts: Mapping[int, str], policy: ArithmeticPolicy) -> None:
        self.obligations = obligations
        self.problem = problem
        self.texts = texts
        self.policy = policy
        self.supported: set[str] = set()

    def ask(self, obligation: Obligation) -> Iterator[Question]:
        fact = obligation.fact
        if fact is None or (obligation.unread is None and obligation.kind is not ObligationKind.CASE_SPLIT):
            return
        free = frozenset[str]().union(*(names(side) for chain in fact.alternatives for side in chain.sides))
        if not free or len(free) > _MAX_VARIABLES:
            return
        chain = obligation.chain
        if (wrong := self.wrong_solution(obligation)) is not None:
            yield from self.contradiction(replace(obligation, fact=wrong[1]), [wrong[0]], drawn=True)
            return
        try:
            found = list(self.by_sieve(obligation, chain, free)) if chain is not None and chain.modulus is None else []
        except NoValue:
            found = []
        yield from found or self.as_written(obligation, free)

    # Equations, by the sieve

    def by_sieve(self, obligation: Obligation, chain: Chain, free: AbstractSet[str]) -> Iterator[Question]:
        if any(relation is not Relation.EQUAL for relation in chain.relations):
            return
        links = list(zip(chain.sides, chain.sides[1:], strict=False))
        differences = [difference(left, right, self.policy, imaginary="i" if "i" in free else None) for left, right in links]
        if all(found.is_identity for found in differences):
            yield from self.support(obligation, [])
            return
        if (rewriting := self.broken_rewriting(obligation, chain, differences)) is not None:
            yield rewriting
            return
        yield from self.under_conditions(obligation, links, free)

    def broken_rewriting(self, obligation: Obligation, chain: Chain, differences: Sequence[Difference]) -> Question | None:
        """A link that claims an identity by its words, and is none."""
        if not self.claims_identity(obligation, chain, differences):
            return None
        domains = domains_of(obligation.conditions)
        for index, found in enumerate(differences):
            left, right = chain.sides[index], chain.sides[index + 1]
            if found.is_identity or not found.variables or "i" in found.variables or not self.is_rewriting(obligation, left, right):
                continue
            conditions = self.equations_about(obligation, frozenset(found.variables))
            point = next((p for p in witnesses(found) if lies_in(p, domains) and self.satisfies(conditions, p)), None)
            if point is None:
                continue
            link = Chain((left, right), (Relation.EQUAL,), chain.spans[index : index + 2])
            carrier = Carrier.INTEGER if all_integers(found.variables, domains) and is_integral(left, right) else Carrier.RATIONAL
            try:
                stated = state([], [link], carrier)
            except NotStated:
                continue
            span = Span(chain.spans[index].start, chain.spans[index + 1].end)
            unread = () if self.is_universal(obligation) else self.unread_about(obligation, frozenset(found.variables))
            return Question(obligation, Aim.COUNTEREXAMPLE, stated, (), unread, tuple(sorted(point.items())), span)
        return None

    def claims_identity(self, obligation: Obligation, chain: Chain, differences: Sequence[Difference]) -> bool:
        """Whether a formula is meant as one expression in several forms: said for all values, a chain, or an expansion."""
        if self.is_universal(obligation) or len(chain.relations) > 1:
            return True
        left, right = chain.sides
        return names_expansion(obligation.cue) and is_product(left) != is_product(right) and loses_degree(left, differences[0], self.policy)

    def is_universal(self, obligation: Obligation) -> bool:
        """Whether the words say that the formula holds for all values: in front of it, or right behind."""
        span = obligation.claim.span
        behind = self.texts[obligation.step][span.end : span.end + 40] if span is not None else ""
        return is_for_all(obligation.cue, behind, _free(obligation))

    def is_rewriting(self, obligation: Obligation, left: Expression, right: Expression) -> bool:
        """Whether a link rewrites one expression as another: the same variables on both sides, and nothing used from elsewhere."""
        if names(left) != names(right) or is_atomic(left) or is_atomic(right):
            return False
        if any(name.lstrip("\\").startswith(("omega", "ω", "zeta")) for name in names(left)):
            return False
        if self.is_universal(obligation):
            return True
        span = obligation.claim.span
        text = self.texts[obligation.step]
        around = text[max(0, span.start - 160) : span.start] if span is not None else ""
        return not uses_something_else(around) and not uses_something_else(text[span.end : span.end + 40] if span else "")

    def equations_about(self, obligation: Obligation, variables: AbstractSet[str]) -> list[Condition]:
        return [
            condition
            for condition in obligation.conditions
            if condition.kind is not ConditionKind.DERIVED
            and condition.fact is not None
            and variables & condition.variables
            and not defines_function(condition)
        ]

    def satisfies(self, conditions: Sequence[Condition], point: Mapping[str, Fraction]) -> bool:
        """Whether a point satisfies conditions as far as they speak of it alone; a condition with other variables may still hold."""
        return all(holds_at(condition, point, self.policy) for condition in conditions)

    # Consequences and contradictions

    def under_conditions(self, obligation: Obligation, links: Sequence[Equation], free: AbstractSet[str]) -> Iterator[Question]:
        given = self.usable(obligation, free)
        premise = self.drawn_from(obligation)
        if given and self.implies(given, links):
            yield from self.support(obligation, given)
        elif premise is not None and self.excludes([premise], links):
            yield from self.contradiction(obligation, [premise], drawn=True)
        elif premise is not None and self.implies([premise], links):
            yield from self.support(obligation, [premise], drawn=True)
        elif self.excludes(stated := self.stated_equations(obligation, given, free), links):
            yield from self.contradiction(obligation, stated)
        elif premise is not None and is_rearrangement(obligation.cue) and "i" not in free:
            yield from self.rearrangement(obligation, premise, free)

    def implies(self, premises: Sequence[Condition], links: Sequence[Equation]) -> bool:
        """Whether equations that do not contradict each other imply all links."""
        known = [equation for condition in premises for equation in equations_of(condition)]
        return bool(known) and all(imply(known, link, self.policy) for link in links) and not contradict(known, self.policy)

    def excludes(self, premises: Sequence[Condition], links: Sequence[Equation]) -> bool:
        """Whether equations that do not contradict each other leave no room for the links."""
        known = [equation for condition in premises for equation in equations_of(condition)]
        if any(has_decimals(side) for link in links for side in link):
            return False  # a decimal may be rounded: it contradicts nothing by being close
        return bool(known) and contradict([*known, *links], self.policy) and not contradict(known, self.policy)

    def stated_equations(self, obligation: Obligation, given: Sequence[Condition], free: AbstractSet[str]) -> list[Condition]:
        """The problem's equations, where they are about numbers that the proof goes on speaking of."""
        if self.is_geometric(obligation) or self.is_redefined(obligation, free):
            return []
        return [condition for condition in given if condition.kind is ConditionKind.GIVEN]

    def rearrangement(self, obligation: Obligation, premise: Condition, free: AbstractSet[str]) -> Iterator[Question]:
        """A claim said to be the equation in front in another form: it holds wherever that equation and what else was read hold."""
        domains = domains_of(obligation.conditions)
        about = (c for c in self.equations_about(obligation, free) if c.variables <= free and c.kind is not ConditionKind.ASSUMPTION)
        carriers = (Carrier.INTEGER, Carrier.RATIONAL) if all_integers(tuple(free), domains) else (Carrier.RATIONAL,)
        premises = [premise, *about][:_MAX_PREMISES]
        for question in _stated(obligation, Aim.EITHER, premises, _conclusion(obligation), carriers, (), domains):
            yield replace(question, drawn=True)

    def is_redefined(self, obligation: Obligation, free: AbstractSet[str]) -> bool:
        """Whether the proof gives one of the variables a meaning of its own, so that the problem's equations may speak of another."""
        return any(
            condition.kind is ConditionKind.DEFINITION and condition.domain is None and free & condition.variables
            for condition in obligation.conditions
        )

    def is_geometric(self, obligation: Obligation) -> bool:
        """Whether equations of the problem may be curves, whose coordinates are not numbers in question."""
        return any(
            speaks_of_curves(condition.text) for condition in obligation.conditions if condition.kind is ConditionKind.GIVEN
        ) or speaks_of_curves(self.problem)

    def wrong_solution(self, obligation: Obligation) -> tuple[Condition, Fact] | None:
        """A value in a list "x = 2 or x = 3" that does not satisfy the equation in front, of which it is said to be a solution."""
        fact = obligation.fact
        if fact is None or len(fact.alternatives) < 2 or obligation.kind is ObligationKind.CASE_SPLIT:
            return None
        premise = self.drawn_from(obligation)
        if premise is None:
            return None
        for chain in fact.alternatives:
            if len(chain.sides) != 2 or not isinstance(chain.sides[0], Name) or names(chain.sides[1]):
                continue
            try:
                if self.excludes([premise], [(chain.sides[0], chain.sides[1])]):
                    return premise, Fact((chain,), fact.text)
            except NoValue:
                continue
        return None

    def usable(self, obligation: Obligation, free: AbstractSet[str]) -> list[Condition]:
        """The equations in force that bear on the claim: given, defined, supposed here, or concluded and found to follow."""
        pool = [condition for condition in obligation.conditions if self.may_serve(condition, obligation)]
        chosen: list[Condition] = []
        reached = set(free)
        grown = True
        while grown and len(chosen) < _MAX_PREMISES:
            grown = False
            for condition in pool:
                if condition not in chosen and condition.variables & reached and len(reached | condition.variables) <= _MAX_VARIABLES:
                    chosen.append(condition)
                    reached |= condition.variables
                    grown = True
        return chosen

    def may_serve(self, condition: Condition, obligation: Obligation) -> bool:
        if condition.fact is None or not equations_of(condition) or defines_function(condition):
            return False
        if condition.kind is ConditionKind.DERIVED:
            return condition.transition in self.supported
        return condition.kind is not ConditionKind.ASSUMPTION or condition.step == obligation.step

    def drawn_from(self, obligation: Obligation) -> Condition | None:
        """The equation right in front from which the words draw the claim."""
        premise = self.obligations.get(obligation.premise or "")
        if (
            premise is None
            or premise.chain is None
            or obligation.fact is None
            or obligation.step - premise.step > 1
            or is_one_of_several(premise.cue)
        ):
            return None
        if not draws_on_premise(obligation.cue):
            return None
        condition = next((c for c in reversed(obligation.conditions) if c.transition == premise.id), None)
        if condition is None or not equations_of(condition):
            return None
        free = frozenset[str]().union(*(names(side) for chain in obligation.fact.alternatives for side in chain.sides))
        is_solved = any(isinstance(side, Name) for side in premise.chain.sides) and any(not names(side) for side in premise.chain.sides)
        return None if is_solved or condition.variables != free else condition

    # Statements

    def support(self, obligation: Obligation, premises: Sequence[Condition], *, drawn: bool = False) -> Iterator[Question]:
        self.supported.add(obligation.id)
        for question in _stated(obligation, Aim.SUPPORT, premises, _conclusion(obligation), (Carrier.FIELD,), ()):
            yield replace(question, drawn=drawn)

    def contradiction(self, obligation: Obligation, premises: Sequence[Condition], *, drawn: bool = False) -> Iterator[Question]:
        stated = [premise for condition in premises if (premise := as_premise(condition)) is not None]
        try:
            statement = state([*stated, Premise(_conclusion(obligation))], [], Carrier.FIELD)
        except NotStated:
            return
        yield Question(obligation, Aim.CONTRADICTION, statement, tuple(premises), drawn=drawn)

    def as_written(self, obligation: Obligation, free: AbstractSet[str]) -> Iterator[Question]:
        """The claim with every read condition about its variables: inequalities, alternatives, divisibility, values of functions."""
        domains = domains_of(obligation.conditions)
        carriers = carriers_for(_conclusion(obligation), free, domains)
        if any(defines_function(c) for c in obligation.conditions if c.fact is not None and c.variables & free):
            carriers = self.function_carriers(obligation)
        premises = [c for c in obligation.conditions if c.fact is not None and c.variables & free and self.may_be_premise(c, obligation)][
            :_MAX_PREMISES
        ]
        if not premises and not self.is_universal(obligation) and not domains:
            return
        unread = (*self.unread_about(obligation, free), *self.unsupported_about(obligation, free))
        if unread and (not premises or self.is_equation(obligation)):
            # nothing to follow from, or the sieve did not find that it follows; without all conditions a counterexample says nothing
            return
        says_it_all = (self.is_universal(obligation) and not self.has_calls(obligation)) or obligation.kind is ObligationKind.CASE_SPLIT
        aim = Aim.EITHER if says_it_all else Aim.ENTAILMENT
        yield from _stated(obligation, aim, premises, _conclusion(obligation), carriers, unread, domains)

    def has_calls(self, obligation: Obligation) -> bool:
        """Whether a function of the text occurs, of which nobody can say that all that is known was read."""
        return any(has_calls(side) for chain in _conclusion(obligation) for side in chain.sides)

    def function_carriers(self, obligation: Obligation) -> tuple[Carrier, ...]:
        """Where the law of a function may be assumed: over ℤ where the text or the letters suggest it, else over ordered fields."""
        laws = [c for c in obligation.conditions if defines_function(c)]
        bound = {name for c in laws if (premise := as_premise(c)) is not None for name in premise.bound}
        domains = domains_of(obligation.conditions)
        discrete = speaks_of_integers(self.problem) or all_integers(tuple(bound), domains) or not bound.isdisjoint("ijklmn")
        return (Carrier.INTEGER,) if discrete else (Carrier.ORDERED_FIELD,)

    def is_equation(self, obligation: Obligation) -> bool:
        fact = obligation.fact
        return fact is not None and len(fact.alternatives) == 1 and bool(equations_of(Condition(ConditionKind.DERIVED, 0, "", fact=fact)))

    def unsupported_about(self, obligation: Obligation, variables: AbstractSet[str]) -> tuple[Condition, ...]:
        """Conclusions in force that were not found to follow: they may say what the conditions as read do not."""
        if self.is_universal(obligation):
            return ()
        return tuple(
            condition
            for condition in obligation.conditions
            if condition.kind is ConditionKind.DERIVED and condition.transition not in self.supported and variables & condition.variables
        )

    def may_be_premise(self, condition: Condition, obligation: Obligation) -> bool:
        if condition.kind is ConditionKind.DERIVED:
            return condition.transition in self.supported
        return condition.kind is not ConditionKind.ASSUMPTION or condition.step == obligation.step

    def unread_about(self, obligation: Obligation, variables: AbstractSet[str]) -> tuple[Condition, ...]:
        return tuple(
            condition
            for condition in obligation.conditions
            if not condition.was_read and condition.kind is not ConditionKind.DERIVED and variables & condition.variables
        )


def _free(obligation: Obligation) -> frozenset[str]:
    return frozenset[str]().union(*(names(side) for chain in _conclusion(obligation) for side in chain.sides))


def _conclusion(obligation: Obligation) -> tuple[Chain, ...]:
    return obligation.fact.alternatives if obligation.fact is not None else ()


def _stated(
    obligation: Obligation,
    aim: Aim,
    premises: Sequence[Condition],
    conclusion: Sequence[Chain],
    carriers: Sequence[Carrier],
    unread: tuple[Condition, ...],
    domains: Mapping[str, Domain] | None = None,
) -> Iterator[Question]:
    """The statement over the first carrier that has a meaning for all of it."""
    for carrier in carriers:
        stated = [premise for condition in premises if (premise := as_premise(condition)) is not None]
        try:
            extra = list(domain_premises(domains or {}, conclusion, carrier))
            yield Question(obligation, aim, state([*extra, *stated], conclusion, carrier), tuple(premises), unread)
        except NotStated:
            continue
        return
