"""``fidelean library`` from the build to the answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from cli_runs import RunCommand

SOURCE = "namespace Nat\n/-- Infinitely many primes. -/\ntheorem primes (n : ℕ) : ∃ p, n ≤ p := x\nend Nat\n"


@pytest.fixture
def index(tmp_path: Path, run_command: RunCommand) -> Path:
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "File.lean").write_text(SOURCE, encoding="utf-8")
    run = run_command("library", "build", tmp_path / "checkout", "--out", tmp_path / "index", "--format", "json")
    assert json.loads(run.stdout)["declarations"] == 1
    return tmp_path / "index"


@pytest.mark.parametrize("asked", [("search", "infinitely primes"), ("show", "Nat.primes"), ("resolve", "primes", "--open", "Nat")])
def test_what_is_found_is_printed_as_json(run_command: RunCommand, index: Path, asked: tuple[str, ...]) -> None:
    run = run_command("library", *asked, "--index", index, "--format", "json")
    row = json.loads(run.stdout)
    assert (run.returncode, row["name"], row["module"], row["line"]) == (0, "Nat.primes", "File", 3)


def test_a_name_that_is_not_there_gets_what_is_near(run_command: RunCommand, index: Path) -> None:
    run = run_command("library", "show", "Nat.prime", "--index", index)
    assert run.returncode == 2
    assert "near: Nat.primes" in run.stderr


def test_without_an_index_the_exit_code_is_3(run_command: RunCommand, tmp_path: Path) -> None:
    run = run_command("library", "search", "primes", "--index", tmp_path / "none")
    assert run.returncode == 3
    assert "library build" in run.stderr
