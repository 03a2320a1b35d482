"""``fidelean check`` from outside."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from cli_runs import RunCommand


@pytest.fixture
def run(run_command: RunCommand) -> RunCommand:
    return partial(run_command, "check")


@pytest.mark.parametrize(
    ("arguments", "code", "outcomes"),
    [
        (["3+4=7"], 0, ["passed"]),
        (["9·25 = 235"], 1, ["refuted"]),
        (["x = 2"], 0, ["inconclusive"]),
        (["3+4=7", "9·25 = 235", "x = 2"], 1, ["passed", "refuted", "inconclusive"]),
        (["-3 = 4 - 7"], 0, ["passed"]),
        (["--", "-3 = 4 - 7"], 0, ["passed"]),
    ],
)
def test_claims_on_the_command_line(run: RunCommand, arguments: list[str], code: int, outcomes: list[str]) -> None:
    done = run("--format", "json", *arguments)
    assert done.returncode == code, done.stderr
    assert [json.loads(line)["outcome"] for line in done.stdout.splitlines()] == outcomes


def test_a_claim_is_answered_with_its_exact_values(run: RunCommand) -> None:
    document = json.loads(run("--format", "json", "\\frac{1}{3} + 1 = 1.5").stdout)
    assert {key: document[key] for key in ("claim", "outcome", "reason", "values")} == {
        "claim": "\\frac{1}{3} + 1 = 1.5",
        "outcome": "refuted",
        "reason": None,
        "values": ["4/3", "3/2"],
    }


def test_a_line_for_every_line_and_bad_ones_lose_nothing(run: RunCommand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "claims.jsonl").write_text('{"claim": "1+1=2"}\n\n{"klaim": ""}\noops\n{"claim": "1+1=3", "outcome": "ignored"}\n')
    done = run("--from", "claims.jsonl", "--format", "json")
    assert done.returncode == 2
    assert [json.loads(line)["claim"] for line in done.stdout.splitlines()] == ["1+1=2", "1+1=3"]
    assert done.stderr.splitlines() == [
        'fidelean: claims.jsonl:3: is not an object with a string under "claim"',
        "fidelean: claims.jsonl:4: is not JSON at column 1: Expecting value",
    ]


def test_steps_name_their_refuted_claims_as_written(run: RunCommand) -> None:
    step = "So $2+2=5$, and $2+2=4$, and $x=1$."
    done = run("--steps", "--from", "-", "--format", "json", text=json.dumps({"step": step}))
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert (document["step"], document["refuted"]) == (step, ["2+2=5"])
    assert [(claim["outcome"], step[slice(*claim["span"])]) for claim in document["claims"]] == [
        ("refuted", "2+2=5"),
        ("passed", "2+2=4"),
        ("inconclusive", "x=1"),
    ]


def test_text_for_a_reader(run: RunCommand) -> None:
    assert run("9·25 = 235").stdout.splitlines() == ["✗ 9·25 = 235  9·25 is 225, not 235", "    values: 225, 235"]
    assert run("--steps", "So $2+2=5$ holds.").stdout.splitlines()[0] == "So $2+2=5$ holds."


@pytest.mark.parametrize(
    "arguments",
    [[], ["--formt", "json", "1=1"], ["-x"], ["1=1", "--from", "-"], ["--from", "missing.jsonl"], ["--format", "xml", "1=1"]],
)
def test_bad_usage_is_2(run: RunCommand, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_every_acceptance_line_gets_an_answer_in_order(run: RunCommand, shared: Path) -> None:
    for name, key, more in (("arithmetic_claims.jsonl", "claim", []), ("steps.jsonl", "step", ["--steps"])):
        path = shared / "acceptance" / name
        given = [json.loads(line)[key] for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
        done = run(*more, "--from", str(path), "--format", "json")
        assert done.returncode in (0, 1), done.stderr
        assert [json.loads(line)[key] for line in done.stdout.splitlines()] == given
