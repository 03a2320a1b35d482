"""The sides of a run: cut at its relations, each read as an expression."""

from __future__ import annotations

from dataclasses import dataclass

from fidelean.informal.maths.parser import NotRead, parse_expression
from fidelean.informal.maths.tokens import Token
from fidelean.informal.maths.tree import Binary, Chain, Expression, Name, Relation, names
from fidelean.informal.records import Span
from fidelean.outcome import Inconclusive, Reason

__all__ = ["Side", "chain_of", "cut_modulus", "modulus_of", "split", "trim", "unboxed"]


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a chain."""

    relation: Token | None
    """The relation in front; None for the first side."""
    tokens: list[Token]
    """Its tokens, a modulus at the end left out."""
    tree: Expression | None
    """Its tree, where it was read."""
    unread: Inconclusive | None
    """Why it is not a number; None for a closed expression."""


def split(tokens: list[Token]) -> list[Side]:
    """Sides with the relation in front of each; relations inside brackets do not split."""
    cut: list[tuple[Token | None, list[Token]]] = [(None, [])]
    depth = 0
    for token in tokens:
        kind = token.kind
        if kind == "rel" and depth <= 0:
            cut.append((token, []))
            continue
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        cut[-1][1].append(token)
    return [_read_side(relation, side) for relation, side in cut]


def _read_side(relation: Token | None, tokens: list[Token]) -> Side:
    if not tokens:
        return Side(relation, tokens, None, Inconclusive(Reason.HAS_WORDS, "a side in words"))
    first = tokens[0]
    if relation is None and first.kind == "op" and not (first.text in "+-" and len(tokens) > 1 and tokens[1].start == first.end):
        return Side(relation, tokens, None, Inconclusive(Reason.FRAGMENT, "starts with an operator"))
    try:
        tree = parse_expression(tokens)
    except NotRead as answer:
        return Side(relation, tokens, None, Inconclusive(answer.reason, answer.detail))
    free = names(tree) if any(token.kind in ("name", "cmd") for token in tokens) else ()
    unread = Inconclusive(Reason.HAS_VARIABLE, f"{', '.join(sorted(free)[:5])} has no value here") if free else None
    return Side(relation, tokens, tree, unread)


def trim(tokens: list[Token]) -> list[Token]:
    """Without brackets of the prose around: opening ones at the start that are not closed, and all behind one that was not opened."""
    unclosed: list[int] = []
    end = len(tokens)
    for index, token in enumerate(tokens):
        if token.kind == "open":
            unclosed.append(index)
        elif token.kind == "close":
            if unclosed:
                unclosed.pop()
            else:
                end = index
                break
    start = 0
    while start < len(unclosed) and unclosed[start] == start:
        start += 1
    inner = unclosed[start] if start < len(unclosed) else None
    return tokens[start : end if inner is None else inner]


def unboxed(tokens: list[Token]) -> list[Token]:
    """The inside of a box around a whole formula."""
    if len(tokens) < 5 or tokens[0].kind != "group" or tokens[-1].text != "}":
        return tokens
    depth = 0
    for token in tokens[1:-1]:
        depth += (token.kind == "open") - (token.kind == "close")
        if depth == 0:
            return tokens
    return tokens[2:-1]


def cut_modulus(tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    r"""A modulus at the end, "(mod 7)" or "\pmod{7}", apart from the chain."""
    for index in range(len(tokens) - 1, 0, -1):
        token = tokens[index]
        if token.kind == "rel":
            break
        if token.kind == "pmod" or (token.text == "(" and index + 1 < len(tokens) and tokens[index + 1].text.lower() in ("mod", "modulo")):
            return tokens[:index], tokens[index:]
    return tokens, []


def modulus_of(tokens: list[Token]) -> Expression | None:
    """The modulus's tree; a name where it cannot be read, so that nothing is decided with it."""
    if not tokens:
        return None
    inner = tokens[1:] if tokens[0].kind == "pmod" else tokens[2:-1]
    try:
        return parse_expression(inner)
    except NotRead:
        return Name("an unread modulus")


def chain_of(sides: list[Side], modulus: Expression | None) -> Chain:
    """The chain of sides that were all read; a modulus behind a congruence without brackets is found here."""
    last = sides[-1].tree
    relations = tuple(Relation(side.relation.text) for side in sides[1:] if side.relation is not None)
    trees = [side.tree for side in sides if side.tree is not None]
    if modulus is None and Relation.CONGRUENT in relations and isinstance(last, Binary) and last.operator == "mod":
        trees[-1], modulus = last.left, last.right
    return Chain(tuple(trees), relations, tuple(Span(side.tokens[0].start, side.tokens[-1].end) for side in sides), modulus)
