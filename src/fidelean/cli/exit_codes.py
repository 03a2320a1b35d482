"""Exit codes: 2 bad input or usage, else 3 machinery that was needed failed, else 1 something is refuted, else 0."""

from __future__ import annotations

import sys

from fidelean.errors import FideleanError

__all__ = ["Outcomes", "report_error"]

_PRECEDENCE = (2, 3, 1)


class Outcomes:
    """What happened so far in a run over many inputs."""

    def __init__(self) -> None:
        self.codes: set[int] = set()

    def refuted(self) -> None:
        """Note that something is refuted."""
        self.codes.add(1)

    def failed(self, error: FideleanError) -> None:
        """Note an error and say it on one line of standard error; the run goes on."""
        self.codes.add(error.exit_code)
        report_error(error)

    @property
    def exit_code(self) -> int:
        """The one that counts."""
        return next((code for code in _PRECEDENCE if code in self.codes), 0)


def report_error(error: FideleanError) -> None:
    """Say an error on one line of standard error, spelling out what could steer a terminal."""
    from fidelean.report.escaping import one_line

    print(f"fidelean: {one_line(str(error))}", file=sys.stderr, flush=True)
