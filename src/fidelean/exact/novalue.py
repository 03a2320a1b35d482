"""Why a closed expression has no value that we can name."""

from __future__ import annotations

from fidelean.outcome import Reason

__all__ = ["NoValue"]


class NoValue(Exception):
    """Evaluation ended without a value; ``reason`` is from the closed list, ``detail`` for a reader."""

    def __init__(self, reason: Reason, detail: str) -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(detail)
