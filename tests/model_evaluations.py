"""Evaluating small proofs with models in tests, without Lean: what decides is arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing

from fidelean.informal.records import Problem, Proof, Step
from fidelean.llm.desk import Desk
from fidelean.pipelines.absent_engine import AbsentEngine
from fidelean.pipelines.designs import design_of
from fidelean.pipelines.full import Evaluator
from fidelean.pipelines.running import Evaluated, evaluate_each
from fidelean.pipelines.study import Study
from fidelean.policy import Policy
from fidelean.verdict.records import ProofVerdict

__all__ = ["evaluate", "evaluate_one", "evaluator", "proof"]


def proof(*steps: str, name: str = "p", problem: str = "How much is it?") -> Proof:
    return Proof(Problem(problem), tuple(Step(index, text) for index, text in enumerate(steps, start=1)), name)


def evaluator(desk: Desk, system: str = "full") -> Evaluator:
    return Evaluator(design_of(system), desk, AbsentEngine("Lean was not asked"), Policy(asking=desk.policy))


async def evaluate(desk: Desk, proofs: Sequence[Proof], system: str = "full", *, in_flight: int = 4) -> list[Evaluated]:
    async with aclosing(evaluate_each(proofs, evaluator(desk, system), in_flight=in_flight)) as results:
        return [each async for each in results]


async def evaluate_one(desk: Desk, one: Proof, system: str = "full") -> tuple[ProofVerdict, Study]:
    (evaluated,) = await evaluate(desk, [one], system)
    if isinstance(evaluated.result, Exception):
        raise evaluated.result
    return evaluated.result
