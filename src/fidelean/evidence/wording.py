"""How the words around a formula say that it is meant: for all values, as a rewriting, as drawn from the equation in front."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fidelean.decomposition.roles import bare_words, quantified_phrases

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = [
    "draws_on_premise",
    "is_for_all",
    "is_one_of_several",
    "is_rearrangement",
    "names_expansion",
    "speaks_of_curves",
    "speaks_of_integers",
    "uses_something_else",
]

_IDENTITY = re.compile(r"\bidentit(?:y|ies)\b|\bidentically\b|\bholds\s+for\s+(?:all|every|any)\b", re.IGNORECASE)
_LETTERS = re.compile(r"\\[A-Za-z]+|(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")
_FOLLOWS = re.compile(r"[\s$\\)\]},.]*(?:for|holds)\b", re.IGNORECASE)
_SUBSTITUTES = re.compile(
    r"substitut|plug|\bsince\b|\bbecause\b|\bwhere\b|\bgiven\b|\busing\b|from\s+(?:the\s+)?(?:equation|condition|step|previous|above)|know\s+that|"
    r"recall|replac|\blet\b|"
    r"\bif\b|\bwhen\b|\bmod|\\equiv|≡|\bset(?:ting)?\b|\bassum|\bby\b(?!\s+(?:expand|factor|distribut|combin|simplif|multiply|collect))",
    re.IGNORECASE,
)
_EXPANDS = re.compile(
    r"expand|factor|multiply\w*\s+out|distribut|complet\w*\s+the\s+square|identity|difference\s+of|binomial", re.IGNORECASE
)
_DRAWS = re.compile(
    r"\bget|\bgives|\bgiving|\bobtain|\byield|\bimpl|\bthen\b|\bthus\b|\bhence\b|\btherefore\b|\bso\b|simplif|becomes|"
    r"divid|subtract|\badd|multipl|rearrang|expand|factor|combin|rewrit|results|mov(?:e|ing)|isolat|\\implies|\\Rightarrow|→|⇒|⟹|leads|reduc|equivalent|solv",
    re.IGNORECASE,
)
_REARRANGES = re.compile(
    r"rearrang|simplif|expand|combin|collect|mov(?:e|ing)|both\s+sides|clear|cross|distribut|rewrit|factor", re.IGNORECASE
)
_LOSES = re.compile(
    r"divid|cancel|root|squar|logarithm|\blog|deriv|differentiat|integrat|\bsolv|positive|negative|sign|discard|substitut|constant|coefficient|compar|"
    r"\bthese\b|\bthose\b|\bthem\b|equations|together|results|above",
    re.IGNORECASE,
)
_STARTS_ANEW = re.compile(
    r"\bor\b|\b(?:first|second|third|secondly|next)\s+(?:equation|factor|case)|\bequations\b|\bcase|\bif\b|\bsuppose|\bassume|\btry|\btest|\bcheck|\bverif|"
    r"\bwhen\b|\bfor\b|\band\b\W*$|\blet\b|\bset\b|\bsubstitut|\bplug|\bother|\banother|\bsimilarly|\balso\b|\balternativ|"
    r"\bcannot|\bnot\b|\bgiven\b|\bproblem|\boriginal|\bfirst\s+equation|\beach\b",
    re.IGNORECASE,
)
_HYPOTHESIS = re.compile(r"[\s$\\)\],]*(?:implies|implying|\\implies|\\Rightarrow|⇒|⟹|then\b|if\b|only\s+if|iff)", re.IGNORECASE)
_INTEGERS = re.compile(
    r"\bintegers?\b|\bnatural\s+numbers?|\bwhole\s+numbers?|\bdigits?\b|\bsequence|\bterms?\b|ℤ|ℕ|\\mathbb\{?[ZN]", re.IGNORECASE
)
_GEOMETRY = re.compile(
    r"\b(?:lines?|curves?|graphs?|parabolas?|circles?|ellipses?|hyperbolas?|intersect\w*|parallel|perpendicular|tangents?|planes?|"
    r"points?|triangles?|coordinates?|"
    r"polynomials?|roots?|functions?|sequence|asymptotes?|no\s+solutions?|infinitely)\b",
    re.IGNORECASE,
)


def is_for_all(cue: str, behind: str, variables: AbstractSet[str]) -> bool:
    """Whether the words in front of a formula, or right behind it, say that it holds for all values of one of its variables."""
    if _HYPOTHESIS.match(behind):
        return False
    return any(_quantifies(text, variables) for text in (cue, behind if _FOLLOWS.match(behind) else ""))


def _quantifies(text: str, variables: AbstractSet[str]) -> bool:
    if _IDENTITY.search(text):
        return True
    return any(variables & set(_LETTERS.findall(words)) for words in quantified_phrases(text))


def names_expansion(cue: str) -> bool:
    """Whether a formula is said to expand or factor an expression."""
    return _EXPANDS.search(cue) is not None


def uses_something_else(around: str) -> bool:
    """Whether a rewriting may use more than algebra: a substitution, a condition, a reason that is given."""
    return _SUBSTITUTES.search(around) is not None


def draws_on_premise(cue: str) -> bool:
    """Whether the words draw a formula from the one in front, and do not start anew."""
    return _DRAWS.search(cue) is not None and _STARTS_ANEW.search(cue) is None


def is_rearrangement(cue: str) -> bool:
    """Whether a formula is said to be the equation in front in another form, by algebra that loses no solution."""
    return _REARRANGES.search(cue) is not None and _LOSES.search(cue) is None


def is_one_of_several(cue: str) -> bool:
    """Whether only "and" stands in front of a formula: what follows may be drawn from its neighbour."""
    return bare_words(cue) in ("and", "und", "∧")


def speaks_of_integers(text: str) -> bool:
    """Whether a text speaks of integers, natural numbers, digits or the terms of a sequence."""
    return _INTEGERS.search(text) is not None


def speaks_of_curves(text: str) -> bool:
    """Whether equations in a text may be curves or polynomials, whose letters are not numbers in question."""
    return _GEOMETRY.search(text) is not None
