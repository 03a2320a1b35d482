"""What a probe of a Lean statement looks for and what it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fidelean.outcome import Outcome

__all__ = ["Probe", "ProbeKind"]


class ProbeKind(StrEnum):
    """Which fault of a statement is looked for."""

    CONTRADICTORY_HYPOTHESES = "contradictory_hypotheses"
    """No case meets the hypotheses, so everything follows from them."""
    CLOSED_WITHOUT_HYPOTHESES = "closed_without_hypotheses"
    """The conclusion is proved with every hypothesis taken away."""
    NEGATION_PROVABLE = "negation_provable"
    """The statement is false: its negation is proved."""
    COUNTEREXAMPLE = "counterexample"
    """There are values at which the hypotheses hold and the conclusion fails."""
    CONCLUSION_ASSUMED = "conclusion_assumed"
    """The conclusion is one of the hypotheses."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What one probe found. ``Refuted``: the fault is there; ``Passed``: it is shown to be absent; else it could not be told."""

    kind: ProbeKind
    """The fault looked for."""
    outcome: Outcome
    """What was found."""
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    """The values that show it, by variable, as Lean text; empty where none do."""
    seconds: float = 0.0
    """Lean's time on this probe's scripts, and the search's (seconds)."""
    engine: str = ""
    """Name and version of the engine that was asked; empty where none had to be."""
    artefact: str = ""
    """The whole Lean text that shows it; empty where nothing was proved."""
