"""How a run ends: 2 bad input or usage, else 3 machinery that was needed failed, else 1 something is refuted, else 0.

A signal ends it with 128 and its number, as shells count, after everything that was opened has been closed; so does a reader that is gone.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

from fidelean.errors import FideleanError

__all__ = ["READER_GONE", "Outcomes", "drop_output", "end_on_signals", "ended_by_signal", "report_error"]

READER_GONE = 128 + signal.SIGPIPE

_PRECEDENCE = (2, 3, 1)


class Outcomes:
    """What happened so far in a run over many inputs."""

    def __init__(self) -> None:
        self.codes: set[int] = set()
        self.said: list[str] = []

    def refuted(self) -> None:
        """Note that something is refuted."""
        self.codes.add(1)

    def failed(self, error: FideleanError) -> None:
        """Note an error and say it on one line of standard error; the run goes on."""
        self.codes.add(error.exit_code)
        self.said.append(str(error))
        report_error(error)

    @property
    def exit_code(self) -> int:
        """The one that counts."""
        return next((code for code in _PRECEDENCE if code in self.codes), 0)


def report_error(error: FideleanError) -> None:
    """Say an error on one line of standard error, spelling out what could steer a terminal."""
    from fidelean.report.escaping import one_line

    print(f"fidelean: {one_line(str(error))}", file=sys.stderr, flush=True)


_asked_to_end: list[int] = []


def end_on_signals() -> None:
    """Let a request to end (SIGTERM, SIGHUP) unwind the stack as an interrupt does, so that temporary files go and processes end."""
    _asked_to_end.clear()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def drop_output() -> None:
    """Let what is still to be written go nowhere: nobody reads it, and nobody wants to hear so."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def ended_by_signal() -> int | None:
    """Give the exit code of a request to end that came while an event loop was running; None where none came."""
    return 128 + _asked_to_end[0] if _asked_to_end else None


def _end(number: int, frame: FrameType | None) -> None:
    del frame
    if _loop_is_running() and callable(signal.getsignal(signal.SIGINT)):
        # An exit in the middle of a task would be shown as the task's fault; an interrupt ends the tasks of a loop in good order.
        _asked_to_end.append(number)
        signal.raise_signal(signal.SIGINT)
        return
    raise SystemExit(128 + number)


def _loop_is_running() -> bool:
    if (asyncio := sys.modules.get("asyncio")) is None:
        return False
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
