"""Conditions shown, corrected, and evaluated again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_runs import RunCommand

PROOF = "# Problem\n\nLet $x$ be a natural number with $x^2 = 4$.\n\n# Proof\n\n1. Hence $x = 2$.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "proof.md").write_text(PROOF)
    return tmp_path


def test_conditions_are_listed_as_they_are_dropped(folder: Path, run_command: RunCommand) -> None:
    done = run_command("evaluate", "proof.md", "--show-conditions")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "proof: conditions as read",
        "  problem  given      x: non-negative natural",
        "  problem  given      x^2 = 4",
        "  step 1   concluded  x = 2",
    ]


def test_corrections_are_carried_out_and_said(folder: Path, run_command: RunCommand) -> None:
    (folder / "c.json").write_text(json.dumps([{"drop": "x: non-negative natural"}, {"drop": "y > 0"}, {"add": "$x$ is a real number."}]))
    shown = run_command("evaluate", "proof.md", "--conditions", "c.json", "--show-conditions").stdout
    assert "x: non-negative natural" not in shown
    assert "x: real" in shown
    text = run_command("evaluate", "proof.md", "--conditions", "c.json", "--engine", "none").stdout
    assert "notice: the conditions were corrected by hand\n" in text
    assert 'notice: no condition reads "y > 0": nothing was dropped\n' in text


@pytest.mark.parametrize("text", ["{}", "[{}]", '[{"drop": "a", "add": "b"}]', "no JSON", '[{"step": 1}]'])
def test_what_is_no_list_of_corrections_is_bad_input(folder: Path, run_command: RunCommand, text: str) -> None:
    (folder / "c.json").write_text(text)
    done = run_command("evaluate", "proof.md", "--conditions", "c.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("fidelean: c.json: no list of corrections: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.live
@pytest.mark.slow
def test_a_corrected_condition_changes_the_verdict(folder: Path, run_command: RunCommand) -> None:
    (folder / "proof.md").write_text("# Problem\n\nLet $x$ be a number with $3x = 6$.\n\n# Proof\n\n1. Hence $x = 2$.\n")
    assert run_command("evaluate", "proof.md").returncode == 0
    (folder / "c.json").write_text(json.dumps([{"drop": "3x = 6"}, {"add": "$5x = 11$."}]))
    done = run_command("evaluate", "proof.md", "--conditions", "c.json")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "first broken step: 1 (refuted: Lean kernel)"
    assert "suggestion for step 1: 5x = 11 gives x = 11/5\n" in done.stdout
