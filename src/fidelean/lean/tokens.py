"""Reading Lean text as tokens, as Lean's own tokenizer cuts it where both know the characters.

The lexer is total and lossless: tokens concatenate back to the text, or a ``LexFault`` says where and why not. It never guesses: an
unknown character, an unclosed comment, string, character or quoted name is a fault.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from fidelean.lean.records import Position, RefusalKind

__all__ = ["LexFault", "Token", "TokenKind", "meaningful", "tokenize"]


class TokenKind(StrEnum):
    """What a token is."""

    SPACE = "space"
    """Blanks and line ends."""
    COMMENT = "comment"
    """``-- ...``, ``/- ... -/``, ``/-! ... -/``."""
    DOC = "doc"
    """``/-- ... -/``: part of the declaration behind it."""
    NAME = "name"
    """A word, dotted or not: an identifier or a keyword."""
    NUMBER = "number"
    """A numeral."""
    STRING = "string"
    """A string, raw or not."""
    CHARACTER = "character"
    """A character in quotes."""
    SYMBOL = "symbol"
    """An operator or bracket."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of Lean text."""

    kind: TokenKind
    """What it is."""
    text: str
    """The characters, as written."""
    position: Position
    """Where it starts."""


@dataclass(frozen=True, slots=True)
class LexFault(Exception):
    """The text cannot be cut into tokens."""

    kind: RefusalKind
    """``CHARACTER`` or ``UNCLOSED``."""
    position: Position
    """Where the trouble starts."""
    detail: str
    """What is wrong, in one line."""


_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_DIGITS = frozenset("0123456789")
_GREEK_TWINS = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοΣΠλ")  # look like Latin letters, or are binders in Lean
_GREEK = frozenset(chr(c) for c in (*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)) if c != 0x3A2) - _GREEK_TWINS
_LETTERLIKE = (
    frozenset("ℕℤℚℝℂℙℍℓℱ") | frozenset(chr(c) for c in range(0x1D538, 0x1D56C)) | frozenset(chr(c) for c in range(0x1D49C, 0x1D504))
)
_SUBSCRIPTS = frozenset(chr(c) for c in (*range(0x2080, 0x208A), *range(0x2090, 0x209D), *range(0x1D62, 0x1D6B), 0x2C7C))
_START = _LETTERS | _GREEK | _LETTERLIKE
_REST = _START | _DIGITS | _SUBSCRIPTS | frozenset("'!?")
_ASCII_SYMBOLS = frozenset("!%&()*+,-./:;<=>?@[]^{|}~$#`\\'")
_OTHER_SYMBOLS = frozenset("¬×÷·⟨⟩⟪⟫⦃⦄⟦⟧‹›«»⌊⌋⌈⌉▸◃▹⁻¹²³⁰⁴⁵⁶⁷⁸⁹ⁿ†‖∣λΠΣ↑↓↦→←↔⇒⇐⇔⟶⟵⟷⊢⨆⨅⋂⋃⋀⋁∎°⬝′″√⅟ᶜᵀᵐᵒᵖ")
_MATH_SYMBOLS = frozenset(chr(c) for c in (*range(0x2190, 0x2200), *range(0x2200, 0x2300), *range(0x27C0, 0x2800), *range(0x2A00, 0x2B00)))
_TWIN_SYMBOLS = frozenset("∶∕∗∙−∖≔⁄")  # look like ASCII operators; only what Lean itself uses is let in again
_SYMBOLS = (_ASCII_SYMBOLS | _OTHER_SYMBOLS | _MATH_SYMBOLS) - (_TWIN_SYMBOLS - frozenset("∖"))
_LONG_SYMBOLS = (
    "<;>", "<|>", "<$>", "<*>", "|>.", "<->", "&&&", "|||", "^^^", "<<<", ">>>", "...", ":=", "=>", "->", "<-", "<|", "|>", "==", "!=",
    "<=", ">=", "&&", "||", "++", "..", "::", "%[", "@[", "#[", "^<", "<+", "//", "/\\", "\\/", "|-",
)  # fmt: skip
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_BEFORE_COMMENT = frozenset(" \n)]}⟩,;") | _REST


def tokenize(text: str) -> tuple[Token, ...]:
    """Cut ``text`` into tokens that concatenate back to it.

    Raises:
        LexFault: a character is not allowed, or something is not closed.
    """
    reader = _Reader(text)
    tokens: list[Token] = []
    while reader.at < len(text):
        start, position = reader.at, reader.position()
        kind = reader.advance(position)
        tokens.append(Token(kind, text[start : reader.at], position))
    return tuple(tokens)


