"""The guard lets ordinary texts through, says where and why it refuses, and never runs long."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.lean.declarations import statement_of
from fidelean.lean.guard import normalise, screen
from fidelean.lean.records import Position, RefusalKind
from fidelean.lean.vocabulary import ALLOWED_COMMANDS, FORBIDDEN_COMMANDS, FORBIDDEN_WORDS

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "theorem t (n : Nat) : n = n := rfl"
WORDS = st.sampled_from(
    [
        *sorted(ALLOWED_COMMANDS),
        "in",
        "by",
        ":=",
        ":",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "⟨",
        "⟩",
        "Nat",
        "LE",
        "x",
        "1",
        "sorry",
        "@[",
        "simp",
        "|",
        "where",
        "let",
        "deriving",
        "config",
        ",",
        "\n",
        "/-- d -/",
        "end a",
        "namespace a",
        "import A.B",
        "fun",
        "=>",
        "instNat",
        "→",
    ]
)


def refused(text: str) -> set[RefusalKind]:
    return {refusal.kind for refusal in screen(text).refusals}


@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join)))
def test_any_text_is_screened(text: str) -> None:
    screening = screen(normalise(text))
    lines = normalise(text).count("\n") + 1
    assert all(1 <= refusal.position.line <= lines and refusal.detail for refusal in screening.refusals)


@given(st.lists(WORDS).map(" ".join))
def test_what_passes_has_closed_scopes(text: str) -> None:
    screening = screen(text)
    if not screening.refusals:
        words = [command.keyword for command in screening.commands]
        assert words.count("end") == words.count("namespace") + words.count("section")


@pytest.mark.parametrize("word", sorted(FORBIDDEN_COMMANDS))
def test_no_other_command_passes(word: str) -> None:
    assert refused(f"{GOOD}\n{word} x := y")
    assert refused(f"{GOOD} {word} x")


@pytest.mark.parametrize("word", sorted(FORBIDDEN_WORDS))
def test_no_such_word_passes_in_any_place(word: str) -> None:
    assert RefusalKind.WORD in refused(f"theorem t : p := by {word}")
    assert RefusalKind.WORD in refused(f"theorem t : p := Lean.{word} x")


def test_a_refusal_names_the_line_and_the_word() -> None:
    (refusal,) = screen(f"{GOOD}\n\ntheorem u : p := by\n  native_decide").refusals
    assert (refusal.kind, refusal.position) == (RefusalKind.WORD, Position(4, 2))
    assert "native_decide" in refusal.detail


def test_line_ends_and_byte_order_mark_are_no_reason_to_refuse() -> None:
    assert not screen(normalise("\ufeff" + GOOD + "\r\n-- done\r\n")).refusals


def test_imports_stand_at_the_head() -> None:
    screening = screen(f"-- first\nimport Std\nimport Init.Data.Nat import Std\n{GOOD}")
    assert screening.refusals == ()
    assert screening.imports == ("Std", "Init.Data.Nat")
    assert screening.import_positions == (Position(2, 7), Position(3, 7))
    assert RefusalKind.IMPORT in refused(f"{GOOD}\nimport Std")


def test_a_long_text_is_refused_unread() -> None:
    assert refused("-" * 200_001) == {RefusalKind.TOO_LONG}


@pytest.mark.parametrize(
    "unit",
    [
        "/- ",
        "(",
        "Nat ",
        "(Nat ",
        "LE ",
        "[x : LE ",
        "@[",
        "@[simp",
        "private ",
        "open a in ",
        "open a ",
        "config:=",
        "config:={a:=1,",
        "let ",
        "have : ",
        "deriving ",
        "deriving Repr,",
        "a.",
        "r#",
        "'",
        "variable [",
        "theorem ",
        "end ",
        "namespace a ",
        "set_option a ",
        "fun ",
        "| ",
        "import A ",
    ],
)
@pytest.mark.slow
def test_no_text_takes_long(unit: str) -> None:
    text = (unit * 200_000)[:200_000]
    for prefix in ("", "theorem t : ", "def t : "):
        started = time.process_time()
        screen(prefix + text)
        assert time.process_time() - started < 5.0


def test_obligations_pass(shared: Path) -> None:
    for line in (shared / "acceptance" / "obligations.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        proof = row["how"] if row["how"].startswith("by") else "by sorry"
        assert screen(f"theorem t {row['signature']} := {proof}").refusals == (), row["id"]


def test_a_statement_is_read() -> None:
    text = "open Nat in\ntheorem a.b {n : Nat}\n    (h : let m : Nat := n; m < 2) : n ≤ 1 := by sorry"
    statement = statement_of(text)
    assert statement is not None
    assert (statement.name, statement.signature) == ("a.b", "{n : Nat}\n    (h : let m : Nat := n; m < 2) : n ≤ 1")
    assert statement_of("def a := 1") is None
