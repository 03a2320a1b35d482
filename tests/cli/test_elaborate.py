"""``fidelean elaborate``, ``doctor`` and ``lean``: what they print and how they exit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Self

import pytest
from typer.testing import CliRunner

from fidelean.cli.app import app
from fidelean.errors import EngineUnavailable, InputError
from fidelean.lean import embedded
from fidelean.lean.records import Diagnostic, Elaboration, Position, Severity, Status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from fidelean.lean.records import LeanSource

GOOD = "theorem t (n : Nat) : n = n := rfl\n"


class ScriptedEngine:
    """Answers by what the text holds."""

    def __init__(self, **_: object) -> None:
        self.closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True

    def elaborate_now(self, sources: Sequence[LeanSource]) -> list[Elaboration]:
        return [self._answer(source.text) for source in sources]

    @staticmethod
    def _answer(text: str) -> Elaboration:
        if "absent" in text:
            return Elaboration(Status.UNAVAILABLE, detail="no Lean")
        if "wrong" in text:
            said = Diagnostic(Severity.ERROR, Position(1, 3), None, "bad \x1b[31m ℝ\nmore", "kind")
            return Elaboration(Status.ERRORS, (said,), seconds=0.25, engine="scripted")
        sorries = (Position(1, 8),) if "sorry" in text else ()
        return Elaboration(Status.OK, sorries=sorries, seconds=0.25, peak_memory_mb=1.0, engine="scripted")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "EmbeddedEngine", ScriptedEngine)


def run(*arguments: str, text: str = "") -> tuple[int, str, BaseException | None]:
    result = CliRunner().invoke(app, list(arguments), input=text)
    return result.exit_code, result.stdout, result.exception


def records(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.usefixtures("scripted")
def test_one_line_of_json_per_file(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.lean", "b.lean", "c.lean")]
    for file, text in zip(files, (GOOD, "theorem wrong : 1 = 2 := rfl", "axiom a : False\n" + GOOD), strict=True):
        file.write_text(text, encoding="utf-8")
    code, output, _ = run("elaborate", *map(str, files), "--as", "proof", "--format", "json")
    good, bad, refused = records(output)
    assert code == 1
    assert (good["file"], good["status"], good["elaborates"], good["sorry_free"], good["axioms"], good["accepted"], good["reasons"]) == (
        str(files[0]), "ok", True, True, None, True, [],
    )  # fmt: skip
    assert bad["diagnostics"] == [{"severity": "error", "line": 1, "column": 3, "message": "bad \x1b[31m ℝ\nmore", "kind": "kind"}]
    assert bad["seconds"] == 0.25
    assert refused["accepted"] is False
    assert any("axiom" in reason for reason in refused["reasons"])


@pytest.mark.usefixtures("scripted")
def test_all_accepted_is_zero_and_text_is_safe_to_print() -> None:
    assert run("elaborate", "-", text=GOOD)[0] == 0
    code, output, _ = run("elaborate", "-", text="theorem wrong : 1 = 2 := rfl")
    assert code == 1
    assert "\x1b" not in output
    assert run("elaborate", "-", "--as", "statement", text="theorem t : 1 = 1 := by sorry")[0] == 0
    assert run("elaborate", "-", "--as", "proof", text="theorem t : 1 = 1 := by sorry")[0] == 1


@pytest.mark.usefixtures("scripted")
def test_a_frozen_statement(tmp_path: Path) -> None:
    frozen = tmp_path / "s.lean"
    frozen.write_text("theorem t (n : Nat) : n = n := by sorry", encoding="utf-8")
    assert run("elaborate", "-", "--statement", str(frozen), text=GOOD)[0] == 0
    assert run("elaborate", "-", "--statement", str(frozen), text="theorem t (m : Nat) : m = m := rfl")[0] == 1


@pytest.mark.usefixtures("scripted")
def test_bad_input_and_missing_machinery(tmp_path: Path) -> None:
    assert isinstance(run("elaborate", str(tmp_path / "none.lean"))[2], InputError)
    (tmp_path / "bytes.lean").write_bytes(b"\xff\xfe")
    assert isinstance(run("elaborate", str(tmp_path / "bytes.lean"))[2], InputError)
    assert run("elaborate", "-", text="theorem absent : 1 = 1 := rfl")[0] == 3
    assert run("elaborate", "-", "--as", "nothing", text=GOOD)[0] == 2


def test_without_lean_it_is_said_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIDELEAN_CACHE", str(tmp_path))
    error = run("elaborate", "-", text=GOOD)[2]
    assert isinstance(error, EngineUnavailable)
    assert "fidelean lean install" in str(error)
    assert isinstance(run("lean", "path")[2], EngineUnavailable)
    code, output, _ = run("doctor")
    assert code == 3
    assert "fidelean lean install" in output
    code, output, _ = run("doctor", "--format", "json")
    (report,) = records(output)
    assert (code, report["lean"]["runs"]) == (3, False)
    assert report["python"]


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.timeout(200)
def test_the_doctor_tries_a_real_proof() -> None:
    code, output, _ = run("doctor", "--format", "json")
    (report,) = records(output)
    if "folder" not in report["lean"]:
        pytest.skip(report["lean"]["advice"])
    assert code == 0
    assert report["lean"]["runs"] is True
    assert report["lean"]["lean"].startswith("4.28")
    assert report["lean"]["probe_peak_memory_mb"] > 100
