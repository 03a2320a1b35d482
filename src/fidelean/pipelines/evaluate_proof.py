"""Steps → obligations → evidence → verdict.

Which rules derive obligations and which checkers answer them is a ``System``; what follows from the answers is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fidelean.errors import InputError
from fidelean.evidence.arithmetic import unanswered
from fidelean.evidence.records import Evidence
from fidelean.informal.reading import cut_proof
from fidelean.informal.records import Problem, Proof, Step
from fidelean.obligations.records import Obligation
from fidelean.pipelines.absent_engine import AbsentEngine, missing_engine
from fidelean.pipelines.event_loops import run
from fidelean.pipelines.systems import System, rules
from fidelean.policy import Policy
from fidelean.verdict.fusion import decide
from fidelean.verdict.records import ProofVerdict

if TYPE_CHECKING:
    from pathlib import Path

    from fidelean.lean.engine import LeanEngine
    from fidelean.llm.model import LanguageModel

__all__ = ["as_proof", "evaluate", "evaluate_many", "evaluate_proof", "evaluate_proof_async"]

NO_ENGINE = "no Lean engine was given"


async def evaluate(proof: Proof, system: System, policy: Policy) -> ProofVerdict:
    """Evaluate one proof: derive what must hold, gather what the checkers say of it, decide."""
    (verdict,) = await evaluate_many([proof], system, policy)
    return verdict


async def evaluate_many(proofs: Sequence[Proof], system: System, policy: Policy) -> list[ProofVerdict]:
    """Evaluate proofs together, so that one batch of Lean serves them all; one verdict each, the same as alone."""
    cases = [(proof, system.derive(proof)) for proof in proofs]
    found = [await checker.check(cases) for checker in system.checkers]
    return [
        _decide(proof, obligations, [item for part in found for item in part[place]], policy)
        for place, (proof, obligations) in enumerate(cases)
    ]


def _decide(proof: Proof, obligations: Sequence[Obligation], evidence: list[Evidence], policy: Policy) -> ProofVerdict:
    answered = {item.obligation.id for item in evidence}
    evidence += [unanswered(obligation) for obligation in obligations if obligation.id not in answered]
    return decide(len(proof.steps), evidence, policy.verdict, notices=(*proof.notices, *missing_engine(evidence)))


async def evaluate_proof_async(
    problem: str | Problem,
    steps: Proof | str | Sequence[str | Step],
    *,
    engine: LeanEngine | None = None,
    policy: Policy | None = None,
    system: str = "rules",
    model: LanguageModel | str | None = None,
    run_folder: Path | None = None,
) -> ProofVerdict:
    """Evaluate a proof.

    ``steps`` are the steps, or the whole proof as one text, which is cut as a Markdown file is, or a ``Proof`` as read from a file, whose
    own problem counts. ``engine`` is a Lean engine; without one, what needs Lean stays unchecked and a notice says so. ``system`` is
    ``rules``, which asks no model, or ``full``, ``direct`` ...; ``model`` plays every role, as a model or by name, and without it the
    settings say who does. ``run_folder`` keeps calls and Lean's answers; with the same folder nothing is asked twice.

    Raises ``InputError`` where there is no step, ``EngineError`` where the engine fails as a whole, ``UsageError`` for a system, a model or
    a setting that does not exist, or a model whose price nobody knows.
    """
    policy = policy or Policy()
    proof, asked = as_proof(problem, steps), engine or AbsentEngine(NO_ENGINE)
    if system == "rules":
        return await evaluate(proof, rules(asked, policy), policy)
    from fidelean.pipelines.model_system import evaluate_with_models

    return await evaluate_with_models(proof, system, asked, policy, model=model, run_folder=run_folder)


def evaluate_proof(
    problem: str | Problem,
    steps: Proof | str | Sequence[str | Step],
    *,
    engine: LeanEngine | None = None,
    policy: Policy | None = None,
    system: str = "rules",
    model: LanguageModel | str | None = None,
    run_folder: Path | None = None,
) -> ProofVerdict:
    r"""Evaluate a proof as ``evaluate_proof_async`` does, from ordinary code and from inside a running event loop (a notebook) alike.

    >>> evaluate_proof("How much is 9 times 25?", ["It is $9 \\cdot 25 = 235$."]).first_error
    1
    """
    return run(evaluate_proof_async(problem, steps, engine=engine, policy=policy, system=system, model=model, run_folder=run_folder))


def as_proof(problem: str | Problem, steps: Proof | str | Sequence[str | Step]) -> Proof:
    """Take ``steps`` in every form that ``evaluate_proof`` takes. Raises ``InputError`` where there is no step."""
    if isinstance(steps, Proof):
        return steps
    asked = problem if isinstance(problem, Problem) else Problem(problem)
    if isinstance(steps, str):
        return Proof(asked, cut_proof(steps))
    if not steps:
        raise InputError("a proof without a step")
    numbered = enumerate(steps, start=1)
    return Proof(asked, tuple(replace(step, index=index) if isinstance(step, Step) else Step(index, step) for index, step in numbered))
