"""Running asynchronous work from ordinary code, whether or not an event loop is already running (a notebook runs one)."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from threading import Event, Thread
from typing import Any, Generic, TypeVar

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
    beside = _Beside(work)
    thread = Thread(target=beside.run, name="fidelean", daemon=True)
    try:
        # An interrupt may come while the thread is being started, when nobody can tell yet whether it can be joined.
        thread.start()
        return beside.answer.result()
    except BaseException:
        beside.abandon()
        raise


class _Beside(Generic[T]):
    """Work on a thread of its own that can be given up at any moment, also before the thread has begun."""

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self.answer: Future[T] = Future()
        self._work = work
        self._task: tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]] | None = None
        self._begun, self._ended, self._abandoned = Event(), Event(), Event()

    def run(self) -> None:
        """Run the work and leave its answer; the thread's whole life."""
        self._begun.set()
        try:
            self.answer.set_result(asyncio.run(self._tracked()))
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised where the work was asked for
            self.answer.set_exception(error)
        finally:
            self._ended.set()

    def abandon(self) -> None:
        """Cancel the work and wait until it has cleaned up; what has not begun by now never does anything."""
        self._abandoned.set()
        if self._task is not None:
            loop, task = self._task
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(task.cancel)
        if self._begun.is_set():
            self._ended.wait()

    async def _tracked(self) -> T:
        task = asyncio.current_task()
        if task is not None:
            self._task = (asyncio.get_running_loop(), task)
        if self._abandoned.is_set():
            self._work.close()
            raise asyncio.CancelledError
        return await self._work
