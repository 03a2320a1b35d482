"""A run that is killed: what was answered is not asked again, and at most the calls in flight are lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import BaseModel

from fidelean.llm.desk import Desk
from fidelean.llm.prices import PriceTable
from fidelean.llm.providers import Connection, connect
from fidelean.llm.records import Prompt
from fidelean.policy import AskingPolicy
from fidelean.runs.ledger import Ledger
from fidelean.settings import Price
from llm.faulty_server import FaultyServer, said

QUESTIONS = 60
AT_ONCE = 3
PROGRAM = """
import asyncio, pathlib
from llm.test_killed_run import run
asyncio.run(run(pathlib.Path({folder!r}), {url!r}))
"""


class Review(BaseModel):
    """A reply for this test."""

    verdict: str


async def run(folder: Path, url: str) -> list[object]:
    model = connect("openai-compatible", "tiny", Connection(url))
    prices = PriceTable({model.name: Price(Decimal(1), Decimal(1))})
    with Ledger.open(folder) as ledger:
        async with Desk(model, ledger=ledger, prices=prices, policy=AskingPolicy(concurrency=AT_ONCE)) as desk:
            asker = desk.asker(proof="p")
            questions = [Prompt("review", "v1", "", f"Question {number}.") for number in range(QUESTIONS)]
            return await asyncio.gather(*(asker.ask(question, Review) for question in questions))


@pytest.mark.slow
def test_a_killed_run_is_taken_up_where_it_was(tmp_path: Path) -> None:
    with FaultyServer.running(said('{"verdict": "fine"}')) as server:
        program = PROGRAM.format(folder=str(tmp_path), url=server.url)
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
        with subprocess.Popen([sys.executable, "-c", program], env=environment) as process:
            until = time.monotonic() + 50
            while len(server.bodies) < 15 and time.monotonic() < until:
                time.sleep(0.002)
            os.kill(process.pid, signal.SIGKILL)
        asked_before = len(server.bodies)
        with Ledger.read(tmp_path) as ledger:
            kept = len(ledger.calls())
        assert 0 < kept < QUESTIONS
        assert asked_before - kept <= AT_ONCE
        assert asyncio.run(run(tmp_path, server.url)) == [Review(verdict="fine")] * QUESTIONS
        assert len(server.bodies) - asked_before == QUESTIONS - kept
        assert asyncio.run(run(tmp_path, server.url)) == [Review(verdict="fine")] * QUESTIONS
        assert len(server.bodies) - asked_before == QUESTIONS - kept, "a finished run calls no model"
