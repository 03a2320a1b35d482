"""An index of declarations in one SQLite file, which is whole or not there."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from fidelean.errors import InputError, UsageError
from fidelean.lean.library.records import Declaration
from fidelean.lean.library.wording import name_words, text_words

__all__ = ["FORM", "build_index"]

FORM = 1
"""Form of the index, kept in the file."""

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE declarations (id INTEGER PRIMARY KEY, name TEXT, lower TEXT, kind TEXT, module TEXT, line INTEGER, signature TEXT, doc TEXT);
CREATE VIRTUAL TABLE words USING fts5(name, signature, doc, content='', tokenize='porter unicode61');
CREATE VIRTUAL TABLE grams USING fts5(name, content='', tokenize='trigram');
"""
_FINISH = """
CREATE INDEX by_name ON declarations (name);
CREATE INDEX by_lower ON declarations (lower);
CREATE VIRTUAL TABLE temp.gram_terms USING fts5vocab(main, grams, row);
CREATE TABLE gram_counts (term TEXT PRIMARY KEY, n INTEGER) WITHOUT ROWID;
INSERT INTO gram_counts SELECT term, doc FROM temp.gram_terms;
"""
_TELL_EVERY = 10_000


def build_index(declarations: Iterable[Declaration], out: Path, tell: Callable[[int], None] = lambda _: None) -> int:
    """Write the index ``out`` and give the number of declarations; ``tell`` hears how many there are so far.

    Raises ``InputError`` where there are no declarations, ``UsageError`` where ``out`` cannot be written.
    """
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{out.name}.", dir=out.parent)
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}") from None
    os.close(handle)
    part = Path(name)
    try:
        with closing(sqlite3.connect(part)) as connection:
            count = _fill(connection, declarations, tell)
        part.replace(out)
    finally:
        with suppress(OSError):
            part.unlink()
    return count


def _fill(connection: sqlite3.Connection, declarations: Iterable[Declaration], tell: Callable[[int], None]) -> int:
    connection.executescript(_TABLES)
    count = 0
    for batch in _batches(declarations):
        numbered = list(enumerate(batch, count + 1))
        connection.executemany(
            "INSERT INTO declarations VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [(at, d.name, d.name.lower(), d.kind, d.module, d.line, d.signature, d.doc) for at, d in numbered],
        )
        connection.executemany(
            "INSERT INTO words (rowid, name, signature, doc) VALUES (?, ?, ?, ?)",
            [(at, name_words(d.name), text_words(d.signature), text_words(d.doc or "")) for at, d in numbered],
        )
        connection.executemany("INSERT INTO grams (rowid, name) VALUES (?, ?)", [(at, d.name.lower()) for at, d in numbered])
        count += len(batch)
        tell(count)
    if not count:
        raise InputError("holds no declarations")
    connection.commit()
    connection.executescript(_FINISH + f"PRAGMA user_version = {FORM};")
    connection.commit()
    return count


def _batches(declarations: Iterable[Declaration]) -> Iterator[list[Declaration]]:
    batch: list[Declaration] = []
    for one in declarations:
        batch.append(one)
        if len(batch) == _TELL_EVERY:
            yield batch
            batch = []
    if batch:
        yield batch
