"""A judge's report on a Lean statement → what a page shows of it."""

from __future__ import annotations

from fidelean.faithfulness.records import FaithfulnessReport, Side
from fidelean.report.html.views import GateView, SlotView

__all__ = ["gate_view"]

_SIDES = {Side.SOURCE: "claim", Side.LEAN: "Lean"}


def gate_view(report: FaithfulnessReport) -> GateView:
    """Show a report: its scores, and slot by slot what they come from."""
    aspects = report.aspects
    scores = {
        "whole": report.s,
        "premises": report.s_prem,
        "conclusion": report.s_conc,
        "holistic": report.s_hol,
        "step relation": aspects.step_relation,
        "objects": aspects.objects,
        "directionality": aspects.directionality,
        "role alignment": aspects.role_alignment,
        "surface": aspects.syntax_surface,
        "judge's confidence": report.confidence,
    }
    return GateView(
        status=_words(report.status.value),
        reason=report.reason,
        scores=tuple((name, f"{value:.2f}") for name, value in scores.items()),
        drift=", ".join(_words(kind.value) for kind in report.drift),
        missing=report.missing,
        slots=tuple(
            SlotView(_SIDES[slot.side], slot.part.value, slot.text, slot.partner, _words(slot.match.value), f"{slot.match.score:.2f}")
            for slot in report.slots
        ),
    )


def _words(name: str) -> str:
    return name.replace("_", " ")
