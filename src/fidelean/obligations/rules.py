"""Steps → obligations: the deterministic rules, without a model."""

from __future__ import annotations

from collections.abc import Sequence

from fidelean.informal.claims import FoundClaim, find_claims
from fidelean.informal.maths.tree import Relation
from fidelean.informal.records import Proof, Span, Step
from fidelean.obligations.bearing import is_load_bearing
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Reason

__all__ = ["derive"]


def derive(proof: Proof) -> tuple[Obligation, ...]:
    """What must hold for each step, in the order of the text: one obligation per formula that the step asserts.

    A formula that the text supposes, denies or asks is a condition, never a claim, and gives no obligation.
    """
    texts = [step.text for step in proof.steps]
    return tuple(
        obligation for index, step in enumerate(proof.steps) for obligation in _of_step(step, texts[index + 1 :])
    )


def _of_step(step: Step, later_texts: Sequence[str]) -> list[Obligation]:
    found = [claim for claim in find_claims(step.text, step=step.index) if claim.unread is None or claim.unread.reason is not Reason.NOT_ASSERTED]
    return [
        Obligation(
            id=f"{step.index}.{number}",
            step=step.index,
            kind=_kind(claim),
            claim=claim.claim,
            load_bearing=is_load_bearing(step.text, _span(claim), _result(claim), later_texts),
            chain=claim.chain,
            unread=claim.unread,
        )
        for number, claim in enumerate(found, start=1)
    ]


def _span(found: FoundClaim) -> Span:
    return found.claim.span or Span(0, 0)


def _result(found: FoundClaim) -> Span:
    """The last side of a chain: what later steps can use of it."""
    return found.chain.spans[-1] if found.chain is not None else _span(found)


def _kind(found: FoundClaim) -> ObligationKind:
    """A chain of equalities rewrites; a single relation states a fact."""
    chain = found.chain
    rewrites = chain is not None and len(chain.relations) > 1 and set(chain.relations) <= {Relation.EQUAL, Relation.ABOUT}
    return ObligationKind.REWRITE if rewrites else ObligationKind.DERIVED_FACT
