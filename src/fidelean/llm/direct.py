"""The direct judge's reply: ``correct`` or ``step N``. Whoever says anything else, or two things, has said nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fidelean.llm.replies import MalformedReply

__all__ = ["DirectLabel", "read_label"]

_MAX_CHARS = 100_000
_NUMBER = r"(?P<step>[1-9]\d{0,8})(?:\s+of\s+(?P<of>[1-9]\d{0,8}))?"
_LEAD = r"(?:(?:my |the )?(?:final )?(?:answer|verdict|reply)(?: is)?\s*:?\s*)?"
_FAULT = r"(?:error|mistake|flaw|fault|incorrect step|wrong step|broken step)"
_CORRECT = re.compile(rf"{_LEAD}(?:correct|(?:the |this )?(?:whole |entire )?proof is correct)")
_STEP = re.compile(rf"{_LEAD}step {_NUMBER}")
_WHERE = r"(?:is|occurs|appears|lies|is found|is made)(?: in| at)?"
_SENTENCE = re.compile(rf"{_LEAD}the (?:first|earliest) {_FAULT} {_WHERE} step {_NUMBER}(?=$|[\s.,;:])")
_MARKS = str.maketrans("", "", "*_`\"'“”‘’$#>")


@dataclass(frozen=True, slots=True)
class DirectLabel:
    """What a direct judge says of a whole proof."""

    first_error: int | None
    """1-based step of the first error; None where the judge says *correct*."""


def read_label(text: str, steps: int) -> DirectLabel | MalformedReply:
    """Read a direct judge's reply about a proof of so many steps.

    The whole reply, its first or its last line has to be a label, or begin with the sentence that names the first error; where several
    lines do, they have to agree.
    """
    lines = [plain for line in text[:_MAX_CHARS].splitlines() if (plain := _plain(line))]
    if len(text) > _MAX_CHARS or not lines:
        return MalformedReply("the reply is too long" if lines else "the reply is empty")
    labels = {label for line in (lines[0], lines[-1]) if (label := _label(line)) is not None}
    if len(labels) != 1:
        return MalformedReply("the reply has to be `correct` or `step N`" if not labels else "the reply says two things")
    (said,) = labels
    if said.first_error is not None and said.first_error > steps:
        return MalformedReply(f"there is no step {said.first_error}: the proof has {steps}")
    return _without_contradiction(said, lines, steps)


def _label(line: str) -> DirectLabel | None:
    if _CORRECT.fullmatch(line):
        return DirectLabel(None)
    found = _STEP.fullmatch(line) or _SENTENCE.match(line)
    return DirectLabel(int(found["step"])) if found else None


def _without_contradiction(said: DirectLabel, lines: list[str], steps: int) -> DirectLabel | MalformedReply:
    """Refuse a reply that elsewhere counts other steps than there are, or gives another label."""
    counted = {int(found["of"]) for line in lines for found in re.finditer(rf"step {_NUMBER}", line) if found["of"]}
    if counted - {steps}:
        return MalformedReply(f"the proof has {steps} steps, not {max(counted - {steps})}")
    others = {label for line in lines if (label := _label(line)) is not None} - {said}
    return MalformedReply("the reply says two things") if others else said


def _plain(line: str) -> str:
    """Drop emphasis, quotation marks and a full stop; lower case, single blanks."""
    return " ".join(line.translate(_MARKS).split()).rstrip(".").strip().lower()
