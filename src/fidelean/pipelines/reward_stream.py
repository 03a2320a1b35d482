"""Many proofs → their rewards: in order, a bounded number at a time, whatever happens to any of them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Sequence
from contextlib import aclosing
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from fidelean.informal.records import Problem, Proof, Step
from fidelean.pipelines.absent_engine import AbsentEngine
from fidelean.pipelines.evaluate_proof import NO_ENGINE, as_proof, evaluate
from fidelean.pipelines.event_loops import run
from fidelean.pipelines.rewards import Reward, reward_of, reward_of_fault
from fidelean.pipelines.systems import System, rules
from fidelean.policy import Policy

if TYPE_CHECKING:
    from fidelean.lean.engine import LeanEngine

__all__ = ["ProofLike", "evaluate_many", "evaluate_many_async", "stream_rewards"]

ProofLike: TypeAlias = Proof | tuple[str | Problem, str | Sequence[str | Step]]
"""A proof, or a problem with its steps in any form that ``evaluate_proof`` takes."""


async def stream_rewards(
    proofs: Iterable[ProofLike] | AsyncIterable[ProofLike],
    *,
    engine: LeanEngine | None = None,
    policy: Policy | None = None,
    system: System | None = None,
) -> AsyncGenerator[Reward, None]:
    """Evaluate proofs as they come, and give one reward each, in their order.

    At most ``policy.rewards.in_flight`` proofs are taken from ``proofs`` and not yet done with; a proof is done with when the reader asks
    for the next reward. So a slow reader and a slow engine slow the source down, and a slow source holds no reward up. Whatever happens to
    a proof becomes its abstention. Only the source's own exception is raised; it, or closing the iterator, cancels what is under way.
    ``system`` is the rules with ``engine`` where it is not given. Only questions to Lean overlap: without an engine the proofs take turns.
    """
    policy = policy or Policy()
    chosen = system or rules(engine or AbsentEngine(NO_ENGINE), policy)
    source, under_way, coming, more = _each(proofs), deque[asyncio.Task[Reward]](), None, True
    try:
        while True:
            if more and coming is None and len(under_way) < max(1, policy.rewards.in_flight):
                coming = asyncio.create_task(_next(source))
            if coming is not None:
                await asyncio.wait([coming, *islice(under_way, 1)], return_when=asyncio.FIRST_COMPLETED)
                if coming.done():
                    taken, coming = coming.result(), None
                    more = bool(taken)
                    under_way.extend(asyncio.create_task(_rewarded(proof, chosen, policy)) for proof in taken)
                    continue
            if not under_way:
                return
            yield await under_way[0]
            under_way.popleft()
    finally:
        await _end([*under_way, *([coming] if coming is not None else [])])
        await source.aclose()


async def evaluate_many_async(
    proofs: Iterable[ProofLike] | AsyncIterable[ProofLike],
    *,
    engine: LeanEngine | None = None,
    policy: Policy | None = None,
    system: System | None = None,
) -> list[Reward]:
    """Evaluate proofs as ``stream_rewards`` does, and give all rewards at once, in the order of the proofs."""
    async with aclosing(stream_rewards(proofs, engine=engine, policy=policy, system=system)) as rewards:
        return [reward async for reward in rewards]


def evaluate_many(
    proofs: Iterable[ProofLike], *, engine: LeanEngine | None = None, policy: Policy | None = None, system: System | None = None
) -> list[Reward]:
    r"""Evaluate proofs as ``evaluate_many_async`` does, from ordinary code and from inside a running event loop (a notebook) alike.

    >>> [reward.first_error for reward in evaluate_many([("How much is 9 times 25?", ["It is $9 \\cdot 25 = 235$."])])]
    [1]
    """
    return run(evaluate_many_async(proofs, engine=engine, policy=policy, system=system))


async def _each(proofs: Iterable[ProofLike] | AsyncIterable[ProofLike]) -> AsyncGenerator[ProofLike, None]:
    if isinstance(proofs, AsyncIterable):
        async for proof in proofs:
            yield proof
    else:
        for proof in proofs:
            yield proof


async def _next(source: AsyncGenerator[ProofLike, None]) -> list[ProofLike]:
    """The next proof alone, or nothing at the end: a task cannot end in ``StopAsyncIteration`` and say what that means."""
    try:
        return [await anext(source)]
    except StopAsyncIteration:
        return []


async def _rewarded(given: ProofLike, system: System, policy: Policy) -> Reward:
    """Evaluate one proof; nothing but a cancellation gets out."""
    proof = None
    try:
        proof = given if isinstance(given, Proof) else as_proof(*given)
        return reward_of(proof, await evaluate(proof, system, policy), policy)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other proofs go on, and this one says what it was
        return reward_of_fault(proof, error, policy)


async def _end(tasks: Sequence[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
