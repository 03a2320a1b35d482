"""Closing tactics, one function an entry: from a signature to the scripts worth trying on it. What does not apply gives none.

Every script is ordinary Lean that the source guard lets through. The order is in ``portfolio``; the measurements behind it: core-lean.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from fidelean.proving.facts import with_facts
from fidelean.proving.polynomials import NotPolynomial, quotient_of
from fidelean.proving.signature import Signature
from fidelean.proving.terms import (
    Applied,
    Connective,
    Joined,
    Numeral,
    Proposition,
    Quantified,
    Quantifier,
    Unread,
    Variable,
    subterms,
    terms_of,
)

__all__ = ["by_decision", "by_induction", "by_instances", "by_parts", "by_unrolling", "ring_and_order"]

MAX_UNROLLED = 24


def by_decision(signature: Signature) -> Iterator[str]:
    """Closed statements: the kernel computes."""
    if not signature.variables and not signature.hypotheses:
        yield "decide +kernel"


def ring_and_order(signature: Signature) -> Iterator[str]:
    """Commutative rings, fields, linear order, cases: everything but a text that was not read."""
    if not isinstance(signature.conclusion, Unread):
        yield "grind"


def by_parts(signature: Signature) -> Iterator[str]:
    """Conjunctions and equivalences, part by part."""
    if isinstance(signature.conclusion, Joined) and signature.conclusion.connective in (Connective.AND, Connective.IFF):
        yield "constructor <;> grind"


def by_instances(signature: Signature) -> Iterator[str]:
    """Universal hypotheses at 0, 1, -1 and the statement's own constants: comparing coefficients, functional equations."""
    facts: list[str] = []
    for hypothesis in signature.hypotheses:
        carriers = _leading_carriers(hypothesis.proposition)
        if not carriers or hypothesis.name == "_":
            continue
        points = _points(signature, carriers[0], 4 if len(carriers) == 1 else 2)
        facts.extend(f"{hypothesis.name} {' '.join(values)}" for values in product(points, repeat=len(carriers)))
    if facts:
        yield with_facts(facts[:20])


def by_unrolling(signature: Signature) -> Iterator[str]:
    """Recurrences: the universal hypotheses at every integer between those at which the function is mentioned."""
    points = sorted({point for proposition in signature.propositions for point in _function_points(proposition)})
    if not points or points[-1] - points[0] > MAX_UNROLLED:
        return
    low = points[0] - 2 if points[0] >= 2 else min(points[0], 0)
    facts = [
        f"{hypothesis.name} {value if value >= 0 else f'({value})'}"
        for hypothesis in signature.hypotheses
        if len(_leading_carriers(hypothesis.proposition)) == 1 and hypothesis.name != "_"
        for value in range(low, points[-1])
    ]
    if facts:
        yield with_facts(facts)


def by_induction(signature: Signature) -> Iterator[str]:
    """Induction on a natural number that no hypothesis speaks of."""
    spoken = {part for h in signature.hypotheses for term in terms_of(h.proposition) for part in subterms(term)}
    for name, kind in signature.variables:
        if kind == "Nat" and Variable(name) not in spoken:
            yield f"induction {name} with\n| zero => first | omega | grind\n| succ n ih => first | omega | grind"


def _leading_carriers(proposition: Proposition) -> list[str]:
    carriers: list[str] = []
    while isinstance(proposition, Quantified) and proposition.quantifier is Quantifier.ALL:
        carriers.append(proposition.carrier)
        proposition = proposition.body
    return carriers


def _points(signature: Signature, carrier: str, extra: int) -> list[str]:
    literals = [part.value for term in terms_of(signature.conclusion) for part in subterms(term) if isinstance(part, Numeral)]
    small = [0, 1] if carrier == "Nat" else [0, 1, -1]
    values = list(dict.fromkeys([*small, *(value for value in literals if value <= 1_000)]))[: len(small) + extra]
    names = [name for name, kind in signature.variables if kind == carrier][:extra]
    return [*(str(value) if value >= 0 else f"({value})" for value in values), *names]


def _function_points(proposition: Proposition) -> Iterator[int]:
    for term in terms_of(proposition):
        for part in subterms(term):
            if isinstance(part, Applied) and len(part.arguments) == 1:
                try:
                    value = quotient_of(part.arguments[0])[0].value
                except NotPolynomial:
                    continue
                if isinstance(value, int):
                    yield value
