"""Whatever servers and models do wrong: every evaluation ends, says what went wrong, and decides what can be decided without them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from decimal import Decimal

import pytest

from fidelean.llm.desk import Desk
from fidelean.llm.misbehaving import Fault, MisbehavingModel
from fidelean.llm.prices import PriceTable
from fidelean.llm.providers import Connection, connect
from fidelean.llm.records import ModelRequest
from fidelean.llm.scripted import ScriptedModel
from fidelean.outcome import Reason
from fidelean.pipelines.study import Study
from fidelean.policy import AskingPolicy
from fidelean.report.documents import proof_document
from fidelean.runs.records import CallOutcome, CallRecord
from fidelean.settings import Price
from fidelean.verdict.records import Basis, ProofVerdict
from llm.clock import Clock
from llm.faulty_server import FaultyServer, Handling, dropped, hanging, oversized, said, status, truncated
from model_evaluations import evaluate_one, proof
from obliging import obliging_model, obliging_server

SLIP = proof("We have $3 + 4 = 7$.", "Hence $7 \\cdot 9 = 64$.", "So it is 64.")
SOUND = proof("We have $3 + 4 = 7$.", "So $x = y$.")
POLICY = AskingPolicy(turns=3, attempts=3, concurrency=8)
HASTY = replace(POLICY, call_timeout_s=0.1)
"""For servers that never answer."""
STAGES_OF_SLIP = [
    "decomposition of step 1",
    "decomposition of step 2",
    "decomposition of step 3",
    "comparison of the substeps with the text",
    "tree of proof states",
]
"""What a model that never helps leaves undone where arithmetic breaks the proof."""

FAULTS = {
    Fault.RATE_LIMIT: (Reason.NO_REPLY, "the server answered 429: slow down", CallOutcome.GIVEN_UP, 3),
    Fault.RATE_LIMIT_SILENT: (Reason.NO_REPLY, "the server answered 429: slow down", CallOutcome.GIVEN_UP, 3),
    Fault.SERVER_ERROR: (Reason.NO_REPLY, "the server answered 500: something broke", CallOutcome.GIVEN_UP, 3),
    Fault.HANG: (Reason.NO_REPLY, "no reply within 0.1 s", CallOutcome.GIVEN_UP, 3),
    Fault.DROPPED: (Reason.NO_REPLY, "no answer: the connection was reset", CallOutcome.GIVEN_UP, 3),
    Fault.TRUNCATED: (Reason.MALFORMED_REPLY, "repeats the same reply: the reply was cut off", CallOutcome.MALFORMED, 2),
    Fault.OVERSIZED: (Reason.MALFORMED_REPLY, "the reply is longer than 400000 characters", CallOutcome.MALFORMED, 2),
    Fault.WRONG_SCHEMA: (Reason.MALFORMED_REPLY, "repeats the same reply: ", CallOutcome.MALFORMED, 2),
    Fault.NO_OBJECT: (Reason.MALFORMED_REPLY, "repeats the same reply: the reply holds no JSON object", CallOutcome.MALFORMED, 2),
    Fault.EMPTY: (Reason.MALFORMED_REPLY, "repeats the same reply: the reply is empty", CallOutcome.MALFORMED, 2),
    Fault.REFUSED: (Reason.DECLINED, "I cannot help with that.", CallOutcome.DECLINED, 1),
}
"""The reason, words of the account, what the ledger says of the last call, and how many calls one question costs."""


def test_every_fault_of_a_model_has_its_case() -> None:
    assert set(FAULTS) == set(Fault)


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_model_that_never_helps_leaves_what_arithmetic_decides(fault: Fault) -> None:
    reason, words, ending, calls = FAULTS[fault]
    clock = Clock()
    async with Desk(MisbehavingModel(fault), policy=HASTY if fault is Fault.HANG else POLICY, clock=clock, sleep=clock.sleep) as desk:
        verdict, study = await evaluate_one(desk, SLIP)
        rows = desk.ledger.calls()
    assert (verdict.first_error, verdict.basis, verdict.opinion) == (2, Basis.EVIDENCE, None)
    assert [each.stage for each in study.faults] == STAGES_OF_SLIP
    assert {each.reason.reason for each in study.faults} == {reason}
    assert len(rows) == calls * len(STAGES_OF_SLIP)
    assert [row.outcome for row in rows].count(ending) >= len(STAGES_OF_SLIP)
    notices = proof_document(SLIP, verdict).notices
    assert len(notices) == len(STAGES_OF_SLIP), "one line for each thing that was not done"
    for stage, notice in zip(STAGES_OF_SLIP, notices, strict=True):
        assert notice.startswith(f"{stage}: {reason.value}: ")
        assert words in notice
        assert "\n" not in notice


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_direct_judge_that_never_helps_gives_no_opinion(fault: Fault) -> None:
    reason, words, _, calls = FAULTS[fault]
    if fault in (Fault.NO_OBJECT, Fault.WRONG_SCHEMA):
        words = "the reply has to be `correct` or `step N`"
    clock = Clock()
    async with Desk(MisbehavingModel(fault), policy=HASTY if fault is Fault.HANG else POLICY, clock=clock, sleep=clock.sleep) as desk:
        verdict, _ = await evaluate_one(desk, SLIP, "direct")
        assert len(desk.ledger.calls()) == calls
    assert (verdict.first_error, verdict.basis, verdict.opinion) == (None, None, None)
    (notice,) = proof_document(SLIP, verdict).notices
    assert notice.startswith(f"direct judgement: {reason.value}: ")
    assert words in notice


@pytest.mark.parametrize("fault", [one for one in FAULTS if one is not Fault.REFUSED])
@pytest.mark.parametrize("system", ["direct", "full"])
async def test_a_fault_that_passes_changes_nothing(fault: Fault, system: str) -> None:
    async def one(faults: int) -> tuple[ProofVerdict, Study, list[CallRecord]]:
        clock = Clock()
        model = MisbehavingModel([fault] * faults, obliging_model()) if faults else obliging_model("misbehaving:hang")
        async with Desk(model, policy=HASTY if fault is Fault.HANG else POLICY, clock=clock, sleep=clock.sleep) as desk:
            return (*await evaluate_one(desk, SOUND, system), desk.ledger.calls())

    (disturbed, study, calls), (calm, _, calm_calls) = await one(1), await one(0)
    assert study.faults == ()
    assert len(calls) == len(calm_calls) + 1, "the ledger has the call that failed, too"
    assert study.spending.calls == sum(call.reply is not None for call in calls), "the study counts what it rests on"
    assert disturbed.notices == calm.notices
    assert (disturbed.first_error, disturbed.steps) == (calm.first_error, calm.steps)
    assert disturbed.opinion is not None
    assert disturbed.opinion.first_error is None


HANDLINGS: dict[str, tuple[Handling, str]] = {
    "429 with Retry-After": (status(429, "slow down", retry_after="1"), "the server answered 429: slow down"),
    "429 without": (status(429, "slow down"), "the server answered 429: slow down"),
    "500": (status(500, "it broke"), "the server answered 500: it broke"),
    "hang": (hanging(), "no reply within 0.1 s"),
    "dropped": (dropped, "no answer: "),
    "truncated": (truncated, "no answer: "),
    "empty": (said(""), "the reply is empty"),
    "oversized": (oversized(500_000), "the reply is longer than 400000 characters"),
    "wrong schema": (said('{"grade": "A"}'), "malformed_reply: "),
    "cut off": (said('{"substeps": [{"te', finish="length"), "the reply was cut off"),
    "key refused": (status(401, "no such key"), "the server answered 401: no such key"),
}


async def over_http(*script: Handling, system: str, policy: AskingPolicy = POLICY) -> tuple[ProofVerdict, Study, Clock]:
    """Evaluate the sound proof over HTTP; time for waiting passes only in the clock."""
    clock = Clock()
    with FaultyServer.running(*script) as server:
        model = connect("openai-compatible", "tiny", Connection(server.url), name="openai-compatible:tiny")
        prices = PriceTable({model.name: Price(Decimal(1), Decimal(1))})
        async with Desk(model, policy=policy, prices=prices, clock=clock, sleep=clock.sleep) as desk:
            verdict, study = await evaluate_one(desk, SOUND, system)
    return verdict, study, clock


@pytest.mark.parametrize("handling", HANDLINGS)
async def test_over_http_every_fault_is_named(handling: str) -> None:
    handle, words = HANDLINGS[handling]
    verdict, study, _ = await over_http(handle, system="full", policy=HASTY if handling == "hang" else POLICY)
    assert (verdict.first_error, verdict.opinion) == (None, None)
    assert [fault.stage for fault in study.faults][-2:] == ["tree of proof states", "synthesis judgement"]
    *notices, last = verdict.notices
    assert all(words in notice for notice in notices), notices
    assert last == "Lean was not asked: 1 claim stayed unchecked"
    assert verdict.steps[0].status.value == "supported", "arithmetic needs no model"


@pytest.mark.parametrize("handling", [one for one in HANDLINGS if one != "key refused"])
async def test_over_http_a_fault_that_passes_changes_nothing(handling: str) -> None:
    handle, _ = HANDLINGS[handling]
    calm, _, _ = await over_http(obliging_server(), system="full")
    # Long enough that no busy machine takes for hanging what is not.
    policy = replace(POLICY, call_timeout_s=1.5) if handling == "hang" else POLICY
    disturbed, study, clock = await over_http(handle, obliging_server(), system="full", policy=policy)
    assert study.faults == ()
    assert disturbed == calm
    if handling == "429 with Retry-After":
        assert 0.9 <= sum(clock.slept) <= 8, "the server's wait is kept, by every call that was in its way"


async def test_a_model_that_examines_one_step_for_ever_is_stopped() -> None:
    model = ScriptedModel({"agent": {"move": "examine", "step": 1, "notes": "look again"}})
    async with Desk(model) as desk:
        verdict, study = await evaluate_one(desk, SOUND, "nl-agent")
    assert len(model.requests) == 12
    assert verdict.opinion is None
    assert [fault.reason.reason for fault in study.faults] == [Reason.GAVE_UP]
    assert "gave no answer in 12 turns" in verdict.notices[0]


async def test_one_stage_that_fails_leaves_the_others_their_work() -> None:
    class Partial(ScriptedModel):
        async def answer(self, request: ModelRequest):  # noqa: ANN202 - what the double gives
            if request.prompt.stage in ("compare", "suspect"):
                return await MisbehavingModel(Fault.NO_OBJECT).answer(request)
            return await obliging_model().answer(request)

    async with Desk(Partial({}), policy=POLICY) as desk:
        verdict, study = await evaluate_one(desk, SOUND)
        malformed = [row for row in desk.ledger.calls() if row.outcome is CallOutcome.MALFORMED]
    assert [fault.stage for fault in study.faults] == [
        "comparison of the substeps with the text",
        "suspicion search, for which the rules stood in",
    ]
    assert len(malformed) == 2 * len(study.faults)
    assert study.scan is not None
    assert study.scan.source == "rules"
    assert verdict.opinion is not None


async def test_hanging_calls_do_not_outlive_an_evaluation() -> None:
    before = len(asyncio.all_tasks())
    async with Desk(MisbehavingModel(Fault.HANG), policy=AskingPolicy(turns=1, call_timeout_s=0.05)) as desk:
        await evaluate_one(desk, SLIP)
    assert len(asyncio.all_tasks()) == before
