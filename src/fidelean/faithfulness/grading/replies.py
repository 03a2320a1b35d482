"""What a judge is asked to send, and what of it counts: a reason counts where its quotation stands in one of the two texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from fidelean.faithfulness.grading.records import (
    Check,
    CheckKind,
    Decided,
    Defect,
    DefectKind,
    Difference,
    Grade,
    GradingRules,
    Preset,
    Stance,
)
from fidelean.faithfulness.records import Drift
from fidelean.outcome import Inconclusive, Reason

__all__ = ["CheckReply", "DefectReply", "DifferenceReply", "GradeReply", "grade_of"]

Line = Annotated[str, Field(max_length=2_000)]
_NOT_ASKED = Inconclusive(Reason.GAVE_UP, "nothing that Lean could decide was named")


class CheckReply(BaseModel):
    """A difference as a question to Lean."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: CheckKind = Field(description="same_as, implied or unfolds")
    lean: str = Field(description="a signature, the name of a hypothesis, or a proposition", max_length=4_000)


class DifferenceReply(BaseModel):
    """One concrete difference."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Drift = Field(description="which kind of drift")
    where: Line = Field(description="quoted character by character from the statement or from the Lean text")
    says_source: Line = Field(description="what the statement says there")
    says_lean: Line = Field(description="what the Lean text says there")
    check: CheckReply | None = Field(default=None, description="the same as a question to Lean, where Lean could decide it")


class DefectReply(BaseModel):
    """A fault of the statement itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: DefectKind = Field(description="false, misextracted or undefined_term")
    where: Line = Field(description="the words it is about, quoted from the statement")
    reason: Line = Field(description="why")


class GradeReply(BaseModel):
    """A grade with its reasons."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    score: int = Field(description="0 to 10", ge=0, le=10)
    reason: str = Field(description="in one or two sentences", max_length=4_000)
    differences: tuple[DifferenceReply, ...] = Field(default=(), description="what a score below 9 rests on", max_length=20)
    source_defects: tuple[DefectReply, ...] = Field(default=(), description="faults of the statement itself", max_length=10)


def grade_of(reply: GradeReply, sample: int, statement: str, lean: str, rules: GradingRules) -> Grade:
    """Read a reply as a grade: a rejection none of whose differences stands in a text does not count (preset ``paper`` counts it)."""
    kept = [each for each in reply.differences if _stands_in(each.where, statement, lean)]
    defects = tuple(Defect(each.kind, each.where, each.reason) for each in reply.source_defects if _stands_in(each.where, statement))
    quotes = [each.where for each in reply.differences if each not in kept]
    quotes += [each.where for each in reply.source_defects if not _stands_in(each.where, statement)]
    stance, unscored = Stance.ACCEPTS, None
    if reply.score < rules.threshold:
        stance = Stance.REJECTS
        if not kept and rules.preset is not Preset.PAPER:
            stance, unscored = Stance.UNSCORED, _unfounded(reply)
    return Grade(
        sample=sample,
        score=reply.score,
        stance=stance,
        reason=reply.reason,
        unscored=unscored,
        differences=tuple(Decided(_difference(each), _NOT_ASKED) for each in kept),
        not_found=tuple(quotes),
        defects=defects,
    )


def _unfounded(reply: GradeReply) -> Inconclusive:
    what = "quotes nothing that stands in either text" if reply.differences else "names no difference"
    return Inconclusive(Reason.MALFORMED_REPLY, f"a score of {reply.score} that {what} is no reason to reject")


def _difference(reply: DifferenceReply) -> Difference:
    check = Check(reply.check.kind, reply.check.lean) if reply.check is not None else None
    return Difference(reply.kind, reply.where, reply.says_source, reply.says_lean, check)


def _stands_in(quote: str, *texts: str) -> bool:
    """White space aside, which models do not keep."""
    words = _words(quote)
    return bool(words) and any(words in _words(text) for text in texts)


def _words(text: str) -> str:
    parts: Sequence[str] = text.split()
    return " ".join(parts)
