"""Running asynchronous work from ordinary code, whether or not an event loop is already running (a notebook runs one)."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["run"]

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` to its end and give what it gives, or raise what it raises.

    Inside a running loop it runs on a thread and a loop of its own, while the caller waits. An interrupt while waiting cancels the work and
    is raised once the work has cleaned up after itself.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return _run_beside(work)


def _run_beside(work: Coroutine[Any, Any, T]) -> T:
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []

    async def tracked() -> T:
        task = asyncio.current_task()
        if task is not None:
            started.append((asyncio.get_running_loop(), task))
        return await work

    with ThreadPoolExecutor(1, thread_name_prefix="fidelean") as pool:
        future = pool.submit(asyncio.run, tracked())
        try:
            return future.result()
        except BaseException:
            for loop, task in started:
                if not future.done():
                    loop.call_soon_threadsafe(task.cancel)
            raise
