"""Ordinary code and notebooks run the same work."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time

import pytest

from fidelean.pipelines.event_loops import run


async def thread_name() -> str:
    await asyncio.sleep(0)
    return threading.current_thread().name


async def failing() -> None:
    raise LookupError("inside")


def test_without_a_loop_the_work_runs_in_this_thread() -> None:
    assert run(thread_name()) == threading.current_thread().name
    with pytest.raises(LookupError, match="inside"):
        run(failing())


async def test_inside_a_loop_it_runs_beside_it_and_leaves_no_thread() -> None:
    before = threading.active_count()
    assert run(thread_name()).startswith("fidelean")
    with pytest.raises(LookupError, match="inside"):
        run(failing())
    assert falls_to(before)


def falls_to(count: int) -> bool:
    """Whether so many threads are left before long: a thread ends a moment after it has answered."""
    deadline = time.monotonic() + 10
    while threading.active_count() > count and time.monotonic() < deadline:
        time.sleep(0.01)
    return threading.active_count() == count


PROGRAM = """
import asyncio, sys
from fidelean.pipelines.event_loops import run

async def work():
    print("started", flush=True)
    try:
        await asyncio.sleep(60)
    finally:
        print("cleaned up", flush=True)

async def notebook():
    run(work())

try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("call", ["run(work())", "asyncio.new_event_loop().run_until_complete(notebook())"])
def test_an_interrupt_lets_the_work_clean_up(call: str) -> None:
    with subprocess.Popen([sys.executable, "-c", PROGRAM.format(call=call)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[0].splitlines() == ["cleaned up", "interrupted"]
