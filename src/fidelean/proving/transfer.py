"""Which transfer rule applies to an established fact (evaluate-proof, 5d)."""

from __future__ import annotations

from fidelean.proving.problem import Demand, Problem
from fidelean.proving.records import Transfer
from fidelean.proving.signature import Signature
from fidelean.proving.terms import Binary, Joined, Negated, Numeral, Proposition, Quantified, Related, Unread, subterms, terms_of

__all__ = ["transfer_of_proof", "transfer_of_refutation"]


def transfer_of_proof(signature: Signature | None) -> Transfer:
    """What a proved signature says about other domains."""
    if signature is None or signature.generic is None:
        return Transfer.SAME_DOMAIN
    return Transfer.ORDERED_FIELDS if signature.is_ordered else Transfer.FIELDS


def transfer_of_refutation(signature: Signature | None, problem: Problem | None) -> Transfer:
    """What a refuted signature says about other domains."""
    if signature is None or problem is None or not signature.variables:
        return Transfer.SAME_DOMAIN
    demands = [*(argument for argument in problem.arguments if isinstance(argument, Demand)), problem.conclusion]
    bodies = [demand.body for demand in demands]
    if signature.functions or any(_stays(body) for body in bodies):
        return Transfer.INSTANCE if signature.generic else Transfer.SAME_DOMAIN
    return Transfer.UPWARDS_ORDERED if any(_orders(body) for body in bodies) else Transfer.UPWARDS


def _stays(proposition: Proposition) -> bool:
    """Whether an embedding may change it: quantifiers, divisibility, remainders, exponents that vary."""
    match proposition:
        case Related(relation, _, _, _):
            parts = [part for side in terms_of(proposition) for part in subterms(side) if isinstance(part, Binary)]
            return relation == "∣" or any(
                part.operator == "%" or (part.operator == "^" and not isinstance(part.right, Numeral)) for part in parts
            )
        case Negated(body):
            return _stays(body)
        case Joined(_, left, right):
            return _stays(left) or _stays(right)
        case Quantified() | Unread():
            return True
        case _:
            return False


def _orders(proposition: Proposition) -> bool:
    match proposition:
        case Related(relation, _, _, _):
            return relation in "<≤>≥"
        case Negated(body) | Quantified(_, _, _, body):
            return _orders(body)
        case Joined(_, left, right):
            return _orders(left) or _orders(right)
        case _:
            return False
