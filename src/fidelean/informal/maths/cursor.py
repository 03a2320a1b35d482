"""Moving through tokens, and saying why one cannot go on."""

from __future__ import annotations

from fidelean.informal.maths.tokens import Token
from fidelean.informal.maths.tree import Ambiguous, Expression
from fidelean.outcome import Reason

__all__ = ["END", "MAX_CHOICES", "MAX_LEVELS", "Cursor", "NotRead"]


class NotRead(Exception):
    """The text is outside the grammar; ``reason`` says how, ``detail`` where."""

    def __init__(self, reason: Reason, detail: str) -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(detail)


MAX_LEVELS = 120
"""Deepest tree that is read; a sum of n terms has n levels."""
MAX_CHOICES = 6
"""Most places of one expression, or chain, that have two readings."""
END = Token("end", "", -1, -1)


class Cursor:
    """A place in a list of tokens, with the bounds of what is read from there."""

    def __init__(self, tokens: list[Token], max_depth: int) -> None:
        self.tokens = [*tokens, END]
        self.position: int = 0
        self.depth: int = 0
        self.max_depth = max_depth
        self.bars: int = 0
        self.choices: int = 0

    # Moving about

    @property
    def here(self) -> Token:
        """The token to be read next; one of kind ``end`` behind the last."""
        return self.tokens[self.position]

    def peek(self, ahead: int = 1) -> Token:
        """The token so many places behind the next one."""
        index = self.position + ahead
        return self.tokens[index] if index < len(self.tokens) else END

    def take(self) -> Token:
        """Give the next token and go on to the one behind it."""
        token = self.tokens[self.position]
        if token is not END:
            self.position += 1
        return token

    def at(self, kind: str, text: str) -> bool:
        """Whether the next token is this one."""
        token = self.tokens[self.position]
        return token.kind == kind and token.text == text

    def expect(self, kind: str, text: str) -> None:
        """Go past a token that has to be there; raises ``NotRead`` where it is not."""
        if not self.at(kind, text):
            raise self.not_read(f"expected {text!r}")
        self.position += 1

    def not_read(self, detail: str, reason: Reason = Reason.NOT_READ) -> NotRead:
        """Why one cannot go on here; what stands here may be a better reason than the one given."""
        token = self.here
        if reason is Reason.NOT_READ:
            if token.kind == "dots":
                return NotRead(Reason.HAS_ELLIPSIS, "dots stand for unwritten terms")
            if token.kind == "quant":
                return NotRead(Reason.QUANTIFIED, "a quantifier occurs")
            if token.kind in ("word", "text"):
                return NotRead(Reason.HAS_WORDS, f"the words {token.text.strip()!r} stand where a number should")
            if token.kind in ("cmd", "env") and "matrix" in token.text:
                return NotRead(Reason.OTHER_ARITHMETIC, "a matrix occurs")
        place = f"{token.text!r}" if token.kind != "end" else "the end"
        return NotRead(reason, f"{detail} at {place}")

    def either(self, first: Expression, second: Expression) -> Expression:
        """Two readings of one text; their number is bounded, because each doubles the work of whoever walks through the tree."""
        self.choices += 1
        if self.choices > MAX_CHOICES:
            raise NotRead(Reason.AMBIGUOUS, "too many readings")
        return Ambiguous(first, second)
