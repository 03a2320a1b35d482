"""Transitions → obligations: the deterministic rules, without a model."""

from __future__ import annotations

from collections.abc import Sequence

from fidelean.decomposition.records import Condition, ProofTree, Transition, TransitionKind
from fidelean.decomposition.rules import decompose
from fidelean.informal.maths.tree import Chain, Relation
from fidelean.informal.records import Claim, Proof, Span
from fidelean.obligations.bearing import is_load_bearing
from fidelean.obligations.records import Obligation, ObligationKind

__all__ = ["derive", "derive_from"]


def derive(proof: Proof, *, conditions: bool = True) -> tuple[Obligation, ...]:
    """What must hold for each step, in the order of the text: one obligation per formula that the step concludes.

    A formula that the text supposes, denies or asks is a condition, never a claim, and gives no obligation. With ``conditions`` false the
    obligations carry none, for checkers that do not ask for them.
    """
    return derive_from(decompose(proof, conditions=conditions), proof)


def derive_from(tree: ProofTree, proof: Proof) -> tuple[Obligation, ...]:
    """The obligations of a proof whose tree is known."""
    texts = [step.text for step in proof.steps]
    states = {state.id: state for state in tree.states}
    return tuple(
        _obligation(transition, transition.claim, states[transition.before].conditions, texts)
        for transition in tree.transitions
        if transition.claim is not None
    )


def _obligation(transition: Transition, claim: Claim, conditions: tuple[Condition, ...], texts: Sequence[str]) -> Obligation:
    fact = transition.fact
    chain = fact.alternatives[0] if fact is not None and len(fact.alternatives) == 1 else None
    text, later = texts[transition.step - 1], texts[transition.step :]
    return Obligation(
        id=transition.id,
        step=transition.step,
        kind=_kind(transition, chain),
        claim=claim,
        load_bearing=claim.span is None or is_load_bearing(text, claim.span, _result(chain, claim.span), later),
        chain=chain,
        unread=transition.unread,
        fact=fact,
        conditions=conditions,
        cue=transition.cue,
        premise=transition.premise,
    )


def _result(chain: Chain | None, span: Span) -> Span:
    """The last side of a chain: what later steps can use of it."""
    return chain.spans[-1] if chain is not None else span


def _kind(transition: Transition, chain: Chain | None) -> ObligationKind:
    """A chain of equalities rewrites; cases must cover; anything else states a fact."""
    if transition.kind is TransitionKind.CASE_SPLIT:
        return ObligationKind.CASE_SPLIT
    rewrites = chain is not None and len(chain.relations) > 1 and set(chain.relations) <= {Relation.EQUAL, Relation.ABOUT}
    return ObligationKind.REWRITE if rewrites else ObligationKind.DERIVED_FACT
