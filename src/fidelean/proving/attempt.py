"""Proving many signatures at once: search, then rounds of the portfolio, a batch of scripts for all that is still open."""

from __future__ import annotations

from collections.abc import Sequence

from fidelean.lean.engine import LeanEngine
from fidelean.lean.records import Elaboration, LeanSource
from fidelean.policy import Policy
from fidelean.proving.case import Case, Task
from fidelean.proving.records import ProofAttempt, ProvingObligation

__all__ = ["prove"]


async def prove(
    obligations: Sequence[ProvingObligation], engine: LeanEngine, policy: Policy | None = None, *, needs_conditions: bool = True
) -> list[ProofAttempt]:
    """Try to prove each signature, or its negation; one attempt each, in their order.

    With ``needs_conditions`` false, a claim whose conditions contradict each other passes like any other.

    Raises:
        EngineError: the engine failed in a way that no single script explains.
    """
    bounds = (policy or Policy()).proving
    cases = [Case(obligation, bounds, needs_conditions=needs_conditions and obligation.needs_conditions) for obligation in obligations]
    while waiting := _gathered(cases, bounds.round_scripts):
        answers = await _elaborated([task for _, task in waiting], engine, bounds.batch_size)
        for (case, task), answer in zip(waiting, answers, strict=True):
            case.take(task, answer)
    return [case.attempt() for case in cases]


def _gathered(cases: Sequence[Case], wanted: int) -> list[tuple[Case, Task]]:
    """The next round of every open case; of few cases two rounds at once, since a start of Lean costs more than some scripts in vain."""
    waiting = [(case, task) for case in cases for task in case.next_tasks()]
    if len(waiting) < wanted:
        open_cases = [case for case in dict.fromkeys(case for case, _ in waiting) if not case.awaits_refutation]
        waiting.extend((case, task) for case in open_cases for task in case.next_tasks())
    return waiting


async def _elaborated(tasks: Sequence[Task], engine: LeanEngine, size: int) -> list[Elaboration]:
    answers: list[Elaboration] = []
    for start in range(0, len(tasks), size):
        answers.extend(await engine.elaborate([LeanSource(task.text, name=task.role) for task in tasks[start : start + size]]))
    return answers
