"""Many proofs with models: as many at once as is allowed, results in the order of the input, no failure of one stops another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from fidelean.informal.records import Proof
from fidelean.pipelines.full import Evaluator, study_proof
from fidelean.pipelines.study import Study, conclude
from fidelean.verdict.records import ProofVerdict

__all__ = ["Evaluated", "evaluate_each"]

IN_FLIGHT = 4
"""Proofs at once, unless said otherwise; the calls of models have a limit of their own."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What came of one proof."""

    proof: Proof
    """The proof."""
    result: tuple[ProofVerdict, Study] | Exception
    """The verdict with what it rests on, or why there is none: a fault of the machinery, which says nothing of the proof."""


async def evaluate_each(
    proofs: Sequence[Proof], evaluator: Evaluator, *, in_flight: int = IN_FLIGHT, on_done: Callable[[], None] | None = None
) -> AsyncGenerator[Evaluated, None]:
    """Evaluate proofs, at most ``in_flight`` at once, and give each result in the order of the proofs.

    ``on_done`` hears of every proof when it has ended, which may be long before its turn. Closing the generator, or an interrupt, cancels
    what is under way and waits until it has cleaned up: use it with ``aclosing``, since whoever drops it closes it at no certain time.
    """
    gate = asyncio.Semaphore(in_flight)

    async def one(proof: Proof) -> Evaluated:
        async with gate:
            evaluated = await _evaluate(proof, evaluator)
        if on_done is not None:
            on_done()
        return evaluated

    tasks = [asyncio.create_task(one(proof)) for proof in proofs]
    try:
        for task in tasks:
            yield await task
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


async def _evaluate(proof: Proof, evaluator: Evaluator) -> Evaluated:
    try:
        study = await study_proof(proof, evaluator)
        return Evaluated(proof, (conclude(proof, study, evaluator.design, evaluator.policy), study))
    except Exception as error:  # noqa: BLE001 - shown with the proof it belongs to
        return Evaluated(proof, error)
