"""A study → what a page shows of it."""

from __future__ import annotations

from collections.abc import Iterator

from fidelean.decomposition.audit.records import LocalReview
from fidelean.decomposition.records import Transition
from fidelean.decomposition.substeps.records import Decomposition, RepairFinding, Substep
from fidelean.evidence.records import Evidence, LeanFinding
from fidelean.faithfulness.records import Judgement
from fidelean.formalization.records import Formalization, Round
from fidelean.obligations.records import Obligation
from fidelean.outcome import Inconclusive, Passed
from fidelean.pipelines.study import Study
from fidelean.proving.records import ProofSearch, ProofTry
from fidelean.report.html.claim_view import formula_markup
from fidelean.report.html.gate_view import gate_view
from fidelean.report.html.highlighting import typeset_text
from fidelean.report.html.study_views import (
    AuditView,
    DraftView,
    JudgeView,
    LeanView,
    ObligationView,
    ScriptView,
    StudyView,
    SubstepView,
)
from fidelean.report.html.typesetting import Typeset
from fidelean.report.html.words import NOTHING_CLAIMED, outcome_of_finding, plain_words, reason_words
from fidelean.report.study_rendering import answers
from fidelean.verdict.records import ProofVerdict

__all__ = ["study_view"]


def study_view(study: Study, verdict: ProofVerdict, prefix: str, typeset: Typeset) -> StudyView:
    """Show a study beside the verdict that was drawn from it."""
    found, findings = answers(verdict), {finding.obligation.id: finding for finding in study.findings}
    scan, cut, spending = study.scan, study.decomposition or Decomposition(()), study.spending
    return StudyView(
        search=f"searched by the {scan.source}, which finds the proof {plain_words(scan.overall.value)}" if scan is not None else "",
        audit=tuple(_audit(each, study, prefix) for each in study.tree.transitions) if study.tree and (scan or study.reviews) else (),
        obligations=tuple(_obligation(each, found.get(each.id), findings.get(each.id), prefix, typeset) for each in study.obligations),
        substeps=tuple(_substep(each, cut, typeset) for each in cut.substeps),
        malformations=tuple(_malformations(study, cut)),
        cost=(
            ("calls that brought a reply", f"{spending.calls:,}"),
            ("tokens read and written", f"{spending.tokens:,}"),
            ("US dollars", f"{spending.price.normalize():f}"),
        ),
    )


def _audit(transition: Transition, study: Study, prefix: str) -> AuditView:
    suspicion = study.scan.of(transition.id) if study.scan is not None else None
    answer = next((each.answer for each in study.reviews if each.transition == transition.id), None)
    opinion, review = "", ""
    if isinstance(answer, LocalReview):
        opinion = plain_words(answer.opinion.value) + (f" ({plain_words(answer.error.value)})" if answer.error is not None else "")
        review = answer.reason
    elif answer is not None:
        opinion, review = f"no review ({plain_words(answer.reason.value)})", answer.detail
    return AuditView(
        name=transition.id,
        step=transition.step,
        step_anchor=f"{prefix}step-{transition.step}",
        score="" if suspicion is None else f"{suspicion.score:.2f}",
        suspicion="" if suspicion is None else suspicion.reason,
        is_audited=transition.id in study.window.transitions,
        is_trigger=transition.id == study.window.trigger,
        opinion=opinion,
        review=review,
        distrust="departs from the text, or has no proper place in the tree" if transition.id in study.untrusted else "",
    )


def _obligation(
    obligation: Obligation, evidence: Evidence | None, finding: LeanFinding | None, prefix: str, typeset: Typeset
) -> ObligationView:
    outcome = evidence.outcome if evidence is not None else None
    detail = "" if outcome is None else outcome.detail
    if isinstance(outcome, Inconclusive) and evidence is not None:
        detail = ": ".join(part for part in (reason_words(evidence), outcome.detail) if part)
    conditions = [(each.text, ", ".join(each.awaits)) for each in obligation.premises]
    return ObligationView(
        anchor=f"{prefix}obligation-{obligation.id}",
        name=obligation.id,
        transition=obligation.transition,
        step=obligation.step,
        step_anchor=f"{prefix}step-{obligation.step}",
        kind=plain_words(obligation.kind.value),
        outcome=outcome_of_finding(evidence) if evidence is not None else NOTHING_CLAIMED,
        markup=formula_markup(obligation.claim.text, typeset),
        detail=detail,
        reason=obligation.reason,
        waits_for=obligation.waits_for,
        premises=tuple(conditions or [(each, "") for each in obligation.claim.conditions]),
        lean=_lean(finding.formalization, finding.search) if finding is not None and finding.formalization is not None else None,
    )


