"""Exceptions, sorted by who must act.

A mathematical outcome is never an exception (see ``fidelean.outcome``), and an exception is never a mathematical outcome.

    FideleanError
    ├── InputError            the author of the input must act     exit 2
    ├── UsageError            the caller must act                  exit 2
    └── MachineryError        whoever runs the machine must act    exit 3
        ├── SetupError        a download or an installation failed
        ├── EngineError       a Lean engine failed
        │   └── EngineUnavailable   there is no engine to ask
        └── ModelError        a language model gave no reply
"""

from __future__ import annotations

__all__ = [
    "EngineError",
    "EngineUnavailable",
    "FideleanError",
    "InputError",
    "MachineryError",
    "ModelError",
    "SetupError",
    "UsageError",
]


class FideleanError(Exception):
    """Base class: one line that says what went wrong and what to do."""

    exit_code = 3


class InputError(FideleanError):
    """An input cannot be read as what it claims to be.

    ``source`` names the file (or ``-``), ``line`` is 1-based or None where the fault has no line.
    """

    exit_code = 2

    def __init__(self, message: str, *, source: str | None = None, line: int | None = None) -> None:
        self.message = message
        self.source = source
        self.line = line
        super().__init__(message)

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line) if part is not None)
        return f"{place}: {self.message}" if place else self.message


class UsageError(FideleanError):
    """The caller asked for something that does not exist or does not fit together."""

    exit_code = 2


class MachineryError(FideleanError):
    """Something that was needed did not work; says nothing about mathematics."""


class SetupError(MachineryError):
    """An installation step failed; what was there before is untouched."""


class EngineError(MachineryError):
    """A Lean engine failed in a way that no single snippet explains."""


class EngineUnavailable(EngineError):
    """The engine is not installed, or cannot run on this machine."""


class ModelError(MachineryError):
    """A language model gave no reply: no connection, an error of the server, a refusal of the key.

    ``retry_after`` is how long the server asks to wait (seconds), None where it does not say or waiting would not help;
    ``may_be_billed`` says that the call may have been worked on, so that a budget counts the most it can have cost.
    """

    def __init__(self, message: str, *, retry_after: float | None = None, may_retry: bool = False, may_be_billed: bool = False) -> None:
        self.retry_after = retry_after
        self.may_retry = may_retry
        self.may_be_billed = may_be_billed
        super().__init__(message)
