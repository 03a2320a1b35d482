"""``fidelean formalize``, with recorded replies that are written by hand for this repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_runs import RunCommand
from judge_replies import reply, slot

SENTENCE = "For every integer $x$, $x + 0 = x$."
GOOD = "theorem t (x : Int) : x + 0 = x := by sorry\n"
FAITHFUL = reply(slot("premise", "claim", "integer $x$", "L1"), slot("conclusion", "claim", "$x + 0 = x$", "L2"))


def recording(folder: Path) -> str:
    actions = [{"action": "write_file", "text": GOOD}, {"action": "compile"}, {"action": "finish", "faithful": True}]
    entries: list[dict[str, object]] = [{"recording": 1, "author": "written by hand for this repository"}]
    entries += [{"stage": "formalize", "about": [f"round {at} of"], "reply": action} for at, action in enumerate(actions, 1)]
    entries += [{"stage": "judge", "sample": sample, "about": [], "reply": json.loads(FAITHFUL.model_dump_json())} for sample in (0, 1)]
    file = folder / "replies.jsonl"
    file.write_text("\n".join(json.dumps(entry) for entry in entries))
    return f"replay:{file}"


def test_without_lean_nothing_is_admitted_and_the_exit_code_says_so(run_command: RunCommand, tmp_path: Path) -> None:
    done = run_command("formalize", SENTENCE, "--tools", "010", "--engine", "none", "--model", recording(tmp_path), "--max-steps", "2")
    assert done.returncode == 1
    assert "not admitted" in done.stdout
    assert "was not compiled" in done.stdout


@pytest.mark.live
def test_a_recorded_run_is_replayed_byte_for_byte(run_command: RunCommand, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"id": "BC1", "domain": "Algebra", "nl_statement": SENTENCE}) + "\n")
    common = ("--tools", "010", "--format", "json", "--quiet")
    first = run_command(
        "formalize", rows, *common, "--model", recording(tmp_path), "--run", tmp_path / "run", "--trajectory", tmp_path / "first.jsonl"
    )
    assert first.returncode == 0, first.stderr
    again = run_command("formalize", rows, *common, "--model", f"replay:{tmp_path / 'run'}", "--trajectory", tmp_path / "again.jsonl")
    assert again.stdout == first.stdout
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "first.jsonl").read_bytes()
    found = json.loads(first.stdout)
    assert (found["id"], found["admitted"], found["lean"]) == ("BC1", True, GOOD)


@pytest.mark.parametrize(("given", "text"), [("missing.jsonl", ""), ("-", " "), ("", "")])
def test_what_is_no_statement_is_bad_input(run_command: RunCommand, given: str, text: str) -> None:
    done = run_command("formalize", given, "--model", "exchange:inbox", "--tools", "000", text=text)
    assert done.returncode == 2


def test_a_line_without_a_statement_is_named(run_command: RunCommand, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"statement": "a"}\n{"other": 1}\n')
    done = run_command("formalize", tmp_path / "a.jsonl", "--tools", "000")
    assert (done.returncode, "line 2" in done.stderr) == (2, True)


def test_a_model_that_does_not_reply_is_failed_machinery(run_command: RunCommand, tmp_path: Path) -> None:
    model = recording(tmp_path)
    done = run_command("formalize", "Another one.", "--tools", "000", "--engine", "none", "--model", model, "--max-steps", "3")
    assert done.returncode == 3
    assert "got no reply" in done.stderr


def test_a_tool_set_that_is_none_is_said(run_command: RunCommand) -> None:
    done = run_command("formalize", SENTENCE, "--tools", "12")
    assert (done.returncode, "three digits" in done.stderr) == (2, True)


def test_without_an_index_search_is_failed_machinery(run_command: RunCommand, tmp_path: Path) -> None:
    done = run_command("formalize", SENTENCE, "--tools", "001", "--index", tmp_path / "none", "--model", recording(tmp_path))
    assert (done.returncode, "library build" in done.stderr) == (3, True)
