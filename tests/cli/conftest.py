"""Running the command line in tests."""

from __future__ import annotations

import io
import signal
import sys
from pathlib import Path

import pytest

from cli_runs import CommandRun, RunCommand
from fidelean.cli.app import main


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> RunCommand:
    """Run ``fidelean`` as its own process would, but in this one; signal handlers are put back."""

    def run(*arguments: str | Path, text: str = "") -> CommandRun:
        kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
        monkeypatch.setattr(sys, "argv", ["fidelean", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        try:
            main()
            code = 0
        except SystemExit as ending:
            code = int(ending.code or 0)
        finally:
            for number, handler in kept.items():
                signal.signal(number, handler)
        captured = capsys.readouterr()
        return CommandRun(code, captured.out, captured.err)

    return run
