"""What must hold so that every term of a signature means what the text meant: no division by zero, no truncated difference.

Each guard is stated under the conditions, and, inside a proposition, under what stands before it: ``x = 0 ∨ 1 / x > 0`` needs
``¬x = 0 → x ≠ 0``. A claim that closes while a guard does not is no evidence (evaluate-proof, 5d).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fidelean.outcome import Reason
from fidelean.proving.polynomials import NotPolynomial, quotient_of
from fidelean.proving.signature import Signature
from fidelean.proving.terms import (
    Binary,
    Connective,
    Joined,
    Negated,
    Numeral,
    Proposition,
    Quantified,
    Quantifier,
    Related,
    Term,
    subterms,
)

__all__ = ["Guard", "guards_of"]


@dataclass(frozen=True, slots=True)
class Guard:
    """One thing that must hold under the conditions."""

    proposition: Proposition
    """What must hold."""
    reason: Reason
    """What it is called where it does not: junk division or junk subtraction."""


def guards_of(signature: Signature) -> tuple[Guard, ...]:
    """Every guard of a signature that is not among its own hypotheses, without repeats."""
    given = {hypothesis.proposition for hypothesis in signature.hypotheses}
    found = dict.fromkeys(guard for proposition in signature.propositions for guard in _guards(proposition))
    return tuple(guard for guard in found if guard.proposition not in given)


def _guards(proposition: Proposition) -> Iterator[Guard]:
    match proposition:
        case Related(_, left, right, carrier):
            for side in (left, right):
                yield from _term_guards(side, carrier)
        case Negated(body):
            yield from _guards(body)
        case Joined(connective, left, right):
            yield from _guards(left)
            before = Negated(left) if connective is Connective.OR else left
            for guard in _guards(right):
                is_plain = connective is Connective.IFF
                yield guard if is_plain else Guard(Joined(Connective.IMPLIES, before, guard.proposition), guard.reason)
        case Quantified(_, name, carrier, body):
            for guard in _guards(body):
                yield Guard(Quantified(Quantifier.ALL, name, carrier, guard.proposition), guard.reason)
        case _:
            return


def _term_guards(term: Term, carrier: str) -> Iterator[Guard]:
    for part in subterms(term):
        if not isinstance(part, Binary):
            continue
        if part.operator == "-" and carrier == "Nat":
            yield Guard(Related("≤", part.right, part.left, "Nat"), Reason.JUNK_SUBTRACTION)
        elif part.operator in "/%" and not _is_nonzero_constant(part.right):
            yield Guard(Related("≠", part.right, Numeral(0), carrier), Reason.JUNK_DIVISION)
        if part.operator == "/" and carrier in ("Nat", "Int"):
            yield Guard(Related("∣", part.right, part.left, carrier), Reason.JUNK_DIVISION)


def _is_nonzero_constant(term: Term) -> bool:
    try:
        top, bottom = quotient_of(term)
    except NotPolynomial:
        return False
    return bottom.value not in (None, 0) and top.value not in (None, 0)
