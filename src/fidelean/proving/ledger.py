"""Attempts as data: the document of one attempt, and a ledger that keeps which entry closed what."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from fidelean.errors import UsageError
from fidelean.outcome import Inconclusive
from fidelean.proving.records import ProofAttempt

__all__ = ["append_to_ledger", "attempt_document"]


def attempt_document(attempt: ProofAttempt) -> dict[str, object]:
    """One attempt as plain data, with the names of the record; ``reason`` is null unless the outcome is inconclusive."""
    outcome = attempt.outcome
    return {
        "id": attempt.id,
        "outcome": type(outcome).__name__.lower(),
        "reason": outcome.reason.value if isinstance(outcome, Inconclusive) else None,
        "detail": outcome.detail,
        "entry": attempt.entry or None,
        "witness": dict(attempt.witness),
        "script": attempt.script or None,
        "transfer": attempt.transfer.value if attempt.transfer else None,
        "seconds": round(attempt.seconds, 3),
        "tried": list(attempt.tried),
    }


def append_to_ledger(path: Path, attempts: Iterable[ProofAttempt]) -> None:
    """Append attempts to a JSON-lines ledger, without their scripts, all in one write.

    Raises:
        UsageError: the file cannot be written.
    """
    rows = [{key: value for key, value in attempt_document(attempt).items() if key != "script"} for attempt in attempts]
    try:
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
