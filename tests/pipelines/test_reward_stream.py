"""Many proofs: in order, a bounded number at a time, and none stops another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest

from fidelean import AbstentionReason, EngineError, Policy, Problem, Proof, Step, evaluate_many, evaluate_many_async, stream_rewards
from fidelean.evidence.records import Evidence
from fidelean.lean.records import Elaboration, LeanSource, Status
from fidelean.obligations.records import Obligation
from fidelean.pipelines.systems import System
from fidelean.policy import RewardPolicy

BOUND = 3
BOUNDED = Policy(rewards=RewardPolicy(in_flight=BOUND))
QUESTION = "Hence $x^2 + 2x + 1 = (x + 1)^2$."


def proof(name: int | str, text: str = QUESTION) -> Proof:
    return Proof(Problem("Let $x$ be a real number."), (Step(1, text),), id=str(name))


class SlowEngine:
    """Takes its time over every question, longest over the first ones, and in the end knows nothing."""

    name = "slow double"

    def __init__(self, *, broken: bool = False) -> None:
        self.broken = broken
        self.asked = self.now = self.most = self.cancelled = 0

    async def elaborate(self, sources: Sequence[LeanSource]) -> list[Elaboration]:
        self.asked += 1
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(0.03 / self.asked)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.now -= 1
        if self.broken:
            raise EngineError("the double fell over")
        return [Elaboration(Status.TIMEOUT, engine=self.name) for _ in sources]

    async def aclose(self) -> None:
        """There is nothing to give back."""


class Source:
    """Counts how many proofs were taken."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.taken = 0

    def __iter__(self) -> Iterator[Proof]:
        for place in range(self.number):
            self.taken += 1
            yield proof(place)


async def test_a_slow_engine_and_a_slow_reader_slow_the_source_down() -> None:
    engine, source, given = SlowEngine(), Source(12), 0
    async for reward in stream_rewards(source, engine=engine, policy=BOUNDED):
        assert reward.id == str(given)
        assert source.taken - given <= BOUND
        given += 1
        await asyncio.sleep(0.002)
        assert source.taken - (given - 1) <= BOUND
    assert (given, source.taken) == (12, 12)
    assert engine.most == BOUND, "they do overlap"


async def test_timeouts_are_told() -> None:
    (reward,) = await evaluate_many_async([proof(1)], engine=SlowEngine())
    assert reward.abstention is not None
    assert reward.abstention.reason is AbstentionReason.BUDGET_SPENT


async def test_nothing_is_taken_before_the_first_reward_is_asked_for() -> None:
    source = Source(5)
    rewards = stream_rewards(source)
    await asyncio.sleep(0)
    assert source.taken == 0
    await rewards.aclose()


async def test_closing_cancels_what_is_under_way() -> None:
    engine, source = SlowEngine(), Source(100)
    rewards = stream_rewards(source, engine=engine, policy=BOUNDED)
    assert (await anext(rewards)).id == "0"
    await asyncio.sleep(0)
    await rewards.aclose()
    assert engine.now == 0
    assert source.taken <= BOUND + 1
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_source_may_wait_for_a_reward_before_it_gives_the_next_proof() -> None:
    rewarded = asyncio.Event()

    async def source() -> AsyncIterator[Proof]:
        for place in range(4):
            rewarded.clear()
            yield proof(place, "$2 + 3 = 5$.")
            await rewarded.wait()

    seen: list[str] = []
    async with asyncio.timeout(5):
        async for reward in stream_rewards(source()):
            seen.append(reward.id)
            rewarded.set()
    assert seen == ["0", "1", "2", "3"]


async def test_the_sources_own_exception_is_raised_and_nothing_is_left() -> None:
    def source() -> Iterator[Proof]:
        yield proof(0)
        raise OSError("the disk is gone")

    engine = SlowEngine()
    with pytest.raises(OSError, match="the disk is gone"):
        await evaluate_many_async(source(), engine=engine)
    assert engine.now == 0
    assert asyncio.all_tasks() == {asyncio.current_task()}


class BrokenChecker:
    """Breaks over one proof."""

    async def check(self, cases: Sequence[tuple[Proof, Sequence[Obligation]]]) -> list[list[Evidence]]:
        if any(each.id == "1" for each, _ in cases):
            raise ZeroDivisionError("a fault of ours")
        return [[] for _ in cases]


async def test_no_proof_stops_the_others() -> None:
    proofs = [proof(0), proof(1), proof(2)]
    rewards = await evaluate_many_async(proofs, system=System(lambda _: [], (BrokenChecker(),)))
    assert [reward.abstention and reward.abstention.reason for reward in rewards] == [
        AbstentionReason.NOTHING_CHECKABLE,
        AbstentionReason.FAILED,
        AbstentionReason.NOTHING_CHECKABLE,
    ]
    assert rewards[1].abstention is not None
    assert rewards[1].abstention.detail == "ZeroDivisionError: a fault of ours"


async def test_an_engine_that_fails_as_a_whole_is_an_abstention() -> None:
    rewards = await evaluate_many_async([proof(0), proof(1, "$2 + 3 = 6$.")], engine=SlowEngine(broken=True))
    assert rewards[0].abstention is not None
    assert (rewards[0].abstention.reason, rewards[0].abstention.detail) == (AbstentionReason.MACHINERY, "the double fell over")
    assert rewards[1].first_error == 1


@pytest.mark.parametrize("garbage", [None, 7, "text", ("problem", 7), ("problem", ["a", None]), ("a", "b", "c"), (), ("problem", [])])
def test_what_is_no_proof_is_an_abstention(garbage: object) -> None:
    rewards = evaluate_many([proof(0, "$2 + 3 = 6$."), garbage, proof(2, "$2 + 3 = 6$.")])  # pyright: ignore[reportArgumentType]
    assert [reward.first_error for reward in rewards] == [1, None, 1]
    assert rewards[1].abstention is not None
    assert rewards[1].abstention.reason in (AbstentionReason.NOT_READ, AbstentionReason.FAILED)


def test_proofs_are_taken_in_every_form() -> None:
    steps = ["$2 + 3 = 5$.", "Hence $5 + 2 = 8$."]
    forms = [("Add 2 and 3.", steps), (Problem("Add 2 and 3."), "\n\n".join(steps)), ("Add 2 and 3.", [Step(9, step) for step in steps])]
    assert [reward.first_error for reward in evaluate_many(iter(forms))] == [2, 2, 2]
    assert evaluate_many([]) == []


@pytest.mark.parametrize("bound", [-1, 0, 1, 2, 50])
async def test_the_bound_changes_nothing_but_the_pace(bound: int) -> None:
    proofs = [proof(place, f"$2 + {place} = 9$.") for place in range(12)]
    rewards = await evaluate_many_async(proofs, policy=Policy(rewards=RewardPolicy(in_flight=bound)))
    assert rewards == await evaluate_many_async(proofs)
    assert [reward.first_error for reward in rewards] == [None if place == 7 else 1 for place in range(12)]


async def test_ordinary_code_inside_a_running_loop() -> None:
    assert evaluate_many([proof(0)]) == await evaluate_many_async([proof(0)])
