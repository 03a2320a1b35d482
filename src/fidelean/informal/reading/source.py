r"""A source: text as it lies in a file, in one form of bytes.

Everything that is counted (lines, offsets) is counted in ``Source.text``: what Python's text mode gives for UTF-8 with an optional byte
order mark, every line end being one ``\n``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from fidelean.errors import InputError

__all__ = ["Format", "Source", "decode", "format_of", "sniff"]


class Format(StrEnum):
    """How a source is to be read."""

    MARKDOWN = "markdown"
    """Markdown or plain text."""
    TEX = "tex"
    """LaTeX, a whole document or a part of one."""
    JSON = "json"
    """One object, or an array of objects."""
    JSONL = "jsonl"
    """One object a line."""


SUFFIXES = {
    ".json": Format.JSON,
    ".jsonl": Format.JSONL,
    ".markdown": Format.MARKDOWN,
    ".md": Format.MARKDOWN,
    ".ndjson": Format.JSONL,
    ".tex": Format.TEX,
    ".text": Format.MARKDOWN,
    ".txt": Format.MARKDOWN,
}


@dataclass(frozen=True, slots=True)
class Source:
    """A decoded source."""

    name: str
    """File name, or ``-`` for standard input."""
    text: str
    """The whole text; every line end is one line feed."""
    line_starts: tuple[int, ...]
    """Offset of the first character of every line."""

    def line_number(self, offset: int) -> int:
        """Give the 1-based line on which ``offset`` lies."""
        return bisect_right(self.line_starts, offset)

    @property
    def stem(self) -> str:
        """A name for what the source holds: the file name without folder and suffix."""
        return "stdin" if self.name == "-" else PurePath(self.name).stem


def decode(name: str, data: str | bytes, *, max_bytes: int) -> Source:
    """Decode ``data`` as UTF-8.

    Raises ``InputError``, with the line where there is one: not UTF-8, a NUL character, half a surrogate pair, more than ``max_bytes``
    bytes, nothing but white space.
    """
    if len(data) > max_bytes:
        raise InputError(f"larger than {max_bytes:,} bytes; split it", source=name)
    text = _characters(name, data).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    nul = text.find("\0")
    if nul >= 0:
        raise InputError("holds a NUL character, so it is not text", source=name, line=text.count("\n", 0, nul) + 1)
    if not text.strip():
        raise InputError("is empty", source=name)
    return Source(name, text, (0, *(match.end() for match in re.finditer("\n", text))))


def _characters(name: str, data: str | bytes) -> str:
    try:
        return data.decode("utf-8") if isinstance(data, bytes) else data.encode("utf-8").decode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line = 1 + before.count(b"\n") + before.replace(b"\r\n", b"").count(b"\r")
        raise InputError(f"is not UTF-8: byte 0x{error.object[error.start]:02x}", source=name, line=line) from None
    except UnicodeEncodeError as error:
        line = error.object.count("\n", 0, error.start) + 1
        raise InputError("holds half of a surrogate pair, which is no character", source=name, line=line) from None


def format_of(source: Source) -> Format:
    """Tell the format by the suffix of the name, and for ``-`` by the text. Raises ``InputError`` for a suffix nobody knows."""
    if source.name == "-":
        return sniff(source.text)
    suffix = PurePath(source.name).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"cannot tell how to read {suffix or 'a name without a suffix'}: use one of {' '.join(SUFFIXES)}", source=source.name
        )
    return SUFFIXES[suffix]


def sniff(text: str) -> Format:
    """Tell JSON, JSON lines and LaTeX documents from Markdown by how the text starts."""
    head = text.lstrip()
    if head.startswith("["):
        return Format.JSON if head[1:].lstrip()[:1] in ("{", "]") else Format.MARKDOWN
    if head.startswith("{"):
        first, _, rest = head.partition("\n")
        return Format.JSONL if first.rstrip().endswith("}") and rest.strip() else Format.JSON
    return Format.TEX if head.startswith(("\\documentclass", "\\begin{")) else Format.MARKDOWN
