from __future__ import annotations

import json
from pathlib import Path
from typing import Self

import pytest
import typer
from typer.testing import CliRunner

from fidelean.cli.equivalent import register
from fidelean.errors import InputError
from lean_room import embedded
from proving.engines import ScriptedEngine

RUNNER = CliRunner()
APP = typer.Typer()
register(APP)


class _Engine(ScriptedEngine):
    """Lean as a test wants it: statements elaborate, implications are proved, no statement is proved by itself."""

    def __init__(self, **_: object) -> None:
        super().__init__(lambda text: "sorry" in text or "given :" in text or "claim_fails" in text)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    def prestart(self) -> None:
        return None


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fidelean.lean.embedded.EmbeddedEngine", _Engine)


def files(folder: Path, first: str, second: str) -> list[str]:
    for name, text in (("A.lean", first), ("B.lean", second)):
        (folder / name).write_text(text, encoding="utf-8")
    return [str(folder / "A.lean"), str(folder / "B.lean")]


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize(
    ("first", "second", "code", "words"),
    [
        (
            "theorem a (x : Int) : x = x + 0 := by sorry",
            "-- why\ntheorem b (x : Int)\n  : x = x + 0 := sorry",
            0,
            "certified: they are the same",
        ),
        (
            "theorem a (x : Rat) (h : x = 1) : x = 2 := by sorry",
            "theorem b (t : Rat) : t = 1 → t = 2 := by sorry",
            0,
            "certified: each implies",
        ),
        (
            "theorem a (x : Rat) : x ^ 2 = 4 := by sorry",
            "theorem b (x : Rat) : x = 2 := by sorry",
            1,
            "refuted: the first holds and the second",
        ),
        (
            "def c : Nat := 5\ntheorem a : c = 5 := by sorry",
            "def c : Nat := 6\ntheorem a : c = 5 := by sorry",
            0,
            "inconclusive (not_read): what stands before",
        ),
    ],
)
def test_two_statements_get_one_answer(tmp_path: Path, first: str, second: str, code: int, words: str) -> None:
    result = RUNNER.invoke(APP, files(tmp_path, first, second))
    assert (result.exit_code, result.stdout[: len(words)]) == (code, words)


@pytest.mark.usefixtures("scripted")
def test_json_says_which_direction_is_shown_by_what(tmp_path: Path) -> None:
    pair = files(tmp_path, "theorem a (x : Rat) : x ^ 2 = 4 := by sorry", "theorem b (x : Rat) : x = 2 := by sorry")
    document = json.loads(RUNNER.invoke(APP, [*pair, "--format", "json"]).stdout)
    assert (document["version"], document["outcome"], document["pointwise"]) == (1, "refuted", True)
    assert document["directions"][0]["witness"] == {"x": "(-2)"}


@pytest.mark.usefixtures("scripted")
def test_a_proof_is_no_statement(tmp_path: Path) -> None:
    pair = files(tmp_path, "theorem a : 1 = 1 := by rfl", "theorem b : 1 = 1 := by sorry")
    assert isinstance(RUNNER.invoke(APP, pair).exception, InputError)


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_true_statements_are_said_to_hold_by_themselves(tmp_path: Path) -> None:
    with embedded():
        pair = files(tmp_path, "theorem a (x : Int) : x + 0 = x := by sorry", "theorem b (x : Int) : x < x + 1 := by sorry")
        result = RUNNER.invoke(APP, pair)
    assert result.exit_code == 0
    assert "note: each is proved by itself" in result.stdout
