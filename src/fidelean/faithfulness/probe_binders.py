"""The binders of a signature and the leading ``∀`` and ``→`` of its conclusion, as text: enough to name, clear and instantiate them."""

from __future__ import annotations

from dataclasses import dataclass

from fidelean.lean.tokens import LexFault, Token, TokenKind, meaningful, tokenize

__all__ = ["Binder", "binders_of", "leading_steps"]

_PAIRS = {"(": ")", "{": "}", "[": "]", "⦃": "⦄", "⟨": "⟩"}
_CLOSERS = frozenset(_PAIRS.values())
_LOOSE = frozenset({"↔", "<->", "<|", "$", "|>", "|>."})
_BINDING = frozenset({"∀", "∃", "fun", "λ", "let", "have", "if", "match", "Σ", "Π", "∑", "∏", "⨆", "⨅", "⋃", "⋂"})


@dataclass(frozen=True, slots=True)
class Binder:
    """One bracket of binders."""

    bracket: str
    """The opening bracket."""
    names: tuple[str, ...]
    """The names it binds; empty for an instance without a name."""
    type: str
    """What stands behind the colon; empty where there is none."""
    text: str
    """The whole, as written."""


def binders_of(text: str) -> tuple[Binder, ...] | None:
    """Cut binders at their outer brackets; None where something stands between them."""
    found: list[Binder] = []
    rest = text.strip()
    while rest:
        end = _end(rest)
        if end is None:
            return None
        found.append(_binder(rest[0], rest[1 : end - 1], rest[:end]))
        rest = rest[end:].lstrip()
    return tuple(found)


def _end(text: str) -> int | None:
    if text[0] not in _PAIRS:
        return None
    open_brackets: list[str] = []
    for at, character in enumerate(text):
        if character in _PAIRS:
            open_brackets.append(_PAIRS[character])
        elif character in _CLOSERS:
            if not open_brackets or open_brackets.pop() != character:
                return None
            if not open_brackets:
                return at + 1
    return None


def _binder(bracket: str, inner: str, text: str) -> Binder:
    before, colon, behind = inner.partition(":")
    if bracket == "[" and (not colon or len(before.split()) != 1):
        return Binder(bracket, (), inner.strip(), text)
    return Binder(bracket, tuple(before.strip("{⦃ ").split()), behind.strip(), text)


def leading_steps(conclusion: str) -> tuple[int, str]:
    """How many ``intro`` the visible leading ``∀`` and ``→`` of a conclusion take, and what is left; less than there are where in doubt."""
    count = 0
    try:
        while True:
            tokens = meaningful(tokenize(conclusion))
            cut = _quantified(tokens) if tokens and tokens[0].text == "∀" else _implied(tokens)
            if cut is None:
                return count, conclusion.strip()
            count += cut[0]
            conclusion = _behind(conclusion, cut[1])
    except LexFault:
        return count, conclusion.strip()


def _quantified(tokens: tuple[Token, ...]) -> tuple[int, Token] | None:
    """``∀ x y : T,`` or ``∀ (x : T) (h : P),``; a bound such as ``∀ x > 0,`` is left alone."""
    depth = 0
    for at, token in enumerate(tokens[1:], start=1):
        depth += (token.text in _PAIRS) - (token.text in _CLOSERS)
        if token.text == "," and depth == 0:
            names = _names(tokens[1:at])
            return (names, token) if names else None
    return None


def _names(tokens: tuple[Token, ...]) -> int:
    """How many names a quantifier binds; 0 where it is written in a way that is not read."""
    if tokens and tokens[0].text in _PAIRS:
        groups = binders_of(" ".join(token.text for token in tokens)) or ()
        return sum(len(group.names) or 1 for group in groups)
    colon = next((at for at, token in enumerate(tokens) if token.text == ":"), len(tokens))
    return colon if all(token.kind is TokenKind.NAME for token in tokens[:colon]) else 0


def _implied(tokens: tuple[Token, ...]) -> tuple[int, Token] | None:
    depth = 0
    arrow: Token | None = None
    for token in tokens:
        if token.text in _PAIRS:
            depth += 1
        elif token.text in _CLOSERS:
            depth -= 1
        elif depth == 0 and token.text in _LOOSE:
            return None
        elif depth == 0 and token.text in _BINDING:
            break
        elif depth == 0 and token.text in ("→", "->") and arrow is None:
            arrow = token
    return None if arrow is None else (1, arrow)


def _behind(text: str, token: Token) -> str:
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: token.position.line - 1]) + token.position.column
    return text[start + len(token.text) :]
