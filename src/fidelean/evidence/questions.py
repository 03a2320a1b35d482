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
    at_point,
    carriers_for,
    defines_function,
    domain_premises,
    domains_of,
    equations_of,
    has_calls,
    is_integral,
)
from fidelean.evidence.premises import MAX_PREMISES, MAX_VARIABLES, Premises, free_names
from fidelean.evidence.rewritings import BrokenLink, Rewritings
from fidelean.evidence.slips import Slip
from fidelean.evidence.wording import (
    is_rearrangement,
    speaks_of_integers,
)
from fidelean.exact.ideals import Equation
from fidelean.exact.novalue import NoValue
from fidelean.exact.polynomials import Difference, difference
from fidelean.faithfulness.stating import Carrier, NotStated, Premise, Stated, state
from fidelean.informal.maths.tree import Binary, Chain, Expression, Name, Negate, Number, Relation, names
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
    link: Equation | None = None
    """The two sides that are asked about, where they are one link of a rewriting; None for the whole claim."""
    drawn: bool = False
    """Whether the words draw the claim from the equation right in front, its one premise: then the question is about that inference,
    whatever the premise itself is worth."""


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
        self.rewritings = Rewritings(obligations, problem, texts, policy)
        self.premises = Premises(obligations, problem, texts, policy)

    def ask(self, obligation: Obligation) -> Iterator[Question]:
        fact = obligation.fact
        if fact is None or (obligation.unread is None and obligation.kind is not ObligationKind.CASE_SPLIT):
            return
        free = free_names(obligation)
        if not free or len(free) > MAX_VARIABLES:
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
        differences = [self.difference(left, right, free) for left, right in links]
        if all(found is not None and found.is_identity for found in differences):
            yield from self.support(obligation, [])
            return
        if (rewriting := self.broken_rewriting(obligation, chain, differences)) is not None:
            self.premises.doubted.add(obligation.id)
            yield rewriting
            return
        if None not in differences:
            yield from self.under_conditions(obligation, links, free)

    def difference(self, left: Expression, right: Expression, free: AbstractSet[str]) -> Difference | None:
        """The difference of the sides of a link; None where one of them is no quotient of polynomials."""
        try:
            return difference(left, right, self.policy, imaginary="i" if "i" in free else None)
        except NoValue:
            return None

    def broken_rewriting(self, obligation: Obligation, chain: Chain, differences: Sequence[Difference | None]) -> Question | None:
        """A link that claims an identity by its words, and is none."""
        found = self.rewritings.broken(obligation, chain, differences)
        if found is None:
            return None
        if found.imaginary:
            return self.broken_with_imaginary(obligation, found)
        left, right = found.sides
        domains = domains_of(obligation.conditions)
        integral = all_integers(tuple(found.point), domains) and is_integral(left, right)
        try:
            stated = state([], [Chain(found.sides, (Relation.EQUAL,), found.spans)], Carrier.INTEGER if integral else Carrier.RATIONAL)
        except NotStated:
            return None
        point = tuple(sorted(found.point.items()))
        return Question(obligation, Aim.COUNTEREXAMPLE, stated, (), found.unread, point, found.span, link=found.sides)

    def broken_with_imaginary(self, obligation: Obligation, found: BrokenLink) -> Question | None:
        """A broken link between complex numbers: with values put in for the other letters, it contradicts i² = -1."""
        if found.unread:
            return None
        left, right = (at_point(side, found.point) for side in found.sides)
        none = (Span(0, 0), Span(0, 0))
        unit = Chain((Binary("^", Name("i"), Number(2)), Negate(Number(1))), (Relation.EQUAL,), none)
        try:
            stated = state([Premise((unit,)), Premise((Chain((left, right), (Relation.EQUAL,), none),))], [], Carrier.FIELD)
        except NotStated:
            return None
        return Question(obligation, Aim.CONTRADICTION, stated, (), (), tuple(sorted(found.point.items())), found.span, link=found.sides)

    # Consequences and contradictions

    def under_conditions(self, obligation: Obligation, links: Sequence[Equation], free: AbstractSet[str]) -> Iterator[Question]:
        given = self.premises.usable(obligation, free)
        premise = self.premises.drawn_from(obligation)
        if given and self.premises.implies(given, links):
            yield from self.support(obligation, given)
        elif excluding := self.premises.excluding(obligation, links):
            yield from self.contradiction(obligation, excluding, drawn=True)
        elif premise is not None and self.premises.implies([premise], links):
            yield from self.support(obligation, [premise], drawn=True)
        elif self.premises.excludes(stated := self.premises.stated_equations(obligation, given, free), links):
            yield from self.contradiction(obligation, stated)
        elif premise is not None and is_rearrangement(obligation.cue) and "i" not in free:
            yield from self.rearrangement(obligation, premise, free)

    def rearrangement(self, obligation: Obligation, premise: Condition, free: AbstractSet[str]) -> Iterator[Question]:
        """A claim said to be the equation in front in another form: it holds wherever that equation and what else was read hold."""
        domains = domains_of(obligation.conditions)
        about = (
            c
            for c in self.rewritings.conditions_about(obligation, free, Slip.NONE, everything=False) or ()
            if c.variables <= free and c.kind is not ConditionKind.ASSUMPTION
        )
        carriers = (Carrier.INTEGER, Carrier.RATIONAL) if all_integers(tuple(free), domains) else (Carrier.RATIONAL,)
        premises = [premise, *about][:MAX_PREMISES]
        for question in _stated(obligation, Aim.EITHER, premises, _conclusion(obligation), carriers, (), domains):
            yield replace(question, drawn=True)

    def wrong_solution(self, obligation: Obligation) -> tuple[Condition, Fact] | None:
        """A value in a list "x = 2 or x = 3" that does not satisfy the equation in front, of which it is said to be a solution."""
        fact = obligation.fact
        if fact is None or len(fact.alternatives) < 2 or obligation.kind is ObligationKind.CASE_SPLIT:
            return None
        premise = self.premises.drawn_from(obligation)
        if premise is None:
            return None
        for chain in fact.alternatives:
            if len(chain.sides) != 2 or not isinstance(chain.sides[0], Name) or names(chain.sides[1]):
                continue
            try:
                if self.premises.excludes([premise], [(chain.sides[0], chain.sides[1])]):
                    return premise, Fact((chain,), fact.text)
            except NoValue:
                continue
        return None

    # Statements

    def support(self, obligation: Obligation, premises: Sequence[Condition], *, drawn: bool = False) -> Iterator[Question]:
        self.premises.supported.add(obligation.id)
        for question in _stated(obligation, Aim.SUPPORT, premises, _conclusion(obligation), (Carrier.FIELD,), ()):
            yield replace(question, drawn=drawn)

    def contradiction(self, obligation: Obligation, premises: Sequence[Condition], *, drawn: bool = False) -> Iterator[Question]:
        self.premises.doubted.add(obligation.id)
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
            :MAX_PREMISES
        ]
        if not premises and not self.rewritings.is_universal(obligation) and not domains:
            return
        unread = (*self.rewritings.unread_about(obligation, free), *self.unsupported_about(obligation, free))
        if unread and (not premises or self.is_equation(obligation)):
            # nothing to follow from, or the sieve did not find that it follows; without all conditions a counterexample says nothing
            return
        says_it_all = (
            self.rewritings.is_universal(obligation) and not self.has_calls(obligation)
        ) or obligation.kind is ObligationKind.CASE_SPLIT
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
        if self.rewritings.is_universal(obligation):
            return ()
        return tuple(
            condition
            for condition in obligation.conditions
            if condition.kind is ConditionKind.DERIVED
            and condition.transition not in self.premises.supported
            and variables & condition.variables
        )

    def may_be_premise(self, condition: Condition, obligation: Obligation) -> bool:
        if condition.kind is ConditionKind.DERIVED:
            return condition.transition in self.premises.supported
        return condition.kind is not ConditionKind.ASSUMPTION or condition.step == obligation.step


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
