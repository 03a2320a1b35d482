"""Why a transition deserves a look: flags that order work and decide nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fidelean.decomposition.records import RiskFlag, Transition
from fidelean.decomposition.substeps.marks import marks_of

__all__ = ["risks_of"]

_UNSUPPORTED = re.compile(
    r"\b(?:clearly|obviously|evidently|trivially|plainly|easily|it\s+is\s+(?:clear|easy|obvious|well[- ]known)|"
    r"without\s+loss\s+of\s+generality|"
    r"w\.?l\.?o\.?g\b|similarly|analogously|by\s+symmetry|one\s+(?:can\s+)?checks?|left\s+to\s+the\s+reader)",
    re.IGNORECASE,
)
_TURNS_ON = frozenset(
    "only,all,every,each,unique,uniquely,uniqueness,exactly,iff,at most,at least,must,always,never,necessary,sufficient,suffice,∀,∃,exist,"
    "minimum,maximum,smallest,largest,least,greatest".split(",")
)


def risks_of(transition: Transition, text: str, *, drifted: bool = False) -> tuple[RiskFlag, ...]:
    """The risk flags of a transition, from its pattern and the words in which it is made.

    ``drifted`` says that its substep does not keep to the text.
    """
    return tuple(_risks(transition, text, drifted=drifted))


def _risks(transition: Transition, text: str, *, drifted: bool) -> Iterator[RiskFlag]:
    if transition.is_signature:
        yield RiskFlag.SIGNATURE
    if _TURNS_ON & set(marks_of(text).words):
        yield RiskFlag.DECISIVE_WORD
    if _UNSUPPORTED.search(text):
        yield RiskFlag.UNSUPPORTED
    if transition.claim is not None and transition.fact is None:
        yield RiskFlag.UNREAD
    if drifted:
        yield RiskFlag.DRIFT
    if transition.joins:
        yield RiskFlag.JOINS
