"""Untrusted text made fit to show: what could steer a terminal or hide text is spelled out instead."""

from __future__ import annotations

import unicodedata

__all__ = ["one_line", "printable"]

_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"})


def printable(text: str) -> str:
    r"""Spell out control, format and unassigned characters, line ends too, as ``\x1b``, ``\u202e``, ``\n``; all others stay."""
    return "".join(_spelled(character) for character in text)


def one_line(text: str) -> str:
    """Show a text on one line: runs of white space become one blank, the rest is as in ``printable``."""
    return printable(" ".join(text.split()))


def _spelled(character: str) -> str:
    if unicodedata.category(character) not in _HIDDEN_CATEGORIES:
        return character
    return character.encode("unicode_escape").decode("ascii")
