"""The ledger: what is written is there, whatever ends the process."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from decimal import Decimal
from pathlib import Path

import pytest

from fidelean.errors import InputError, UsageError
from fidelean.runs.ledger import LEDGER_NAME, Ledger
from fidelean.runs.records import CallOutcome, CallRecord, Spending


def call(key: str = "k", reply: str | None = "said", **changes: object) -> CallRecord:
    fields: dict[str, object] = {
        "key": key, "stage": "review", "prompt_version": "v1", "prompt_digest": "d", "role": "main", "model": "m", "proof": "p",
        "sample": 0, "attempt": 1, "turn": 1, "request": "{}", "outcome": CallOutcome.READ, "reply": reply,
        "input_tokens": 10, "output_tokens": 5, "price": Decimal("0.1"), "presumed": False,
        "seconds": 0.5, "ended": "2026-01-01T00:00:00+00:00",
    }  # fmt: skip
    return CallRecord(**(fields | changes))  # pyright: ignore[reportArgumentType]


def test_a_call_comes_back_as_it_was(tmp_path: Path) -> None:
    whole = call(reply="∀ \x00 𝔸\n", price=Decimal("0.10000000000000000001"), presumed=True, detail="d", answered_by="a", finish="length")
    with Ledger.open(tmp_path / "run") as ledger:
        ledger.record_call(whole)
    with Ledger.read(tmp_path / "run") as ledger:
        assert ledger.calls() == [whole]
        assert ledger.calls(proof="p") == [whole]
        assert ledger.calls(proof="q") == []


def test_the_first_reply_to_a_request_counts() -> None:
    with Ledger.in_memory() as ledger:
        assert ledger.reply_to("k") is None
        ledger.record_call(call(reply=None, outcome=CallOutcome.FAILED))
        assert ledger.reply_to("k") is None
        assert ledger.last_call("k") == call(reply=None, outcome=CallOutcome.FAILED)
        ledger.record_call(call(reply="one"))
        ledger.record_call(call(reply="two"))
        assert ledger.reply_to("k") == call(reply="one")
        assert ledger.reply_to("other") is None


def test_what_was_spent() -> None:
    with Ledger.in_memory() as ledger:
        ledger.record_call(call("a"))
        ledger.record_call(call("b", proof="q"))
        ledger.record_call(call("c", outcome=CallOutcome.FAILED, reply=None))
        ledger.record_call(call("d", outcome=CallOutcome.NOT_MADE, reply=None))
        assert ledger.spending() == {"p": Spending(2, 30, Decimal("0.2")), "q": Spending(1, 15, Decimal("0.1"))}


def test_artefacts_and_elaborations() -> None:
    with Ledger.in_memory() as ledger:
        digest = ledger.store(b"theorem")
        assert ledger.store(b"theorem") == digest
        assert ledger.artefact(digest) == b"theorem"
        assert ledger.artefact("none") is None
        ledger.store_elaboration("text", "first")
        ledger.store_elaboration("text", "second")
        assert ledger.elaboration("text") == "first"
        assert ledger.elaboration("other") is None


def test_a_finished_item_is_whole_or_not_there(tmp_path: Path) -> None:
    def broken() -> object:
        yield b"one"
        raise RuntimeError("the artefacts cannot be made")

    with Ledger.open(tmp_path) as ledger:
        ledger.finish("a", "result", [b"one", b"two", b"one"])
        with pytest.raises(RuntimeError):
            ledger.finish("b", "result", broken())  # pyright: ignore[reportArgumentType]
        assert ledger.finished_items() == ["a"]
        assert (ledger.finished("a"), ledger.finished("b")) == ("result", None)
        assert [ledger.artefact(digest) for digest in ledger.artefacts_of("a")] == [b"one", b"two"]
        ledger.finish("a", "better")
        assert (ledger.finished("a"), ledger.artefacts_of("a"), ledger.artefacts_of("b")) == ("better", [], [])


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    with Ledger.open(tmp_path) as ledger:
        ledger.describe({"system": "full", "input": "abc"})
    with Ledger.open(tmp_path) as ledger:
        ledger.describe({"system": "full", "policy": "p"})
        with pytest.raises(UsageError, match="another run: system was 'full' and is 'graph' now"):
            ledger.describe({"system": "graph"})
        assert ledger.facts() == {"input": "abc", "policy": "p", "system": "full"}


def test_one_process_writes_and_others_read(tmp_path: Path) -> None:
    with Ledger.open(tmp_path) as ledger:
        with pytest.raises(UsageError, match="another run is writing there"):
            Ledger.open(tmp_path)
        ledger.record_call(call())
        with Ledger.read(tmp_path / LEDGER_NAME) as reader:
            assert len(reader.calls()) == 1
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                reader.record_call(call())
    Ledger.open(tmp_path).close()


def test_what_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no ledger"):
        Ledger.read(tmp_path)
    (tmp_path / LEDGER_NAME).write_bytes(b"not a database, whatever its name says" * 100)
    for opened in (Ledger.open, Ledger.read):
        with pytest.raises(InputError, match="cannot be read as a ledger"):
            opened(tmp_path)
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("pragma user_version = 99")
    other.close()
    with pytest.raises(InputError, match="has the form 99"):
        Ledger.read(tmp_path / "other.sqlite")


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf8")
    with pytest.raises(UsageError, match="no run can be kept there"):
        Ledger.open(tmp_path / "file" / "run")


WRITER = """
    import sys
    from decimal import Decimal
    from pathlib import Path
    sys.path.insert(0, sys.argv[2])
    from test_ledger import call
    from fidelean.runs.ledger import Ledger

    ledger = Ledger.open(Path(sys.argv[1]))
    for number in range(1_000_000):
        ledger.record_call(call(str(number)))
        ledger.finish(str(number), "x" * 5_000, [str(number).encode() * 100, b"other"])
        print(number, flush=True)
"""


def test_a_killed_run_loses_nothing_that_had_ended(tmp_path: Path) -> None:
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(tmp_path), str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        said = [int(writer.stdout.readline()) for _ in range(25)]
        os.kill(writer.pid, signal.SIGKILL)
        said += [int(line) for line in writer.stdout if line.strip().isdigit()]
    with Ledger.open(tmp_path) as ledger:
        finished = ledger.finished_items()
        assert finished[: len(said)] == [str(number) for number in said]
        assert len(finished) - len(said) <= 1
        assert len(ledger.calls()) - len(said) <= 2
        assert all(ledger.artefact(digest) for item in finished for digest in ledger.artefacts_of(item))
        ledger.finish("after", "goes on")
