"""Writing the tree of a signature as Lean text, with the fewest brackets; reading it again gives the same tree."""

from __future__ import annotations

from fidelean.proving.terms import (
    Applied,
    Ascribed,
    Binary,
    Connective,
    Falsum,
    Joined,
    Negated,
    Negative,
    Numeral,
    Proposition,
    Quantified,
    Related,
    Term,
    Unread,
    Variable,
)

__all__ = ["render_proposition", "render_term"]

_ATOM = 100
_BINARY = {"+": (65, 65, 66), "-": (65, 65, 66), "*": (70, 70, 71), "/": (70, 70, 71), "%": (70, 70, 71), "^": (75, 76, 75)}
_CONNECTIVES = {Connective.IFF: (20, 21, 21), Connective.IMPLIES: (25, 26, 25), Connective.OR: (30, 31, 30), Connective.AND: (35, 36, 35)}


def _bracketed(text: str, level: int, wanted: int) -> str:
    return text if level >= wanted else f"({text})"


def render_term(term: Term, wanted: int = 0) -> str:
    """Write a term so that it may stand where Lean wants precedence ``wanted``."""
    match term:
        case Numeral(value):
            return str(value)
        case Variable(name):
            return name
        case Negative(inner):
            return _bracketed(f"-{render_term(inner, 75)}", 75, wanted)
        case Binary(operator, left, right):
            level, on_left, on_right = _BINARY[operator]
            gap = "" if operator == "^" else " "
            return _bracketed(f"{render_term(left, on_left)}{gap}{operator}{gap}{render_term(right, on_right)}", level, wanted)
        case Applied(function, arguments):
            return _bracketed(" ".join([function, *(render_term(argument, _ATOM) for argument in arguments)]), 99, wanted)
        case Ascribed(inner, carrier):
            return f"({render_term(inner)} : {carrier})"


def render_proposition(proposition: Proposition, wanted: int = 0) -> str:
    """Write a proposition so that it may stand where Lean wants precedence ``wanted``."""
    match proposition:
        case Related(relation, left, right, _):
            return _bracketed(f"{render_term(left, 51)} {relation} {render_term(right, 51)}", 50, wanted)
        case Negated(body):
            return _bracketed(f"¬{render_proposition(body, 40)}", 45, wanted)
        case Joined(connective, left, right):
            level, on_left, on_right = _CONNECTIVES[connective]
            return _bracketed(f"{render_proposition(left, on_left)} {connective} {render_proposition(right, on_right)}", level, wanted)
        case Quantified(quantifier, name, carrier, body):
            return _bracketed(f"{quantifier} {name} : {carrier}, {render_proposition(body)}", 0, wanted)
        case Falsum():
            return "False"
        case Unread(text):
            return f"({text})"
