"""What a formula is in its sentence: a condition, or a claim; and which words say so."""

from __future__ import annotations

import re
from enum import StrEnum

__all__ = [
    "Role",
    "announces_cases",
    "bare_words",
    "is_alternative",
    "names_case",
    "quantified_phrases",
    "role_of",
    "starts_case",
    "states_goal",
]


class Role(StrEnum):
    """What a formula is for the proof."""

    DEFINITION = "definition"
    """It gives a name its meaning: let, set, denote, where."""
    ASSUMPTION = "assumption"
    """It is supposed, tried, or holds in the case at hand."""
    CLAIM = "claim"
    """It is concluded."""


_DEFINES = re.compile(
    r"\b(?:let|define[sd]?|denote[sd]?|set(?!\s+up\b)|put|where|write|call|introduce)\b(?!['’]s)(?!\s+us\b)", re.IGNORECASE
)
_ASSUMES = re.compile(
    r"\b(?:suppose|assum\w*|if|when(?:ever)?|case|tr(?:y|ied|ying)|test\w*|consider\w*|tak(?:e|ing)|choos\w*|pick\w*|setting|letting|substitut\w*|plug\w*|with|given|"
    r"for(?!\s+(?:all|every|any|each|arbitrary)\b)|guess\w*|at|check\w*|verif\w*|unless|need|want|require[sd]?|must|should|would|could|might|desired?|target|goal|prove|show|find|solve|whether|until|satisf\w+|such\s+that|"
    r"original)\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\b(?:then|so|thus|hence|therefore|gives?|giving|get(?:s|ting)?|ha(?:ve|s)|obtain\w*|yield\w*|impl(?:y|ies|ying)|becomes?|find|follows|means|conclud\w*|deduc\w*|results?|"
    r"formula|identity|theorem|recall|leads?|simplif\w*|reduc\w*|expand\w*|factor\w*|rewrit\w*|equals?|is|are|becoming|arrive|see)\b|\\implies|\\Rightarrow|\\iff|\\Leftrightarrow|\\therefore|⇒|⟹|→|∴|=>",
    re.IGNORECASE,
)
_QUANTIFIES = re.compile(r"\bfor\s+(?:all|every|any|each|arbitrary)\b([^,.;:=]{0,60})|(?:∀|\\forall)([^,.;:=]{0,20})", re.IGNORECASE)
_BETWEEN = re.compile(r"\\(?:q?quad|text|mathrm|textrm|hspace\{[^}]*\}|[,;!() ]|\[|\])|[\s,.;:$(){}\[\]\\]")
_CASE = re.compile(r"^\W*(?:(?:sub)?case\b|\(?[ivx]+\)\s|if\b|suppose\b|assume\b)", re.IGNORECASE)
_CASE_LEAD = re.compile(r"\b(?:sub)?case\s*(?:\(?\w{1,3}\)?)?\s*[:.)*\-–—]*\s*(?:where|if|when|for|that)?[\s*$\\(\[]*$", re.IGNORECASE)
_ANNOUNCES = re.compile(r"\bcases?\b(?!\s*\(?(?:\d|[ivxABC])\b)", re.IGNORECASE)
_GOAL = re.compile(r"\b(?:prove|show|verify|demonstrate|deduce|establish)\b", re.IGNORECASE)


_REACH = 200
"""How far in front of a formula a word still says what it is (code points)."""


def role_of(lead: str, previous: Role | None) -> Role:
    """The role of a formula from the words in front of it.

    Args:
        lead: the text between the formula before it, or the start of its sentence, and the formula.
        previous: the role of the formula before it in the same sentence, which a bare comma or "and" carries on.
    """
    lead = lead[-_REACH:]
    concluded = _last(_CONCLUDES, lead)
    assumed = _last(_ASSUMES, lead)
    defined = _last(_DEFINES, lead)
    strongest = max(concluded, assumed, defined)
    if strongest < 0:
        return previous or Role.CLAIM
    if strongest == concluded:
        return Role.CLAIM
    return Role.DEFINITION if strongest == defined else Role.ASSUMPTION


def _last(pattern: re.Pattern[str], text: str) -> int:
    found = -1
    for match in pattern.finditer(text):
        found = match.start()
    return found


def is_alternative(lead: str) -> bool:
    """Whether only "or" stands between two formulas."""
    return bare_words(lead) in ("or", "oder", "∨", "lor")


def bare_words(lead: str) -> str:
    """The words between two formulas without space, punctuation and delimiters, in lower case."""
    return _BETWEEN.sub("", lead).lower()


def quantified_phrases(text: str) -> list[str]:
    """What stands behind each "for all" of a text: the names that it quantifies are in there."""
    return [match.group(1) or match.group(2) or "" for match in _QUANTIFIES.finditer(text)]


def starts_case(text: str) -> bool:
    """Whether a step opens a case or a supposition that ends with it."""
    return _CASE.match(text) is not None


def names_case(lead: str) -> bool:
    """Whether a formula is the assumption of a case: "Case 2: $x = 1$"."""
    return _CASE_LEAD.search(lead) is not None


def announces_cases(text: str) -> bool:
    """Whether a text says that cases follow."""
    return _ANNOUNCES.search(text) is not None


def states_goal(lead: str) -> bool:
    """Whether a formula of the problem is what is to be shown."""
    return _GOAL.search(lead) is not None
