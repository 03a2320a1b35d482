"""Progress shows itself on a terminal only, late, and leaves nothing."""

from __future__ import annotations

import io
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from fidelean.cli import progress as module
from fidelean.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@contextmanager
def standing_in(stream: io.StringIO) -> Generator[None, None, None]:
    """Put ``stream`` in place of standard error, within the test's body: pytest sets its own between a fixture and the body."""
    kept, sys.stderr = sys.stderr, stream
    try:
        yield
    finally:
        sys.stderr = kept


def test_quick_work_shows_nothing() -> None:
    stream, threads = Terminal(), threading.active_count()
    with standing_in(stream), progress("working", 2) as shown:
        shown.advance()
        with shown.aside():
            pass
    assert "working" not in stream.getvalue()
    assert threading.active_count() == threads


def test_long_work_is_shown_and_steps_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(module, "PATIENCE_S", 0.01)
    stream = Terminal()
    with standing_in(stream):
        with progress("working", 2) as shown:
            time.sleep(0.3)
            shown.advance()
            assert "working" in stream.getvalue()
            with shown.aside():
                before = stream.getvalue()
                time.sleep(0.3)
                assert stream.getvalue() == before
            time.sleep(0.2)
            assert len(stream.getvalue()) > len(before), "and comes back"
        assert sys.stderr is stream
    assert stream.getvalue().endswith("\x1b[2K"), "what was shown is cleared"


@pytest.mark.parametrize("quiet", [True, False])
def test_no_terminal_or_quiet_shows_nothing(monkeypatch: pytest.MonkeyPatch, quiet: bool) -> None:
    stream = Terminal() if quiet else io.StringIO()
    monkeypatch.setattr(module, "PATIENCE_S", 0.0)
    with standing_in(stream), progress("working", 1, quiet=quiet) as shown:
        time.sleep(0.05)
        with shown.aside():
            shown.advance()
    assert stream.getvalue() == ""
