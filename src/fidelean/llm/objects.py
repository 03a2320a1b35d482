r"""JSON objects in a model's reply: code fences and prose around them, and LaTeX inside their strings.

JSON and LaTeX both write with the backslash, and models forget to double it. In a string a backslash before a run of letters that is
a known LaTeX command stays what it is (``\nu``), otherwise JSON's escape counts (``\n`` before ``line``), and two backslashes are
one, as JSON has it. Nothing else is mended: an object that has begun and cannot be read makes the whole reply unreadable, because
what stands inside it was not said on its own.
"""

from __future__ import annotations

import math
import re
from functools import cache
from importlib.resources import files

__all__ = ["MAX_DEPTH", "Json", "UnreadableObject", "known_commands", "read_objects"]

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

MAX_DEPTH = 40
"""Deepest nesting that is read."""

_BLANK = frozenset(" \t\r\n")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,999})(\.\d{1,999})?([eE][+-]?\d{1,3})?(?![\w.])", re.ASCII)
_WORD = re.compile(r"(?:true|false|null)(?!\w)")
_SPECIAL = re.compile(r'["\\]')
_LETTERS = re.compile(r"[A-Za-z]+")
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
_THOUGHT = re.compile(r"\s*<think>")


class UnreadableObject(Exception):
    """An object has begun and cannot be read; the message says what is wrong and where (character, 1-based)."""


class _NoObject(Exception):
    """The brace did not begin an object."""


@cache
def known_commands() -> frozenset[str]:
    """Names of LaTeX commands, without the backslash."""
    text = files("fidelean.llm.data").joinpath("latex_commands.txt").read_text(encoding="utf8")
    return frozenset(name for line in text.splitlines() if not line.startswith("#") for name in line.split())


def read_objects(text: str) -> list[dict[str, Json]]:
    """Give the outermost objects of a reply, in order. Raises ``UnreadableObject``.

    A brace that no quoted name and colon follow is a brace of the prose. What a model thought aloud in front (``<think>``) is left out.
    """
    objects: list[dict[str, Json]] = []
    position = _after_thought(text)
    while (position := text.find("{", position)) >= 0:
        reader = _Reader(text, position)
        try:
            objects.append(reader.outermost())
            position = reader.position
        except _NoObject:
            position += 1
    return objects


def _after_thought(text: str) -> int:
    if not _THOUGHT.match(text):
        return 0
    if (end := text.find("</think>")) < 0:
        raise UnreadableObject("the reply ends while the model was still thinking")
    return end


class _Reader:
    """Reads one object from a position on, in one pass."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position: int = position
        self._begun = False

    def outermost(self) -> dict[str, Json]:
        return self._object(1)

    def _fault(self, what: str) -> Exception:
        if not self._begun:
            return _NoObject()
        if self.position >= len(self.text):
            return UnreadableObject("the reply ends inside of an object: it was cut off")
        return UnreadableObject(f"{what} at character {self.position + 1}")

    def _skip_blank(self) -> None:
        while self.text[self.position : self.position + 1] in _BLANK:
            self.position += 1

    def _next(self, token: str) -> bool:
        self._skip_blank()
        if not self.text.startswith(token, self.position):
            return False
        self.position += len(token)
        return True

    def _expect(self, token: str) -> None:
        if not self._next(token):
            raise self._fault(f"expected {token}")

    def _object(self, depth: int) -> dict[str, Json]:
        self._expect("{")
        found: dict[str, Json] = {}
        if self._next("}"):
            return found
        while True:
            self._skip_blank()
            name = self._string()
            self._expect(":")
            self._begun = True
            if name in found:
                raise UnreadableObject(f"the field {name[:80]!r} occurs twice")
            found[name] = self._value(depth + 1)
            if self._next("}"):
                return found
            self._expect(",")

    def _array(self, depth: int) -> list[Json]:
        self._expect("[")
        found: list[Json] = []
        if self._next("]"):
            return found
        while True:
            found.append(self._value(depth + 1))
            if self._next("]"):
                return found
            self._expect(",")

    def _value(self, depth: int) -> Json:
        if depth > MAX_DEPTH:
            raise UnreadableObject(f"objects are nested deeper than {MAX_DEPTH}")
        self._skip_blank()
        match self.text[self.position : self.position + 1]:
            case "{":
                return self._object(depth)
            case "[":
                return self._array(depth)
            case '"':
                return self._string()
            case _:
                return self._scalar()

    def _scalar(self) -> Json:
        if found := _WORD.match(self.text, self.position):
            self.position = found.end()
            return _WORDS[found[0]]
        if found := _NUMBER.match(self.text, self.position):
            self.position = found.end()
            number = float(found[0]) if found[1] or found[2] else int(found[0])
            if number in (math.inf, -math.inf):
                raise UnreadableObject(f"{found[0][:40]} is too large a number")
            return number
        raise self._fault("expected a value")

    def _string(self) -> str:
        if not self.text.startswith('"', self.position):
            raise self._fault("expected a quoted name")
        self.position += 1
        parts: list[str] = []
        while True:
            special = _SPECIAL.search(self.text, self.position)
            end = special.start() if special else len(self.text)
            parts.append(self.text[self.position : end])
            self.position = end
            if special is None:
                raise self._fault("")
            if special[0] == '"':
                self.position += 1
                return _joined(parts)
            parts.append(self._escape())

    def _escape(self) -> str:
        """Read a backslash and what it escapes; where it escapes nothing, it is a backslash."""
        after = self.position + 1
        mark = self.text[after : after + 1]
        if mark in ("\\", '"', "/"):
            self.position = after + 1
            return mark
        letters = _LETTERS.match(self.text, after)
        if letters is not None and letters[0] not in known_commands():
            if mark in _ESCAPES:
                self.position = after + 1
                return _ESCAPES[mark]
            if mark == "u" and (code := _HEX.match(self.text, after + 1)):
                self.position = code.end()
                return chr(int(code[0], 16))
        self.position = after
        return "\\"


def _joined(parts: list[str]) -> str:
    """Put a string together; two halves of a character outside the first plane become one."""
    text = "".join(parts)
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        raise UnreadableObject("a string holds half of a character") from None
