"""The ledger of a run: one SQLite file in the run's folder, which tells what was asked, what it cost, and what is done.

Every call is on disk when it has ended, and every finished item appears whole or not at all, so a run that is killed loses the calls
in flight and nothing else. One process writes; others may read meanwhile. Not for network file systems: the log that makes this
safe needs shared memory.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import astuple, fields
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

from fidelean.errors import InputError, UsageError
from fidelean.runs.records import CallOutcome, CallRecord, Spending

__all__ = ["LEDGER_NAME", "Ledger"]

LEDGER_NAME = "ledger.sqlite"
"""Name of the file in a run folder."""

_VERSION = 1
_COLUMNS = tuple(field.name for field in fields(CallRecord))
_TABLES = """
create table if not exists calls (
    id integer primary key, key text not null, stage text not null, prompt_version text not null, prompt_digest text not null,
    role text not null, model text not null, proof text not null, sample integer not null, attempt integer not null,
    turn integer not null, request text not null, outcome text not null, detail text not null, reply text, finish text not null,
    answered_by text not null, input_tokens integer not null, output_tokens integer not null, price text not null,
    presumed integer not null, seconds real not null, ended text not null) strict;
create index if not exists calls_by_key on calls (key);
create table if not exists artefacts (digest text primary key, content blob not null) strict;
create table if not exists elaborations (key text primary key, document text not null) strict;
create table if not exists items (item text primary key, document text not null, artefacts text not null) strict;
create table if not exists facts (name text primary key, fact text not null) strict;
"""
_NAMES = ", ".join(_COLUMNS)
_INSERT_CALL = f"insert into calls ({_NAMES}) values ({', '.join('?' for _ in _COLUMNS)})"  # noqa: S608
_SELECT_CALLS = f"select {_NAMES} from calls"  # noqa: S608


class Ledger:
    """The ledger of one run. Open it with ``open``, ``read`` or ``in_memory``; use it from one thread at a time."""

    def __init__(self, connection: sqlite3.Connection, lock: int | None = None) -> None:
        self._connection = connection
        self._lock = lock

    @classmethod
    def open(cls, folder: Path) -> Ledger:
        """Open the ledger of a run folder for writing, making both where they are missing.

        Raises ``UsageError`` where another process writes in it or the folder cannot be written, ``InputError`` where the file is
        no ledger.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(folder / "run.lock", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise UsageError(f"{folder}: no run can be kept there: {error.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise UsageError(f"{folder}: another run is writing there") from None
        try:
            return cls(_connect(str(folder / LEDGER_NAME)), lock)
        except BaseException:
            os.close(lock)
            raise

    @classmethod
    def read(cls, file: Path) -> Ledger:
        """Open a ledger (its file, or the run folder) to read it only. Raises ``InputError``."""
        path = file / LEDGER_NAME if file.is_dir() else file
        if not path.is_file():
            raise InputError("there is no ledger", source=str(file))
        return cls(_connect(f"{path.resolve().as_uri()}?mode=ro", read_only=True))

    @classmethod
    def in_memory(cls) -> Ledger:
        """Give a ledger that is gone when it is closed."""
        return cls(_connect(":memory:"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let another process write."""
        self._connection.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    # Facts about the run

    def describe(self, facts: Mapping[str, str]) -> None:
        """Keep what the run is (its input, system, policy). Raises ``UsageError`` where the folder holds another run."""
        known = self.facts()
        for name, fact in facts.items():
            if known.get(name, fact) != fact:
                raise UsageError(f"the run folder holds another run: {name} was {known[name]!r} and is {fact!r} now")
        with self._connection:
            self._connection.executemany("insert or ignore into facts values (?, ?)", list(facts.items()))

    def facts(self) -> dict[str, str]:
        """What the run is."""
        return dict(self._connection.execute("select name, fact from facts order by name"))

    # Calls of models

    def record_call(self, call: CallRecord) -> None:
        """Keep one call that has ended."""
        values = [str(value) if isinstance(value, Decimal) else value for value in astuple(call)]
        with self._connection:
            self._connection.execute(_INSERT_CALL, values)

    def calls(self, *, proof: str | None = None) -> list[CallRecord]:
        """Every call in the order in which they ended, or those for one proof."""
        where, values = ("", ()) if proof is None else (" where proof = ?", (proof,))
        return [_call(row) for row in self._connection.execute(f"{_SELECT_CALLS}{where} order by id", values)]

    def reply_to(self, key: str) -> CallRecord | None:
        """Give the first call with this key to which a reply came."""
        row = self._connection.execute(f"{_SELECT_CALLS} where key = ? and reply is not null order by id limit 1", (key,)).fetchone()
        return _call(row) if row else None

    def last_call(self, key: str) -> CallRecord | None:
        """Give the last call with this key, whatever became of it."""
        row = self._connection.execute(f"{_SELECT_CALLS} where key = ? order by id desc limit 1", (key,)).fetchone()
        return _call(row) if row else None

    def spending(self) -> dict[str, Spending]:
        """What the calls for each proof consumed together."""
        spent: dict[str, Spending] = {}
        made = self._connection.execute(
            "select proof, input_tokens + output_tokens, price from calls where outcome != ?", (CallOutcome.NOT_MADE.value,)
        )
        for proof, tokens, price in made:
            spent[proof] = spent.get(proof, Spending()) + Spending(1, tokens, Decimal(price))
        return spent

    # What was stored

    def store(self, content: bytes) -> str:
        """Keep an artefact; equal ones are kept once. Returns its digest (hex, SHA-256)."""
        digest = hashlib.sha256(content).hexdigest()
        with self._connection:
            self._connection.execute("insert or ignore into artefacts values (?, ?)", (digest, content))
        return digest

    def artefact(self, digest: str) -> bytes | None:
        """Give a stored artefact."""
        row = self._connection.execute("select content from artefacts where digest = ?", (digest,)).fetchone()
        return bytes(row[0]) if row else None

    def store_elaboration(self, key: str, document: str) -> None:
        """Keep what Lean said about the text that ``key`` stands for; the first answer stays."""
        with self._connection:
            self._connection.execute("insert or ignore into elaborations values (?, ?)", (key, document))

    def elaboration(self, key: str) -> str | None:
        """Give what Lean said about a text before."""
        row = self._connection.execute("select document from elaborations where key = ?", (key,)).fetchone()
        return row[0] if row else None

    # Finished items

    def finish(self, item: str, document: str, artefacts: Iterable[bytes] = ()) -> None:
        """Keep the result of an item together with its artefacts, in one transaction; a result that was there is replaced."""
        contents = {hashlib.sha256(content).hexdigest(): content for content in artefacts}
        with self._connection:
            self._connection.executemany("insert or ignore into artefacts values (?, ?)", list(contents.items()))
            self._connection.execute("insert or replace into items values (?, ?, ?)", (item, document, json.dumps(list(contents))))

    def finished(self, item: str) -> str | None:
        """Give the result of an item; None where it is not finished."""
        row = self._connection.execute("select document from items where item = ?", (item,)).fetchone()
        return row[0] if row else None

    def finished_items(self) -> list[str]:
        """Every finished item, in the order in which they were finished."""
        return [item for (item,) in self._connection.execute("select item from items order by rowid")]

    def artefacts_of(self, item: str) -> list[str]:
        """Digests of the artefacts of a finished item."""
        row = self._connection.execute("select artefacts from items where item = ?", (item,)).fetchone()
        return json.loads(row[0]) if row else []


def _connect(name: str, *, read_only: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(name, uri=read_only, timeout=30, check_same_thread=False)
    try:
        _prepare(connection, name, read_only=read_only)
    except sqlite3.Error as error:
        with suppress(sqlite3.Error):
            connection.close()
        raise InputError(f"cannot be read as a ledger: {error}", source=name) from None
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, name: str, *, read_only: bool) -> None:
    (version,) = connection.execute("pragma user_version").fetchone()
    if version not in ((_VERSION,) if read_only else (0, _VERSION)):
        raise InputError(f"the ledger has the form {version}, and this program reads {_VERSION}", source=name)
    if not read_only:
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        connection.executescript(f"begin immediate; {_TABLES} pragma user_version = {_VERSION}; commit")


def _call(row: tuple[Any, ...]) -> CallRecord:
    found: dict[str, Any] = dict(zip(_COLUMNS, row, strict=True))
    found["outcome"] = CallOutcome(found["outcome"])
    found["price"] = Decimal(found["price"])
    found["presumed"] = bool(found["presumed"])
    return CallRecord(**found)
