"""Probes of a signature that was read whole: exact search and portfolio decide three signatures made from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fidelean.outcome import Inconclusive, Outcome, Passed
from fidelean.policy import ProvingPolicy
from fidelean.proving.case import Case, Task
from fidelean.proving.problem import rename
from fidelean.proving.records import ProofAttempt, ProvingObligation
from fidelean.proving.signature import FunctionType, Hypothesis, Signature, Variables, render_signature
from fidelean.proving.terms import Connective, Falsum, Joined, Proposition, Quantified, Quantifier

__all__ = ["Question", "questions_of", "tasks_of"]


@dataclass(frozen=True, slots=True)
class Question:
    """One of the three signatures."""

    role: str
    """``claim``: as it stands; ``hypotheses``: they imply False; ``conclusion``: it holds without them."""
    case: Case
    """Its state."""

    @property
    def attempt(self) -> ProofAttempt:
        """What came of it."""
        return self.case.attempt()

    @property
    def found(self) -> Outcome:
        """Passed where it is proved, as Lean means it (a division by zero included), refuted where a counterexample is."""
        attempt = self.attempt
        if isinstance(attempt.outcome, Inconclusive) and attempt.script:
            return Passed(f"kernel-checked, closed by {attempt.entry}")
        return attempt.outcome


def questions_of(signature: Signature, policy: ProvingPolicy) -> tuple[Question, ...]:
    """The signatures that decide the probes; those about hypotheses only where there are some."""
    opened = _opened(signature)
    made = {"claim": signature.text}
    if opened.hypotheses:
        if not isinstance(opened.conclusion, Falsum):
            made["hypotheses"] = render_signature(replace(opened, conclusion=Falsum()))
        kept = tuple(binder for binder in opened.binders if not isinstance(binder, Hypothesis))
        made["conclusion"] = render_signature(replace(opened, binders=kept))
    return tuple(Question(role, Case(ProvingObligation(role, text), policy, needs_conditions=False)) for role, text in made.items())


def tasks_of(question: Question, rounds: int) -> Iterator[Task]:
    """The scripts of all rounds at once; where a counterexample was found, its own and no other."""
    for _ in range(rounds):
        yield from question.case.next_tasks()
        if question.case.awaits_refutation:
            return


def _opened(signature: Signature) -> Signature:
    """The signature with leading ``∀`` and ``→`` of its conclusion among its binders."""
    binders, conclusion = list(signature.binders), signature.conclusion
    taken = {name for name, _ in signature.variables} | {hypothesis.name for hypothesis in signature.hypotheses}
    while True:
        step = _step(conclusion, taken)
        if step is None:
            return replace(signature, binders=tuple(binders), conclusion=conclusion)
        binders.append(step[0])
        conclusion = step[1]


def _step(conclusion: Proposition, taken: set[str]) -> tuple[Variables | Hypothesis, Proposition] | None:
    if isinstance(conclusion, Quantified) and conclusion.quantifier is Quantifier.ALL:
        name = _fresh(conclusion.name, taken)
        kind: str | FunctionType = conclusion.carrier
        return Variables((name,), kind), rename(conclusion.body, conclusion.name, name)
    if isinstance(conclusion, Joined) and conclusion.connective is Connective.IMPLIES:
        return Hypothesis(_fresh("given", taken), conclusion.left), conclusion.right
    return None


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "'"
    taken.add(name)
    return name