def meaningful(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens Lean sees: without blanks and comments."""
    return tuple(token for token in tokens if token.kind not in (TokenKind.SPACE, TokenKind.COMMENT))


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self._line = 1
        self._line_start = 0
        self._counted = 0

    def position(self) -> Position:
        while (found := self.text.find("\n", self._counted, self.at)) >= 0:
            self._line += 1
            self._line_start = self._counted = found + 1
        return Position(self._line, self.at - self._line_start)

    def advance(self, position: Position) -> TokenKind:
        text, at = self.text, self.at
        char = text[at]
        if char in " \n":
            return self._run(frozenset(" \n"), TokenKind.SPACE)
        if text.startswith(("--", "/-"), at) and at and text[at - 1] not in _BEFORE_COMMENT:
            raise LexFault(
                RefusalKind.CHARACTER, position, "a comment opens right behind an operator, where Lean may read another operator"
            )
        if text.startswith("--", at):
            end = text.find("\n", at)
            return self._comment(len(text) if end < 0 else end, position)
        if text.startswith("/-", at):
            return self._block(position)
        if char == '"':
            return self._string(at, position)
        if char == "r" and (hashes := self._raw_hashes()) is not None:
            return self._raw_string(hashes, position)
        if char in _START or char == "«":
            return self._name(position)
        if char in _DIGITS:
            return self._number(position)
        if char == "'":
            return self._character(position)
        return self._symbol(char, position)

    def _run(self, alphabet: frozenset[str], kind: TokenKind) -> TokenKind:
        while self.at < len(self.text) and self.text[self.at] in alphabet:
            self.at += 1
        return kind

    def _comment(self, end: int, position: Position, kind: TokenKind = TokenKind.COMMENT) -> TokenKind:
        self._check_prose(self.at, end, position)
        self.at = end
        return kind

    def _check_prose(self, start: int, end: int, position: Position) -> None:
        for char in self.text[start:end]:
            if char != "\n" and unicodedata.category(char) in _INVISIBLE:
                raise LexFault(RefusalKind.CHARACTER, position, f"invisible or control character U+{ord(char):04X}")

    def _block(self, position: Position) -> TokenKind:
        """Read a block comment; blocks nest, and a documentation comment opens with three characters."""
        text = self.text
        has_long_opening = text.startswith(("/--", "/-!"), self.at)
        at, depth = self.at + (3 if has_long_opening else 2), 1
        opens = at - 1
        while depth:
            opens = text.find("/-", at) if 0 <= opens < at else opens
            closes = text.find("-/", at)
            if closes < 0:
                raise LexFault(RefusalKind.UNCLOSED, position, "a comment is not closed")
            if 0 <= opens < closes:
                depth, at = depth + 1, opens + 2
            else:
                depth, at = depth - 1, closes + 2
        if "/-/" in text[self.at : at]:
            raise LexFault(RefusalKind.CHARACTER, position, "a comment holds /-/, which opens or closes depending on the reader")
        return self._comment(at, position, TokenKind.DOC if text.startswith("/--", self.at) else TokenKind.COMMENT)

    def _string(self, opening: int, position: Position) -> TokenKind:
        text, at = self.text, opening + 1
        while at < len(text) and text[at] != '"':
            at += 2 if text[at] == "\\" else 1
        if at >= len(text):
            raise LexFault(RefusalKind.UNCLOSED, position, "a string is not closed")
        if "{" in text[opening:at]:
            raise LexFault(RefusalKind.CHARACTER, position, "a string holds {, which an interpolated string would read as code")
        self._check_prose(self.at, at, position)
        self.at = at + 1
        return TokenKind.STRING

    def _raw_hashes(self) -> int | None:
        at = self.at + 1
        while at < len(self.text) and self.text[at] == "#":
            at += 1
        return at - self.at - 1 if self.text.startswith('"', at) else None

    def _raw_string(self, hashes: int, position: Position) -> TokenKind:
        start = self.at + hashes + 2
        end = self.text.find('"' + "#" * hashes, start)
        if end < 0:
            raise LexFault(RefusalKind.UNCLOSED, position, "a raw string is not closed")
        self._check_prose(self.at, end, position)
        self.at = end + 1 + hashes
        return TokenKind.STRING

    def _name(self, position: Position) -> TokenKind:
        text = self.text
        while True:
            if text.startswith("«", self.at):
                end = text.find("»", self.at)
                if end < 0 or "\n" in text[self.at : end]:
                    raise LexFault(RefusalKind.UNCLOSED, position, "a quoted name is not closed")
                self._check_prose(self.at, end, position)
                self.at = end + 1
            else:
                self._run(_REST, TokenKind.NAME)
            if text.startswith('"', self.at):
                raise LexFault(RefusalKind.CHARACTER, position, "a name runs into a string")
            following = text[self.at + 1 : self.at + 2]
            if not (text.startswith(".", self.at) and following and (following in _START or following == "«")):
                return TokenKind.NAME
            self.at += 1

    def _number(self, position: Position) -> TokenKind:
        found = _NUMBER.match(self.text, self.at)
        self.at = found.end() if found else self.at + 1
        if self.text[self.at : self.at + 1] in (_START | {'"'}):
            raise LexFault(RefusalKind.CHARACTER, position, "a numeral runs into a letter or quote")
        return TokenKind.NUMBER

    def _character(self, position: Position) -> TokenKind:
        text, at = self.text, self.at
        end = text.find("'", at + 3 if text.startswith("\\", at + 1) else at + 2)
        body = text[at + 1 : end]
        escaped = body.startswith("\\") and len(body) <= 7 and "\n" not in body
        if end < 0 or not (escaped or (len(body) == 1 and body not in "'\\\n")):
            raise LexFault(RefusalKind.UNCLOSED, position, "a quote that neither ends a name nor closes a character")
        self._check_prose(at, end, position)
        self.at = end + 1
        return TokenKind.CHARACTER

    def _symbol(self, char: str, position: Position) -> TokenKind:
        if char not in _SYMBOLS:
            raise LexFault(RefusalKind.CHARACTER, position, f"character U+{ord(char):04X} is outside the allowed alphabet")
        longest = next((symbol for symbol in _LONG_SYMBOLS if self.text.startswith(symbol, self.at)), char)
        self.at += len(longest)
        return TokenKind.SYMBOL
