"""The gate: which Lean statements may carry evidence about a claim. Pure, and it never looks at whether a proof exists.

A high average cannot pay for the converse, an assumed target or a changed conclusion: directionality, role alignment and the conclusion's
score must each reach the threshold, and every Lean premise needs something in the text behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fidelean.faithfulness.records import (
    FaithfulnessReport,
    GateDecision,
    GateObjection,
    GateReason,
    Judgement,
    Lint,
    LintSeverity,
    Part,
    Status,
)
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import FaithfulnessPolicy

__all__ = ["admit", "critical_lints", "refusal", "rejudged", "weigh"]

_UNSUPPORTED = {
    Part.PREMISE: (GateReason.UNSUPPORTED_PREMISE, "assumed without anything in the text behind it"),
    Part.CONCLUSION: (GateReason.UNSUPPORTED_CONCLUSION, "claimed without anything in the text behind it"),
}


def admit(report: FaithfulnessReport | None, policy: FaithfulnessPolicy, lints: Sequence[Lint] = ()) -> GateDecision:
    """Decide on one report; every objection is listed. ``policy.no_gate`` admits whatever is objected."""
    objections = tuple(_objections(report, policy.statement_threshold, lints))
    return GateDecision(policy.no_gate or not objections, objections)


def weigh(reports: Sequence[FaithfulnessReport], policy: FaithfulnessPolicy, lints: Sequence[Lint] = ()) -> Judgement:
    """Decide on each report of several judges; without any, on the lints alone, and nothing is admitted that nobody judged."""
    found = tuple(lints)
    return Judgement(tuple(reports), tuple(admit(report, policy, found) for report in reports) or (admit(None, policy, found),), found)


def rejudged(judgement: Judgement, policy: FaithfulnessPolicy) -> Judgement:
    """The same reports and lints under another policy: no judge is asked."""
    return weigh(judgement.reports, policy, judgement.lints)


def refusal(judgement: Judgement) -> Inconclusive | None:
    """Why a statement may not carry evidence, or None where it may. Judges who disagree leave the question open."""
    if judgement.admitted:
        return None
    why = "; ".join(objection.detail for objection in judgement.objections[:3])
    if not judgement.agree:
        return Inconclusive(Reason.AMBIGUOUS, f"the judges disagree on whether the statement says what the text says: {why}")
    return Inconclusive(Reason.UNFAITHFUL, why)


def critical_lints(lints: Sequence[Lint]) -> tuple[Lint, ...]:
    """The lints that the gate does not let through."""
    return tuple(lint for lint in lints if lint.severity is LintSeverity.CRITICAL)


def _objections(report: FaithfulnessReport | None, threshold: float, lints: Sequence[Lint]) -> Iterator[GateObjection]:
    for lint in critical_lints(lints):
        yield GateObjection(GateReason.LINT, f"{lint.kind}: {lint.message}")
    if report is None:
        yield GateObjection(GateReason.UNJUDGED, "no judge reported on it")
        return
    scores = (
        (GateReason.SCORE, "the whole score", report.s),
        (GateReason.DIRECTIONALITY, "directionality", report.aspects.directionality),
        (GateReason.ROLE_ALIGNMENT, "role alignment", report.aspects.role_alignment),
        (GateReason.CONCLUSION, "the conclusion's score", report.s_conc),
    )
    for reason, name, score in scores:
        if score < threshold:
            yield GateObjection(reason, f"{name} is {score:.2f}, wanted {threshold:.2f}")
    for slot in report.unsupported:
        kind, words = _UNSUPPORTED[slot.part]
        yield GateObjection(kind, f"{slot.text} is {words}")
    if report.status is not Status.FAITHFUL:
        yield GateObjection(GateReason.STATUS, f"the judge calls it {report.status.replace('_', ' ')}")
