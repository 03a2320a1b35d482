"""A finding of the Lean branch → its document."""

from __future__ import annotations

from collections.abc import Iterable

from fidelean.evidence.records import LeanFinding
from fidelean.faithfulness.records import FaithfulnessReport, GateDecision, GateObjection, Judgement, Lint, Slot
from fidelean.formalization.records import Round
from fidelean.proving.records import ProofSearch, ProofTry
from fidelean.report.document_parts import outcome_name, reason_of
from fidelean.report.lean_documents import (
    AspectsDocument,
    AttemptDocument,
    DraftDocument,
    GateDocument,
    LeanDocument,
    LintDocument,
    ObjectionDocument,
    ReportDocument,
    ScriptDocument,
    SlotDocument,
    WitnessDocument,
)

__all__ = ["lean_document"]


def lean_document(finding: LeanFinding) -> LeanDocument:
    """Render what Lean was told and said; times are left out, so that a replay gives the same bytes."""
    formalization, search = finding.formalization, finding.search
    statement = formalization.statement if formalization is not None else None
    judgement = formalization.judgement if formalization is not None else None
    refused = formalization.outcome if formalization is not None else None
    return LeanDocument(
        engine=finding.engine,
        not_asked=finding.not_asked.reason if finding.not_asked else None,
        not_asked_detail=finding.not_asked.detail if finding.not_asked else "",
        unsettled=list(finding.unsettled),
        statement=statement.text if statement is not None else None,
        admitted=formalization is not None and formalization.admitted,
        reason=refused.reason if refused is not None else None,
        detail=refused.detail if refused is not None else "",
        drafts=[_draft(each) for each in formalization.trajectory.rounds] if formalization is not None else [],
        gate=_gate(judgement) if judgement is not None else None,
        attempt=_attempt(search) if search is not None else None,
    )


def _draft(each: Round) -> DraftDocument:
    return DraftDocument(
        number=each.draft.number,
        text=each.draft.text,
        notes=each.draft.notes,
        feedback=each.feedback.kind,
        feedback_text=each.feedback.text,
    )


def _gate(judgement: Judgement) -> GateDocument:
    pairs = zip(judgement.reports, judgement.decisions, strict=False)
    return GateDocument(
        admitted=judgement.admitted,
        reports=[_report(report, decision) for report, decision in pairs],
        lints=[_lint(lint) for lint in judgement.lints],
        objections=_objections(judgement.objections),
    )


def _report(report: FaithfulnessReport, decision: GateDecision) -> ReportDocument:
    aspects = report.aspects
    return ReportDocument(
        admitted=decision.admitted,
        objections=_objections(decision.objections),
        s=round(report.s, 6),
        s_prem=round(report.s_prem, 6),
        s_conc=round(report.s_conc, 6),
        s_hol=round(report.s_hol, 6),
        aspects=AspectsDocument(
            step_relation=aspects.step_relation,
            objects=aspects.objects,
            directionality=aspects.directionality,
            role_alignment=aspects.role_alignment,
            syntax_surface=aspects.syntax_surface,
        ),
        slots=[_slot(slot) for slot in report.slots],
        drift=list(report.drift),
        status=report.status,
        confidence=report.confidence,
        explanation=report.reason,
        missing=list(report.missing),
        overgeneralisations=list(report.overgeneralisations),
    )


def _slot(slot: Slot) -> SlotDocument:
    return SlotDocument(
        side=slot.side,
        part=slot.part,
        text=slot.text,
        partner=slot.partner,
        match=slot.match,
        score=slot.match.score,
        is_implicit=slot.is_implicit,
    )


def _objections(objections: Iterable[GateObjection]) -> list[ObjectionDocument]:
    return [ObjectionDocument(reason=each.reason, detail=each.detail) for each in objections]


def _lint(lint: Lint) -> LintDocument:
    return LintDocument(kind=lint.kind, severity=lint.severity, message=lint.message, piece=lint.piece)


def _attempt(search: ProofSearch) -> AttemptDocument:
    attempt = search.attempt
    return AttemptDocument(
        outcome=outcome_name(attempt.outcome),
        reason=reason_of(attempt.outcome),
        detail=attempt.outcome.detail,
        entry=attempt.entry,
        script=attempt.script,
        witness=[WitnessDocument(variable=name, value=value) for name, value in attempt.witness.items()],
        transfer=attempt.transfer,
        tried=list(attempt.tried),
        scripts=[_script(each) for each in search.tries],
        fault=search.fault,
        suspected_fault=search.suspected_fault,
    )


def _script(each: ProofTry) -> ScriptDocument:
    return ScriptDocument(number=each.number, aim=each.aim, text=each.text, accepted=each.accepted, feedback=each.feedback)
