"""Whether two signatures say the same: both implications, by the same search and portfolio.

Where both bind the same variables they are compared at each value, which is stronger: as wholes, any two true statements agree.
"""

from __future__ import annotations

from fidelean.lean.engine import LeanEngine
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import Policy
from fidelean.proving.attempt import prove
from fidelean.proving.problem import rename
from fidelean.proving.reading import read_signature, split_signature
from fidelean.proving.records import Equivalence, ProofAttempt, ProvingObligation
from fidelean.proving.rendering import render_proposition
from fidelean.proving.signature import Hypothesis, Signature, render_binders
from fidelean.proving.terms import Connective, Joined, Proposition

__all__ = ["equivalent"]

_GIVEN = "given"


async def equivalent(first: str, second: str, engine: LeanEngine, policy: Policy | None = None) -> Equivalence:
    """Compare two signatures; a refuted direction comes with values at which one holds and the other fails.

    Raises:
        EngineError: the engine failed in a way that no single script explains.
    """
    shared = _pointwise(first, second)
    directions = shared or (_as_wholes(first, second), _as_wholes(second, first))
    names = ("forward", "backward")
    obligations = [ProvingObligation(name, text) for name, text in zip(names, directions, strict=True)]
    forward, backward = await prove(obligations, engine, policy, needs_conditions=False)
    return Equivalence(_fused(forward, backward), forward, backward, shared is not None)


def _fused(forward: ProofAttempt, backward: ProofAttempt) -> Outcome:
    for attempt, words in ((forward, "the first holds and the second fails"), (backward, "the second holds and the first fails")):
        if isinstance(attempt.outcome, Refuted):
            return Refuted(f"{words} at {attempt.outcome.detail}")
    for attempt in (forward, backward):
        if isinstance(attempt.outcome, Inconclusive):
            return Inconclusive(attempt.outcome.reason, f"{attempt.id}: {attempt.outcome.detail}")
    return Passed("each implies the other") if isinstance(forward.outcome, Passed) else Inconclusive(Reason.GAVE_UP)


def _pointwise(first: str, second: str) -> tuple[str, str] | None:
    """Both implications under shared variables, or None where the signatures bind different ones."""
    left, right = read_signature(first).signature, read_signature(second).signature
    if left is None or right is None or _frame(left) != _frame(right):
        return None
    taken = {name for name, _ in left.variables}
    if taken & {_GIVEN} or not taken:
        return None
    says_left, says_right = _whole(left), _whole(right)
    if [name for name, _ in right.variables] != [name for name, _ in left.variables]:
        for position, (name, _) in enumerate(right.variables):
            says_right = rename(says_right, name, f"shared{position}")
        for position, (name, _) in enumerate(left.variables):
            says_right = rename(says_right, f"shared{position}", name)
    binders = _variables_only(left)
    return _implication(binders, says_left, says_right), _implication(binders, says_right, says_left)


def _frame(signature: Signature) -> tuple[object, ...]:
    """What two signatures must share: types of variables, in order, and the classes of the carrier."""
    generic = signature.generic
    kinds = tuple(str(kind).replace(generic, "·") if generic else str(kind) for _, kind in signature.variables)
    return kinds, generic, signature.is_ordered


def _whole(signature: Signature) -> Proposition:
    says = signature.conclusion
    for hypothesis in reversed(signature.hypotheses):
        says = Joined(Connective.IMPLIES, hypothesis.proposition, says)
    return says


def _variables_only(signature: Signature) -> str:
    binders = tuple(binder for binder in signature.binders if not isinstance(binder, Hypothesis))
    return render_binders(Signature("", binders, signature.conclusion))


def _implication(binders: str, given: Proposition, wanted: Proposition) -> str:
    return f"{binders} ({_GIVEN} : {render_proposition(given)}) : {render_proposition(wanted)}".lstrip()


def _as_wholes(given: str, wanted: str) -> str:
    """``(given : ∀ BINDERS, CONCLUSION) : ∀ BINDERS, CONCLUSION``."""
    return f"({_GIVEN} : {_closed(given)}) : {_closed(wanted)}"


def _closed(text: str) -> str:
    binders, conclusion = split_signature(text) or ("", text)
    return f"∀ {binders}, {conclusion}" if binders else f"({conclusion})"
