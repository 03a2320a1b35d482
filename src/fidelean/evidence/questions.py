"""Obligations about variables → questions for Lean: which are worth asking, and what an answer would mean.

Pure and without Lean. Exact polynomials sieve: an identity, a consequence of equations and a contradiction between equations are found
here and then put to the kernel; what the sieve does not find is asked only in the form the text itself gives it. The words decide what a
formula means: "for all $x$" and a chain of rewritings claim an identity, "we have $2x = 6$" claims a consequence of the conditions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from fidelean.decomposition.records import Condition, ConditionKind, Domain, NumberKind
from fidelean.exact.ideals import Equation, contradict, imply
from fidelean.exact.novalue import NoValue
from fidelean.exact.polynomials import Difference, difference, is_atomic, witnesses
from fidelean.faithfulness.stating import Carrier, NotStated, Premise, Stated, state
from fidelean.informal.maths.tree import Apply, Chain, Expression, Name, Number, Relation, names
from fidelean.informal.records import Span
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.policy import ArithmeticPolicy

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = ["Aim", "Question", "at_point", "questions"]


class Aim(StrEnum):
    """What an answer to a question says about the claim."""

    SUPPORT = "support"
    """A proof supports the claim."""
    COUNTEREXAMPLE = "counterexample"
    """A counterexample refutes the claim."""
    EITHER = "either"
    """A proof supports the claim, a counterexample refutes it."""
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


_UNIVERSAL = re.compile(r"\bfor\s+(?:all|every|any|each|arbitrary)\b|\bidentit(?:y|ies)\b|\bidentically\b|\bholds\s+for\s+(?:all|every|any)\b|∀|\\forall", re.IGNORECASE)
_REWRITES = re.compile(r"expand|factor|distribut|combin|simplif|collect|multiply\w*\s+out|like\s+terms|rewrit|complet\w+\s+the\s+square", re.IGNORECASE)
_SUBSTITUTES = re.compile(
    r"substitut|plug|\bsince\b|\bbecause\b|\bwhere\b|\bgiven\b|\busing\b|from\s+(?:the\s+)?(?:equation|condition|step|previous|above)|know\s+that|recall|replac|\blet\b|"
    r"\bif\b|\bwhen\b|\bmod|\\equiv|≡|\bset(?:ting)?\b|\bassum|\bby\b(?!\s+(?:expand|factor|distribut|combin|simplif|multiply|collect))",
    re.IGNORECASE,
)
_DRAWS = re.compile(
    r"\bget|\bgives|\bgiving|\bobtain|\byield|\bimpl|\bthen\b|\bthus\b|\bhence\b|\btherefore\b|\bso\b|simplif|becomes|divid|subtract|\badd|multipl|rearrang|expand|"
    r"factor|combin|rewrit|results|mov(?:e|ing)|isolat|\\implies|\\Rightarrow|→|⇒|⟹|leads|reduc|equivalent|solv",
    re.IGNORECASE,
)
_STARTS_ANEW = re.compile(
    r"\bor\b|\b(?:first|second|third|secondly|next)\s+(?:equation|factor|case)|\bequations\b|\bcase|\bif\b|\bsuppose|\bassume|\btry|\btest|\bcheck|\bverif|\bwhen\b|\bfor\b|"
    r"\band\b\W*$|\blet\b|\bset\b|\bsubstitut|\bplug|\bother|\banother|\bsimilarly|\balso\b|\balternativ|\bcannot|\bnot\b|\bgiven\b|\bproblem|\boriginal|\bfirst\s+equation|\beach\b",
    re.IGNORECASE,
)
_GEOMETRY = re.compile(
    r"\b(?:lines?|curves?|graphs?|parabolas?|circles?|ellipses?|hyperbolas?|intersect\w*|parallel|perpendicular|tangents?|planes?|points?|triangles?|coordinates?|"
    r"polynomials?|roots?|functions?|sequence|asymptotes?|no\s+solutions?|infinitely)\b",
    re.IGNORECASE,
)
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
        if fact is None or obligation.unread is None and obligation.kind is not ObligationKind.CASE_SPLIT:
            return
        free = frozenset[str]().union(*(names(side) for chain in fact.alternatives for side in chain.sides))
        if not free or len(free) > _MAX_VARIABLES:
            return
        chain = obligation.chain
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
            yield from self.support(obligation, [], ())
            return
        if (rewriting := self.broken_rewriting(obligation, chain, differences)) is not None:
            yield rewriting
            return
        yield from self.under_conditions(obligation, links, free)

    def broken_rewriting(self, obligation: Obligation, chain: Chain, differences: Sequence[Difference]) -> Question | None:
        """A link that claims an identity by its words, and is none."""
        if not self.claims_identity(obligation, chain):
            return None
        domains = _domains(obligation.conditions)
        for index, found in enumerate(differences):
            left, right = chain.sides[index], chain.sides[index + 1]
            if found.is_identity or not found.variables or "i" in found.variables or not self.is_rewriting(obligation, left, right):
                continue
            conditions = self.equations_about(obligation, frozenset(found.variables))
            point = next((p for p in witnesses(found) if _fits(p, domains) and self.satisfies(conditions, p)), None)
            if point is None:
                continue
            link = Chain((left, right), (Relation.EQUAL,), chain.spans[index : index + 2])
            carrier = Carrier.INTEGER if _all_integers(found.variables, domains) and _integral(left, right) else Carrier.RATIONAL
            try:
                stated = state([], [link], carrier)
            except NotStated:
                continue
            span = Span(chain.spans[index].start, chain.spans[index + 1].end)
            unread = () if self.is_universal(obligation) else self.unread_about(obligation, frozenset(found.variables))
            return Question(obligation, Aim.COUNTEREXAMPLE, stated, (), unread, tuple(sorted(point.items())), span)
        return None

    def claims_identity(self, obligation: Obligation, chain: Chain) -> bool:
        return self.is_universal(obligation) or len(chain.relations) > 1

    def is_universal(self, obligation: Obligation) -> bool:
        """Whether the words say that the formula holds for all values: in front of it, or right behind."""
        span = obligation.claim.span
        behind = self.texts[obligation.step][span.end : span.end + 40] if span is not None else ""
        return _UNIVERSAL.search(obligation.cue) is not None or re.match(r"[\s$\\)\]},.]*(?:for|holds)\b", behind) is not None and _UNIVERSAL.search(behind) is not None

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
        return _SUBSTITUTES.search(around) is None and _SUBSTITUTES.search(text[span.end : span.end + 40] if span else "") is None

    def equations_about(self, obligation: Obligation, variables: AbstractSet[str]) -> list[Condition]:
        return [
            condition
            for condition in obligation.conditions
            if condition.kind is not ConditionKind.DERIVED and condition.fact is not None and variables & condition.variables and not _defines_function(condition)
        ]

    def satisfies(self, conditions: Sequence[Condition], point: Mapping[str, Fraction]) -> bool:
        """Whether a point satisfies conditions as far as they speak of it alone; a condition with other variables may still hold."""
        return all(_holds_at(condition, point, self.policy) for condition in conditions)

    # Consequences and contradictions

    def under_conditions(self, obligation: Obligation, links: Sequence[Equation], free: AbstractSet[str]) -> Iterator[Question]:
        given = self.usable(obligation, free)
        equations = [equation for condition in given for equation in _equations(condition)]
        if given and all(imply(equations, link, self.policy) for link in links):
            if not contradict(equations, self.policy):
                self.supported.add(obligation.id)
                yield from self.support(obligation, given, ())
            return
        premise = self.drawn_from(obligation)
        stated = [c for c in given if c.kind is ConditionKind.GIVEN] if not self.is_geometric(obligation) else []
        for premises in ([premise] if premise is not None else [], stated):
            known = [equation for condition in premises for equation in _equations(condition)]
            if known and not contradict(known, self.policy) and contradict([*known, *links], self.policy):
                yield from self.contradiction(obligation, premises)
                return
            if known and premises is not stated and all(imply(known, link, self.policy) for link in links):
                yield from self.support(obligation, premises, ())
                return

    def is_geometric(self, obligation: Obligation) -> bool:
        """Whether equations of the problem may be curves, whose coordinates are not numbers in question."""
        return any(_GEOMETRY.search(condition.text) for condition in obligation.conditions if condition.kind is ConditionKind.GIVEN) or _GEOMETRY.search(self.problem) is not None

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
        if condition.fact is None or not _equations(condition) or _defines_function(condition):
            return False
        if condition.kind is ConditionKind.DERIVED:
            return condition.transition in self.supported
        return condition.kind is not ConditionKind.ASSUMPTION or condition.step == obligation.step

    def drawn_from(self, obligation: Obligation) -> Condition | None:
        """The equation right in front from which the words draw the claim."""
        premise = self.obligations.get(obligation.premise or "")
        if premise is None or premise.fact is None or premise.chain is None or obligation.step - premise.step > 1:
            return None
        if not _DRAWS.search(obligation.cue) or _STARTS_ANEW.search(obligation.cue):
            return None
        condition = next((c for c in reversed(obligation.conditions) if c.transition == premise.id), None)
        if condition is None or not _equations(condition) or obligation.chain is None:
            return None
        free = frozenset[str]().union(*(names(side) for side in obligation.chain.sides))
        is_solved = any(is_atomic(side) for side in premise.chain.sides) and any(not names(side) for side in premise.chain.sides)
        return None if is_solved or condition.variables != free or len(free) != 1 else condition

    # Statements

    def support(self, obligation: Obligation, premises: Sequence[Condition], unread: tuple[Condition, ...]) -> Iterator[Question]:
        self.supported.add(obligation.id)
        assert obligation.fact is not None
        yield from _stated(obligation, Aim.SUPPORT, premises, obligation.fact.alternatives, (Carrier.FIELD,), unread)

    def contradiction(self, obligation: Obligation, premises: Sequence[Condition]) -> Iterator[Question]:
        assert obligation.fact is not None
        stated = [Premise(condition.fact.alternatives) for condition in premises if condition.fact is not None]
        try:
            statement = state([*stated, Premise(obligation.fact.alternatives)], [], Carrier.FIELD)
        except NotStated:
            return
        yield Question(obligation, Aim.CONTRADICTION, statement, tuple(premises))

    def as_written(self, obligation: Obligation, free: AbstractSet[str]) -> Iterator[Question]:
        """The claim with every read condition about its variables: inequalities, alternatives, divisibility, values of functions."""
        assert obligation.fact is not None
        domains = _domains(obligation.conditions)
        carriers = _carriers(obligation.fact.alternatives, free, domains)
        premises = [c for c in obligation.conditions if c.fact is not None and c.variables & free and self.may_be_premise(c, obligation)][:_MAX_PREMISES]
        if not premises and not self.is_universal(obligation) and not domains:
            return
        unread = (*self.unread_about(obligation, free), *self.unsupported_about(obligation, free))
        if unread and self.is_equation(obligation):
            return  # the sieve did not find that it follows, and without all conditions a counterexample says nothing
        yield from _stated(obligation, Aim.EITHER, premises, obligation.fact.alternatives, carriers, unread, domains)

    def is_equation(self, obligation: Obligation) -> bool:
        fact = obligation.fact
        return fact is not None and len(fact.alternatives) == 1 and bool(_equations(Condition(ConditionKind.DERIVED, 0, "", fact=fact)))

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
        stated = [premise for condition in premises if (premise := _premise(condition)) is not None]
        try:
            extra = list(_domain_premises(domains or {}, conclusion, carrier))
            yield Question(obligation, aim, state([*extra, *stated], conclusion, carrier), tuple(premises), unread)
        except NotStated:
            continue
        return


def _premise(condition: Condition) -> Premise | None:
    if condition.fact is None:
        return None
    return Premise(condition.fact.alternatives, _bound_names(condition))


def _bound_names(condition: Condition) -> tuple[str, ...]:
    """The names that an equation about a function holds for: those of its arguments."""
    if condition.fact is None or not _defines_function(condition):
        return ()
    found: dict[str, None] = {}
    for chain in condition.fact.alternatives:
        for side in chain.sides:
            for call in _calls(side):
                for argument in call.arguments[1:]:
                    found.update(dict.fromkeys(sorted(names(argument))))
    return tuple(found)


def _calls(tree: Expression) -> Iterator[Apply]:
    from fidelean.informal.maths.tree import children

    if isinstance(tree, Apply) and tree.function == "call":
        yield tree
    for child in children(tree):
        yield from _calls(child)


def _defines_function(condition: Condition) -> bool:
    """Whether a condition speaks of a function at a variable argument: it holds for every value of that variable."""
    if condition.fact is None:
        return False
    return any(names(argument) for chain in condition.fact.alternatives for side in chain.sides for call in _calls(side) for argument in call.arguments[1:])


def _equations(condition: Condition) -> list[Equation]:
    """The equations of a condition that is one chain of equalities; otherwise none."""
    fact = condition.fact
    if fact is None or len(fact.alternatives) != 1 or fact.alternatives[0].modulus is not None:
        return []
    chain = fact.alternatives[0]
    if any(relation is not Relation.EQUAL for relation in chain.relations) or any(_opaque(side) for side in chain.sides):
        return []
    return list(zip(chain.sides, chain.sides[1:], strict=False))


def _opaque(tree: Expression) -> bool:
    """Whether a tree is no quotient of polynomials."""
    from fidelean.informal.maths.tree import Ambiguous, BigOperator, Binary, Constant, children

    if isinstance(tree, Ambiguous | BigOperator | Constant) or (isinstance(tree, Apply) and tree.function != "percent"):
        return True
    if isinstance(tree, Binary) and tree.operator == "^" and not isinstance(tree.right, Number):
        return True
    return any(_opaque(child) for child in children(tree))


def _domains(conditions: Sequence[Condition]) -> dict[str, Domain]:
    return {condition.domain.variable: condition.domain for condition in conditions if condition.domain is not None}


def _fits(point: Mapping[str, Fraction], domains: Mapping[str, Domain]) -> bool:
    """Whether a point lies in the declared domains."""
    for name, value in point.items():
        domain = domains.get(name)
        if domain is None:
            continue
        if domain.number in (NumberKind.INTEGER, NumberKind.NATURAL) and value.denominator != 1:
            return False
        if (domain.positive and value <= 0) or ((domain.nonnegative or domain.number is NumberKind.NATURAL) and value < 0) or (domain.nonzero and value == 0):
            return False
    return True


def _all_integers(variables: Sequence[str], domains: Mapping[str, Domain]) -> bool:
    return all(name in domains and domains[name].number in (NumberKind.INTEGER, NumberKind.NATURAL) for name in variables)


def _integral(*trees: Expression) -> bool:
    from fidelean.informal.maths.tree import Binary, children

    for tree in trees:
        if isinstance(tree, Number) and tree.value.denominator != 1:
            return False
        if isinstance(tree, Binary) and tree.operator == "/":
            return False
        if not _integral(*children(tree)):
            return False
    return True


def _holds_at(condition: Condition, point: Mapping[str, Fraction], policy: ArithmeticPolicy) -> bool:
    """Whether a condition that speaks only of the point's variables holds there; True where it speaks of others, False where it is not known."""
    from fidelean.exact.budget import Budget
    from fidelean.exact.evaluation import evaluate
    from fidelean.exact.relation import relate
    from fidelean.outcome import Passed

    if condition.fact is None:
        return True
    if not condition.variables <= set(point):
        # "a = 38k + 8" defines a name that the point does not speak of: it holds for some value of that name
        return any(_defines_other(chain, point) for chain in condition.fact.alternatives)
    for chain in condition.fact.alternatives:
        sides = [at_point(side, point) for side in chain.sides]
        try:
            values = [(side, evaluate(side, Budget(policy))) for side in sides]
            links = zip(values, chain.relations, values[1:], strict=False)
            if chain.modulus is None and all(isinstance(relate(left, relation, right, Budget(policy)), Passed) for left, relation, right in links):
                return True
        except NoValue:
            continue
    return False


