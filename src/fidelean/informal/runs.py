"""Cutting a text into runs of tokens that may be one formula: at words, punctuation, delimiters and line ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fidelean.informal.maths.tokens import Token
from fidelean.informal.maths.unit_words import is_unit_text

__all__ = ["Run", "cut"]

_GAP = 6
"""Most line ends and delimiters between two displays of one formula."""
_BOUNDARIES = frozenset(("arrow", "env", "stop", "other", "bold", "break"))


@dataclass(frozen=True, slots=True)
class Run:
    """Tokens without a boundary between them."""

    tokens: list[Token]
    """In the order of the text."""
    before: Token | None
    """The token in front, a delimiter skipped."""
    glued_before: bool
    """Whether a colon or the like stands right against the first token."""
    delimited: bool
    """Whether the run starts right behind a delimiter of mathematics."""
    after: Token | None
    """The token behind."""


def cut(text: str, tokens: list[Token]) -> list[Run]:
    """The runs of a text that hold a relation, in order; ``tokens`` are settled."""
    return _Cutter(text, tokens).runs_with_relations()


_MAX_LINE_ENDS = 100


class _Cutter:
    """Cuts the tokens of a text into runs."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.runs: list[Run] = []
        self.current: list[Token] = []
        self.opened: int | None = None
        self.depth = 0
        self.related = False

    def runs_with_relations(self) -> list[Run]:
        for position, token in enumerate(self.tokens):
            kind = token.kind
            if kind == "word" and not self.current:
                self.opened, self.depth = position, 0
            elif kind in ("delim", "align", "newline", "break"):
                if self.cuts(position, kind):
                    self.close(position)
            elif self.belongs(position, token):
                self.add(token)
            else:
                self.close(position)
        self.close(None)
        return self.runs

    def cuts(self, position: int, kind: str) -> bool:
        """Whether a delimiter or a line end ends a run; an equals sign behind either carries it on."""
        if _is_carried_on(self.tokens, position):
            return False
        if kind == "delim":
            return not _is_glue(self.tokens, position)
        following, far = position + 1, position + _MAX_LINE_ENDS  # who writes more of them does not go on with a formula
        while following < len(self.tokens) and following < far and self.tokens[following].kind in ("align", "newline"):
            following += 1
        return kind != "align" and (following == len(self.tokens) or self.tokens[following].kind != "rel")

    def belongs(self, position: int, token: Token) -> bool:
        """Whether a token is a part of a formula."""
        kind = token.kind
        if kind in ("word", "text"):
            return _is_unit_here(self.tokens, position, self.current)
        if kind == "sep":
            return self.depth > 0 and _in_arguments(self.tokens, position)
        if kind == "op" and token.text in "*-" and not self.current:
            return not _is_bullet(self.text, token)
        return kind not in _BOUNDARIES

    def add(self, token: Token) -> None:
        if token.kind == "open":
            self.depth += 1
        elif token.kind == "close":
            self.depth = max(0, self.depth - 1)
        elif token.kind == "rel":
            self.related = True
        self.current.append(token)

    def close(self, position: int | None) -> None:
        """End a run in front of the token at ``position``, or at the end of the text."""
        if self.related:
            self.runs.append(self.run(None if position is None else self.tokens[position]))
        self.current, self.depth, self.opened, self.related = [], 0, position, False

    def run(self, boundary: Token | None) -> Run:
        if self.opened is None:
            return Run(self.current, None, glued_before=False, delimited=False, after=boundary)
        opened = self.tokens[self.opened]
        if opened.kind == "delim":
            before = self.tokens[self.opened - 1] if self.opened > 0 else None
            return Run(self.current, before, glued_before=False, delimited=True, after=boundary)
        glued = opened.kind in ("sep", "other") and opened.end == self.current[0].start and self.text[opened.start : opened.end] in ":,'#_"
        return Run(self.current, opened, glued_before=glued, delimited=False, after=boundary)


def _is_glue(tokens: Sequence[Token], position: int) -> bool:
    """Whether a delimiter stands between an operand and a sign, as in ``$2+3$ = $5$``."""
    previous = tokens[position - 1] if position else None
    following = tokens[position + 1] if position + 1 < len(tokens) else None
    if tokens[position].text == "shut":
        return following is not None and following.kind == "rel"
    return previous is not None and previous.kind == "rel"


def _is_carried_on(tokens: Sequence[Token], position: int) -> bool:
    """Whether nothing but white space stands between here and a formula that opens with an equals sign: "$$2 + 3$$ $$= 5$$"."""
    for ahead in range(position, min(position + _GAP, len(tokens) - 1)):
        token, following = tokens[ahead], tokens[ahead + 1]
        if token.kind not in ("delim", "newline", "break"):
            return False
        if following.kind == "rel":
            return token.kind == "delim" and token.text == "open" and following.text == "="
    return False


def _in_arguments(tokens: Sequence[Token], position: int) -> bool:
    """Whether a comma stands inside a bracket that a function such as gcd opened."""
    depth = 0
    for index in range(position - 1, max(-1, position - 60), -1):
        token = tokens[index]
        if token.kind == "close":
            depth += 1
        elif token.kind == "open":
            if depth == 0:
                return index > 0 and tokens[index - 1].kind in ("func", "name")
            depth -= 1
    return False


def _is_unit_here(tokens: Sequence[Token], position: int, current: list[Token]) -> bool:
    """Whether a word stands behind a number and in front of a sign or the end of a formula: a unit."""
    token = tokens[position]
    if not current or current[-1].kind not in ("num", "word", "text", "close") or not is_unit_text(token.text):
        return token.text.strip().lower() == "of" and bool(current) and (current[-1].text == "%" or _ends_in_fraction(current))
    if token.kind == "text":
        return True
    for ahead in range(position + 1, min(position + 4, len(tokens))):
        following = tokens[ahead]
        if following.kind in ("op", "rel") and following.text != "!":
            return True
        if following.kind == "close":
            return current[-1].kind == "num" or current[-1].kind == "word"
        if following.kind != "word" or not is_unit_text(following.text):
            return False
    return False


def _ends_in_fraction(current: list[Token]) -> bool:
    return len(current) > 2 and current[-1].kind == "num" and current[-2].text == "/" and current[-3].kind == "num"


def _is_bullet(text: str, token: Token) -> bool:
    line = text.rfind("\n", 0, token.start) + 1
    return (line == token.start or text[line : token.start].isspace()) and text[token.end : token.end + 1].isspace()
