"""The verdict on one formalisation: every axis on its own, and what they come to together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fidelean.faithfulness.grading.records import Defect, JudgeRecord, Preset
from fidelean.faithfulness.records import Lint
from fidelean.lean.records import Acceptance, Elaboration
from fidelean.outcome import Inconclusive, Outcome
from fidelean.proving.records import Equivalence

__all__ = ["Axes", "FormalizationOutcome", "FormalizationVerdict", "HumanAudit", "ProbeFinding"]


class FormalizationOutcome(StrEnum):
    """What the axes come to."""

    FAITHFUL = "faithful"
    """It elaborates, and judges of different families agree that it says the same; nothing that Lean found speaks against it."""
    UNFAITHFUL = "unfaithful"
    """It says something else, with a named difference."""
    UNDECIDED = "undecided"
    """Nobody can tell from what there is; the grounds say why."""
    DOES_NOT_COMPILE = "does_not_compile"
    """Lean reports errors."""
    SOURCE_DEFECTIVE = "source_defective"
    """The source statement itself is false, was mis-extracted, or uses a term that it does not define."""


@dataclass(frozen=True, slots=True)
class ProbeFinding:
    """What one probe in Lean came to."""

    kind: str
    """What was looked for: contradictory hypotheses, a counterexample and so on."""
    outcome: Outcome
    """Refuted: the fault was found. Passed: it was shown to be absent. Inconclusive: Lean could not tell."""
    artefact: str = ""
    """The Lean text that showed it; empty where nothing did."""


@dataclass(frozen=True, slots=True)
class HumanAudit:
    """What people said who read both texts."""

    scores: tuple[int, ...]
    """0 to 10, one per reader, given blind."""
    note: str = ""
    """What they said about it."""


@dataclass(frozen=True, slots=True)
class Axes:
    """Everything the verdict rests on; each axis stands on its own."""

    elaboration: Elaboration
    """What Lean said about the text."""
    acceptance: Acceptance
    """Whether it meets the contract for statements, with every objection."""
    lints: tuple[Lint, ...] = ()
    """What the deterministic look found."""
    probes: tuple[ProbeFinding, ...] = ()
    """What the probes found; empty where none ran."""
    judges: tuple[JudgeRecord, ...] = ()
    """Every judge with its grades; empty where none was asked."""
    equivalence: Equivalence | None = None
    """Whether it is equivalent to a reference; None where none was given or it could not be compared."""
    not_compared: str = ""
    """Why it was not compared with the reference that was given; empty where it was, or none was given."""
    human: HumanAudit | None = None
    """What people said; None until somebody has read it."""
    preset: Preset = Preset.OURS
    """Whose protocol decides."""
    threshold: int = 9
    """Lowest score, 0 to 10, that accepts."""

    @property
    def axioms(self) -> tuple[str, ...] | None:
        """The axioms it rests on; None where the engine cannot tell."""
        return self.elaboration.axioms

    @property
    def source_defects(self) -> tuple[Defect, ...]:
        """Every fault of the source that a judge names in most of its replies."""
        return tuple(dict.fromkeys(defect for judge in self.judges for defect in judge.defects))


@dataclass(frozen=True, slots=True)
class FormalizationVerdict:
    """The decision on one formalisation. *Faithful* is what judges agree on, and not a proof."""

    outcome: FormalizationOutcome
    """What the axes come to."""
    grounds: tuple[str, ...]
    """Why, one line each, what decided first."""
    axes: Axes
    """What it rests on."""
    undecided: Inconclusive | None = None
    """Why it is undecided; None where it is not."""
    notices: tuple[str, ...] = ()
    """What a reader must know beside it: a judge that is not independent, a judge whose grades flip."""
