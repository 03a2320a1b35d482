"""``fidelean evaluate --format html`` from outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import RunCommand

SLIP = '{"id": "slip", "problem": "p", "steps": ["We have $3 + 4 = 7$.", "Hence $7 \\\\cdot 9 = 64$.", "Also $1 + 1 = 3$."]}'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FIDELEAN_CACHE", str(tmp_path / "empty"))
    (tmp_path / "slip.jsonl").write_text(SLIP)
    return tmp_path


def test_a_page_is_written_whole_with_what_failed(run_command: RunCommand, folder: Path) -> None:
    done = run_command("evaluate", "slip.jsonl", "missing.md", "--engine", "none", "--format", "html", "--out", "report.html", "--quiet")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert (done.returncode, done.stdout) == (2, "")
    assert page.startswith("<!DOCTYPE html>\n")
    assert page.endswith("</html>\n")
    assert "First broken step: 2" in page
    assert 'id="step-3"' in page
    assert "missing.md: cannot be read" in page
    assert "States and inferences" in page


def test_the_page_goes_to_standard_output_and_the_exit_code_is_the_verdicts(run_command: RunCommand, folder: Path) -> None:
    done = run_command("evaluate", "slip.jsonl", "--engine", "none", "--format", "html")
    again = run_command("evaluate", "slip.jsonl", "--engine", "none", "--format", "html")
    assert done.returncode == 1
    assert done.stdout.startswith("<!DOCTYPE html>\n")
    assert done.stdout == again.stdout


def test_text_and_json_name_later_independent_errors(run_command: RunCommand, folder: Path) -> None:
    text = run_command("evaluate", "slip.jsonl", "--engine", "none").stdout
    assert text.splitlines()[-2:] == ["later independent error: step 3", "first broken step: 2 (refuted: exact arithmetic)"]
    assert '"later_errors":[3]' in run_command("evaluate", "slip.jsonl", "--engine", "none", "--format", "json").stdout
