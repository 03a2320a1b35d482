"""Facts as read → a Lean signature that says the same: the rule-based statement stage.

The signature is built as a tree, written, read back by the strict reader of signatures, and counts only if that gives the same tree
(rule gate). Lean's total functions are guarded here: every denominator in force becomes a hypothesis ``≠ 0``, and subtraction is stated
over ℤ or a field, never over ℕ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from fidelean.informal.maths import tree as maths
from fidelean.informal.maths.tree import Chain, Expression, Relation
from fidelean.proving.reading import read_signature
from fidelean.proving.signature import Binder, FunctionType, Hypothesis, Instance, Signature, TypeVariable, Variables, render_signature
from fidelean.proving.terms import (
    Applied,
    Binary,
    Connective,
    Falsum,
    Joined,
    Negative,
    Numeral,
    Proposition,
    Quantified,
    Quantifier,
    Related,
    Term,
    Variable,
)

__all__ = ["Carrier", "NotStated", "Premise", "Stated", "state"]


class Carrier(StrEnum):
    """The structure a statement speaks of."""

    FIELD = "field"
    """An arbitrary field of characteristic 0."""
    ORDERED_FIELD = "ordered_field"
    """An arbitrary linearly ordered field."""
    RATIONAL = "rational"
    """ℚ."""
    INTEGER = "integer"
    """ℤ."""


class NotStated(Exception):
    """The facts cannot be stated over the carrier; the message says why."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A hypothesis of a statement."""

    alternatives: tuple[Chain, ...]
    """Chains of which at least one holds."""
    bound: tuple[str, ...] = ()
    """Names that stand for every value ("for all n")."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement with its way back to the text."""

    signature: str
    """What stands between the theorem's name and ``:=``."""
    carrier: Carrier
    """The structure it speaks of."""
    names: tuple[tuple[str, str], ...]
    """The text's name and Lean's name of each variable."""


def state(premises: Sequence[Premise], conclusion: Sequence[Chain], carrier: Carrier) -> Stated:
    """State ``premises → conclusion``; an empty conclusion states that the premises contradict each other.

    Raises ``NotStated`` where a fact has no meaning over the carrier, or reading the statement back does not give the same tree.
    """
    writer = _Writer(carrier)
    hypotheses = [writer.premise(premise) for premise in premises]
    goal = writer.disjunction(conclusion) if conclusion else Falsum()
    guards = writer.guards()
    binders = (*_carrier_binders(writer.carrier_name, carrier), *writer.variables(), *_numbered([*guards, *hypotheses]))
    text = render_signature(Signature("", binders, goal))
    _read_back(text, binders, goal)
    return Stated(text, carrier, tuple(writer.lean_names.items()))


def _read_back(text: str, binders: Sequence[Binder], goal: Proposition) -> None:
    reading = read_signature(text)
    if reading.signature is None:
        raise NotStated(f"the statement cannot be read back: {reading.reason}")
    same = _without_carriers(reading.signature.conclusion) == goal and len(binders) == len(reading.signature.binders)
    for ours, read in zip(binders, reading.signature.binders, strict=False):
        if isinstance(ours, Hypothesis) and isinstance(read, Hypothesis):
            same = same and ours.proposition == _without_carriers(read.proposition)
        else:
            same = same and ours == read
    if not same:
        raise NotStated("reading the statement back gives another tree")


def _without_carriers(proposition: Proposition) -> Proposition:
    match proposition:
        case Related(relation, left, right):
            return Related(relation, left, right)
        case Joined(connective, left, right):
            return Joined(connective, _without_carriers(left), _without_carriers(right))
        case Quantified(quantifier, name, carrier, body):
            return Quantified(quantifier, name, carrier, _without_carriers(body))
        case _:
            return proposition


