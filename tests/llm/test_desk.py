"""The desk: attempts, turns, waiting, budgets, the ledger, and what is not asked twice."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from fidelean.errors import ModelError, UsageError
from fidelean.llm.desk import Desk
from fidelean.llm.misbehaving import Fault, MisbehavingModel
from fidelean.llm.model import Asker, LanguageModel
from fidelean.llm.prices import PriceTable
from fidelean.llm.recordings import Recording
from fidelean.llm.records import Finish, ModelReply, ModelRequest, ModelRole, Prompt, Usage
from fidelean.llm.replay import ReplayModel
from fidelean.llm.scripted import ScriptedModel
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import AskingPolicy, Budget
from fidelean.runs.ledger import Ledger
from fidelean.runs.records import CallOutcome
from fidelean.settings import Price
from llm.clock import Clock

PROMPT = Prompt("review", "v1", "You review.", "Is 1 = 1?")
GOOD = '{"verdict": "fine"}'
PRICES = PriceTable({"scripted:priced": Price(Decimal(1), Decimal(2))})


class Review(BaseModel):
    """A reply for these tests."""

    verdict: str = Field(description="what was found")


def desk_for(model: ScriptedModel, clock: Clock | None = None, **options: Any) -> Desk:  # noqa: ANN401
    clock = clock or Clock()
    return Desk(model, clock=clock, sleep=clock.sleep, **options)


def rows(desk: Desk) -> list[tuple[int, int, CallOutcome]]:
    return [(call.attempt, call.turn, call.outcome) for call in desk.ledger.calls()]


async def test_what_a_stage_is_given_is_an_asker_and_every_double_a_model() -> None:
    async with desk_for(ScriptedModel({"review": GOOD})) as desk:
        asker: Asker = desk.asker()
        assert await asker.ask(PROMPT, Review) == Review(verdict="fine")
    for model in (ScriptedModel({}), MisbehavingModel(Fault.EMPTY), ReplayModel(Recording("nobody", []))):
        assert isinstance(model, LanguageModel)


async def test_a_reply_becomes_a_record_and_a_row() -> None:
    async with desk_for(ScriptedModel({"review": GOOD})) as desk:
        assert await desk.asker(ModelRole.JUDGE, proof="p").ask(PROMPT, Review, sample=3) == Review(verdict="fine")
        (call,) = desk.ledger.calls()
    assert (call.stage, call.role, call.proof, call.sample, call.outcome) == ("review", "judge", "p", 3, CallOutcome.READ)
    assert (call.prompt_version, call.prompt_digest, call.reply, call.model) == ("v1", PROMPT.digest, GOOD, "scripted:double")
    assert call.input_tokens == 6
    assert "Is 1 = 1?" in call.request


async def test_a_malformed_reply_is_asked_again_with_its_error() -> None:
    model = ScriptedModel({"review": ["no idea", '{"verdict": 3}', GOOD]})
    async with desk_for(model) as desk:
        assert await desk.asker().ask(PROMPT, Review) == Review(verdict="fine")
        assert rows(desk) == [(1, 1, CallOutcome.MALFORMED), (2, 1, CallOutcome.MALFORMED), (3, 1, CallOutcome.READ)]
    assert [request.previous for request in model.requests] == ["", "no idea", '{"verdict": 3}']
    assert model.requests[1].complaint == "the reply holds no JSON object"
    assert model.requests[2].complaint.startswith("verdict: ")


@pytest.mark.parametrize(
    ("said", "detail"),
    [
        (["a", "b", "c"], "no JSON object"),
        (["a", "a"], "repeats the same reply"),
        (["", ""], "the reply is empty"),
        ([ModelReply('{"verdict": "fi', "m", finish=Finish.LENGTH)] * 2, "cut off"),
        ([ModelReply(GOOD, "m", finish=Finish.LENGTH)] * 2, "cut off"),
        (["x" * 500_000] * 2, "longer than 400000 characters"),
    ],
)
async def test_what_stays_malformed_is_inconclusive(said: list[str | ModelReply], detail: str) -> None:
    async with desk_for(ScriptedModel({"review": said})) as desk:
        answer = await desk.asker().ask(PROMPT, Review)
        assert isinstance(answer, Inconclusive)
        assert answer.reason is Reason.MALFORMED_REPLY
        assert detail in answer.detail
        assert {call.outcome for call in desk.ledger.calls()} == {CallOutcome.MALFORMED}


async def test_who_declines_is_not_asked_again() -> None:
    model = ScriptedModel({"review": ModelReply("I would rather not.", "m", finish=Finish.REFUSED)})
    async with desk_for(model) as desk:
        assert await desk.asker().ask(PROMPT, Review) == Inconclusive(Reason.DECLINED, "I would rather not.")
        assert rows(desk) == [(1, 1, CallOutcome.DECLINED)]


async def test_a_server_that_asks_to_wait_is_waited_for() -> None:
    clock = Clock()
    model = ScriptedModel({"review": [ModelError("429", retry_after=7.0, may_retry=True), GOOD]})
    async with desk_for(model, clock) as desk:
        assert await desk.asker().ask(PROMPT, Review) == Review(verdict="fine")
        assert rows(desk) == [(1, 1, CallOutcome.FAILED), (1, 2, CallOutcome.READ)]
    assert clock.slept == [7.0]


async def test_while_a_server_asks_to_wait_nobody_else_calls_it() -> None:
    clock = Clock()
    model = ScriptedModel({"review": [ModelError("429", retry_after=7.0, may_retry=True), GOOD], "rank": GOOD})
    async with desk_for(model, clock, policy=AskingPolicy(concurrency=1)) as desk:
        other = Prompt("rank", "v1", "", "")
        await asyncio.gather(desk.asker().ask(PROMPT, Review), desk.asker().ask(other, Review))
        assert next(call.stage for call in desk.ledger.calls()) == "review"
    assert clock.now >= 7.0
    assert clock.slept[0] == 7.0


async def test_waiting_doubles_and_ends() -> None:
    clock = Clock()
    model = ScriptedModel({"review": ModelError("server error 500", may_retry=True, may_be_billed=True)})
    async with desk_for(model, clock) as desk:
        assert await desk.asker().ask(PROMPT, Review) == Inconclusive(Reason.NO_REPLY, "server error 500")
        outcomes = [call.outcome for call in desk.ledger.calls()]
    assert clock.slept == [1.0, 2.0, 4.0, 8.0]
    assert outcomes == [CallOutcome.FAILED] * 4 + [CallOutcome.GIVEN_UP]


async def test_a_server_that_asks_for_no_wait_is_not_hammered() -> None:
    clock = Clock()
    async with desk_for(ScriptedModel({"review": ModelError("429", retry_after=0.0, may_retry=True)}), clock) as desk:
        assert isinstance(await desk.asker().ask(PROMPT, Review), Inconclusive)
    assert clock.slept == [1.0, 2.0, 4.0, 8.0]


async def test_a_wait_that_is_too_long_is_not_waited() -> None:
    clock = Clock()
    model = ScriptedModel({"review": ModelError("come back tomorrow", retry_after=86_400.0, may_retry=True)})
    async with desk_for(model, clock) as desk:
        assert await desk.asker().ask(PROMPT, Review) == Inconclusive(Reason.NO_REPLY, "come back tomorrow")
    assert clock.slept == []


async def test_a_key_that_is_refused_is_not_tried_again() -> None:
    model = ScriptedModel({"review": ModelError("the key is refused")})
    async with desk_for(model) as desk:
        assert await desk.asker().ask(PROMPT, Review) == Inconclusive(Reason.NO_REPLY, "the key is refused")
        assert rows(desk) == [(1, 1, CallOutcome.GIVEN_UP)]


async def test_a_call_that_hangs_is_ended() -> None:
    class Hanging(ScriptedModel):
        async def answer(self, request: ModelRequest) -> ModelReply:
            await asyncio.sleep(60)
            return await super().answer(request)

    async with desk_for(Hanging({}), policy=AskingPolicy(call_timeout_s=0.02, turns=2)) as desk:
        answer = await desk.asker().ask(PROMPT, Review)
        assert answer == Inconclusive(Reason.NO_REPLY, "scripted:double: no reply within 0.02 s")
        assert rows(desk) == [(1, 1, CallOutcome.FAILED), (1, 2, CallOutcome.GIVEN_UP)]


async def test_no_more_calls_at_once_than_allowed() -> None:
    running: list[int] = [0, 0]

    class Slow(ScriptedModel):
        async def answer(self, request: ModelRequest) -> ModelReply:
            running[0] += 1
            running[1] = max(running)
            await asyncio.sleep(0.005)
            running[0] -= 1
            return await super().answer(request)

    async with desk_for(Slow({"review": GOOD}), policy=AskingPolicy(concurrency=3)) as desk:
        await asyncio.gather(*(desk.asker().ask(PROMPT, Review, sample=sample) for sample in range(12)))
        assert len(desk.ledger.calls()) == 12
    assert running[1] == 3


async def test_equal_requests_are_asked_once() -> None:
    model = ScriptedModel({"review": GOOD})
    async with desk_for(model) as desk:
        answers = await asyncio.gather(*(desk.asker().ask(PROMPT, Review) for _ in range(5)))
    assert answers == [Review(verdict="fine")] * 5
    assert len(model.requests) == 1


async def test_what_the_ledger_holds_is_not_asked_again() -> None:
    with Ledger.in_memory() as ledger:
        async with desk_for(ScriptedModel({"review": ["no idea", GOOD]}), ledger=ledger) as desk:
            assert await desk.asker().ask(PROMPT, Review) == Review(verdict="fine")
        silent = ScriptedModel({})
        async with desk_for(silent, ledger=ledger) as desk:
            assert await desk.asker().ask(PROMPT, Review) == Review(verdict="fine")
        assert silent.requests == []
        assert len(ledger.calls()) == 2


async def test_a_call_that_failed_is_made_again_by_the_next_run() -> None:
    with Ledger.in_memory() as ledger:
        async with desk_for(ScriptedModel({"review": ModelError("no connection")}), ledger=ledger) as desk:
            assert isinstance(await desk.asker().ask(PROMPT, Review), Inconclusive)
        async with desk_for(ScriptedModel({"review": GOOD}), ledger=ledger) as desk:
            assert await desk.asker().ask(PROMPT, Review) == Review(verdict="fine")


async def test_an_interrupted_call_is_accounted_for() -> None:
    started = asyncio.Event()

    class Hanging(ScriptedModel):
        async def answer(self, request: ModelRequest) -> ModelReply:  # noqa: ARG002
            started.set()
            await asyncio.sleep(60)
            raise AssertionError

    async with desk_for(Hanging({}, name="scripted:priced"), prices=PRICES) as desk:
        task = asyncio.create_task(desk.asker().ask(PROMPT, Review))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (call,) = desk.ledger.calls()
        assert (call.detail, call.presumed) == ("interrupted", True)
        assert call.price > 0
        assert desk.spending().price == call.price


async def test_what_replies_took_is_the_same_however_often_was_asked(tmp_path: Path) -> None:
    replies = {"review": ["no JSON", ModelReply(GOOD, "m", Usage(1_000, 100))]}
    with Ledger.open(tmp_path / "run") as ledger:
        async with desk_for(ScriptedModel(replies, name="scripted:priced"), ledger=ledger, prices=PRICES) as desk:
            assert await desk.asker(proof="p").ask(PROMPT, Review) == Review(verdict="fine")
            first = desk.spent_on_replies("p")
            assert first == desk.spending("p")
            assert desk.spent_on_replies("q").calls == 0
        ledger.record_call(replace(ledger.calls()[-1], key="lost", reply=None))
        async with desk_for(ScriptedModel({}, name="scripted:priced"), ledger=ledger, prices=PRICES) as desk:
            await desk.asker(proof="p").ask(PROMPT, Review)
            await desk.asker(proof="p").ask(PROMPT, Review)
            assert desk.spent_on_replies("p") == first
            assert desk.spending("p").calls == first.calls + 1, "the budget counts what was lost"


class TestBudgets:
    async def test_concurrent_calls_cannot_overrun(self) -> None:
        model = ScriptedModel({"review": ModelReply(GOOD, "m", Usage(1_000, 1_000))}, name="scripted:priced")
        policy = AskingPolicy(max_output_tokens=1_000, run=Budget(tokens=10_000), concurrency=50)
        async with desk_for(model, policy=policy, prices=PRICES) as desk:
            answers = await asyncio.gather(*(desk.asker().ask(PROMPT, Review, sample=sample) for sample in range(20)))
            spent = [answer for answer in answers if isinstance(answer, Inconclusive)]
            assert 0 < desk.spending().tokens <= 10_000
            assert {answer.reason for answer in spent} == {Reason.BUDGET_SPENT}
            assert len(spent) + len(model.requests) == 20
            assert desk.ledger.spending()[""] == desk.spending()
            not_made = [call for call in desk.ledger.calls() if call.outcome is CallOutcome.NOT_MADE]
            assert len(not_made) == len(spent)

    async def test_money_is_counted_in_dollars(self) -> None:
        model = ScriptedModel({"review": ModelReply(GOOD, "m", Usage(1_000, 1_000))}, name="scripted:priced")
        policy = AskingPolicy(max_output_tokens=1_000, proof=Budget(usd=Decimal("0.01")))
        async with desk_for(model, policy=policy, prices=PRICES) as desk:
            answers = [await desk.asker(proof="p").ask(PROMPT, Review, sample=sample) for sample in range(5)]
            assert answers[:2] == [Review(verdict="fine")] * 2
            assert answers[4] == Inconclusive(
                Reason.BUDGET_SPENT, "the budget of 0.01 US dollars for this proof has no room for another call"
            )
            assert desk.spending("p").price == Decimal("0.003") * len(model.requests) <= Decimal("0.01")
            assert await desk.asker(proof="q").ask(PROMPT, Review, sample=9) == Review(verdict="fine")

    async def test_time_ends_a_proof_and_not_the_others(self) -> None:
        clock = Clock()
        model = ScriptedModel({"review": GOOD, "rank": ModelError("busy", may_retry=True, retry_after=50)})
        async with desk_for(model, clock, policy=AskingPolicy(proof=Budget(seconds=60))) as desk:
            slow = desk.asker(proof="slow")
            assert await slow.ask(PROMPT, Review) == Review(verdict="fine")
            answer = await slow.ask(Prompt("rank", "v1", "", ""), Review)
            assert answer == Inconclusive(Reason.BUDGET_SPENT, "the 60 seconds for this proof are over")
            assert clock.now == 50
            assert await desk.asker(proof="other").ask(PROMPT, Review, sample=1) == Review(verdict="fine")

    async def test_a_call_ends_with_the_time_of_the_run(self) -> None:
        class Hanging(ScriptedModel):
            async def answer(self, request: ModelRequest) -> ModelReply:  # noqa: ARG002
                await asyncio.sleep(60)
                raise AssertionError

        async with Desk(Hanging({}), policy=AskingPolicy(run=Budget(seconds=0.05))) as desk:
            answer = await desk.asker(proof="p").ask(PROMPT, Review)
            assert answer == Inconclusive(Reason.BUDGET_SPENT, "the 0.05 seconds for the run are over")

    async def test_what_a_failed_call_may_have_cost_is_gone(self) -> None:
        model = ScriptedModel({"review": ModelError("dropped", may_be_billed=True)}, name="scripted:priced")
        async with desk_for(model, prices=PRICES, policy=AskingPolicy(run=Budget(tokens=8_000))) as desk:
            await desk.asker().ask(PROMPT, Review)
            assert desk.spending().tokens > 4_096
            assert (await desk.asker().ask(PROMPT, Review, sample=1)) == Inconclusive(
                Reason.BUDGET_SPENT, "the budget of 8000 tokens for the run has no room for another call"
            )

    async def test_a_refused_connection_costs_nothing(self) -> None:
        model = ScriptedModel({"review": ModelError("refused")}, name="scripted:priced")
        async with desk_for(model, prices=PRICES) as desk:
            await desk.asker().ask(PROMPT, Review)
            assert desk.spending().tokens == 0

    async def test_a_run_that_is_taken_up_again_has_spent_what_it_spent(self) -> None:
        said = ModelReply(GOOD, "m", Usage(3_000, 1_000))
        policy = AskingPolicy(run=Budget(tokens=9_000))
        with Ledger.in_memory() as ledger:
            for sample in range(2):
                async with desk_for(ScriptedModel({"review": said}), ledger=ledger, policy=policy) as desk:
                    answer = await desk.asker(proof="p").ask(PROMPT, Review, sample=sample)
                    assert isinstance(answer, Inconclusive) is (sample == 1)
                    assert desk.spending("p").tokens == desk.spending().tokens == 4_000

    async def test_a_server_that_says_nothing_of_tokens_is_counted_at_the_most(self) -> None:
        model = ScriptedModel({"review": ModelReply(GOOD, "m")}, name="local:model")
        prices = PriceTable({"local:model": Price(Decimal(0), Decimal(0))})
        async with desk_for(model, prices=prices) as desk:
            await desk.asker().ask(PROMPT, Review)
            (call,) = desk.ledger.calls()
        assert call.presumed
        assert call.input_tokens > 4_096

    async def test_a_wait_for_all_does_not_outlast_a_proof(self) -> None:
        clock = Clock()
        model = ScriptedModel({"rank": [ModelError("busy", may_retry=True, retry_after=50), GOOD], "review": GOOD})
        async with desk_for(model, clock, policy=AskingPolicy(proof=Budget(seconds=60))) as desk:
            clock.now = 30.0
            short = desk.asker(proof="short")
            clock.now = 70.0
            patient = asyncio.create_task(desk.asker(proof="patient").ask(Prompt("rank", "v1", "", ""), Review))
            await asyncio.sleep(0)
            assert await short.ask(PROMPT, Review) == Inconclusive(Reason.BUDGET_SPENT, "the 60 seconds for this proof are over")
            assert await patient == Review(verdict="fine")


@pytest.mark.parametrize("name", ["attempts", "turns", "concurrency", "max_output_tokens"])
def test_a_bound_that_lets_nothing_be_asked_is_an_error(name: str) -> None:
    with pytest.raises(UsageError, match=f"asking.{name} has to be at least 1"):
        Desk(ScriptedModel({}), policy=AskingPolicy(**{name: 0}))  # pyright: ignore[reportArgumentType]


async def test_a_fault_of_ours_is_kept_and_raised() -> None:
    async with desk_for(ScriptedModel({"review": RuntimeError("a bug")})) as desk:
        with pytest.raises(RuntimeError, match="a bug"):
            await desk.asker().ask(PROMPT, Review)
        assert desk.ledger.calls()[0].detail == "RuntimeError: a bug"


class TestPrices:
    def test_an_unknown_price_is_an_error_before_the_first_call(self) -> None:
        with pytest.raises(UsageError, match=r'price of openai:gpt-unheard-of is not known.*\[prices\."openai:gpt-unheard-of"\]'):
            Desk(ScriptedModel({}, name="openai:gpt-unheard-of"))

    def test_a_listed_price_is_known(self) -> None:
        table = PriceTable()
        assert table.cost("openai:gpt-5", Usage(1_000_000, 0)) == Decimal("1.25")
        assert not table.is_known("openai-compatible:qwen@http://localhost:1/v1")

    def test_the_users_price_comes_first(self) -> None:
        table = PriceTable({"openai:gpt-5": Price(Decimal(1), Decimal(4))})
        assert table.cost("openai:gpt-5", Usage(1_000_000, 500_000)) == Decimal(3)

    def test_asking_for_an_unknown_price_is_an_error_and_not_zero(self) -> None:
        with pytest.raises(UsageError):
            PriceTable().cost("local:x", Usage(1, 1))
