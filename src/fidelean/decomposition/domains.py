r"""Declared domains: "positive integers $a$ and $b$", "$x \in \mathbb{R}$"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fidelean.decomposition.records import Domain, NumberKind

__all__ = ["declared_domains"]

_NAME = r"(?:\\[A-Za-z]+|[A-Za-z])(?:_\{?\w+\}?)?"
_LETTERS = r"(?<![A-Za-z\\])([A-Za-z](?:\s*,\s*[A-Za-z](?![A-Za-z]))*(?:\s*(?:,\s*)?and\s+[A-Za-z])?)(?![A-Za-z])"
_MATHS = rf"(?:\$\s*([^$]{{1,60}}?)\s*\$|\\\(\s*(.{{1,60}}?)\s*\\\)|{_LETTERS})"
_KINDS = (
    "strictly|distinct|pairwise|positive|negative|non-?negative|non-?zero|real|rational|natural|whole|complex|odd|even|arbitrary|fixed|any|all|"
    "two|three|four"
)
_WORDS = rf"((?:(?:{_KINDS})\s+)*"
_NOUN = r"(?:numbers?|integers?|reals?|rationals?|naturals?))"
_BEFORE = re.compile(_WORDS + _NOUN + r"\s*,?\s*" + _MATHS + rf"(?:\s*(?:,\s*(?:and\s+)?|and\s+){_MATHS})?", re.IGNORECASE)
_BEHIND = re.compile(
    rf"(?:{_MATHS}\s*(?:,\s*(?:and\s+)?|and\s+))?"
    + _MATHS
    + r"\s*(?:is|are|be|being|denotes?|to\s+be)\s+(?:an?\s+|the\s+|both\s+|all\s+)?"
    + _WORDS
    + _NOUN,
    re.IGNORECASE,
)
_MEMBER = re.compile(rf"({_NAME}(?:\s*,\s*{_NAME})*)\s*(?:\\in|∈)\s*(?:\\mathbb\s*\{{?\s*([NZQRC])|([ℕℤℚℝℂ]))")
_HINT = re.compile(
    r"\b(?:integers?|reals?|rationals?|naturals?|(?:real|rational|natural|complex|whole|positive|negative|non-?zero)\s+numbers?)\b",
    re.IGNORECASE,
)
_SETS = {
    **dict.fromkeys("Nℕ", NumberKind.NATURAL),
    **dict.fromkeys("Zℤ", NumberKind.INTEGER),
    **dict.fromkeys("Qℚ", NumberKind.RATIONAL),
    **dict.fromkeys("Rℝ", NumberKind.REAL),
    **dict.fromkeys("Cℂ", NumberKind.COMPLEX),
}


def declared_domains(text: str) -> tuple[Domain, ...]:
    """Every domain that ``text`` declares for variables that it names, each once."""
    return tuple(dict.fromkeys(_declared(text)))


def _declared(text: str) -> Iterator[Domain]:
    for noun in _HINT.finditer(text):
        # the patterns are searched only around a noun that can name a domain: over a whole text they are slow
        window = text[max(0, noun.start() - 90) : noun.end() + 90]
        for match in _BEFORE.finditer(window):
            yield from _domains(match.group(1), ",".join(part or "" for part in match.groups()[1:]))
        for match in _BEHIND.finditer(window):
            yield from _domains(match.group(7), ",".join(part or "" for part in match.groups()[:6]))
    if "∈" not in text and "\\in" not in text:
        return
    for match in _MEMBER.finditer(text):
        for name in re.findall(_NAME, match.group(1)):
            yield Domain(_plain(name), _SETS[match.group(2) or match.group(3)])


def _domains(words: str, names: str) -> Iterator[Domain]:
    lowered = words.lower()
    number = _number(lowered)
    cleaned = re.sub(r"\\(?:ldots|dots|cdots|quad|text\{[^}]*\})|\band\b", ",", names)
    if number is None or re.search(r"[=<>+*/^()]", cleaned):
        return
    for name in re.findall(_NAME, cleaned):
        yield Domain(
            _plain(name),
            number,
            positive="positive" in lowered,
            nonnegative=re.search(r"non-?negative|whole|natural", lowered) is not None,
            nonzero=re.search(r"non-?zero", lowered) is not None,
        )


def _number(words: str) -> NumberKind | None:
    if "complex" in words:
        return NumberKind.COMPLEX
    if "natural" in words or "whole" in words:
        return NumberKind.NATURAL
    if "integer" in words:
        return NumberKind.INTEGER
    if "rational" in words:
        return NumberKind.RATIONAL
    return NumberKind.REAL if "real" in words or "positive number" in words else None


def _plain(name: str) -> str:
    return name.replace("{", "").replace("}", "").replace(" ", "")
