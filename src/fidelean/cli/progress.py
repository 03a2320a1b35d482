"""Progress on standard error: only on a terminal, and only where the work takes longer than a moment."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Timer

__all__ = ["progress"]

PATIENCE_S = 1.0


@contextmanager
def progress(label: str, total: int, *, quiet: bool = False) -> Generator[Callable[[], None], None, None]:
    """Give a function to call after each of ``total`` pieces of work; what is shown disappears at the end."""
    if quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(label, total=total)
    timer = Timer(PATIENCE_S, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda: bar.advance(task)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
