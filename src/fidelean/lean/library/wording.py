"""How names, signatures and questions become words that can meet."""

from __future__ import annotations

import re

__all__ = ["name_words", "question_words", "text_words", "trigrams"]

_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
_SYMBOLS = {
    "√": "sqrt", "∃": "exists", "∣": "dvd", "+": "add", "*": "mul", "^": "pow", "=": "eq", "⊥": "bot", "⊤": "top", "≤": "le", "<": "lt",
    "∪": "union", "∩": "inter", "∑": "sum", "∏": "prod", "∧": "and", "∨": "or", "¬": "not", "≠": "ne", "∈": "mem", "⊆": "subset",
    "∫": "integral", "∘": "comp", "⁻": "inv", "↔": "iff", "/": "div", "∅": "empty", "π": "pi",
}  # fmt: skip
_SYMBOL = re.compile("|".join(re.escape(one) for one in _SYMBOLS))
_SILENT = frozenset("a an and are at be by for from in is it no of on onto s the theorem lemma to two with every each any".split())


def name_words(name: str) -> str:
    """The words of a name, parted at dots, underscores and humps."""
    return " ".join(_PIECE.findall(name)).lower()


def text_words(text: str) -> str:
    """The words of a signature or a documentation string; signs are read by the names they have in lemma names."""
    return name_words(_SYMBOL.sub(lambda sign: f" {_SYMBOLS[sign[0]]} ", text))


def question_words(text: str) -> list[str]:
    """The words of a question that carry meaning, each once; all of them where none does."""
    words = list(dict.fromkeys(text_words(text).split()))
    return [word for word in words if word not in _SILENT] or words


def trigrams(text: str) -> set[str]:
    """All runs of three characters, in lower case."""
    lower = text.lower()
    return {lower[at : at + 3] for at in range(len(lower) - 2)}
