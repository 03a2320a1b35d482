"""What the closing tactics share: facts put in front of ``grind``, and what a statement mentions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fidelean.proving.signature import Signature
from fidelean.proving.terms import Connective, Joined, Negated, Numeral, Proposition, Quantified, Quantifier, Related, subterms, terms_of

__all__ = ["relations", "small_literals", "starts_with_premises", "with_facts"]


def with_facts(facts: Sequence[str]) -> str:
    """A script that states the facts and leaves the goal to ``grind``."""
    return "\n".join([*(f"have := {fact}" for fact in facts), "grind"])


def small_literals(signature: Signature, bound: int = 12) -> list[int]:
    """The smallest positive numbers up to ``bound`` that the statement mentions, 1 among them; six at most."""
    found = {
        part.value
        for proposition in signature.propositions
        for term in terms_of(proposition)
        for part in subterms(term)
        if isinstance(part, Numeral)
    }
    return [value for value in sorted({1, *found}) if 0 < value <= bound][:6]


def relations(proposition: Proposition) -> Iterator[Related]:
    """Every relation in the proposition."""
    match proposition:
        case Related():
            yield proposition
        case Negated(body) | Quantified(_, _, _, body):
            yield from relations(body)
        case Joined(_, left, right):
            yield from relations(left)
            yield from relations(right)
        case _:
            return


def starts_with_premises(proposition: Proposition) -> bool:
    """Whether a proof of it starts with ``intros``."""
    match proposition:
        case Quantified(Quantifier.ALL, _, _, _):
            return True
        case Joined(connective, _, _):
            return connective is Connective.IMPLIES
        case _:
            return False
