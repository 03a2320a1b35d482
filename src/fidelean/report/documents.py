"""The JSON form of results: version 1, one object a line. ``docs/json.md`` explains every field.

A document is a function of the result alone: it holds no time and no path of the machine, so equal inputs give equal bytes.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from fidelean.evidence.records import Evidence
from fidelean.exact import CheckedClaim
from fidelean.informal.records import Proof, Span, Step
from fidelean.obligations.records import ObligationKind
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason
from fidelean.report.independence import independent_errors
from fidelean.verdict.records import ProofVerdict, StepStatus, StepVerdict

__all__ = ["ClaimDocument", "ProofDocument", "StepClaimsDocument", "claim_document", "json_line", "proof_document", "step_claims_document"]

OutcomeName = Literal["passed", "refuted", "inconclusive"]
LineNumber = Annotated[int, Field(ge=1)]
SpanPair = tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]]


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class ArtefactDocument(_Document):
    """Something that can be rechecked without us."""

    kind: str
    """``lean`` for a Lean file."""
    text: str
    """The whole content."""


class EvidenceDocument(_Document):
    """One checker's answer to one claim."""

    obligation: str
    """Name of the obligation, ``<step>.<number>``."""
    kind: ObligationKind
    """What kind of thing must hold."""
    claim: str
    """The claim as its author wrote it."""
    conditions: list[str]
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
    detail: str
    """The same for a reader, in one line; may be empty."""
    checker: str
    """Who answered; ``none`` where no checker applies."""
    values: list[str]
    """Exact value of each side, or the values that break the claim."""
    rests_on: str
    """What the outcome rests on."""
    artefact: ArtefactDocument | None
    """What can be rechecked, where there is such a thing."""


class StepDocument(_Document):
    """The decision on one step."""

    index: Annotated[int, Field(ge=1)]
    """1-based position in the proof."""
    status: StepStatus
    """What the evidence says of the step."""
    line: LineNumber | None
    """Line of the source on which the step starts."""
    evidence: list[EvidenceDocument]
    """Everything the status rests on, in the order of the text."""


class ProofDocument(_Document):
    """The decision on one proof."""

    version: Literal[1]
    """Version of this form."""
    id: str
    """The name the source gives the proof, or one made from the source's name."""
    source: str
    """File name, ``-`` for standard input."""
    first_error: Annotated[int, Field(ge=1)] | None
    """1-based index of the first broken step; null where no error was found, which does not show that there is none."""
    unresolved_steps: list[Annotated[int, Field(ge=1)]]
    """Steps that stayed uncertain or unchecked, ascending."""
    later_errors: list[Annotated[int, Field(ge=1)]]
    """Refuted steps behind the first error whose refutation uses nothing that was refuted before, ascending."""
    notices: list[str]
    """What a reader must know about the run."""
    steps: list[StepDocument]
    """One decision per step, in order."""


class ClaimDocument(_Document):
    """The outcome of one claim on its own."""

    version: Literal[1]
    """Version of this form."""
    claim: str
    """The claim as given."""
    outcome: OutcomeName
    """What exact arithmetic found."""
    reason: Reason | None
    """Why it could not tell; null unless inconclusive."""
    detail: str
    """The same for a reader, in one line; may be empty."""
    values: list[str]
    """Exact value of each side, left to right."""
    broken: SpanPair | None
    """Where the first link that does not hold stands in the claim; null unless refuted."""


class FoundClaimDocument(_Document):
    """The outcome of one claim found in a step."""

    claim: str
    """The claim as written."""
    span: SpanPair | None
    """Where it stands in the step."""
    outcome: OutcomeName
    """What exact arithmetic found."""
    reason: Reason | None
    """Why it could not tell; null unless inconclusive."""
    detail: str
    """The same for a reader, in one line; may be empty."""
    values: list[str]
    """Exact value of each side, left to right."""
    broken: SpanPair | None
    """Where the first link that does not hold stands in the claim; null unless refuted."""


class StepClaimsDocument(_Document):
    """The outcomes of all claims found in one step on its own."""

    version: Literal[1]
    """Version of this form."""
    step: str
    """The step as given."""
    refuted: list[str]
    """The claims that are false, as written, in the order of the text."""
    claims: list[FoundClaimDocument]
    """Every claim that was found, in the order of the text."""


def proof_document(proof: Proof, verdict: ProofVerdict) -> ProofDocument:
    """Render the verdict on ``proof``. Raises ``ValueError`` where the two have different numbers of steps."""
    steps = [_step_document(step, decided) for step, decided in zip(proof.steps, verdict.steps, strict=True)]
    return ProofDocument(
        version=1,
        id=proof.id,
        source=proof.source,
        first_error=verdict.first_error,
        unresolved_steps=list(verdict.unresolved_steps),
        later_errors=list(independent_errors(verdict)),
        notices=list(verdict.notices),
        steps=steps,
    )


def claim_document(text: str, checked: CheckedClaim) -> ClaimDocument:
    """Render the outcome of the claim ``text``."""
    outcome = checked.outcome
    return ClaimDocument(
        version=1,
        claim=text,
        outcome=_outcome_name(outcome),
        reason=_reason(outcome),
        detail=outcome.detail,
        values=list(checked.values),
        broken=_span_pair(checked.broken),
    )


def step_claims_document(text: str, checked: tuple[CheckedClaim, ...]) -> StepClaimsDocument:
    """Render the outcomes of the claims found in the step ``text``."""
    claims = [_found_claim_document(item) for item in checked]
    return StepClaimsDocument(version=1, step=text, refuted=[claim.claim for claim in claims if claim.outcome == "refuted"], claims=claims)


def json_line(document: BaseModel) -> str:
    """Write a document as one line of JSON without its line end: also for readers that take U+0085, U+2028 or U+2029 for a line end."""
    line = document.model_dump_json()
    return line.replace("\u0085", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


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
        span=_span_pair(obligation.claim.span),
        line=step.line_at(obligation.claim.span.start if obligation.claim.span else 0),
        load_bearing=obligation.load_bearing,
        outcome=_outcome_name(outcome),
        reason=_reason(outcome),
        detail=outcome.detail,
        checker=evidence.checker,
        values=list(evidence.values),
        rests_on=evidence.rests_on,
        artefact=None if artefact is None else ArtefactDocument(kind=artefact.kind, text=artefact.text),
    )


def _found_claim_document(checked: CheckedClaim) -> FoundClaimDocument:
    outcome = checked.outcome
    return FoundClaimDocument(
        claim=checked.claim.text,
        span=_span_pair(checked.claim.span),
        outcome=_outcome_name(outcome),
        reason=_reason(outcome),
        detail=outcome.detail,
        values=list(checked.values),
        broken=_span_pair(checked.broken),
    )


def _span_pair(span: Span | None) -> SpanPair | None:
    return None if span is None else (span.start, span.end)


def _outcome_name(outcome: Outcome) -> OutcomeName:
    if isinstance(outcome, Inconclusive):
        return "inconclusive"
    return "passed" if isinstance(outcome, Passed) else "refuted"


def _reason(outcome: Outcome) -> Reason | None:
    return outcome.reason if isinstance(outcome, Inconclusive) else None