def _defines_other(chain: Chain, point: Mapping[str, Fraction]) -> bool:
    """Whether a chain gives a value to a name outside the point that occurs nowhere else in it."""
    left, right = chain.sides[0], chain.sides[-1]
    if len(chain.sides) != 2 or chain.relations[0] is not Relation.EQUAL:
        return False
    return any(isinstance(a, Name) and a.name not in point and a.name not in names(b) for a, b in ((left, right), (right, left)))


def at_point(tree: Expression, point: Mapping[str, Fraction]) -> Expression:
    from fidelean.informal.maths.tree import Negate, children, with_children

    if isinstance(tree, Name) and tree.name in point:
        value = point[tree.name]
        return Number(value) if value >= 0 else Negate(Number(-value))
    parts = children(tree)
    return with_children(tree, [at_point(part, point) for part in parts]) if parts else tree


_ORDER = frozenset((Relation.LESS, Relation.LESS_EQUAL, Relation.GREATER, Relation.GREATER_EQUAL))


def _carriers(chains: Sequence[Chain], free: AbstractSet[str], domains: Mapping[str, Domain]) -> tuple[Carrier, ...]:
    """The structures in which the claim may be meant, the most general first."""
    if any(chain.modulus is not None or Relation.DIVIDES in chain.relations for chain in chains) or _all_integers(tuple(free), domains):
        return (Carrier.INTEGER,)
    if any(domain.number is NumberKind.COMPLEX for domain in domains.values()):
        return (Carrier.FIELD,)
    return (Carrier.ORDERED_FIELD,)


def _domain_premises(domains: Mapping[str, Domain], conclusion: Sequence[Chain], carrier: Carrier) -> Iterator[Premise]:
    """Declared signs as hypotheses."""
    free = frozenset[str]().union(*(names(side) for chain in conclusion for side in chain.sides))
    none = (Span(0, 0), Span(0, 0))
    for name in sorted(free):
        domain = domains.get(name)
        if domain is None:
            continue
        if domain.nonzero:
            yield Premise((Chain((Name(name), Number(0)), (Relation.NOT_EQUAL,), none),))
        if carrier is Carrier.FIELD:
            continue
        if domain.positive:
            yield Premise((Chain((Name(name), Number(0)), (Relation.GREATER,), none),))
        elif domain.nonnegative or domain.number is NumberKind.NATURAL:
            yield Premise((Chain((Name(name), Number(0)), (Relation.GREATER_EQUAL,), none),))
