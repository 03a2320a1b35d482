"""What a judge says on the released scale from 0 to 10, what of it counts, and what Lean made of its reasons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fidelean.faithfulness.records import Drift
from fidelean.outcome import Inconclusive, Outcome, Refuted

__all__ = [
    "Check",
    "CheckKind",
    "Decided",
    "Defect",
    "DefectKind",
    "Difference",
    "Grade",
    "GradingRules",
    "JudgeRecord",
    "Preset",
    "Stance",
]


class Preset(StrEnum):
    """Whose protocol decides."""

    OURS = "ours"
    """A rejection needs a reason that stands in a text; judges who disagree leave it undecided; no judge of the drafter's family."""
    PAPER = "paper"
    """The released protocol: the lower score decides, reasons do not count, and a judge may be of the drafter's family."""


@dataclass(frozen=True, slots=True)
class GradingRules:
    """How grades are had and counted."""

    preset: Preset = Preset.OURS
    """Whose protocol decides."""
    regrades: int = 1
    """How often each judge is asked, each time afresh."""
    threshold: int = 9
    """Lowest score, 0 to 10, that accepts."""


class CheckKind(StrEnum):
    """What Lean is asked about a difference. A proof says that there is none, a refutation that there is one."""

    SAME_AS = "same_as"
    """Whether the statement says the same as the signature that the judge would have written."""
    IMPLIED = "implied"
    """Whether the hypothesis that the judge names follows from the others and so adds nothing."""
    UNFOLDS = "unfolds"
    """Whether a helper definition means what the judge says it should mean."""


@dataclass(frozen=True, slots=True)
class Check:
    """A difference as a question to Lean."""

    kind: CheckKind
    """What is asked."""
    lean: str
    """A signature, the name of a hypothesis, or a proposition about a helper definition: untrusted text."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One concrete way in which a judge finds the two texts to differ."""

    kind: Drift
    """Which kind of drift."""
    where: str
    """The hypothesis, object or conclusion that it is about, quoted from the statement or from the Lean text."""
    says_source: str
    """What the text says there, in the judge's words."""
    says_lean: str
    """What the Lean text says there, in the judge's words."""
    check: Check | None = None
    """The same as a question to Lean; None where the judge gives none."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What Lean made of a difference."""

    difference: Difference
    """The difference."""
    outcome: Outcome
    """Passed: there is no such difference. Refuted: there is one, with what shows it. Inconclusive: Lean could not tell."""
    artefact: str = ""
    """The Lean text that decided; empty where nothing did."""


class DefectKind(StrEnum):
    """What is wrong with a source statement."""

    FALSE = "false"
    """It is false as it stands."""
    MISEXTRACTED = "misextracted"
    """It lost or gained something on its way out of its source: a tautology, a reference to nothing, half of an exercise."""
    UNDEFINED_TERM = "undefined_term"
    """It uses a term or symbol that it does not define and that has no single usual meaning."""


@dataclass(frozen=True, slots=True)
class Defect:
    """A fault of the source statement itself, as a judge names it."""

    kind: DefectKind
    """What is wrong."""
    where: str
    """The words it is about, quoted from the statement."""
    reason: str
    """Why, in the judge's words."""


class Stance(StrEnum):
    """What a grade, or all grades of a judge, come to."""

    ACCEPTS = "accepts"
    """The score reaches the threshold."""
    REJECTS = "rejects"
    """It does not, and a difference that Lean did not refute stands behind that."""
    LIFTED = "lifted"
    """It does not, and Lean refuted every difference that was named: the rejection is taken away and nothing put in its place."""
    UNSCORED = "unscored"
    """There is no grade that counts."""
    DIVIDED = "divided"
    """The judge's own grades disagree."""


@dataclass(frozen=True, slots=True)
class Grade:
    """One asking of one judge."""

    sample: int
    """0-based number of the asking."""
    score: int | None
    """0 to 10 as the judge gave it; None where no reply could be had or read."""
    stance: Stance
    """What it comes to."""
    reason: str = ""
    """Why, in the judge's words."""
    unscored: Inconclusive | None = None
    """Why it does not count; None where it does."""
    differences: tuple[Decided, ...] = ()
    """The differences that stand in a text, with what Lean made of each."""
    not_found: tuple[str, ...] = ()
    """Quotations of differences and defects that stand in neither text, and so do not count."""
    defects: tuple[Defect, ...] = ()
    """Faults of the source statement."""


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """One judge with all its grades."""

    name: str
    """Provider and model."""
    family: str
    """The family of models it belongs to."""
    grades: tuple[Grade, ...]
    """One per asking, in order."""
    shares_drafter_family: bool = False
    """Whether it is of the family of the model that drafted the statement: its judgement is not independent."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Scores of the grades that count."""
        return tuple(grade.score for grade in self.grades if grade.score is not None and grade.stance is not Stance.UNSCORED)

    @property
    def spread(self) -> tuple[int, int] | None:
        """Lowest and highest score that counts; None without any."""
        return (min(self.scores), max(self.scores)) if self.scores else None

    @property
    def stance(self) -> Stance:
        """What its grades come to: the one stance of all that count."""
        stances = {grade.stance for grade in self.grades if grade.stance is not Stance.UNSCORED}
        if not stances:
            return Stance.UNSCORED
        return stances.pop() if len(stances) == 1 else Stance.DIVIDED

    @property
    def defects(self) -> tuple[Defect, ...]:
        """Faults of the source, where most grades with a reply name one; else none."""
        replied = [grade for grade in self.grades if grade.score is not None]
        naming = [grade for grade in replied if grade.defects]
        return tuple(dict.fromkeys(defect for grade in naming for defect in grade.defects)) if 2 * len(naming) > len(replied) else ()

    @property
    def confirmed(self) -> tuple[Decided, ...]:
        """Differences that Lean confirmed."""
        return tuple(decided for grade in self.grades for decided in grade.differences if isinstance(decided.outcome, Refuted))
