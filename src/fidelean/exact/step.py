"""Every numeric claim of a step → outcomes."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from fidelean.exact.budget import Budget
from fidelean.exact.check import CheckedClaim, check_chain
from fidelean.exact.evaluation import evaluate
from fidelean.exact.novalue import NoValue
from fidelean.exact.relation import congruent
from fidelean.informal.claims import FoundClaim, find_claims
from fidelean.informal.context import Arithmetic, arithmetic_of
from fidelean.informal.maths.tree import Chain, Number, Relation, Unit, readings
from fidelean.outcome import Inconclusive, Passed, Reason, Refuted
from fidelean.policy import ArithmeticPolicy

__all__ = ["check_found", "check_step"]

_DEFAULT = ArithmeticPolicy()


def check_step(text: str, *, context: str = "", step: int | None = None, policy: ArithmeticPolicy = _DEFAULT) -> tuple[CheckedClaim, ...]:
    """Find and decide the claims of a step.

    Args:
        text: the step as its author wrote it.
        context: the problem, for words that change the arithmetic of the whole proof ("in base 8").
        step: 1-based index of the step, noted on each claim.
        policy: the size bounds.

    Returns:
        One answer per formula with a relation, in the order of the text; those with variables are inconclusive.
    """
    found = find_claims(text, step=step)
    if not found:
        return ()
    return tuple(check_found(claim, text, context, policy) for claim in found)


def check_found(found: FoundClaim, text: str, context: str, policy: ArithmeticPolicy = _DEFAULT) -> CheckedClaim:
    """Decide one formula of a step, in the arithmetic that its text and its problem (``context``) speak of."""
    if found.unread is not None or found.chain is None:
        return CheckedClaim(found.claim, found.unread or Inconclusive(Reason.NOT_READ))
    checked = check_chain(found.chain, found.claim, policy, source=text)
    if isinstance(checked.outcome, Refuted):
        arithmetic = arithmetic_of(text) | arithmetic_of(context)
        doubt = _other_arithmetic(found.chain, arithmetic, policy) or _integer_division(found.chain, text, policy)
        if doubt is not None:
            return replace(checked, outcome=doubt, broken=None)
    return checked


def _other_arithmetic(chain: Chain, arithmetic: Arithmetic, policy: ArithmeticPolicy) -> Inconclusive | None:
    """A refutation counts only in the arithmetic that the text calculates in."""
    if arithmetic.other_base:
        return Inconclusive(Reason.OTHER_ARITHMETIC, "the text speaks of another base")
    if arithmetic.own_operation:
        return Inconclusive(Reason.OTHER_ARITHMETIC, "the text defines an operation of its own")
    if not arithmetic.modular or chain.modulus is not None:
        return None
    if not arithmetic.moduli:
        return Inconclusive(Reason.OTHER_ARITHMETIC, "the text calculates modulo something")
    for modulus in arithmetic.moduli:
        if _holds_modulo(chain, modulus, policy):
            return Inconclusive(Reason.OTHER_ARITHMETIC, f"true modulo {modulus}, which the text speaks of")
    return None


_WHOLE = re.compile(
    r"remain|left\s*-?over|quotient|\bwhole\b|\bfull\b|\bcomplete|\bround|floor|ceil|\bat\s+(?:most|least)\b|integer|discard|ignor|trunc",
    re.IGNORECASE,
)


def _integer_division(chain: Chain, text: str, policy: ArithmeticPolicy) -> Inconclusive | None:
    """Whether, as in "43/5 = 8 full boxes", a quotient stands beside its whole part: no error where the words speak of whole things."""
    if _WHOLE.search(text) is None:
        return None
    budget = Budget(policy)
    for left, relation, right in zip(chain.sides, chain.relations, chain.sides[1:], strict=False):
        if relation is Relation.EQUAL and isinstance(right, Number | Unit):
            try:
                quotient, whole = evaluate(readings(left)[0], budget), evaluate(right, budget)
            except NoValue:
                continue
            if isinstance(quotient, Fraction) and quotient.denominator > 1 and whole in (math.floor(quotient), math.ceil(quotient)):
                return Inconclusive(Reason.ROUNDING, f"{quotient} beside a neighbouring integer, where the text speaks of whole things")
    return None


def _holds_modulo(chain: Chain, modulus: int, policy: ArithmeticPolicy) -> bool:
    budget = Budget(policy)
    try:
        values = [evaluate(side, budget) for side in chain.sides]
    except NoValue:
        return True
    return all(isinstance(congruent(a, b, modulus), Passed) for a, b in pairwise(values))
