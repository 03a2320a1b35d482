"""The JSON form of results: version 1, one object a line. ``docs/json.md`` explains every field.

A document is a function of the result alone: it holds no time and no path of the machine, so equal inputs give equal bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fidelean.evidence.records import Evidence
from fidelean.informal.records import Proof, Step
from fidelean.obligations.records import ObligationKind
from fidelean.outcome import Reason
from fidelean.report.document_parts import (
    Document,
    LineNumber,
    OutcomeName,
    SpanPair,
    StepNumber,
    Words,
    json_line,
    outcome_name,
    reason_of,
    span_pair,
)
from fidelean.report.independence import independent_errors
from fidelean.report.study_documents import StudyDocument
from fidelean.report.suggestions import Suggestion, SuggestionKind, suggestions
from fidelean.verdict.records import Basis, ModelOpinion, ProofVerdict, StepStatus, StepVerdict

if TYPE_CHECKING:
    from fidelean.pipelines.study import Study

__all__ = ["ProofDocument", "json_line", "proof_document"]


class ArtefactDocument(Document):
    """Something that can be rechecked without us."""

    kind: str
    """``lean`` for a Lean file."""
    text: Words
    """The whole content."""


class EvidenceDocument(Document):
    """One checker's answer to one claim."""

    obligation: str
    """Name of the obligation, ``<step>.<number>``."""
    kind: ObligationKind
    """What kind of thing must hold."""
    claim: Words
    """The claim as its author wrote it."""
    conditions: list[Words]
    """The conditions in force, as written."""
    span: SpanPair | None
    """Where the claim stands in the step's text: first code point and one past the last."""
    line: LineNumber | None
    """Line of the source on which the claim starts."""
    load_bearing: bool
    """Whether the proof rests on the claim."""
    outcome: OutcomeName
    """What the checker found."""
    reason: Reason | None
    """Why it could not tell; null unless inconclusive."""
    detail: Words
    """The same for a reader, in one line; may be empty."""
    checker: str
    """Who answered; ``none`` where no checker applies."""
    values: list[str]
    """Exact value of each side, or the values that break the claim."""
    rests_on: str
    """What the outcome rests on."""
    strength: float
    """How far it carries, 0 to 1: what is below the policy's bar settles nothing."""
    artefact: ArtefactDocument | None
    """What can be rechecked, where there is such a thing."""


class StepDocument(Document):
    """The decision on one step."""

    index: StepNumber
    """1-based position in the proof."""
    status: StepStatus
    """What the evidence says of the step."""
    line: LineNumber | None
    """Line of the source on which the step starts."""
    evidence: list[EvidenceDocument]
    """Everything the status rests on, in the order of the text."""


class OpinionDocument(Document):
    """What a model makes of the whole proof: never evidence."""

    first_error: StepNumber | None
    """The step that it holds to be the first error; null where it sees none."""
    reason: Words
    """Why, in its words."""
    by: Words
    """Who says so: the stage and the model."""


class SuggestionDocument(Document):
    """A repair that a refutation itself shows; it changes no verdict."""

    step: StepNumber
    """1-based index of the step."""
    obligation: str
    """Name of the obligation whose refutation shows it."""
    kind: SuggestionKind
    """What kind of thing is to be mended."""
    text: str
    """The repair for a reader, in one line."""
    replacement: str
    """The number to be written instead, the case to be added, the hypothesis."""
    span: SpanPair | None
    """What the number replaces, in the step's text; null where nothing is to be replaced."""
    checked: str
    """What was checked, by whom, and what was not."""


class ProofDocument(Document):
    """The decision on one proof."""

    version: Literal[1]
    """Version of this form."""
    id: str
    """The name the source gives the proof, or one made from the source's name."""
    source: str
    """File name, ``-`` for standard input."""
    first_error: StepNumber | None
    """1-based index of the step that the evidence breaks first, else of the one that a model's opinion names, as ``basis`` says; null
    where no error was found, which does not show that there is none."""
    unresolved_steps: list[StepNumber]
    """Steps that stayed uncertain or unchecked, ascending."""
    later_errors: list[StepNumber]
    """Refuted steps behind the first error whose refutation uses nothing that was refuted before, ascending."""
    basis: Basis | None
    """What ``first_error`` rests on; null where there is none."""
    opinion: OpinionDocument | None
    """What a model makes of the whole proof; null where none was asked or none gave an answer."""
    system: str
    """The system that evaluated the proof."""
    suggestions: list[SuggestionDocument]
    """Repairs that refutations show, in the order of the text."""
    notices: list[Words]
    """What a reader must know about the run."""
    steps: list[StepDocument]
    """One decision per step, in order."""
    study: StudyDocument | None
    """What the stages that ask models found out; null where none was asked."""


def proof_document(proof: Proof, verdict: ProofVerdict, study: Study | None = None, *, system: str = "rules") -> ProofDocument:
    """Render the verdict on ``proof``, with the study it was drawn from where models were asked.

    Raises ``ValueError`` where the two have different numbers of steps.
    """
    from fidelean.report.study_rendering import study_document

    steps = [_step_document(step, decided) for step, decided in zip(proof.steps, verdict.steps, strict=True)]
    return ProofDocument(
        version=1,
        id=proof.id,
        source=proof.source,
        first_error=verdict.first_error,
        unresolved_steps=list(verdict.unresolved_steps),
        later_errors=list(independent_errors(verdict)),
        basis=verdict.basis,
        opinion=None if verdict.opinion is None else _opinion_document(verdict.opinion),
        system=system,
        suggestions=[_suggestion_document(one) for one in suggestions(verdict)],
        notices=list(verdict.notices),
        steps=steps,
        study=None if study is None else study_document(study, verdict),
    )


def _opinion_document(opinion: ModelOpinion) -> OpinionDocument:
    return OpinionDocument(first_error=opinion.first_error, reason=opinion.reason, by=opinion.by)


def _suggestion_document(one: Suggestion) -> SuggestionDocument:
    return SuggestionDocument(
        step=one.step,
        obligation=one.obligation,
        kind=one.kind,
        text=one.text,
        replacement=one.replacement,
        span=span_pair(one.span),
        checked=one.checked,
    )


def _step_document(step: Step, decided: StepVerdict) -> StepDocument:
    evidence = [_evidence_document(step, item) for item in decided.evidence]
    return StepDocument(index=decided.index, status=decided.status, line=step.line, evidence=evidence)


def _evidence_document(step: Step, evidence: Evidence) -> EvidenceDocument:
    obligation, outcome, artefact = evidence.obligation, evidence.outcome, evidence.artefact
    return EvidenceDocument(
        obligation=obligation.id,
        kind=obligation.kind,
        claim=obligation.claim.text,
        conditions=list(obligation.claim.conditions),
        span=span_pair(obligation.claim.span),
        line=step.line_at(obligation.claim.span.start if obligation.claim.span else 0),
        load_bearing=obligation.load_bearing,
        outcome=outcome_name(outcome),
        reason=reason_of(outcome),
        detail=outcome.detail,
        checker=evidence.checker,
        values=list(evidence.values),
        rests_on=evidence.rests_on,
        strength=round(evidence.strength, 6),
        artefact=None if artefact is None else ArtefactDocument(kind=artefact.kind, text=artefact.text),
    )
