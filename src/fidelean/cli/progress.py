"""Progress on standard error: only on a terminal, and only where the work takes longer than a moment."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from decimal import Decimal
from threading import Lock, Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from fidelean.runs.records import CallRecord

__all__ = ["Progress", "progress"]

PATIENCE_S = 1.0
SPEED_OVER_S = 3_600.0
"""How far back the time left is estimated from (seconds): a proof may take minutes."""


class Progress:
    """Counts finished pieces of work; this one shows nothing."""

    def advance(self) -> None:
        """Count one piece of work."""

    def called(self, call: CallRecord) -> None:
        """Hear of a call of a model that has ended."""

    def aside(self) -> AbstractContextManager[None]:
        """Keep out of the way while a result is written to a terminal that may be the same one."""
        return nullcontext()


class _ShownProgress(Progress):
    def __init__(self, label: str, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self._bar: Bar = Bar(
            *(TextColumn("{task.description}"), MofNCompleteColumn(), BarColumn(20), TimeRemainingColumn(), TextColumn("left")),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            speed_estimate_period=SPEED_OVER_S,
        )
        self._label = label
        self._calls, self._price = 0, Decimal(0)
        self._task = self._bar.add_task(label, total=total)
        self._lock = Lock()
        self._visible = False
        self._timer = Timer(PATIENCE_S, self._show)
        self._timer.daemon = True
        self._timer.start()

    def advance(self) -> None:
        self._bar.advance(self._task)

    def called(self, call: CallRecord) -> None:
        self._calls += 1
        self._price += call.price
        cost = f", {self._price:.2f} USD" if self._price else ""
        self._bar.update(self._task, description=f"{self._label} ({self._calls} calls{cost})")

    @contextmanager
    def aside(self) -> Generator[None, None, None]:
        with self._lock:
            self._bar.stop()
            yield
            if self._visible:
                self._bar.start()

    def close(self) -> None:
        """Clear what is shown."""
        self._timer.cancel()
        self._timer.join()
        self._bar.stop()

    def _show(self) -> None:
        with self._lock:
            self._visible = True
            self._bar.start()


@contextmanager
def progress(label: str, total: int, *, quiet: bool = False) -> Generator[Progress, None, None]:
    """Give what counts ``total`` pieces of work; what is shown disappears at the end."""
    if quiet or not sys.stderr.isatty():
        yield Progress()
        return
    shown = _ShownProgress(label, total)
    try:
        yield shown
    finally:
        shown.close()
