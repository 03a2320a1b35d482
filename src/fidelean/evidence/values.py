"""Claims that become numeric once a value is put in that the text itself gives: exact arithmetic decides them, without Lean.

Two kinds: a name that the formula in front makes a calculation ("$R = 17 - 4$, so $R = 12$"), and a function at a number, where the text
defines the function ("$f(x) = x^2 + 1$, so $f(3) = 9$").
"""

from __future__ import annotations

from collections.abc import Sequence

from fidelean.decomposition.records import Condition, ConditionKind
from fidelean.evidence.conditions import defined_arguments
from fidelean.evidence.wording import draws_on_premise, is_unspoken, loses_solutions, uses_something_else
from fidelean.informal.maths.tree import (
    Apply,
    Binary,
    Chain,
    Expression,
    Name,
    Negate,
    Number,
    Relation,
    Unit,
    children,
    names,
    with_children,
)
from fidelean.obligations.records import Obligation

__all__ = ["put_in"]


def put_in(obligation: Obligation, premise: Obligation | None) -> Chain | None:
    """The chain of numbers that a claim with variables amounts to; None where the text gives no values, or not beyond doubt.

    Args:
        obligation: the claim.
        premise: the claim in front.
    """
    chain = obligation.chain
    if chain is None or chain.modulus is not None or any(relation is not Relation.EQUAL for relation in chain.relations):
        return None
    return _restated(obligation, chain, premise) or _at_arguments(obligation, chain)


def _restated(obligation: Obligation, chain: Chain, premise: Obligation | None) -> Chain | None:
    """The last form of the formula in front, a calculation, beside the next one of this: both say what one name is worth."""
    if premise is None or premise.chain is None or obligation.step - premise.step > 1:
        return None
    before, name = premise.chain, chain.sides[0]
    if not isinstance(name, Name) or before.sides[0] != name or before.modulus is not None:
        return None
    if any(relation is not Relation.EQUAL for relation in before.relations):
        return None
    left, right = before.sides[-1], chain.sides[1]
    if names(left) or names(right) or _is_value(left):
        return None
    cue = obligation.cue
    draws = draws_on_premise(cue) and not uses_something_else(cue) and not loses_solutions(cue)
    if not (is_unspoken(cue) or draws):
        return None
    return Chain((left, right), (Relation.EQUAL,), chain.spans[:2])


def _is_value(tree: Expression) -> bool:
    """Whether a tree is a finished value: nothing is left to be calculated, and another value in the next line is another value."""
    while isinstance(tree, Negate | Unit):
        tree = tree.operand
    if isinstance(tree, Binary) and tree.operator == "/":
        return _is_value(tree.left) and _is_value(tree.right)
    return isinstance(tree, Number) or not _calculates(tree)


def _calculates(tree: Expression) -> bool:
    """Whether two numerals meet in an operation, as in a calculation that is to be carried out."""
    if isinstance(tree, Binary) and isinstance(tree.left, Number) and isinstance(tree.right, Number):
        return True
    return any(_calculates(child) for child in children(tree))


def _at_arguments(obligation: Obligation, chain: Chain) -> Chain | None:
    """The chain with the values of functions put in, where that leaves numbers only."""
    sides = tuple(_with_bodies(side, obligation.conditions) for side in chain.sides)
    if sides == chain.sides or any(names(side) for side in sides):
        return None
    return Chain(sides, chain.relations, chain.spans)


def _with_bodies(tree: Expression, conditions: Sequence[Condition]) -> Expression:
    """A tree with the calls of defined functions replaced by what the definitions say."""
    parts = [_with_bodies(part, conditions) for part in children(tree)]
    whole = with_children(tree, parts) if parts else tree
    if not isinstance(whole, Apply) or whole.function != "call" or not isinstance(whole.arguments[0], Name):
        return whole
    definition = _definition(whole.arguments[0].name, conditions)
    if definition is None or len(definition[0]) != len(whole.arguments) - 1:
        return whole
    return _replaced(definition[1], dict(zip(definition[0], whole.arguments[1:], strict=True)))


def _definition(function: str, conditions: Sequence[Condition]) -> tuple[list[str], Expression] | None:
    """The arguments and the body of a function that the problem or the proof defines once, by one formula, and says nothing else about."""
    about = [condition for condition in conditions if function in condition.variables and condition.kind is not ConditionKind.DERIVED]
    definitions = [condition for condition in about if condition.fact is not None and _arguments(condition, function)]
    if len(definitions) != 1 or any(not condition.was_read for condition in about):
        return None
    fact = definitions[0].fact
    if fact is None or definitions[0].kind not in (ConditionKind.GIVEN, ConditionKind.DEFINITION) or len(fact.alternatives[0].sides) != 2:
        return None
    return _arguments(definitions[0], function), fact.alternatives[0].sides[1]


def _arguments(condition: Condition, function: str) -> list[str]:
    fact = condition.fact
    if fact is None or len(fact.alternatives) != 1:
        return []
    left = fact.alternatives[0].sides[0]
    if not isinstance(left, Apply) or left.function != "call" or left.arguments[0] != Name(function):
        return []
    return defined_arguments(fact.alternatives[0])


def _replaced(tree: Expression, values: dict[str, Expression]) -> Expression:
    if isinstance(tree, Name):
        return values.get(tree.name, tree)
    parts = children(tree)
    return with_children(tree, [_replaced(part, values) for part in parts]) if parts else tree
