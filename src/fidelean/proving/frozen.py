"""A statement before its proof, cut out of the text it was admitted as: what stands around the theorem stays, and every token of it."""

from __future__ import annotations

from dataclasses import dataclass

from fidelean.lean.declarations import Command
from fidelean.lean.guard import normalise, screen
from fidelean.lean.records import LeanStatement, Position
from fidelean.lean.tokens import TokenKind
from fidelean.lean.vocabulary import DECLARATIONS
from fidelean.proving.reading import read_signature
from fidelean.proving.signature import Signature
from fidelean.proving.statements import Stated, negation, under_conditions

__all__ = ["Frozen", "freeze"]


@dataclass(frozen=True, slots=True)
class Frozen:
    """A statement whose meaning may not change any more."""

    statement: LeanStatement
    """The statement as it was admitted."""
    context: str
    """Everything before the theorem: helper definitions, ``open``, ``variable``; empty where it stands alone."""
    opening: str
    """What stands directly before the word ``theorem``: documentation, ``open ... in``; usually empty."""
    theorem: str
    """The theorem from that word up to its ``:=``."""
    is_alone: bool
    """Whether nothing around it could give its words another meaning."""
    signature: Signature | None
    """Its signature as a tree; None where it was not read, or does not stand alone."""

    @property
    def claim(self) -> Stated:
        """The theorem itself."""
        return Stated(self.context + self.opening + self.theorem)

    @property
    def negation(self) -> Stated:
        """That it does not hold; a generic field is taken at ℚ where the signature was read."""
        return self._beside("fails", negation(self.statement.signature, self.signature))

    @property
    def vacuity(self) -> Stated:
        """That its conditions contradict each other."""
        return self._beside("is_vacuous", under_conditions(self.statement.signature, "False"))

    def _beside(self, what: str, signature: str) -> Stated:
        return Stated(f"{self.context}{self.opening}theorem {self.statement.name.replace('.', '_')}_{what} {signature}")


def freeze(statement: LeanStatement) -> Frozen:
    """Cut a statement that met the contract for statements.

    Raises:
        ValueError: its text does not end in one theorem with ``sorry`` as its proof.
    """
    text = normalise(statement.text)
    screening = screen(text)
    declarations = [command for command in screening.commands if command.keyword in DECLARATIONS]
    if not declarations or not declarations[-1].is_theorem or not declarations[-1].body:
        raise ValueError("the text does not end in one theorem with sorry as its proof")
    final = declarations[-1]
    start, keyword, end = (_offset(text, position) for position in (_start(final), final.position, final.body[0].position))
    is_alone = len(screening.commands) == 1 and not screening.imports and all(token.kind is TokenKind.DOC for token in final.prefix)
    signature = read_signature(statement.signature.strip()).signature if is_alone else None
    return Frozen(statement, text[:start], text[start:keyword], text[keyword:end].rstrip(), is_alone, signature)


def _start(command: Command) -> Position:
    return command.prefix[0].position if command.prefix else command.position


def _offset(text: str, position: Position) -> int:
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: position.line - 1]) + position.column
