"""A statement file taken apart, so that another theorem can stand where its own stands: same imports, same definitions, same scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fidelean.lean.declarations import commands_of, depths, header_of
from fidelean.lean.guard import normalise
from fidelean.lean.records import LeanStatement
from fidelean.lean.tokens import LexFault, Token, TokenKind, meaningful, tokenize
from fidelean.lean.vocabulary import DECLARATIONS

__all__ = ["Frame", "frame_of", "without_comments"]


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the signature of a statement's theorem."""

    before: str
    """Everything before the theorem and what belongs to it."""
    prefix: str
    """What stands before the word ``theorem`` and belongs to it: ``open ... in``, modifiers, documentation."""
    signature: str
    """Binders and conclusion, without comments."""
    after: str
    """Everything behind the theorem: the ends of namespaces and sections."""
    imports: tuple[str, ...]
    """The imported modules, in order."""
    has_variables: bool
    """Whether a ``variable`` before it may add binders that the signature does not show."""
    definitions: tuple[tuple[str, ...], ...]
    """The commands before the theorem, in order, as words: equal ones say the same in any file."""

    @property
    def is_bare(self) -> bool:
        """Whether the theorem is all there is."""
        return not (self.imports or self.definitions or self.prefix or self.after.strip())

    def head(self, name: str, signature: str, *, heartbeats: int) -> str:
        """Everything up to the line of ``:=`` of a theorem in the place of the statement's own."""
        return f"{self.before}set_option maxHeartbeats {heartbeats} in\n{self.prefix}theorem {name} {signature}"

    def with_script(self, head: str, script: str) -> str:
        """A whole text: such a head, a tactic script, and what stands behind."""
        body = "\n".join(f"  {line}" for line in script.split("\n"))
        return f"{head}\n    := by\n{body}\n{self.after}"


def frame_of(statement: LeanStatement) -> Frame | None:
    """Take a statement's text apart; None where its last declaration is no theorem or the text cannot be read."""
    text = normalise(statement.text)
    try:
        tokens = meaningful(tokenize(text))
        levels = depths(tokens)
        if isinstance(levels, Token):
            return None
        modules, head = header_of(tokens)
        commands = commands_of(tokens[head:], levels[head:])
        last = next((at for at in range(len(commands) - 1, -1, -1) if commands[at].keyword in DECLARATIONS), None)
        if last is None or not commands[last].is_theorem or not commands[last].body or not commands[last].signature:
            return None
        command = commands[last]
        place = _offsets(text, [(command.prefix or (command,))[0].position.line, command.position.line])
        start = place[0] + (command.prefix[0].position.column if command.prefix else command.position.column)
        keyword = place[1] + command.position.column
        signature = _between(text, command.signature)
        end = _end(text, command.body[-1])
        return Frame(
            text[:start],
            without_comments(text[start:keyword]).lstrip() if command.prefix else "",
            without_comments(signature).strip(),
            text[end:],
            tuple(module.text for module in modules),
            any(other.keyword == "variable" for other in commands[:last]),
            tuple((*other.meaning, *(token.text for token in other.body if token.kind is not TokenKind.DOC)) for other in commands[:last]),
        )
    except LexFault:
        return None


def without_comments(text: str) -> str:
    """The text without comments and documentation; what stood on several lines may do so still.

    Raises:
        LexFault: the text cannot be read.
    """
    return "".join(" " if token.kind in (TokenKind.COMMENT, TokenKind.DOC) else token.text for token in tokenize(text))


def _offsets(text: str, lines: Sequence[int]) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return [starts[line - 1] for line in lines]


def _end(text: str, token: Token) -> int:
    return _offsets(text, [token.position.line])[0] + token.position.column + len(token.text)


def _between(text: str, tokens: Sequence[Token]) -> str:
    start = _offsets(text, [tokens[0].position.line])[0] + tokens[0].position.column
    return text[start : _end(text, tokens[-1])]
