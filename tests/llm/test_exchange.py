"""The exchange of files: requests appear, replies are found, an interrupted run goes on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from fidelean.errors import ModelError, UsageError
from fidelean.llm.desk import Desk
from fidelean.llm.exchange import ExchangeModel
from fidelean.llm.records import ModelRequest, Prompt
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import AskingPolicy, Budget
from llm.clock import Clock

PROMPT = Prompt("review", "v1", "You review.", "Is 1 = 1?")


class Review(BaseModel):
    """A reply for these tests."""

    verdict: str


async def request_in(folder: Path) -> dict[str, object]:
    """Wait for the first request without a reply."""
    while True:
        if (document := open_request(folder)) is not None:
            return document
        await asyncio.sleep(0.001)


def open_request(folder: Path) -> dict[str, object] | None:
    documents = [json.loads(file.read_text(encoding="utf8")) for file in folder.glob("*.request.json")]
    return next((document for document in documents if not (folder / document["reply_in"]).exists()), None)


def move(folder: Path) -> Path:
    moved = folder.with_name("elsewhere") / folder.name
    moved.parent.mkdir()
    return folder.rename(moved)


async def test_a_request_is_written_and_the_reply_found(tmp_path: Path) -> None:
    folder = tmp_path / "inbox"
    async with Desk(ExchangeModel(folder, poll_s=0.001)) as desk:
        asking = asyncio.create_task(desk.asker(proof="p").ask(PROMPT, Review))
        document = await request_in(folder)
        assert document["system"] == "You review."
        assert document["schema"] == Review.model_json_schema()
        readable = (folder / f"{document['key']}.request.md").read_text(encoding="utf8")
        assert "Is 1 = 1?" in readable
        assert '"verdict"' in readable
        assert f"`{document['key']}.reply.json`" in readable
        (folder / str(document["reply_in"])).write_text(r'{"verdict": "\nu is fine"}', encoding="utf8")
        assert await asking == Review(verdict=r"\nu is fine")
        assert desk.ledger.calls()[0].model == "exchange:inbox"
    assert not list(folder.glob(".*")), "nothing half-written is left"


async def test_a_malformed_reply_becomes_a_second_request(tmp_path: Path) -> None:
    async with Desk(ExchangeModel(tmp_path, poll_s=0.001)) as desk:
        asking = asyncio.create_task(desk.asker().ask(PROMPT, Review))
        first = await request_in(tmp_path)
        (tmp_path / f"{first['key']}.reply.json").write_text("fine!", encoding="utf8")
        second = await request_in(tmp_path)
        assert (second["attempt"], second["complaint"]) == (2, "the reply holds no JSON object")
        (tmp_path / f"{second['key']}.reply.json").write_text('{"verdict": "fine"}', encoding="utf8")
        assert await asking == Review(verdict="fine")


async def test_an_interrupted_run_finds_what_has_come_meanwhile(tmp_path: Path) -> None:
    async with Desk(ExchangeModel(tmp_path, poll_s=0.001)) as desk:
        asking = asyncio.create_task(desk.asker().ask(PROMPT, Review))
        document = await request_in(tmp_path)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
    (tmp_path / f"{document['key']}.reply.txt").write_text('\ufeffHere: {"verdict": "late"}', encoding="utf8")
    moved = move(tmp_path)
    async with Desk(ExchangeModel(moved, poll_s=0.001)) as desk:
        assert await desk.asker().ask(PROMPT, Review) == Review(verdict="late")


async def test_a_file_that_is_still_being_written_is_waited_for(tmp_path: Path) -> None:
    clock = Clock()
    model = ExchangeModel(tmp_path, clock=clock, sleep=clock.sleep)
    answering = asyncio.create_task(model.answer(ModelRequest(PROMPT, {})))
    document = await request_in(tmp_path)
    file = tmp_path / f"{document['key']}.reply.txt"
    file.write_text("", encoding="utf8")
    for _ in range(5):
        await asyncio.sleep(0)
    assert not answering.done(), "an empty file is no reply yet"
    file.write_text("correct", encoding="utf8")
    assert (await answering).text == "correct"


async def test_nobody_answers(tmp_path: Path) -> None:
    clock = Clock()
    model = ExchangeModel(tmp_path, patience_s=60, poll_s=10, clock=clock, sleep=clock.sleep)
    with pytest.raises(ModelError, match=r"no reply to [0-9a-f]{32} appeared within 60 s"):
        await model.answer(ModelRequest(PROMPT, {}))
    assert 60 < clock.now <= 80


async def test_people_have_longer_than_servers_unless_the_budget_says_otherwise(tmp_path: Path) -> None:
    policy = AskingPolicy(call_timeout_s=0.001, proof=Budget(seconds=0.1))
    async with Desk(ExchangeModel(tmp_path, poll_s=0.001), policy=policy) as desk:
        answer = await desk.asker(proof="p").ask(PROMPT, Review)
        assert answer == Inconclusive(Reason.BUDGET_SPENT, "the 0.1 seconds for this proof are over")


async def test_a_reply_that_is_too_long(tmp_path: Path) -> None:
    model = ExchangeModel(tmp_path, poll_s=0.001)
    answering = asyncio.create_task(model.answer(ModelRequest(PROMPT, {})))
    document = await request_in(tmp_path)
    (tmp_path / f"{document['key']}.reply.txt").write_text("x" * 4_000_001, encoding="utf8")
    with pytest.raises(ModelError, match="longer than 4000000 bytes"):
        await answering


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf8")
    with pytest.raises(UsageError, match="exchange:"):
        ExchangeModel(tmp_path / "file" / "folder")
