"""Replies of judges for tests, made from a statement's own slots; written by hand for this repository, no model said them."""

from __future__ import annotations

from typing import Literal

from fidelean.faithfulness.records import Drift, Match, Status
from fidelean.faithfulness.replies import JudgeReply, SourceSlotReply

Part = Literal["premise", "conclusion"]


def slot(part: Part, place: str, text: str, lean: str | None, match: Match = Match.EXACT) -> SourceSlotReply:
    return SourceSlotReply(part=part, place=place, text=text, lean_slot=lean, match=match)


def reply(
    *slots: SourceSlotReply,
    spared: tuple[str, ...] = (),
    directionality: float = 1,
    role_alignment: float = 1,
    others: float = 1,
    drift: tuple[Drift, ...] = (),
    status: Status = Status.FAITHFUL,
    confidence: float = 1,
    revision: str = "",
) -> JudgeReply:
    return JudgeReply(
        source_slots=list(slots),
        conditions_not_needed=list(spared),
        step_relation=others,
        objects_and_witnesses=others,
        directionality=directionality,
        role_alignment=role_alignment,
        syntax_surface=others,
        drift=list(drift),
        status=status,
        confidence=confidence,
        reason="written for a test",
        missing=[],
        overgeneralisation_examples=[],
        suggested_revision=revision,
    )
