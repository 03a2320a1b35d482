"""One proof with models, from Python: opens what is needed, evaluates, closes it again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from fidelean.informal.records import Proof
from fidelean.lean.engine import LeanEngine
from fidelean.llm.desk import Desk
from fidelean.llm.model import LanguageModel
from fidelean.llm.naming import models_from
from fidelean.llm.prices import PriceTable
from fidelean.pipelines.designs import design_of
from fidelean.pipelines.full import Evaluator, study_proof
from fidelean.pipelines.kept_engine import KeptEngine
from fidelean.pipelines.study import conclude
from fidelean.policy import Policy
from fidelean.runs.ledger import Ledger
from fidelean.settings import read_settings
from fidelean.verdict.records import ProofVerdict

__all__ = ["evaluate_with_models"]


async def evaluate_with_models(
    proof: Proof,
    system: str,
    engine: LeanEngine,
    policy: Policy,
    *,
    model: LanguageModel | str | None = None,
    run_folder: Path | None = None,
) -> ProofVerdict:
    """Evaluate a proof with a system that asks models; see ``evaluate_proof_async``. The engine stays its owner's to close."""
    design = design_of(system)
    settings = read_settings(flags={"models.main": model if isinstance(model, str) else None})
    models = models_from(settings) if model is None or isinstance(model, str) else model
    with Ledger.open(run_folder) if run_folder is not None else Ledger.in_memory() as ledger:
        async with Desk(models, ledger=ledger, policy=settings.asking, prices=PriceTable(settings.prices)) as desk:
            evaluator = Evaluator(design, desk, KeptEngine(engine, ledger), replace(policy, asking=settings.asking))
            study = await study_proof(proof, evaluator)
            return conclude(proof, study, design, policy)
