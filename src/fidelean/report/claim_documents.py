"""The JSON form of claims on their own, and of the claims of one step on its own."""

from __future__ import annotations

from typing import Literal

from fidelean.exact import CheckedClaim
from fidelean.outcome import Reason
from fidelean.report.document_parts import Document, OutcomeName, SpanPair, outcome_name, reason_of, span_pair

__all__ = ["ClaimDocument", "StepClaimsDocument", "claim_document", "step_claims_document"]


class ClaimDocument(Document):
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


class FoundClaimDocument(Document):
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


class StepClaimsDocument(Document):
    """The outcomes of all claims found in one step on its own."""

    version: Literal[1]
    """Version of this form."""
    step: str
    """The step as given."""
    refuted: list[str]
    """The claims that are false, as written, in the order of the text."""
    claims: list[FoundClaimDocument]
    """Every claim that was found, in the order of the text."""


def claim_document(text: str, checked: CheckedClaim) -> ClaimDocument:
    """Render the outcome of the claim ``text``."""
    outcome = checked.outcome
    return ClaimDocument(
        version=1,
        claim=text,
        outcome=outcome_name(outcome),
        reason=reason_of(outcome),
        detail=outcome.detail,
        values=list(checked.values),
        broken=span_pair(checked.broken),
    )


def step_claims_document(text: str, checked: tuple[CheckedClaim, ...]) -> StepClaimsDocument:
    """Render the outcomes of the claims found in the step ``text``."""
    claims = [_found_claim_document(item) for item in checked]
    return StepClaimsDocument(version=1, step=text, refuted=[claim.claim for claim in claims if claim.outcome == "refuted"], claims=claims)


def _found_claim_document(checked: CheckedClaim) -> FoundClaimDocument:
    outcome = checked.outcome
    return FoundClaimDocument(
        claim=checked.claim.text,
        span=span_pair(checked.claim.span),
        outcome=outcome_name(outcome),
        reason=reason_of(outcome),
        detail=outcome.detail,
        values=list(checked.values),
        broken=span_pair(checked.broken),
    )
