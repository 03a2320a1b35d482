"""What must hold so that every term of a signature means what the text meant: no division by zero, no truncated difference.

Each guard is stated under the conditions, and, inside a proposition, under what stands before it: ``x = 0 ∨ 1 / x > 0`` needs
``¬x = 0 → x ≠ 0``. A claim that closes while a guard does not is no evidence (evaluate-proof, 5d).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fidelean.outcome import Inconclusive, Reason
from fidelean.proving.polynomials import NotPolynomial, quotient_of
from fidelean.proving.signature import FunctionType, Signature
from fidelean.proving.terms import (
    Applied,
    Ascribed,
    Binary,
    Connective,
    Joined,
    Negated,
    Negative,
    Numeral,
    Proposition,
    Quantified,
    Quantifier,
    Related,
    Term,
)

__all__ = ["Guard", "guards_of", "unread_junk"]


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
    types = dict(signature.functions)
    found = dict.fromkeys(guard for proposition in signature.propositions for guard in _guards(proposition, types))
    return tuple(guard for guard in found if guard.proposition not in given)


def _guards(proposition: Proposition, types: Mapping[str, FunctionType]) -> Iterator[Guard]:
    match proposition:
        case Related(_, left, right, carrier):
            yield from _term_guards(left, carrier, types)
            yield from _term_guards(right, carrier, types)
        case Negated(body):
            yield from _guards(body, types)
        case Joined(connective, left, right):
            yield from _guards(left, types)
            before = Negated(left) if connective is Connective.OR else left
            for guard in _guards(right, types):
                is_plain = connective is Connective.IFF
                yield guard if is_plain else Guard(Joined(Connective.IMPLIES, before, guard.proposition), guard.reason)
        case Quantified(_, name, carrier, body):
            for guard in _guards(body, types):
                yield Guard(Quantified(Quantifier.ALL, name, carrier, guard.proposition), guard.reason)
        case _:
            return


def _term_guards(term: Term, carrier: str, types: Mapping[str, FunctionType]) -> Iterator[Guard]:
    match term:
        case Binary(operator, left, right):
            yield from _term_guards(left, carrier, types)
            yield from _term_guards(right, "Nat" if operator == "^" else carrier, types)
            yield from _own_guards(term, carrier)
        case Negative(inner) | Ascribed(inner, _):
            yield from _term_guards(inner, carrier, types)
        case Applied(function, arguments):
            for argument, own_carrier in zip(arguments, types[function].arguments, strict=True):
                yield from _term_guards(argument, own_carrier, types)
        case _:
            return


def _own_guards(term: Binary, carrier: str) -> Iterator[Guard]:
    if term.operator == "-" and carrier == "Nat":
        yield Guard(Related("≤", term.right, term.left, "Nat"), Reason.JUNK_SUBTRACTION)
    elif term.operator in "/%" and not _is_nonzero_constant(term.right):
        yield Guard(Related("≠", term.right, Numeral(0), carrier), Reason.JUNK_DIVISION)
    if term.operator == "/" and carrier in ("Nat", "Int"):
        yield Guard(Related("∣", term.right, term.left, carrier), Reason.JUNK_DIVISION)


def _is_nonzero_constant(term: Term) -> bool:
    try:
        top, bottom = quotient_of(term)
    except NotPolynomial:
        return False
    return bottom.value not in (None, 0) and top.value not in (None, 0)


def unread_junk(text: str, reason: str) -> Inconclusive | None:
    """Why a closed claim may rest on a conventional value of Lean although nobody could read it; None where no such sign occurs."""
    if "/" in text or "%" in text:
        return Inconclusive(Reason.JUNK_DIVISION, f"its divisions were not looked at: the signature was not read ({reason})")
    if "-" in text and ("Nat" in text or "ℕ" in text):
        return Inconclusive(Reason.JUNK_SUBTRACTION, f"its differences were not looked at: the signature was not read ({reason})")
    return None
