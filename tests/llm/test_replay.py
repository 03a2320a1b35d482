"""Recordings and their replay."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import BaseModel

from fidelean.errors import InputError, ModelError, UsageError
from fidelean.llm.desk import Desk
from fidelean.llm.misbehaving import Fault, MisbehavingModel
from fidelean.llm.prices import PriceTable
from fidelean.llm.recordings import Recording, read_recording, write_recording
from fidelean.llm.records import Finish, ModelReply, ModelRequest, ModelRole, Prompt, Usage
from fidelean.llm.replay import ReplayModel
from fidelean.llm.scripted import ScriptedModel
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import AskingPolicy, Budget
from fidelean.runs.ledger import Ledger
from fidelean.settings import Price
from llm.clock import Clock

PROMPT = Prompt("review", "v1", "You review.", "Is 1 = 1 in step 3?")
PRICES = PriceTable({"scripted:priced": Price(Decimal(1), Decimal(2))})
HEAD = '{"recording": 1, "author": "written by hand for this repository"}'


class Review(BaseModel):
    """A reply for these tests."""

    verdict: str


class Unwilling(ScriptedModel):
    """Fails the test when it is asked."""

    async def answer(self, request: ModelRequest) -> ModelReply:
        raise AssertionError(f"a model was called for {request.prompt.stage}")


async def run(desk: Desk) -> list[Review | Inconclusive]:
    """A run with every kind of ending."""
    ask = desk.asker(proof="p").ask
    stages = ["review", "mended", "hopeless", "declines", "broken", "poor"]
    answers = [await ask(Prompt(stage, "v1", "", stage), Review) for stage in stages[:5]]
    return [*answers, await desk.asker(ModelRole.JUDGE, proof="p").ask(Prompt("poor", "v1", "", "x" * 3_000), Review)]


def models() -> ScriptedModel:
    good = ModelReply('{"verdict": "fine"}', "priced-2026", Usage(400, 100))
    return ScriptedModel(
        {
            "review": good,
            "mended": ["hm", good],
            "hopeless": ["a", "b", "c"],
            "declines": ModelReply("no", "m", finish=Finish.REFUSED),
            "broken": ModelError("500", may_retry=True),
            "poor": good,
        },
        name="scripted:priced",
    )


async def record(ledger: Ledger) -> list[Review | Inconclusive]:
    clock = Clock()
    policy = AskingPolicy(max_output_tokens=500, proof=Budget(tokens=5_000))
    async with Desk(models(), ledger=ledger, prices=PRICES, policy=policy, clock=clock, sleep=clock.sleep) as desk:
        return await run(desk)


async def replay(recording: Recording, ledger: Ledger) -> list[Review | Inconclusive]:
    by_role = {role: ReplayModel(recording, role) for role in ModelRole}
    async with Desk(by_role, ledger=ledger, policy=AskingPolicy(max_output_tokens=500)) as desk:
        return await run(desk)


async def test_a_finished_run_replays_the_same_from_its_ledger_and_from_lines(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "run") as ledger:
        recorded = await record(ledger)
        calls = ledger.calls()
        lines = list(write_recording("scripted, for a test", calls))
    assert [getattr(answer, "reason", None) for answer in recorded] == [
        None, None, Reason.MALFORMED_REPLY, Reason.DECLINED, Reason.NO_REPLY, Reason.BUDGET_SPENT,
    ]  # fmt: skip
    (tmp_path / "run.jsonl").write_text("\n".join(lines) + "\n", encoding="utf8")
    for file in (tmp_path / "run", tmp_path / "run" / "ledger.sqlite", tmp_path / "run.jsonl"):
        with Ledger.in_memory() as copy:
            assert await replay(read_recording(file), copy) == recorded
            assert {call.key for call in copy.calls()} == {call.key for call in calls}
            assert sum(call.price for call in copy.calls()) == sum(call.price for call in calls if call.reply is not None)
            # A replay is itself a recording.
            with Ledger.in_memory() as again:
                assert await replay(Recording("copy", read_recording_of(copy)), again) == recorded


def read_recording_of(ledger: Ledger) -> list:  # pyright: ignore[reportMissingTypeArgument, reportUnknownParameterType]
    from fidelean.llm import recordings

    return [recordings._recorded(call) for call in ledger.calls()]  # pyright: ignore[reportPrivateUsage]


async def test_a_finished_run_calls_no_model(tmp_path: Path) -> None:
    with Ledger.open(tmp_path) as ledger:
        async with Desk(ScriptedModel({"review": '{"verdict": "fine"}'}), ledger=ledger) as desk:
            first = await desk.asker().ask(PROMPT, Review)
    with Ledger.open(tmp_path) as ledger:
        async with Desk(Unwilling({}), ledger=ledger) as desk:
            assert await desk.asker().ask(PROMPT, Review) == first


async def test_a_request_that_was_not_recorded_is_named(tmp_path: Path) -> None:
    file = tmp_path / "hand.jsonl"
    file.write_text(HEAD + "\n", encoding="utf8")
    model = ReplayModel.from_file(file)
    with pytest.raises(ModelError, match=r"hand.jsonl has no reply for this request of the stage review \(key [0-9a-f]{16}\)"):
        await model.answer(ModelRequest(PROMPT, {}))


def by_hand(tmp_path: Path, *entries: dict[str, object]) -> ReplayModel:
    file = tmp_path / "hand.jsonl"
    file.write_text("\n".join([HEAD, *map(json.dumps, entries)]), encoding="utf8")
    return ReplayModel.from_file(file)


async def test_replies_by_hand_are_found_by_what_they_are_about(tmp_path: Path) -> None:
    model = by_hand(
        tmp_path,
        {"stage": "review", "about": ["step 3", "1 = 1"], "reply": {"verdict": "fine"}},
        {"stage": "review", "about": ["step 4"], "reply": {"verdict": "other"}},
        {"stage": "review", "about": ["step 3"], "attempt": 2, "reply": "text"},
        {"stage": "review", "about": ["step 3"], "sample": 1, "reply": {"verdict": "second"}},
    )
    assert model.recording.author == "written by hand for this repository"
    assert (await model.answer(ModelRequest(PROMPT, {}))).text == '{"verdict": "fine"}'
    assert (await model.answer(ModelRequest(PROMPT, {}, attempt=2))).text == "text"
    assert (await model.answer(ModelRequest(PROMPT, {}, sample=1))).text == '{"verdict": "second"}'


async def test_two_replies_by_hand_for_one_request_are_an_error(tmp_path: Path) -> None:
    model = by_hand(tmp_path, {"stage": "review", "reply": "a"}, {"stage": "review", "about": ["step"], "reply": "b"})
    with pytest.raises(UsageError, match="2 replies for one request of the stage review"):
        await model.answer(ModelRequest(PROMPT, {}))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", ":1: is no line of a recording"),
        ('{"stage": "x", "reply": "y"}', ":1: is no line of a recording: recording: Field required"),
        ('{"recording": 2, "author": "me"}', ":1: is no line of a recording: recording: Input should be 1"),
        (HEAD + '\n{"stage": "x", "replly": "y"}', ":2: is no line of a recording: replly: Extra inputs"),
        (HEAD + "\n\nnonsense", ":3: is no line of a recording: the line: Invalid JSON"),
    ],
)
def test_what_is_no_recording(tmp_path: Path, text: str, fault: str) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text(text, encoding="utf8")
    with pytest.raises(InputError) as caught:
        read_recording(file)
    assert fault in str(caught.value)


def test_a_recording_that_is_not_there(tmp_path: Path) -> None:
    for missing in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(InputError, match="no recording can be read"):
            read_recording(missing)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault.RATE_LIMIT, Reason.NO_REPLY),
        (Fault.RATE_LIMIT_SILENT, Reason.NO_REPLY),
        (Fault.SERVER_ERROR, Reason.NO_REPLY),
        (Fault.HANG, Reason.NO_REPLY),
        (Fault.DROPPED, Reason.NO_REPLY),
        (Fault.TRUNCATED, Reason.MALFORMED_REPLY),
        (Fault.OVERSIZED, Reason.MALFORMED_REPLY),
        (Fault.WRONG_SCHEMA, Reason.MALFORMED_REPLY),
        (Fault.NO_OBJECT, Reason.MALFORMED_REPLY),
        (Fault.EMPTY, Reason.MALFORMED_REPLY),
        (Fault.REFUSED, Reason.DECLINED),
    ],
)
async def test_every_way_to_misbehave_ends_with_its_reason_or_is_got_over(fault: Fault, reason: Reason) -> None:
    clock = Clock()
    policy = AskingPolicy(call_timeout_s=0.02)
    async with Desk(MisbehavingModel(fault), policy=policy, clock=clock, sleep=clock.sleep) as desk:
        answer = await desk.asker().ask(PROMPT, Review)
        assert isinstance(answer, Inconclusive)
        assert answer.reason is reason
        assert all(call.detail for call in desk.ledger.calls())
    once = MisbehavingModel([fault], ScriptedModel({"review": '{"verdict": "fine"}'}))
    async with Desk(once, policy=policy, clock=clock, sleep=clock.sleep) as desk:
        answer = await desk.asker().ask(PROMPT, Review)
        assert answer == (Inconclusive(Reason.DECLINED, "I cannot help with that.") if fault is Fault.REFUSED else Review(verdict="fine"))