def _carrier_binders(name: str, carrier: Carrier) -> tuple[Binder, ...]:
    if carrier in (Carrier.RATIONAL, Carrier.INTEGER):
        return ()
    classes: list[tuple[str, ...]] = [("Lean.Grind.Field", name)]
    if carrier is Carrier.FIELD:
        classes.append(("Lean.Grind.IsCharP", name, "0"))
    else:
        classes += [("LE", name), ("LT", name), ("Std.LawfulOrderLT", name), ("Std.IsLinearOrder", name), ("Lean.Grind.OrderedRing", name)]
    return (TypeVariable(name), *(Instance(words) for words in classes))


def _numbered(propositions: Iterable[Proposition]) -> list[Binder]:
    return [Hypothesis(f"h{number}", proposition) for number, proposition in enumerate(propositions, start=1)]


_SIGNS = {
    Relation.EQUAL: "=",
    Relation.NOT_EQUAL: "≠",
    Relation.LESS: "<",
    Relation.LESS_EQUAL: "≤",
    Relation.GREATER: ">",
    Relation.GREATER_EQUAL: "≥",
    Relation.DIVIDES: "∣",
}
_ORDER = frozenset((Relation.LESS, Relation.LESS_EQUAL, Relation.GREATER, Relation.GREATER_EQUAL))
_TAKEN = frozenset("K fun let in if then else do by at from have show with where open end def Type Prop Sort forall exists h".split())


