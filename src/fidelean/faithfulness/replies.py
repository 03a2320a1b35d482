"""What a judge replies, and its reading into a report: every place, quotation and slot is looked up before it counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from fidelean.faithfulness.records import Aspects, Drift, FaithfulnessReport, Match, Part, Side, Slot, Status
from fidelean.faithfulness.slots import LeanSlot, SlotKind
from fidelean.informal.records import Claim

__all__ = ["JudgeReply", "Misreport", "SourceSlotReply", "report_of"]

IMPLICIT = "implicit"
_MOST_SLOTS = 60


class SourceSlotReply(BaseModel):
    """One piece of meaning of the claim or of a condition."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    part: Literal["premise", "conclusion"] = Field(description="whether the text assumes it or asserts it")
    place: str = Field(description="where it stands: claim, the number of a condition (P1), or implicit")
    text: str = Field(description="the piece, quoted exactly from that place; for implicit your own words", min_length=1, max_length=2_000)
    lean_slot: str | None = Field(description="id of the Lean slot that meets it best (L3), or null where none does")
    match: Match = Field(description="exact, notation_only, modifier_missing, weak_overlap or none")


class JudgeReply(BaseModel):
    """The comparison of a claim with a Lean statement."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source_slots: list[SourceSlotReply] = Field(description="every piece of meaning of the text", max_length=_MOST_SLOTS)
    conditions_not_needed: list[str] = Field(
        description="numbers of the conditions that give no slot, because the claim does not need them"
    )
    step_relation: float = Field(description="is it about this inference", ge=0, le=1, multiple_of=0.25)
    objects_and_witnesses: float = Field(description="are objects and witnesses the same", ge=0, le=1, multiple_of=0.25)
    directionality: float = Field(description="does it go from the conditions to the conclusion", ge=0, le=1, multiple_of=0.25)
    role_alignment: float = Field(description="is the assumed assumed and the shown shown", ge=0, le=1, multiple_of=0.25)
    syntax_surface: float = Field(description="do relations, quantifiers and constants agree", ge=0, le=1, multiple_of=0.25)
    drift: list[Drift] = Field(description="the kinds of drift found; empty where there is none")
    status: Status = Field(description="the summary")
    confidence: float = Field(description="how sure you are, from 0 to 1", ge=0, le=1)
    reason: str = Field(description="why, in a sentence or two", max_length=4_000)
    missing: list[str] = Field(description="what of the text has no place in the statement")
    overgeneralisation_examples: list[str] = Field(description="cases that the statement covers and the text does not")
    suggested_revision: str = Field(description="what the next draft should change; empty where nothing", max_length=4_000)


class Misreport(Exception):
    """A reply does not fit the texts it is about; the message says where."""


def report_of(reply: JudgeReply, claim: Claim, lean: Sequence[LeanSlot]) -> FaithfulnessReport:
    """Read a reply about a claim and the slots of a statement.

    A source slot that names a Lean slot of the other part meets nothing: the roles are swapped, and the report says so. An implicit slot
    stands behind nothing but a variable's domain: a hypothesis needs words of the text, if only the fraction whose denominator it guards.

    Raises:
        Misreport: a place or a slot does not exist, a quotation does not occur, a condition is passed over, nothing is concluded.
    """
    texts = {"claim": claim.text} | {f"P{number}": condition for number, condition in enumerate(claim.conditions, start=1)}
    by_id = {slot.id: slot for slot in lean}
    for slot in reply.source_slots:
        _look_up(slot, texts, by_id)
    _look_for_gaps(reply, texts)
    source = [_source_slot(slot, by_id) for slot in reply.source_slots]
    swapped = any(slot.lean_slot is not None and by_id[slot.lean_slot].part != slot.part for slot in reply.source_slots)
    lean_side = [_lean_slot(slot, reply.source_slots) for slot in lean]
    drift = [*reply.drift, *_found_drift(lean_side, swapped=swapped)]
    return FaithfulnessReport(
        slots=(*source, *lean_side),
        aspects=Aspects(
            reply.step_relation,
            reply.objects_and_witnesses,
            reply.directionality,
            min(reply.role_alignment, 0.5) if swapped else reply.role_alignment,
            reply.syntax_surface,
        ),
        drift=tuple(dict.fromkeys(drift)),
        status=reply.status,
        confidence=reply.confidence,
        reason=reply.reason,
        missing=tuple(reply.missing),
        overgeneralisations=tuple(reply.overgeneralisation_examples),
        suggested_revision=reply.suggested_revision,
    )


def _look_up(slot: SourceSlotReply, texts: dict[str, str], by_id: dict[str, LeanSlot]) -> None:
    if slot.lean_slot is not None and slot.lean_slot not in by_id:
        raise Misreport(f"there is no Lean slot {slot.lean_slot[:20]}")
    if slot.place == IMPLICIT:
        if slot.part == "conclusion":
            raise Misreport("a conclusion cannot be implicit")
        return
    if slot.place not in texts:
        raise Misreport(f"there is no place {slot.place[:20]}")
    if _squeezed(slot.text) not in _squeezed(texts[slot.place]):
        raise Misreport(f"{slot.text[:80]!r} does not occur in {slot.place}")


def _squeezed(text: str) -> str:
    """Blanks and dollar signs are where quotations differ harmlessly; a piece that is nothing else is no quotation."""
    kept = "".join(text.replace("$", "").split())
    return kept or text


def _look_for_gaps(reply: JudgeReply, texts: dict[str, str]) -> None:
    used, spared = {slot.place for slot in reply.source_slots}, set(reply.conditions_not_needed)
    if unknown := spared - texts.keys() | spared & {"claim"}:
        raise Misreport(f"there is no condition {min(unknown)[:20]}")
    if passed_over := texts.keys() - {"claim"} - used - spared:
        raise Misreport(f"nothing is said about {min(passed_over)}")
    if not any(slot.part == "conclusion" and slot.place == "claim" for slot in reply.source_slots):
        raise Misreport("no slot says what the claim concludes")


def _source_slot(slot: SourceSlotReply, by_id: dict[str, LeanSlot]) -> Slot:
    partner = by_id.get(slot.lean_slot or "")
    meets = slot.match if partner is not None and partner.part == slot.part else Match.NONE
    return Slot(Side.SOURCE, Part(slot.part), slot.text, meets, partner.text if partner else "", is_implicit=slot.place == IMPLICIT)


def _lean_slot(slot: LeanSlot, replies: Sequence[SourceSlotReply]) -> Slot:
    pointing = [reply for reply in replies if reply.lean_slot == slot.id and reply.part == slot.part and _may_support(reply, slot)]
    best = max(pointing, key=lambda reply: reply.match.score, default=None)
    match, partner = (best.match, best.text) if best is not None else (Match.NONE, "")
    needs_source = slot.kind not in (SlotKind.STRUCTURE, SlotKind.DEFINITION)
    return Slot(
        Side.LEAN, slot.part, slot.text, match, partner, is_implicit=best is not None and best.place == IMPLICIT, needs_source=needs_source
    )


def _may_support(reply: SourceSlotReply, slot: LeanSlot) -> bool:
    return reply.place != IMPLICIT or slot.kind is SlotKind.VARIABLE


def _found_drift(lean_side: Sequence[Slot], *, swapped: bool) -> Iterator[Drift]:
    if swapped:
        yield Drift.ROLE_SWAP
    if any(slot.part is Part.PREMISE and slot.needs_source and slot.match is Match.NONE for slot in lean_side):
        yield Drift.ADDED_ASSUMPTIONS
