"""A study → its document."""

from __future__ import annotations

from fidelean.decomposition.audit.records import LocalReview, Suspicion, SuspicionScan
from fidelean.decomposition.audit.review import Reviewed
from fidelean.decomposition.growth.records import GrownTree, Malformation
from fidelean.decomposition.records import ProofState, Transition
from fidelean.decomposition.substeps.records import Decomposition, RepairFinding, Substep
from fidelean.evidence.records import NO_CHECKER, Evidence, LeanFinding
from fidelean.obligations.records import Obligation
from fidelean.outcome import Inconclusive, Reason
from fidelean.pipelines.study import Study
from fidelean.report.document_parts import outcome_name, reason_of, span_pair
from fidelean.report.lean_rendering import lean_document
from fidelean.report.study_documents import (
    ConditionDocument,
    CostDocument,
    DepartureDocument,
    FaultDocument,
    MalformationDocument,
    ObligationDocument,
    PremiseDocument,
    PriorDocument,
    ReviewDocument,
    ScanDocument,
    ScopeDocument,
    StateDocument,
    StudyDocument,
    SubstepDocument,
    SuspicionDocument,
    TransitionDocument,
    TreeDocument,
    WholeStepDocument,
)
from fidelean.verdict.records import ProofVerdict

__all__ = ["answers", "study_document"]

_NOBODY = Inconclusive(Reason.GAVE_UP, "nobody answered")


def study_document(study: Study, verdict: ProofVerdict) -> StudyDocument:
    """Render a study beside the verdict that was drawn from it; a function of the two alone."""
    cut = study.decomposition or Decomposition(())
    found, findings = answers(verdict), {finding.obligation.id: finding for finding in study.findings}
    return StudyDocument(
        substeps=[_substep(each, cut) for each in cut.substeps],
        departures=[_departure(each) for each in cut.findings if each.substep is None],
        uncut=[WholeStepDocument(step=each.step, reason=each.reason.reason, detail=each.reason.detail) for each in cut.whole],
        tree=_tree(study.grown, study.untrusted) if study.grown is not None else None,
        scan=_scan(study.scan) if study.scan is not None else None,
        window=list(study.window.transitions),
        reviews=[_review(each) for each in study.reviews],
        obligations=[_obligation(each, found.get(each.id), findings.get(each.id)) for each in study.obligations],
        faults=[FaultDocument(stage=each.stage, reason=each.reason.reason, detail=each.reason.detail) for each in study.faults],
        cost=CostDocument(calls=study.spending.calls, tokens=study.spending.tokens, usd=f"{study.spending.price.normalize():f}"),
    )


def answers(verdict: ProofVerdict) -> dict[str, Evidence]:
    """What a verdict holds on each obligation of a transition, by its id."""
    items = (item for step in verdict.steps for item in step.evidence)
    return {item.obligation.id: item for item in items if item.obligation.transition}


def _substep(substep: Substep, cut: Decomposition) -> SubstepDocument:
    return SubstepDocument(
        id=substep.id,
        step=substep.step,
        text=substep.text,
        anchors=[pair for span in substep.anchors if (pair := span_pair(span)) is not None],
        scopes=[ScopeDocument(kind=scope.kind, text=scope.text) for scope in substep.scopes],
        is_motivation=substep.is_motivation,
        findings=[_departure(each) for each in cut.findings if each.substep == substep.id],
    )


def _departure(finding: RepairFinding) -> DepartureDocument:
    return DepartureDocument(
        kind=finding.kind, step=finding.step, substep=finding.substep, evidence=finding.evidence, source=finding.source
    )


def _tree(grown: GrownTree, untrusted: frozenset[str]) -> TreeDocument:
    return TreeDocument(
        states=[_state(each) for each in grown.tree.states],
        transitions=[_transition(each, trusted=each.id not in untrusted) for each in grown.tree.transitions],
        malformations=[_malformation(each) for each in grown.malformations],
    )


def _state(state: ProofState) -> StateDocument:
    conditions = [ConditionDocument(name=each.name, kind=each.kind, step=each.step, text=each.text) for each in state.conditions]
    return StateDocument(id=state.id, goal=state.goal, role=state.role, branch=list(state.branch), conditions=conditions)


def _transition(transition: Transition, *, trusted: bool) -> TransitionDocument:
    return TransitionDocument(
        id=transition.id,
        step=transition.step,
        substep=transition.substep,
        pattern=transition.kind,
        goal_relation=transition.goal_relation,
        before=transition.before,
        after=list(transition.after),
        joins=list(transition.joins),
        text=transition.text,
        claim=transition.claim.text if transition.claim is not None else None,
        explanation=transition.explanation,
        closes=transition.closes,
        risks=list(transition.risks),
        trusted=trusted,
    )


def _malformation(fault: Malformation) -> MalformationDocument:
    return MalformationDocument(kind=fault.kind, transition=fault.transition, substep=fault.substep, detail=fault.detail)


def _scan(scan: SuspicionScan) -> ScanDocument:
    return ScanDocument(source=scan.source, overall=scan.overall, transitions=[_suspicion(each) for each in scan.suspicions])


def _suspicion(one: Suspicion) -> SuspicionDocument:
    return SuspicionDocument(
        transition=one.transition,
        score=one.score,
        likely_wrong=one.likely_wrong,
        should_formalize=one.should_formalize,
        priors=[PriorDocument(error=prior.error, weight=prior.weight) for prior in one.priors],
        reason=one.reason,
    )


def _review(reviewed: Reviewed) -> ReviewDocument:
    answer = reviewed.answer
    review = answer if isinstance(answer, LocalReview) else None
    failure = answer if isinstance(answer, Inconclusive) else None
    return ReviewDocument(
        transition=reviewed.transition,
        opinion=review.opinion if review else None,
        suspicion=review.suspicion if review else None,
        error=review.error if review else None,
        difficulty=review.difficulty if review else None,
        should_formalize=review.should_formalize if review else None,
        explanation=review.reason if review else "",
        reason=failure.reason if failure else None,
        detail=failure.detail if failure else "",
    )


def _obligation(obligation: Obligation, evidence: Evidence | None, finding: LeanFinding | None) -> ObligationDocument:
    outcome = evidence.outcome if evidence is not None else _NOBODY
    premises = obligation.premises
    return ObligationDocument(
        id=obligation.id,
        transition=obligation.transition,
        step=obligation.step,
        kind=obligation.kind,
        statement=obligation.claim.text,
        premises=[PremiseDocument(text=each.text, awaits=list(each.awaits)) for each in premises]
        or [PremiseDocument(text=each, awaits=[]) for each in obligation.claim.conditions],
        waits_for=list(obligation.waits_for),
        source=obligation.source,
        reason=obligation.reason,
        load_bearing=obligation.load_bearing,
        outcome=outcome_name(outcome),
        outcome_reason=reason_of(outcome),
        detail=outcome.detail,
        checker=evidence.checker if evidence is not None else NO_CHECKER,
        lean=lean_document(finding) if finding is not None else None,
    )
