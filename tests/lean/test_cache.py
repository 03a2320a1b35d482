"""Stored answers come back as they were; what cannot be relied on is not stored, what cannot be read is no answer."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from fidelean.lean.cache import ElaborationCache
from fidelean.lean.records import Diagnostic, Elaboration, Position, Severity, Status

if TYPE_CHECKING:
    from pathlib import Path

ANSWER = Elaboration(
    Status.ERRORS,
    (Diagnostic(Severity.ERROR, Position(1, 2), None, "ℝ\n\x00", "kind"),),
    sorries=(Position(3, 4),),
    seconds=0.5,
    peak_memory_mb=1.5,
    engine="e",
)


def test_an_answer_comes_back(tmp_path: Path) -> None:
    cache = ElaborationCache(tmp_path / "deep" / "store.sqlite")
    assert cache.get("k") is None
    cache.put("k", ANSWER)
    assert cache.get("k") == ANSWER
    cache.close()
    assert ElaborationCache(tmp_path / "deep" / "store.sqlite").get("k") == ANSWER


@pytest.mark.parametrize("status", [status for status in Status if status not in (Status.OK, Status.ERRORS)])
def test_what_may_come_out_otherwise_is_not_stored(tmp_path: Path, status: Status) -> None:
    cache = ElaborationCache(tmp_path / "store.sqlite")
    cache.put("k", Elaboration(status))
    assert cache.get("k") is None
    cache.close()


@pytest.mark.parametrize("change", ["answer = 'x'", "answer = replace(answer, 'errors', 'ok')", "digest = 'x'", "answer = x'00'"])
def test_a_changed_answer_is_no_answer(tmp_path: Path, change: str) -> None:
    path = tmp_path / "store.sqlite"
    cache = ElaborationCache(path)
    cache.put("k", ANSWER)
    cache.close()
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(f"UPDATE elaborations SET {change}")  # noqa: S608
    connection.close()
    again = ElaborationCache(path)
    assert again.get("k") is None
    again.put("k", ANSWER)
    assert again.get("k") == ANSWER
    again.close()


@pytest.mark.parametrize("content", [b"", b"junk" * 1_000, b"SQLite format 3\x00" + b"\xff" * 4_000])
def test_a_broken_file_is_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(content)
    cache = ElaborationCache(path)
    assert cache.get("k") is None
    cache.put("k", ANSWER)
    assert cache.get("k") == ANSWER
    cache.close()


def test_a_folder_in_its_place_costs_time_but_no_answer(tmp_path: Path) -> None:
    cache = ElaborationCache(tmp_path)
    cache.put("k", ANSWER)
    assert cache.get("k") is None
    cache.close()


def test_keys_depend_on_every_part() -> None:
    keys = {ElaborationCache.key(parts) for parts in (("a", "b"), ("ab", ""), ("a", "b", ""), ('a","b',), ("b", "a"))}
    assert len(keys) == 5
