"""Cutting a signature into tokens: the few that our own statements use, and nothing else."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["NotRead", "Tokens", "cut"]

MAX_CHARS = 20_000
MAX_DEPTH = 80
MAX_TOKENS = 600
"""Trees are no deeper than they have tokens, and Python's stack is not deep."""
MAX_DIGITS = 400

_TOKEN = re.compile(r"\s*(?:(\d+)|([^\W\d][\w.'!?]*)|(:=|[=≠<≤>≥∣∧∨¬→↔∀∃+\-*/%^(){}\[\],:]))")


class NotRead(Exception):
    """The text is outside the grammar; the message says what was met. Never leaves this package."""


@dataclass(slots=True)
class Tokens:
    """A row of tokens and a place in it."""

    items: tuple[str, ...]
    """The tokens."""
    at: int = 0
    """The place: index of the next token."""
    depth: int = 0
    """How deeply the reader is nested."""

    @property
    def next(self) -> str:
        """The next token, or the empty text at the end."""
        return self.items[self.at] if self.at < len(self.items) else ""

    def ahead(self, by: int) -> str:
        """The token ``by`` places behind the next one, or the empty text."""
        return self.items[self.at + by] if self.at + by < len(self.items) else ""

    def take(self) -> str:
        """Take the next token."""
        token = self.next
        if not token:
            raise NotRead("the text ends too early")
        self.at += 1
        return token

    def expect(self, token: str) -> None:
        """Take the next token, which must be ``token``."""
        found = self.next or "the end"
        if found != token:
            raise NotRead(f"{found} stands where {token} should")
        self.at += 1

    def accept(self, token: str) -> bool:
        """Take the next token if it is ``token``."""
        if self.next == token:
            self.at += 1
            return True
        return False


def cut(text: str) -> Tokens:
    """Cut a text into tokens. Raises ``NotRead`` at a character that our statements do not use."""
    if len(text) > MAX_CHARS:
        raise NotRead(f"the text has more than {MAX_CHARS} characters")
    items: list[str] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise NotRead(f"{text[at:].lstrip()[:10]!r} is not read")
        items.append(match[match.lastindex or 0])
        if match[1] and len(match[1]) > MAX_DIGITS:
            raise NotRead(f"a number has more than {MAX_DIGITS} digits")
        if len(items) > MAX_TOKENS:
            raise NotRead(f"the text has more than {MAX_TOKENS} tokens")
        at = match.end()
    return Tokens(tuple(items))
