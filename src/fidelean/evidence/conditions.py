"""Conditions in force, as a checker uses them: their equations, their domains, whether they hold at a point, how they become premises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from fidelean.decomposition.records import Condition, Domain, NumberKind
from fidelean.exact.budget import Budget
from fidelean.exact.evaluation import evaluate
from fidelean.exact.ideals import Equation
from fidelean.exact.novalue import NoValue
from fidelean.exact.relation import relate
from fidelean.faithfulness.stating import Carrier, Premise
from fidelean.informal.maths.tree import (
    Ambiguous,
    Apply,
    BigOperator,
    Binary,
    Chain,
    Constant,
    Expression,
    Name,
    Negate,
    Number,
    Relation,
    children,
    names,
    with_children,
)
from fidelean.informal.records import Span
from fidelean.outcome import Passed
from fidelean.policy import ArithmeticPolicy

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = [
    "all_integers",
    "as_premise",
    "at_point",
    "carriers_for",
    "defined_arguments",
    "defines_function",
    "domain_premises",
    "domains_of",
    "equations_of",
    "has_calls",
    "has_decimals",
    "holds_at",
    "is_integral",
    "lies_in",
]


def as_premise(condition: Condition) -> Premise | None:
    """A condition as a hypothesis of a statement; None for a domain and for words."""
    if condition.fact is None:
        return None
    return Premise(condition.fact.alternatives, _bound_names(condition))


def _bound_names(condition: Condition) -> tuple[str, ...]:
    """The names that an equation about a function holds for: those of its arguments."""
    if condition.fact is None or not defines_function(condition):
        return ()
    defined = [name for chain in condition.fact.alternatives for name in defined_arguments(chain)]
    return tuple(dict.fromkeys([*defined, *sorted(condition.quantified & condition.variables)]))


def defined_arguments(chain: Chain) -> list[str]:
    """The arguments of a function that a chain defines: "f(x) = x² + 1" holds for every x, whether or not that is said."""
    left, right = chain.sides[0], chain.sides[-1]
    if not isinstance(left, Apply) or left.function != "call" or not all(isinstance(argument, Name) for argument in left.arguments):
        return []
    function, *arguments = (argument.name for argument in left.arguments if isinstance(argument, Name))
    return arguments if names(right) <= set(arguments) and function not in arguments else []


def _calls(tree: Expression) -> Iterator[Apply]:
    if isinstance(tree, Apply) and tree.function == "call":
        yield tree
    for child in children(tree):
        yield from _calls(child)


def defines_function(condition: Condition) -> bool:
    """Whether a condition speaks of a function at a variable argument: it holds for every value of that variable."""
    if condition.fact is None:
        return False
    return any(
        names(argument)
        for chain in condition.fact.alternatives
        for side in chain.sides
        for call in _calls(side)
        for argument in call.arguments[1:]
    )


def equations_of(condition: Condition) -> list[Equation]:
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
    if isinstance(tree, Ambiguous | BigOperator | Constant) or (isinstance(tree, Apply) and tree.function != "percent"):
        return True
    if isinstance(tree, Binary) and tree.operator == "^" and not isinstance(_unsigned(tree.right), Number):
        return True
    return any(_opaque(child) for child in children(tree))


def _unsigned(tree: Expression) -> Expression:
    return tree.operand if isinstance(tree, Negate) else tree


def domains_of(conditions: Sequence[Condition]) -> dict[str, Domain]:
    """The declared domain of each variable, the latest declaration first in force."""
    return {condition.domain.variable: condition.domain for condition in conditions if condition.domain is not None}


def lies_in(point: Mapping[str, Fraction], domains: Mapping[str, Domain]) -> bool:
    """Whether a point lies in the declared domains."""
    for name, value in point.items():
        domain = domains.get(name)
        if domain is None:
            continue
        if domain.number in (NumberKind.INTEGER, NumberKind.NATURAL) and value.denominator != 1:
            return False
        if (
            (domain.positive and value <= 0)
            or ((domain.nonnegative or domain.number is NumberKind.NATURAL) and value < 0)
            or (domain.nonzero and value == 0)
        ):
            return False
    return True


def all_integers(variables: Sequence[str], domains: Mapping[str, Domain]) -> bool:
    """Whether every variable is declared an integer."""
    return all(name in domains and domains[name].number in (NumberKind.INTEGER, NumberKind.NATURAL) for name in variables)


def has_calls(tree: Expression) -> bool:
    """Whether a function of the text is called."""
    return next(_calls(tree), None) is not None


def has_decimals(tree: Expression) -> bool:
    """Whether a decimal occurs, which may be rounded."""
    return (isinstance(tree, Number) and tree.decimals is not None) or any(has_decimals(child) for child in children(tree))


def is_integral(*trees: Expression) -> bool:
    """Whether expressions have a meaning among integers: no fraction and no division."""
    for tree in trees:
        if isinstance(tree, Number) and tree.value.denominator != 1:
            return False
        if isinstance(tree, Binary) and tree.operator == "/":
            return False
        if not is_integral(*children(tree)):
            return False
    return True


def holds_at(condition: Condition, point: Mapping[str, Fraction], policy: ArithmeticPolicy) -> bool:
    """Whether a condition is known to hold at a point, or to hold there for some value of a name that the point does not speak of."""
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
            if chain.modulus is None and all(
                isinstance(relate(left, relation, right, Budget(policy)), Passed) for left, relation, right in links
            ):
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
    """The expression with values put in for names."""
    if isinstance(tree, Name) and tree.name in point:
        value = point[tree.name]
        return Number(value) if value >= 0 else Negate(Number(-value))
    parts = children(tree)
    return with_children(tree, [at_point(part, point) for part in parts]) if parts else tree


def carriers_for(chains: Sequence[Chain], free: AbstractSet[str], domains: Mapping[str, Domain]) -> tuple[Carrier, ...]:
    """The structures in which the claim may be meant, the most general first."""
    if any(chain.modulus is not None or Relation.DIVIDES in chain.relations for chain in chains) or all_integers(tuple(free), domains):
        return (Carrier.INTEGER,)
    if any(domain.number is NumberKind.COMPLEX for domain in domains.values()):
        return (Carrier.FIELD,)
    return (Carrier.ORDERED_FIELD,)


def domain_premises(domains: Mapping[str, Domain], conclusion: Sequence[Chain], carrier: Carrier) -> Iterator[Premise]:
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
