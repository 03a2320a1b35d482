"""Answers that need not be asked for again: a content-addressed store of what Lean said.

The key covers everything the answer depends on; only what is the same every time is stored (ok and errors), never a time-out, a crash
or a lack of memory. A stored answer that cannot be read counts as none.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from fidelean.lean.records import Elaboration, Status

__all__ = ["ElaborationCache"]

_STORED = frozenset({Status.OK, Status.ERRORS})


@cache
def _adapter() -> TypeAdapter[Elaboration]:
    return TypeAdapter(Elaboration)


class ElaborationCache:
    """Stored elaborations in one SQLite file; a file that cannot be used costs time, never an answer."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    @staticmethod
    def key(parts: Sequence[str]) -> str:
        """The address of an answer: a digest of everything it depends on."""
        return hashlib.sha256(json.dumps(list(parts), ensure_ascii=True).encode()).hexdigest()

    def get(self, key: str) -> Elaboration | None:
        """The stored answer, or None where there is none that can be read."""
        with self._lock:
            try:
                row = self._open().execute("SELECT answer, digest FROM elaborations WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error:
                self._forget()
                return None
        if row is None or not isinstance(row[0], str) or _digest(row[0]) != row[1]:
            return None
        try:
            return _adapter().validate_json(row[0])
        except ValidationError:
            return None

    def put(self, key: str, elaboration: Elaboration) -> None:
        """Store ``elaboration`` if it is one that comes out the same every time."""
        if elaboration.status not in _STORED:
            return
        answer = _adapter().dump_json(elaboration).decode()
        with self._lock, contextlib.suppress(sqlite3.Error, OSError), self._open() as connection:
            connection.execute("INSERT OR REPLACE INTO elaborations VALUES (?, ?, ?)", (key, answer, _digest(answer)))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._path, timeout=10, check_same_thread=False)
            try:
                _prepare(connection)
            except sqlite3.OperationalError:
                connection.close()
                raise
            except sqlite3.DatabaseError:
                connection.close()
                self._path.unlink(missing_ok=True)
                connection = sqlite3.connect(self._path, timeout=10, check_same_thread=False)
                _prepare(connection)
            self._connection = connection
        return self._connection


def _prepare(connection: sqlite3.Connection) -> None:
    with connection:
        connection.execute("CREATE TABLE IF NOT EXISTS elaborations (key TEXT PRIMARY KEY, answer TEXT NOT NULL, digest TEXT NOT NULL)")


def _digest(answer: str) -> str:
    return hashlib.sha256(answer.encode()).hexdigest()
