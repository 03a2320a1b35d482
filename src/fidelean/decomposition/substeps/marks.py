"""What must survive when a text is retold: its numbers, names, relations, decisive words and formulas."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from fidelean.informal.claims import find_claims
from fidelean.informal.maths.tokens import Token, tokenize

__all__ = ["Marks", "formulas", "holds", "letters", "marks_of", "signs"]

_DECISIVE = re.compile(
    r"\b(?:at\s+most|at\s+least|exactly|precisely|if\s+and\s+only\s+if|iff|only|all|every|each|any|exists?|unique(?:ly)?|uniqueness|least|greatest|"
    r"smallest|largest|minim(?:um|al)|maxim(?:um|al)|must|sufficient|suffices?|necessary|necessarily|always|never|no|not|none|neither|cannot|"
    r"can't|don't|doesn't|isn't|some|distinct|different|strict(?:ly)?|unless|either|both|infinitely|finitely|finite|infinite|positive|negative|"
    r"non-?negative|non-?zero|even|odd|prime|integers?|integral|rational|irrational|real|increasing|decreasing|impossible|"
    r"equivalent(?:ly)?|converse(?:ly)?|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twice|thrice|half)\b"
    r"|\\(?:forall|exists|nexists|iff|Leftrightarrow|neg)\b|[∀∃∄⇔¬]",
    re.IGNORECASE,
)
_SAME_WORD = {
    "if and only if": "iff",
    "\\iff": "iff",
    "\\leftrightarrow": "iff",
    "⇔": "iff",
    "\\forall": "∀",
    "\\exists": "∃",
    "\\nexists": "∄",
    "\\neg": "¬",
    "exists": "exist",
    "suffices": "suffice",
    "integers": "integer",
    "nonnegative": "non-negative",
    "nonzero": "non-zero",
}
_STYLE = re.compile(r"\\(?:text|textbf|textit|emph|mathrm|mathbf|mathit|operatorname|mathbb|mathcal|boxed|begin|end|label|tag|item|par)\b")
_ARTICLES = frozenset("aAI")
_REMEMBERED = 1_024
"""How many texts are remembered: a step is compared with every substep, condition and goal of its proof."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a text, each with how often it occurs."""

    numbers: Counter[str]
    """Numerals, as written."""
    names: Counter[str]
    """Letters, commands that stand for letters or functions, and words in capitals: points, segments."""
    relations: Counter[str]
    """Relations, one spelling for each."""
    words: Counter[str]
    """Decisive words, in lower case."""


def marks_of(text: str) -> Marks:
    """The marks of a text, LaTeX or prose."""
    found = Marks(Counter(), Counter(), Counter(), Counter(_decisive_words(text)))
    for token, is_prose in _with_place(text):
        if token.kind in ("num", "vulgar"):
            found.numbers[token.text] += 1
        elif token.kind == "rel":
            found.relations[token.text] += 1
        elif _is_name(token, is_prose=is_prose):
            found.names[token.text] += 1
    return found


def letters(text: str) -> frozenset[str]:
    """The names that occur in a text."""
    return frozenset(marks_of(text).names)


@lru_cache(maxsize=_REMEMBERED)
def signs(text: str) -> tuple[str, ...]:
    """A text as the signs that carry its meaning: canonical spelling, no white space, delimiters or style."""
    dropped = ("delim", "newline", "align", "break")
    return tuple(token.text for token in tokenize(_STYLE.sub(" ", text)) if token.kind not in dropped)


def holds(text: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Whether the signs of ``part`` stand in those of ``text``, side by side."""
    if not part:
        return True
    starts = (place for place, sign in enumerate(text) if sign == part[0])
    return any(text[place : place + len(part)] == part for place in starts)


@lru_cache(maxsize=_REMEMBERED)
def formulas(text: str) -> tuple[str, ...]:
    """The formulas of a text, each as written: the links of its chains of relations, and what stands between delimiters without one."""
    return tuple(dict.fromkeys(part for part in (*_links(text), *_terms(text)) if len(signs(part)) > 2))


def _links(text: str) -> Iterator[str]:
    for found in find_claims(text):
        chain = found.chain
        if chain is None or len(chain.spans) < 3:
            yield found.claim.text
            continue
        for left, right in pairwise(chain.spans):
            yield text[left.start : right.end]


def _terms(text: str) -> Iterator[str]:
    """What stands between a delimiter and its partner and relates nothing."""
    start, is_prose = 0, True
    kinds: set[str] = set()
    for token in tokenize(text):
        if token.kind != "delim":
            kinds.add(token.kind)
            continue
        if not is_prose and not kinds & {"rel", "break", "arrow"}:
            yield text[start : token.start]
        start, is_prose = token.end, not is_prose
        kinds.clear()


def _decisive_words(text: str) -> Iterator[str]:
    for match in _DECISIVE.finditer(text):
        word = re.sub(r"\s+", " ", match.group().lower())
        yield _SAME_WORD.get(word, word)


def _with_place(text: str) -> Iterator[tuple[Token, bool]]:
    """The tokens, each with whether it stands in prose."""
    is_prose = True
    for token in tokenize(_STYLE.sub(" ", text)):
        if token.kind == "delim":
            is_prose = not is_prose
        yield token, is_prose


def _is_name(token: Token, *, is_prose: bool) -> bool:
    if token.kind == "name":
        return not (is_prose and token.text in _ARTICLES)
    if token.kind == "word":
        return len(token.text) > 1 and token.text.isupper()
    return token.kind in ("cmd", "const") and _DECISIVE.fullmatch(token.text) is None
