from __future__ import annotations

import json
from pathlib import Path
from typing import Self

import pytest
from typer.testing import CliRunner

from fidelean.cli.app import app
from fidelean.errors import EngineUnavailable, UsageError
from proving.engines import ScriptedEngine

RUNNER = CliRunner()


class _Engine(ScriptedEngine):
    def __init__(self, **_: object) -> None:
        super().__init__(lambda text: "claim_fails" in text or "2 + 2 = 4" in text)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    def prestart(self) -> None:
        return None


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fidelean.lean.embedded.EmbeddedEngine", _Engine)


@pytest.mark.usefixtures("scripted")
def test_each_line_is_answered_by_a_line(tmp_path: Path) -> None:
    source = tmp_path / "obligations.jsonl"
    source.write_text('{"id": "false", "signature": "(x : Rat) : x = 1"}\n\n{"signature": ": 2 + 2 = 4"}\n', encoding="utf-8")
    result = RUNNER.invoke(app, ["prove", "--from", str(source), "--format", "json", "--ledger", str(tmp_path / "ledger.jsonl")])
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert [(row["id"], row["outcome"], row["reason"]) for row in rows] == [("false", "refuted", None), ("3", "passed", None)]
    assert {row["version"] for row in rows} == {1}
    assert rows[0]["witness"] == {"x": "0"}
    assert "theorem claim_fails" in rows[0]["script"]
    assert len((tmp_path / "ledger.jsonl").read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.usefixtures("scripted")
def test_a_signature_on_the_command_line_is_answered_for_a_reader() -> None:
    result = RUNNER.invoke(app, ["prove", ": 2 + 2 = 4"])
    assert result.exit_code == 0
    assert result.stdout.startswith("1: passed: kernel-checked, closed by decide")
    assert "    theorem claim : 2 + 2 = 4" in result.stdout


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"id": "a"}', '{"signature": 3}', '{"signature": "\\ud800"}'])
def test_a_line_that_is_no_obligation_is_an_input_error_and_the_rest_goes_on(tmp_path: Path, line: str) -> None:
    source = tmp_path / "obligations.jsonl"
    source.write_text(f'{line}\n{{"signature": ": 2 + 2 = 4"}}\n', encoding="utf-8")
    result = RUNNER.invoke(app, ["prove", "--from", str(source)])
    assert result.exit_code == 2
    assert "2: passed" in result.stdout
    assert f"{source}:1: " in result.stderr


def test_a_missing_engine_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(**_: object) -> None:
        raise EngineUnavailable("there is none")

    monkeypatch.setattr("fidelean.lean.embedded.EmbeddedEngine", missing)
    result = RUNNER.invoke(app, ["prove", ": 2 + 2 = 4"])
    assert isinstance(result.exception, EngineUnavailable)
    assert result.exception.exit_code == 3


@pytest.mark.parametrize("arguments", [["prove"], ["prove", ": 1 = 1", "--from", "-"]])
def test_signatures_come_from_one_place(arguments: list[str]) -> None:
    result = RUNNER.invoke(app, arguments)
    assert isinstance(result.exception, UsageError)
    assert result.exception.exit_code == 2
