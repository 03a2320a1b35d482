"""Many proofs at once: order, bounds, budgets, failures that stay where they are, and an end that leaves nothing running."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from fidelean.llm.desk import Desk
from fidelean.llm.model import LanguageModel
from fidelean.llm.prices import PriceTable
from fidelean.llm.records import ModelReply, ModelRequest, Usage
from fidelean.outcome import Inconclusive, Reason
from fidelean.pipelines.running import Evaluated, evaluate_each
from fidelean.pipelines.study import Study
from fidelean.policy import AskingPolicy, Budget
from fidelean.runs.ledger import Ledger
from fidelean.runs.records import CallOutcome
from fidelean.settings import Price
from fidelean.verdict.records import Basis, ProofVerdict
from model_evaluations import evaluate, evaluator, proof
from obliging import obliging_model

PRICES = PriceTable({"scripted:obliging": Price(Decimal(1_000), Decimal(1_000))})


class Slow:
    """An obliging model that takes its time, and never ends where a question holds ``hang``."""

    def __init__(self, seconds: float = 0.01, *, inner: LanguageModel | None = None) -> None:
        self._inner = inner or obliging_model()
        self._seconds = seconds
        self.name = self._inner.name
        self.working = 0
        self.most = 0
        self.asked = 0

    async def answer(self, request: ModelRequest) -> ModelReply:
        self.asked += 1
        self.working += 1
        self.most = max(self.most, self.working)
        try:
            if "hang" in request.prompt.user:
                await asyncio.Event().wait()
            await asyncio.sleep(self._seconds)
            return replace(await self._inner.answer(request), usage=Usage(100, 50))
        finally:
            self.working -= 1

    async def aclose(self) -> None:
        """Nothing is open."""


def numbered(number: int, text: str = "") -> list[str]:
    return [f"We have ${number} + 4 = {number + 4}$.", f"So $x = {number}$. {text}"]


def result_of(evaluated: Evaluated) -> tuple[ProofVerdict, Study]:
    assert not isinstance(evaluated.result, Exception), evaluated.result
    return evaluated.result


def is_budget(reason: Inconclusive) -> bool:
    return reason.reason is Reason.BUDGET_SPENT


async def test_results_come_in_the_order_of_the_input_and_ends_as_they_come() -> None:
    texts = [*(proof(*numbered(number), name=f"p{number}") for number in range(8))]
    ended: list[int] = []
    model = Slow()
    async with (
        Desk(model, policy=AskingPolicy(concurrency=3)) as desk,
        aclosing(evaluate_each(texts, evaluator(desk), in_flight=2, on_done=lambda: ended.append(len(ended)))) as results,
    ):
        given = [each.proof.id async for each in results]
    assert given == [one.id for one in texts]
    assert len(ended) == len(texts)
    assert 1 < model.most <= 3, "calls at once are those of the setting, whatever the proofs"


async def test_not_more_proofs_at_once_than_allowed() -> None:
    texts = [proof("So it is.", name=f"p{number}", problem=f"hang {number}") for number in range(5)]
    model = Slow()
    async with Desk(model, policy=AskingPolicy(concurrency=9)) as desk:
        results = evaluate_each(texts, evaluator(desk, "direct"), in_flight=2)
        waiting = asyncio.ensure_future(anext(results))
        await asyncio.sleep(0.05)
        assert model.working == 2
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting


@pytest.mark.parametrize("system", ["direct", "full"])
async def test_a_fault_of_ours_on_one_proof_stops_no_other(system: str) -> None:
    class Broken(Slow):
        async def answer(self, request: ModelRequest) -> ModelReply:
            if "$2 + 4" in request.prompt.user:
                raise RuntimeError("nobody thought of this")
            return await super().answer(request)

    texts = [proof(*numbered(number), name=f"p{number}") for number in range(4)]
    async with Desk(Broken()) as desk:
        evaluated = await evaluate(desk, texts, system)
    failed = [each.proof.id for each in evaluated if isinstance(each.result, RuntimeError)]
    assert failed == ["p2"]
    assert [result_of(each)[0].opinion is not None for each in evaluated if each.proof.id != "p2"] == [True] * 3


async def test_the_budget_of_one_proof_touches_no_other() -> None:
    long = proof(*(f"We have ${number} + 4 = {number + 4}$." for number in range(1, 12)), "Hence $7 \\cdot 9 = 64$.", name="long")
    texts = [proof(*numbered(1), name="a"), long, proof(*numbered(2), name="b")]
    # The worst that a call can be is set aside before it is made: room for what the short proofs need one after the other.
    async with Desk(Slow(), policy=AskingPolicy(max_output_tokens=100, proof=Budget(tokens=14_000))) as desk:
        evaluated = await evaluate(desk, texts)
        spent = {each.id: desk.spending(each.id).tokens for each in texts}
        refused = [call.proof for call in desk.ledger.calls() if call.outcome is CallOutcome.NOT_MADE]
    assert set(refused) == {"long"}
    assert spent["long"] <= 14_000
    for name, each in zip("alb", evaluated, strict=True):
        verdict, study = result_of(each)
        over = [fault for fault in study.faults if is_budget(fault.reason)]
        assert bool(over) == (name == "l")
        if over:
            assert (verdict.first_error, verdict.basis) == (12, Basis.EVIDENCE), "arithmetic costs nothing"
            assert [notice for notice in verdict.notices if "budget_spent: the budget of 14000 tokens for this proof" in notice]
        else:
            assert verdict.opinion is not None


async def test_the_budget_of_the_run_is_never_exceeded_and_what_is_over_says_so() -> None:
    texts = [proof(*numbered(number), name=f"p{number}") for number in range(6)]
    limit = Decimal(3)
    async with Desk(Slow(), prices=PRICES, policy=AskingPolicy(max_output_tokens=100, run=Budget(usd=limit))) as desk:
        evaluated = await evaluate(desk, texts, "direct")
        assert 0 < desk.spending().price <= limit
    with_opinion = [each for each in evaluated if result_of(each)[0].opinion is not None]
    without = [each for each in evaluated if result_of(each)[0].opinion is None]
    assert with_opinion
    assert without
    for each in without:
        (notice,) = result_of(each)[0].notices
        assert notice == "direct judgement: budget_spent: the budget of 3 US dollars for the run has no room for another call"


async def test_a_larger_budget_goes_on_where_the_smaller_one_ended(tmp_path: Path) -> None:
    texts = [proof(*numbered(number), name=f"p{number}") for number in range(4)]

    async def run(limit: str) -> tuple[int, int]:
        model = Slow()
        policy = AskingPolicy(max_output_tokens=100, run=Budget(usd=Decimal(limit)))
        with Ledger.open(tmp_path) as ledger:
            async with Desk(model, ledger=ledger, prices=PRICES, policy=policy) as desk:
                evaluated = await evaluate(desk, texts)
        return model.asked, sum(bool(result_of(each)[1].faults) for each in evaluated)

    first, failed = await run("10")
    second, left = await run("100")
    assert failed > 0
    assert left == 0
    assert await run("100") == (0, 0), "a finished run asks nothing"
    with Ledger.read(tmp_path) as ledger:
        answered = [call.key for call in ledger.calls() if call.reply is not None]
    assert len(answered) == len(set(answered)) == first + second, "what was answered is not asked again"


async def test_the_time_of_one_proof_ends_that_proof_alone() -> None:
    texts = [proof("So it is.", name="hangs", problem="hang"), proof(*numbered(1), name="goes on")]
    async with Desk(Slow(), policy=AskingPolicy(proof=Budget(seconds=1.0))) as desk:
        evaluated = await evaluate(desk, texts)
    hangs, fine = map(result_of, evaluated)
    assert all(is_budget(fault.reason) for fault in hangs[1].faults)
    assert "the 1 seconds for this proof are over" in hangs[0].notices[0]
    assert fine[1].faults == ()


async def test_closing_early_leaves_nothing_running_and_the_calls_in_flight_in_the_ledger() -> None:
    before = len(asyncio.all_tasks())
    texts = [proof(*numbered(number, "hang"), name=f"p{number}") for number in range(6)]
    texts.insert(0, proof("So it is.", name="quick"))
    model = Slow()
    async with Desk(model, policy=AskingPolicy(concurrency=5)) as desk:
        async with aclosing(evaluate_each(texts, evaluator(desk, "direct"))) as results:
            assert (await anext(results)).proof.id == "quick"
            await asyncio.sleep(0.05)
        assert model.working == 0
        assert len(asyncio.all_tasks()) == before
        interrupted = [call for call in desk.ledger.calls() if call.detail == "interrupted"]
        assert len(interrupted) == 4, "as many as were under way, each counted with the most it can have cost"
        assert all(call.presumed for call in interrupted)
        assert len(desk.ledger.calls()) == 5
