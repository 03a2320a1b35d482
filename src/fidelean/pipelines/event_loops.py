"""Running asynchronous work from ordinary code, whether or not an event loop is already running (a notebook runs one)."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from typing import Any, TypeVar

__all__ = ["run"]

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run ``work`` to its end and give what it gives, or raise what it raises.

    Inside a running loop it runs on a thread and a loop of its own, while the caller waits. An interrupt while waiting cancels the work and
    is raised once the work has cleaned up after itself.
    """
    return _run_beside(work) if _loop_is_running() else asyncio.run(work)


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _run_beside(work: Coroutine[Any, Any, T]) -> T:
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []
    abandoned = Event()

    async def tracked() -> T:
        task = asyncio.current_task()
        if task is not None:
            started.append((asyncio.get_running_loop(), task))
        if abandoned.is_set():
            work.close()
            raise asyncio.CancelledError
        return await work

    with ThreadPoolExecutor(1, thread_name_prefix="fidelean") as pool:
        try:
            return pool.submit(asyncio.run, tracked()).result()
        except BaseException:
            # The interrupt may come before the other thread has begun: the flag stops what starts after it, the list what started before.
            abandoned.set()
            for loop, task in started:
                with suppress(RuntimeError):
                    loop.call_soon_threadsafe(task.cancel)
            raise