def _lean(formalization: Formalization, search: ProofSearch | None) -> LeanView:
    judgement, attempt = formalization.judgement, search.attempt if search is not None else None
    return LeanView(
        statement=formalization.statement.text if formalization.statement is not None else "",
        gate=_gate_words(formalization),
        is_admitted=formalization.admitted,
        judges=tuple(_judges(judgement)) if judgement is not None else (),
        lints=tuple(f"{plain_words(each.severity.value)}: {each.message}" for each in judgement.lints) if judgement is not None else (),
        drafts=tuple(map(_draft, formalization.trajectory.rounds)),
        attempt=_attempt_words(search) if search is not None else "",
        witness=tuple(f"{name} = {value}" for name, value in attempt.witness.items()) if attempt is not None else (),
        tried=attempt.tried if attempt is not None else (),
        decided=attempt.script if attempt is not None else "",
        scripts=tuple(map(_script, search.tries)) if search is not None else (),
        fault=_fault(search) if search is not None else "",
    )


def _gate_words(formalization: Formalization) -> str:
    if formalization.admitted:
        return "the gate lets it through"
    refused = formalization.outcome
    return "nothing was admitted" + (f": {plain_words(refused.reason.value)}: {refused.detail}" if refused is not None else "")


def _judges(judgement: Judgement) -> Iterator[JudgeView]:
    for report, decision in zip(judgement.reports, judgement.decisions, strict=False):
        objections = tuple(f"{plain_words(each.reason.value)}: {each.detail}" for each in decision.objections)
        yield JudgeView(decision.admitted, objections, gate_view(report))


def _draft(each: Round) -> DraftView:
    return DraftView(each.draft.number, plain_words(each.feedback.kind.value), each.feedback.text, each.draft.text, each.draft.notes)


def _script(each: ProofTry) -> ScriptView:
    return ScriptView(each.number, each.aim.value, each.accepted, each.text, each.feedback)


def _attempt_words(search: ProofSearch) -> str:
    attempt = search.attempt
    if isinstance(attempt.outcome, Inconclusive):
        return ": ".join(part for part in ("undecided", plain_words(attempt.outcome.reason.value), attempt.outcome.detail) if part)
    what = "a proof of the statement" if isinstance(attempt.outcome, Passed) else "a refutation of the statement"
    return f"the kernel accepts {what}" + (f", found by {attempt.entry}" if attempt.entry else "")


def _fault(search: ProofSearch) -> str:
    if search.fault:
        return f"confirmed by the kernel: {search.fault}"
    return f"suspected by the prover: {search.suspected_fault}" if search.suspected_fault else ""


def _substep(substep: Substep, cut: Decomposition, typeset: Typeset) -> SubstepView:
    findings = tuple(_departure(each) for each in cut.findings if each.substep == substep.id)
    scopes = tuple(f"{plain_words(scope.kind.value)}: {scope.text}" for scope in substep.scopes)
    text = typeset_text(substep.text, (), typeset).markup
    return SubstepView(substep.id, text, scopes, is_motivation=substep.is_motivation, findings=findings)


def _departure(finding: RepairFinding) -> str:
    return f"{plain_words(finding.kind.value)}: {finding.evidence} (found by the {finding.source.value})"


def _malformations(study: Study, cut: Decomposition) -> Iterator[str]:
    for each in cut.findings:
        if each.substep is None:
            yield f"step {each.step}: {_departure(each)}"
    for whole in cut.whole:
        yield f"step {whole.step} could not be cut: {plain_words(whole.reason.reason.value)} {whole.reason.detail}"
    for fault in study.grown.malformations if study.grown is not None else ():
        place = f"inference {fault.transition}" if fault.transition is not None else "the tree"
        yield f"{place}: {plain_words(fault.kind.value)}: {fault.detail}"
