"""A run of the command line inside the test's own process: a tenth of the time of a process of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class CommandRun:
    """What a run left."""

    returncode: int
    stdout: str
    stderr: str


class RunCommand(Protocol):
    """Runs ``fidelean`` with arguments and standard input."""

    def __call__(self, *arguments: str | Path, text: str = "") -> CommandRun: ...
