"""Cutting guarded tokens into commands, and a declaration into what stands before, its name, its signature and its body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fidelean.lean.records import LeanStatement, Position, RefusalKind
from fidelean.lean.tokens import LexFault, Token, TokenKind, meaningful, tokenize
from fidelean.lean.vocabulary import ALLOWED_COMMANDS, DECLARATIONS, MODIFIERS, THEOREMS

__all__ = ["Command", "commands_of", "depths", "header_of", "statement_of"]

_CLOSERS = {")": "(", "]": "[", "}": "{", "⟩": "⟨", "⟫": "⟪", "⦄": "⦃", "⟧": "⟦"}
_OPENERS = {"@[": "[", "%[": "[", "#[": "["} | {opener: opener for opener in _CLOSERS.values()}
_LONGEST_PREFIX = 200
_TERM_LEVEL = frozenset({"open", "set_option"})
_BINDING_WORDS = frozenset({"let", "have", "letI", "haveI"})


@dataclass(frozen=True, slots=True)
class Command:
    """One command, with the documentation, attributes, modifiers and ``... in`` before it."""

    keyword: str
    """The word that names the command."""
    prefix: tuple[Token, ...]
    """What stands before the keyword."""
    name: Token | None
    """The declared name, or None where the command declares none."""
    signature: tuple[Token, ...]
    """From behind the name up to the body; for other commands everything behind the keyword."""
    body: tuple[Token, ...]
    """From ``:=``, ``where`` or ``|`` on; empty where there is none."""
    position: Position
    """Where the keyword stands."""

    @property
    def is_theorem(self) -> bool:
        """Whether it states something that it must prove."""
        return self.keyword in THEOREMS

    @property
    def meaning(self) -> tuple[str, ...]:
        """Everything that fixes what is said, without documentation: prefix, keyword, name and signature."""
        name = () if self.name is None else (self.name.text,)
        prefix = (token.text for token in self.prefix if token.kind is not TokenKind.DOC)
        return (*prefix, self.keyword, *name, *(token.text for token in self.signature))


def depths(tokens: Sequence[Token]) -> tuple[int, ...] | Token:
    """How many brackets are open before each token, or the first token that does not fit."""
    open_brackets: list[Token] = []
    found: list[int] = []
    for token in tokens:
        closes = _CLOSERS.get(token.text) if token.kind is TokenKind.SYMBOL else None
        if closes is not None and (not open_brackets or _OPENERS[open_brackets.pop().text] != closes):
            return token
        found.append(len(open_brackets))
        if token.kind is TokenKind.SYMBOL and token.text in _OPENERS:
            open_brackets.append(token)
    return open_brackets[-1] if open_brackets else tuple(found)


def header_of(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], int]:
    """The module names imported at the head, and how many tokens the head takes."""
    modules: list[Token] = []
    at = 0
    while at + 1 < len(tokens) and tokens[at].text == "import" and tokens[at + 1].kind is TokenKind.NAME:
        modules.append(tokens[at + 1])
        at += 2
    return tuple(modules), at


def commands_of(tokens: Sequence[Token], levels: Sequence[int]) -> tuple[Command, ...]:
    """Cut meaningful tokens, head excluded, into commands; ``levels`` are their bracket depths.

    Raises:
        LexFault: more stands before one command than is read.
    """
    starts = _starts(tokens, levels)
    if not starts:
        return ()
    return tuple(
        _command(tuple(tokens[start:end]), tuple(levels[start:end])) for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True)
    )


def _starts(tokens: Sequence[Token], levels: Sequence[int]) -> list[int]:
    starts: list[int] = []
    at = 0
    while at < len(tokens):
        keyword = _keyword_from(tokens, levels, at)
        if keyword is None:
            at += 1
        else:
            starts.append(at)
            at = keyword + 1
    return starts if not tokens or (starts and starts[0] == 0) else [0, *starts]


def _keyword_from(tokens: Sequence[Token], levels: Sequence[int], at: int) -> int | None:
    """The index of the keyword of a command that starts at ``at``, or None where none starts there."""
    latest = at + _LONGEST_PREFIX
    while at < len(tokens) and levels[at] == 0:
        token = tokens[at]
        if at > latest:
            raise LexFault(RefusalKind.SHAPE, token.position, "more stands before one command than the guard reads")
        if token.text == "@[":
            at = _closing(levels, at) + 1
        elif token.kind is TokenKind.DOC or token.text in MODIFIERS:
            at += 1
        elif token.text in _TERM_LEVEL:
            behind = _behind_in(tokens, at)
            if behind is None:
                return at
            at = behind
        else:
            return at if token.text in ALLOWED_COMMANDS else None
    return None


def _closing(levels: Sequence[int], opening: int) -> int:
    at = opening + 1
    while at < len(levels) and levels[at] > levels[opening]:
        at += 1
    return at


def _behind_in(tokens: Sequence[Token], at: int) -> int | None:
    """The index behind the ``in`` of ``open ... in`` or ``set_option ... in``, or None where there is no ``in``."""
    scan = at + 1
    while scan < len(tokens) and (tokens[scan].kind in (TokenKind.NAME, TokenKind.NUMBER, TokenKind.STRING) or tokens[scan].text in "()"):
        if tokens[scan].text == "in":
            return scan + 1
        if tokens[scan].text in ALLOWED_COMMANDS:
            return None
        scan += 1
    return None


def _command(tokens: tuple[Token, ...], levels: tuple[int, ...]) -> Command:
    at = _keyword_from(tokens, levels, 0)
    if at is None:
        return Command("", tokens, None, (), (), tokens[0].position)
    keyword, rest = tokens[at], tokens[at + 1 :]
    if keyword.text not in DECLARATIONS or keyword.text == "example":
        name, behind = None, rest
    else:
        name, behind = (rest[0], rest[1:]) if rest and rest[0].kind is TokenKind.NAME else (None, rest)
    cut = _body_start(behind, levels[len(tokens) - len(behind) :]) if keyword.text in DECLARATIONS else len(behind)
    return Command(keyword.text, tokens[:at], name, behind[:cut], behind[cut:], keyword.position)


def _body_start(tokens: Sequence[Token], levels: Sequence[int]) -> int:
    """Where the body starts: ``:=`` that no ``let`` or ``have`` of the type takes, else ``where``, else ``|``, else the end."""
    pending = 0
    for at, (token, level) in enumerate(zip(tokens, levels, strict=True)):
        if level == 0 and token.text in _BINDING_WORDS:
            pending += 1
        elif level == 0 and token.text == ":=":
            if pending == 0:
                return at
            pending -= 1
    for opener in ("where", "|"):
        for at, (token, level) in enumerate(zip(tokens, levels, strict=True)):
            if level == 0 and token.text == opener:
                return at
    return len(tokens)


def statement_of(text: str) -> LeanStatement | None:
    """Read a text whose last declaration is a theorem as a statement, or None where it is not one.

    The text must have passed the guard, or at least be readable.

    Raises:
        LexFault: the text cannot be read.
    """
    tokens = meaningful(tokenize(text))
    levels = depths(tokens)
    if isinstance(levels, Token):
        return None
    _, head = header_of(tokens)
    commands = [command for command in commands_of(tokens[head:], levels[head:]) if command.keyword in DECLARATIONS]
    if not commands or not commands[-1].is_theorem or commands[-1].name is None:
        return None
    signature = commands[-1].signature
    return LeanStatement(text, commands[-1].name.text, _written(text, signature))


def _written(text: str, tokens: Sequence[Token]) -> str:
    if not tokens:
        return ""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    first, last = tokens[0].position, tokens[-1].position
    return text[starts[first.line - 1] + first.column : starts[last.line - 1] + last.column + len(tokens[-1].text)]
