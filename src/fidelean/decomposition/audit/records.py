"""Suspicion, audit window and local review: the records. They schedule work and corroborate; none of them is evidence by itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["AuditWindow", "Difficulty", "ErrorPrior", "ErrorType", "Likelihood", "LocalReview", "Opinion", "Suspicion", "SuspicionScan"]


class Likelihood(StrEnum):
    """What a first pass makes of a whole proof."""

    LIKELY_CORRECT = "likely_correct"
    """Nothing looks wrong."""
    LIKELY_INCORRECT = "likely_incorrect"
    """Something looks wrong."""
    UNCERTAIN = "uncertain"
    """Neither."""


class ErrorType(StrEnum):
    """What kind of error a transition may hold."""

    ARITHMETIC = "arithmetic"
    """A number is computed wrongly."""
    ALGEBRA = "algebra"
    """A formula is rewritten wrongly: a sign, a lost factor, a division by what may be zero."""
    GAP = "gap"
    """It does not follow, and what is missing is the point."""
    FALSE_CLAIM = "false_claim"
    """What it claims is false."""
    MISSING_CASE = "missing_case"
    """A case is left out."""
    CONVERSE = "converse"
    """An implication is used in the wrong direction."""
    CIRCULAR = "circular"
    """It uses what is to be shown."""
    MISUSED_THEOREM = "misused_theorem"
    """A theorem is used where its conditions do not hold, or says something else."""
    LOST_CONDITION = "lost_condition"
    """A condition is dropped, or one is used that is not in force."""
    QUANTIFIER = "quantifier"
    """Some and all are mixed up, or their order is."""
    WITNESS = "witness"
    """The object that is chosen does not do what it has to."""
    INDUCTION = "induction"
    """The base, the step or the hypothesis of an induction does not fit."""
    MISREADING = "misreading"
    """It answers another question than the problem asks."""
    OTHER = "other"
    """Something else."""


@dataclass(frozen=True, slots=True)
class ErrorPrior:
    """How plausible one kind of error is."""

    error: ErrorType
    """The kind of error."""
    weight: float
    """Its plausibility (0 to 1); the priors of a transition need not add up."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What a pass over the proof makes of one transition."""

    transition: str
    """Id of the transition."""
    score: float
    """How suspicious it is (0 to 1)."""
    likely_wrong: bool
    """Whether it looks wrong rather than merely unclear: which branch is tried first."""
    should_formalize: bool
    """Whether a Lean statement of it is worth the effort."""
    priors: tuple[ErrorPrior, ...] = ()
    """Which errors are plausible."""
    reason: str = ""
    """Why, in a line or two."""


@dataclass(frozen=True, slots=True)
class SuspicionScan:
    """One pass over all transitions."""

    suspicions: tuple[Suspicion, ...]
    """One for each transition, in the order of the text."""
    overall: Likelihood
    """What the pass makes of the whole proof."""
    source: str
    """Who scanned: ``model`` or ``rules``."""

    def of(self, transition: str) -> Suspicion | None:
        """The suspicion on a transition; None where the scan says nothing of it."""
        return next((one for one in self.suspicions if one.transition == transition), None)


@dataclass(frozen=True, slots=True)
class AuditWindow:
    """The transitions that are audited: the earliest suspicious one and some in front of it, without a hole."""

    transitions: tuple[str, ...] = ()
    """Their ids, in the order of the text; empty where nothing is suspicious."""

    @property
    def trigger(self) -> str | None:
        """The earliest suspicious transition, which is the last of the window; None where nothing is suspicious."""
        return self.transitions[-1] if self.transitions else None


class Opinion(StrEnum):
    """What a local review makes of a transition."""

    CORRECT = "correct"
    """It follows from what is in force."""
    INCORRECT = "incorrect"
    """It does not, or what it claims is false."""
    UNCERTAIN = "uncertain"
    """The reviewer cannot tell."""


class Difficulty(StrEnum):
    """How hard it is to say a transition in Lean without changing it."""

    EASY = "easy"
    """Numbers and formulas over the usual structures."""
    MEDIUM = "medium"
    """It takes a definition or two."""
    HARD = "hard"
    """Much of its meaning is in words or pictures."""
    INFEASIBLE = "infeasible"
    """It cannot be said without changing it."""


@dataclass(frozen=True, slots=True)
class LocalReview:
    """A model's look at one transition with what is in force there; an opinion, never evidence by itself."""

    transition: str
    """Id of the transition."""
    opinion: Opinion
    """What the reviewer makes of it."""
    suspicion: float
    """How suspicious it is after the look (0 to 1)."""
    error: ErrorType | None
    """The error that is seen; None where none is."""
    should_formalize: bool
    """Whether a Lean statement of it is worth the effort."""
    difficulty: Difficulty
    """How hard it is to say in Lean."""
    reason: str
    """Why, in a few lines."""
