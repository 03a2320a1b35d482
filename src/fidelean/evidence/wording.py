"""How the words around a formula say that it is meant: for all values, as a rewriting, as drawn from the equation in front."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fidelean.decomposition.roles import bare_words, quantified_phrases

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = [
    "binds_in_words",
    "draws_on_premise",
    "is_for_all",
    "is_one_of_several",
    "is_rearrangement",
    "is_unspoken",
    "loses_solutions",
    "names_expansion",
    "rewrites_expression",
    "says_vanishing",
    "solves_together",
    "speaks_of_curves",
    "speaks_of_imaginary",
    "speaks_of_integers",
    "speaks_of_residues",
    "uses_something_else",
]

_IDENTITY = re.compile(r"\bidentit(?:y|ies)\b|\bidentically\b|\bholds\s+for\s+(?:all|every|any)\b", re.IGNORECASE)
_LETTERS = re.compile(r"\\[A-Za-z]+|(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])")
_FOLLOWS = re.compile(r"[\s$\\)\]},.]*(?:for|holds)\b", re.IGNORECASE)
_SUBSTITUTES = re.compile(
    r"substitut|plug|\bsince\b|\bbecause\b|\bwhere\b|\bgiven\b|\busing\b|from\s+(?:the\s+)?(?:equation|condition|step|previous|above)|know\s+that|"
    r"recall|replac|\blet\b(?!['’]s)(?!\s+us\b)|"
    r"\bif\b|\bwhen\b|\bmod|\\equiv|≡|\bset(?:ting)?\b|\bassum|\bby\b(?!\s+(?:expand|factor|distribut|combin|simplif|multiply|collect))",
    re.IGNORECASE,
)
_BINDS = re.compile(
    r"\bequal|\bsame\b|\bsums?\b|\badd\s+up|\bproduct|\bdifference|\bratio|\btotal|\btwice|\bhalf\b|\btimes\b|\bdouble|\bsatisf|\broots?\b|\bzeros?\b|"
    r"\bsolutions?\b|\bmod|\bunity\b|\bremainder|\bcongru|\bdigit|\bright\b|\bperpendicular|\borthogonal|\bcircle|\btangent|\bcollinear|\bparallel|"
    r"\bunit\b|\bnormal|\bsymmetr|\barithmetic\b|\bgeometric\b|\bconsecutive|\binverse|\bprobabilit|\bpercent|\btriangle|\bangle|\bfield\b|\bmatri",
    re.IGNORECASE,
)
_REWRITES = re.compile(
    r"(?:re-?writ|simplif|express|expand|factor)\w*\s+(?:the\s+|this\s+|our\s+|each\s+|both\s+)?(?:\w+\s+){0,2}?"
    r"(?:expression|fraction|numerator|denominator|term|product|quotient|integrand|polynomial)s?\b[^.=]*$",
    re.IGNORECASE,
)
_TOGETHER = re.compile(
    r"\bsystem\b|\bsimultaneous|\b(?:these|those|both|two|three|above|first|second)\s+(?:\w+\s+)?(?:equations?|expressions?|relations?|equalities)|"
    r"\b(?:add|subtract|combin|multiply|divid|solv)\w*\s+(?:these|them|those|both|the\s+two)\b|\beliminat",
    re.IGNORECASE,
)
_CASES = re.compile(
    r"\bsubstitut|\bplug|\bback\b|\bone\s+of\b|\bcase|\bif\b|\bor\b|\bwhen\b|\bsuppose|\bassume|\btry|\btest|\bcheck|\bother\b|\banother\b",
    re.IGNORECASE,
)
_VANISHES = re.compile(
    r"\b(?:zeros?|vanish\w*|nilpotent|neglig\w*|neglect\w*|ignor\w*|approx\w*|characteristic|field|ring|mod\w*|binary|boolean|matri\w*|limit|leading)\b|"
    r"=\s*0(?![.\d])|\\equiv|≡",
    re.IGNORECASE,
)
_IMAGINARY = re.compile(r"\bcomplex\b|\bimaginary\b|\bconjugate|(?<![A-Za-z])i\s*\^\s*\{?2\}?\s*=\s*-\s*1|\\sqrt\{-1\}", re.IGNORECASE)
_MATHS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
_RESIDUES = re.compile(r"\bmod|\\equiv|≡|\broots?\s+of\s+unity|\bresidues?\b|\bremainders?\b|\blast\s+digit|\bunits\s+digit", re.IGNORECASE)
_SILENT = re.compile(r"[\s.]*(?:\$\$|\\\]|\$|\\\))?[\s.;]*(?:\$\$|\\\[|\\\\|&|\$|\\\()*[\s&]*")
_EXPANDS = re.compile(
    r"expand|factor|multiply\w*\s+out|distribut|complet\w*\s+the\s+square|identity|difference\s+of|binomial", re.IGNORECASE
)
_DRAWS = re.compile(
    r"\bget|\bgives|\bgiving|\bobtain|\byield|\bimpl|\bthen\b|\bthus\b|\bhence\b|\btherefore\b|\bso\b|simplif|becomes|"
    r"divid|subtract|\badd|multipl|rearrang|expand|factor|combin|collect|group|distribut|clear|cancel|rewrit|results|mov(?:e|ing)|isolat|\\implies|\\Rightarrow|→|⇒|⟹|leads|reduc|equivalent|solv",
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
    r"polynomials?|roots?|functions?|sequence|asymptotes?|no\s+solutions?|infinitely|when|var(?:y|ies)|proportional)\b",
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


def is_unspoken(cue: str) -> bool:
    """Whether no word stands between a formula and the one in front: two displays, one below the other."""
    return _SILENT.fullmatch(cue) is not None


def speaks_of_residues(text: str) -> bool:
    """Whether a text calculates modulo something, or with roots of unity."""
    return _RESIDUES.search(text) is not None


def binds_in_words(sentence: str) -> bool:
    """Whether a sentence may say in words what an equation says: that something is equal, a sum, a root, or a figure with right angles."""
    words = _words(sentence)
    return words is None or _BINDS.search(words) is not None


def says_vanishing(sentence: str) -> bool:
    """Whether a sentence may say that something is 0, is neglected, or is calculated with modulo something."""
    return _VANISHES.search(_words(sentence) or sentence) is not None


def speaks_of_imaginary(*texts: str) -> bool:
    """Whether the letter i of a text is the imaginary unit."""
    return any(_IMAGINARY.search(text) for text in texts)


def _words(sentence: str) -> str | None:
    """A sentence without its formulas, which are conditions of their own; None for a formula alone."""
    words = _MATHS.sub(" ", sentence)
    return words if re.search(r"(?<![A-Za-z\\])[A-Za-z]{3,}", words) else None


def rewrites_expression(cue: str) -> bool:
    """Whether a formula is said to be an expression, and not an equation, in another form."""
    return _REWRITES.search(cue) is not None


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


def loses_solutions(cue: str) -> bool:
    """Whether the words may pass from one of several values, or solutions, to others."""
    return _LOSES.search(cue) is not None


def solves_together(cue: str) -> bool:
    """Whether a formula is said to follow from several equations, taken together."""
    return _TOGETHER.search(cue) is not None and _CASES.search(cue) is None


def is_one_of_several(cue: str) -> bool:
    """Whether only "and" stands in front of a formula: what follows may be drawn from its neighbour."""
    return bare_words(cue) in ("and", "und", "∧")


def speaks_of_integers(text: str) -> bool:
    """Whether a text speaks of integers, natural numbers, digits or the terms of a sequence."""
    return _INTEGERS.search(text) is not None


def speaks_of_curves(text: str) -> bool:
    """Whether equations in a text may be curves or polynomials, whose letters are not numbers in question."""
    return _GEOMETRY.search(text) is not None
