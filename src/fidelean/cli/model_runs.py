"""The part of ``fidelean evaluate`` that asks language models: settings, run folder, and the evaluation itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fidelean.errors import ModelError
    from fidelean.informal.records import Proof
    from fidelean.lean.engine import LeanEngine
    from fidelean.outcome import Outcome
    from fidelean.pipelines.full import Evaluator
    from fidelean.pipelines.study import Study
    from fidelean.runs.ledger import Ledger
    from fidelean.runs.records import CallRecord

__all__ = ["ModelOptions", "open_evaluator", "unanswered"]


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """What the command line says about models."""

    system: str
    """The system, anything but ``rules``."""
    config: Path | None = None
    """Settings instead of ``fidelean.toml`` in this folder."""
    model: str | None = None
    """The main model."""
    run: Path | None = None
    """The run folder; None keeps nothing."""
    max_usd: float | None = None
    """Money for the whole run (US dollars)."""
    max_tokens: int | None = None
    """Tokens for the whole run."""
    max_seconds: float | None = None
    """Time for the whole run (seconds)."""
    concurrency: int | None = None
    """Most calls of one model at the same time."""

    @property
    def flags(self) -> dict[str, object]:
        """The same as keys of the settings."""
        return {
            "models.main": self.model,
            "budget.run.usd": self.max_usd,
            "budget.run.tokens": self.max_tokens,
            "budget.run.seconds": self.max_seconds,
            "asking.concurrency": self.concurrency,
        }


@asynccontextmanager
async def open_evaluator(
    options: ModelOptions, proofs: Sequence[Proof], engine: LeanEngine, on_call: Callable[[CallRecord], None]
) -> AsyncGenerator[Evaluator, None]:
    """Open models and run folder.

    Raises ``UsageError`` for an unknown system, model, price or setting, and for a folder that is in use or holds a run over other proofs.
    """
    from fidelean.llm.desk import Desk
    from fidelean.llm.naming import models_from
    from fidelean.llm.prices import PriceTable
    from fidelean.pipelines.designs import design_of
    from fidelean.pipelines.full import Evaluator
    from fidelean.pipelines.kept_engine import KeptEngine
    from fidelean.policy import Policy
    from fidelean.runs.ledger import Ledger
    from fidelean.settings import read_settings

    design = design_of(options.system)
    settings = read_settings(options.config, flags=options.flags)
    models = models_from(settings)
    with Ledger.open(options.run) if options.run is not None else Ledger.in_memory() as ledger:
        _describe(ledger, options, proofs)
        async with Desk(models, ledger=ledger, policy=settings.asking, prices=PriceTable(settings.prices), on_call=on_call) as desk:
            yield Evaluator(design, desk, KeptEngine(engine, ledger), Policy(asking=settings.asking))


def unanswered(proof: Proof, study: Study) -> ModelError | None:
    """Say how many questions about a proof got no reply from a model; None where none went without.

    A model that cannot be reached is machinery that was needed and failed. A budget that is spent, a reply that cannot be read and a model
    that declines are what the user allowed and what the model said: they stand in the report alone.
    """
    from fidelean.errors import ModelError
    from fidelean.outcome import Inconclusive, Reason

    asked = [*(fault.reason for fault in study.faults), *_of_lean(study)]
    lost = [each for each in asked if isinstance(each, Inconclusive) and each.reason is Reason.NO_REPLY]
    if not lost:
        return None
    return ModelError(f"{proof.source}: {proof.id}: {len(lost)} question{'s' if len(lost) != 1 else ''} got no reply: {lost[0].detail}")


def _of_lean(study: Study) -> list[Outcome | None]:
    """What became of the statements and of the proofs that models were to write."""
    searches = [each.search.attempt.outcome for each in study.findings if each.search is not None]
    return [*(each.formalization.outcome for each in study.findings if each.formalization is not None), *searches]


def _describe(ledger: Ledger, options: ModelOptions, proofs: Sequence[Proof]) -> None:
    """Keep in a run folder what it is about; raise ``UsageError`` where that is something else.

    A folder holds one input. Systems and models may share it: a reply is found by its whole request and the model that was asked, so what
    one system has asked serves another, and nothing is mixed up.
    """
    from fidelean.errors import UsageError

    if not proofs:
        return
    try:
        ledger.describe({"input": _input_of(proofs), f"system {options.system}": "asked"})
    except UsageError as error:
        raise UsageError(f"{options.run}: {error}: name another folder with --run") from None


def _input_of(proofs: Sequence[Proof]) -> str:
    """Name an input: the same for the same proofs in whatever files and order."""
    texts = sorted(json.dumps([proof.id, proof.problem.text, *(step.text for step in proof.steps)]) for proof in proofs)
    digest = hashlib.sha256(json.dumps(texts).encode()).hexdigest()
    return f"{len(proofs)} proof{'s' if len(proofs) != 1 else ''} with digest {digest[:16]}"