class _Writer:
    """Turns trees of the text into terms of Lean, and remembers the variables and the denominators."""

    def __init__(self, carrier: Carrier) -> None:
        self.carrier = carrier
        self.carrier_name = {Carrier.RATIONAL: "Rat", Carrier.INTEGER: "Int"}.get(carrier, "K")
        self.lean_names: dict[str, str] = {}
        self.functions: dict[str, FunctionType] = {}
        self.denominators: list[Term] = []
        self.bound: dict[str, str] = {}

    def variables(self) -> list[Binder]:
        plain = tuple(lean for text, lean in self.lean_names.items() if text not in self.functions)
        groups: list[Binder] = [Variables(plain, self.carrier_name)] if plain else []
        return groups + [Variables((self.lean_names[name],), kind) for name, kind in self.functions.items()]

    def guards(self) -> list[Proposition]:
        distinct = list(dict.fromkeys(self.denominators))
        return [Related("≠", denominator, Numeral(0)) for denominator in distinct]

    def lean_name(self, name: str) -> str:
        if name in self.bound:
            return self.bound[name]
        if name not in self.lean_names:
            self.lean_names[name] = self.fresh(name)
        return self.lean_names[name]

    def fresh(self, name: str) -> str:
        cleaned = re.sub(r"[^A-Za-z0-9_]", "", name.replace("'", "_prime")).strip("_") or "x"
        candidate = cleaned if cleaned not in _TAKEN and not re.fullmatch(r"h\d+", cleaned) and cleaned[0].isalpha() else f"v_{cleaned}"
        used = {*self.lean_names.values(), *self.bound.values()}
        while candidate in used:
            candidate += "_"
        return candidate

    def premise(self, premise: Premise) -> Proposition:
        self.bound = {}
        for name in premise.bound:
            self.bound[name] = self.fresh(name)
        proposition = self.disjunction(premise.alternatives)
        for name in reversed(premise.bound):
            proposition = Quantified(Quantifier.ALL, self.bound[name], self.carrier_name, proposition)
        self.bound = {}
        return proposition

    def disjunction(self, chains: Sequence[Chain]) -> Proposition:
        return _joined(Connective.OR, [self.chain(chain) for chain in chains])

    def chain(self, chain: Chain) -> Proposition:
        links = zip(chain.sides, chain.relations, chain.sides[1:], strict=False)
        return _joined(Connective.AND, [self.link(left, relation, right, chain.modulus) for left, relation, right in links])

    def link(self, left: Expression, relation: Relation, right: Expression, modulus: Expression | None) -> Proposition:
        if modulus is not None or relation is Relation.CONGRUENT:
            return self.congruence(left, right, modulus)
        if relation in _ORDER and self.carrier is Carrier.FIELD:
            raise NotStated("an order over a field that has none")
        if relation is Relation.DIVIDES and self.carrier is not Carrier.INTEGER:
            raise NotStated("divisibility outside the integers")
        if relation not in _SIGNS:
            raise NotStated(f"the relation {relation.value} has no exact meaning")
        return Related(_SIGNS[relation], self.term(left), self.term(right))

    def congruence(self, left: Expression, right: Expression, modulus: Expression | None) -> Proposition:
        if modulus is None or self.carrier is not Carrier.INTEGER:
            raise NotStated("a congruence without its modulus or outside the integers")
        return Related("∣", self.term(modulus), Binary("-", self.term(left), self.term(right)))

    def term(self, tree: Expression) -> Term:
        match tree:
            case maths.Number(value):
                return self.number(value)
            case maths.Name(name):
                return Variable(self.lean_name(name))
            case maths.Negate(operand):
                return Negative(self.term(operand))
            case maths.Unit(operand, _):
                return self.term(operand)
            case maths.Binary(operator, left, right):
                return self.binary(operator, left, right)
            case maths.Apply("call", (maths.Name(function), *arguments)):
                return self.call(function, arguments)
            case maths.Apply("percent", (operand,)):
                return self.binary("/", operand, maths.Number(100))
            case maths.Apply("factorial", (maths.Number(int(n)),)) if 0 <= n <= 20:
                return Numeral(_factorial(n))
            case _:
                raise NotStated("an expression without a counterpart in core Lean")

    def number(self, value: Fraction | int) -> Term:
        if value.denominator == 1:
            return Numeral(int(value))
        if self.carrier is Carrier.INTEGER:
            raise NotStated("a fraction among integers")
        return Binary("/", Numeral(value.numerator), Numeral(value.denominator))

    def binary(self, operator: str, left: Expression, right: Expression) -> Term:
        if operator == "^":
            return self.power(left, right)
        if operator == "mod":
            raise NotStated("a remainder inside a formula")
        if operator == "/":
            return self.quotient(self.term(left), right)
        return Binary(operator, self.term(left), self.term(right))

    def quotient(self, top: Term, below: Expression) -> Term:
        if self.carrier is Carrier.INTEGER:
            raise NotStated("a division among integers")
        bottom = self.term(below)
        if bottom == Numeral(0):
            raise NotStated("a division by zero")
        if not isinstance(bottom, Numeral):
            if any(name in self.bound for name in maths.names(below)):
                raise NotStated("a denominator under a quantifier")
            self.denominators.append(bottom)
        return Binary("/", top, bottom)

    def power(self, base: Expression, exponent: Expression) -> Term:
        negative = isinstance(exponent, maths.Negate)
        inner = exponent.operand if isinstance(exponent, maths.Negate) else exponent
        if not isinstance(inner, maths.Number) or not isinstance(inner.value, int) or inner.value > 60:
            raise NotStated("an exponent that is no small numeral")
        if negative:
            return self.quotient(Numeral(1), maths.Binary("^", base, inner))
        return Binary("^", self.term(base), Numeral(inner.value))

    def call(self, function: str, arguments: Sequence[Expression]) -> Term:
        kind = FunctionType((self.carrier_name,) * len(arguments), self.carrier_name)
        if self.functions.setdefault(function, kind) != kind or function in self.bound:
            raise NotStated(f"{function} takes two different numbers of arguments")
        return Applied(self.lean_name(function), tuple(self.term(argument) for argument in arguments))


def _joined(connective: Connective, parts: Sequence[Proposition]) -> Proposition:
    """The parts joined to the right, as Lean reads them."""
    if not parts:
        raise NotStated("nothing is claimed")
    whole = parts[-1]
    for part in reversed(parts[:-1]):
        whole = Joined(connective, part, whole)
    return whole


def _factorial(n: int) -> int:
    return 1 if n < 2 else n * _factorial(n - 1)
