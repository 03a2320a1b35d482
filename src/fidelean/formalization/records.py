"""The statement loop: one try, what came back, the whole run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fidelean.faithfulness.records import Judgement
from fidelean.lean.records import LeanStatement
from fidelean.outcome import Inconclusive

__all__ = ["Draft", "Feedback", "FeedbackKind", "Formalization", "Round", "Trajectory"]


@dataclass(frozen=True, slots=True)
class Draft:
    """One try at a statement."""

    number: int
    """1-based position in the run."""
    text: str
    """The whole Lean text, as the model wrote it: untrusted."""
    notes: str = ""
    """What the model says about it: untrusted."""


class FeedbackKind(StrEnum):
    """What came of a draft."""

    ADMITTED = "admitted"
    """It elaborates and the gate lets it through."""
    REFUSED = "refused"
    """The source guard, or the contract for statements, refuses it; Lean was not asked, or asked in vain."""
    ERRORS = "errors"
    """Lean reports errors."""
    NOT_RUN = "not_run"
    """Lean did not come to an end: time, memory, a crash."""
    DRIFT = "drift"
    """It elaborates, and the gate does not let it through."""
    DISAGREEMENT = "disagreement"
    """It elaborates, and the judges disagree."""
    UNJUDGED = "unjudged"
    """It elaborates, and no judge's report could be had."""
    REPEATED = "repeated"
    """It is an earlier draft again."""
    FAULT = "fault"
    """Its proof showed a fault of the statement: its conditions contradict each other, or a value of Lean's own decides."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """What is said about a draft, to the next one."""

    kind: FeedbackKind
    """What came of it."""
    text: str
    """The same for the drafter and the reader, in lines."""


@dataclass(frozen=True, slots=True)
class Round:
    """A draft and what came back."""

    draft: Draft
    """The draft."""
    feedback: Feedback
    """What came back."""
    statement: LeanStatement | None = None
    """The draft read as a statement; None where it does not meet the contract or does not elaborate."""
    judgement: Judgement | None = None
    """What the gate made of it; None where it was not judged."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The whole run of the statement loop."""

    rounds: tuple[Round, ...] = ()
    """Every draft with what came back, in order."""

    @property
    def last_elaborated(self) -> Round | None:
        """The last round whose draft elaborates as a statement."""
        return next((each for each in reversed(self.rounds) if each.statement is not None), None)


@dataclass(frozen=True, slots=True)
class Formalization:
    """What came of stating a claim in Lean."""

    statement: LeanStatement | None
    """The statement that was admitted, or the last one that elaborates; None without any."""
    judgement: Judgement | None
    """What the gate makes of it; None where it was not judged."""
    trajectory: Trajectory
    """Every draft and what came back."""
    outcome: Inconclusive | None = None
    """Why nothing was admitted; None where the statement was."""

    @property
    def admitted(self) -> bool:
        """Whether the statement may carry evidence."""
        return self.outcome is None and self.statement is not None
