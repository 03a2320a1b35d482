"""What must hold for a step: the record, apart from the rules that derive it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fidelean.informal.maths.tree import Chain
from fidelean.informal.records import Claim
from fidelean.outcome import Inconclusive

__all__ = ["Obligation", "ObligationKind"]


class ObligationKind(StrEnum):
    """What kind of thing must hold (FaithSieve, typed obligations)."""

    DERIVED_FACT = "derived_fact"
    """The context implies the new fact."""
    REWRITE = "rewrite"
    """The calculation or rewrite holds."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """One thing that must hold for a step to be sound."""

    id: str
    """``<step>.<number>``, both 1-based, unique within a proof."""
    step: int
    """1-based index of the step."""
    kind: ObligationKind
    """What kind of thing must hold."""
    claim: Claim
    """What must hold, anchored in the step's text."""
    load_bearing: bool = True
    """Whether the proof rests on it: its step's own conclusion, or used later. A remark that nothing uses does not."""
    chain: Chain | None = None
    """The conclusion as a tree, with spans into the step's text; None where it was not read."""
    unread: Inconclusive | None = None
    """Why the text alone shows that the conclusion is no numeric claim to be decided; None where it is one."""
