"""``fidelean evaluate`` from outside: exit codes, outputs, and bad input that loses nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from cli_runs import RunCommand
from fidelean import Policy, Proof, ProofVerdict
from fidelean.pipelines.evaluate_proof import evaluate_many
from fidelean.pipelines.systems import System

GOOD = '{"id": "good", "problem": "p", "steps": ["We have $3 + 4 = 7$."]}'
SLIP = '{"id": "slip", "problem": "p", "steps": ["We have $3 + 4 = 7$.", "Hence $7 \\\\cdot 9 = 64$.", "So it is."]}'


COMMAND = [str(Path(sys.executable).with_name("fidelean")), "evaluate", "--engine", "none"]


def run_process(*arguments: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, cwd=folder, env=os.environ | environment)


@pytest.fixture
def run(run_command: RunCommand) -> RunCommand:
    return partial(run_command, "evaluate", "--engine", "none")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.jsonl").write_text(GOOD)
    (tmp_path / "slip.jsonl").write_text(SLIP)
    (tmp_path / "bad.jsonl").write_text(f"{GOOD}\n{{oops\n{SLIP}\n")
    (tmp_path / "steps.md").write_text("1. We have $3 + 4 = 7$.\n2. Hence $7 \\cdot 9 = 64$.\n")
    (tmp_path / "problem.txt").write_text("How much?\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "names"),
    [
        (["good.jsonl"], 0, ["good"]),
        (["slip.jsonl"], 1, ["slip"]),
        (["good.jsonl", "slip.jsonl"], 1, ["good", "slip"]),
        (["bad.jsonl"], 2, ["good", "slip"]),
        (["slip.jsonl", "missing.md", "good.jsonl"], 2, ["slip", "good"]),
        (["steps.md", "good.jsonl"], 2, ["good"]),
        (["steps.md", "--problem", "problem.txt"], 1, ["steps"]),
        (["steps.md", "--problem", ""], 1, ["steps"]),
        (["."], 2, []),
    ],
)
def test_exit_codes_where_bad_input_loses_nothing(run: RunCommand, folder: Path, arguments: list[str], code: int, names: list[str]) -> None:
    done = run(*arguments, "--format", "json")
    assert done.returncode == code, done.stderr
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == names
    assert bool(done.stderr) == (code == 2)
    assert all(line.startswith("fidelean: ") for line in done.stderr.splitlines())


def test_every_fault_takes_one_line_with_its_place(run: RunCommand, folder: Path) -> None:
    done = run("bad.jsonl", "missing.md", "steps.md")
    assert done.stderr.splitlines() == [
        "fidelean: bad.jsonl:2: is not JSON at column 2: Expecting property name enclosed in double quotes",
        "fidelean: missing.md: cannot be read: No such file or directory",
        'fidelean: steps.md: no problem: put it under a heading "Problem", or give it with --problem FILE (--problem "" for none)',
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--format", "xml", "good.jsonl"],
        ["--no-such", "good.jsonl"],
        ["-", "-"],
        ["good.jsonl", "--problem", "missing"],
        ["good.jsonl", "--out", "no/x"],
    ],
)
def test_bad_usage_is_2_and_prints_no_result(run: RunCommand, folder: Path, arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "option",
    [["--model", "replay:x"], ["--config", "x.toml"], ["--run", "x"], ["--max-usd", "1"], ["--max-tokens", "1"], ["--concurrency", "2"]],
)
def test_the_system_without_models_takes_no_option_that_it_would_ignore(run: RunCommand, folder: Path, option: list[str]) -> None:
    done = run("good.jsonl", *option)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the system rules asks no model" in done.stderr


def test_json_names_the_step_the_place_and_the_values(run: RunCommand, folder: Path) -> None:
    document = json.loads(run("steps.md", "--problem", "", "--format", "json").stdout)
    assert (document["version"], document["source"], document["first_error"], document["unresolved_steps"]) == (1, "steps.md", 2, [])
    (evidence,) = document["steps"][1]["evidence"]
    assert (evidence["claim"], evidence["values"], evidence["line"]) == ("7 \\cdot 9 = 64", ["63", "64"], 2)
    start, end = evidence["span"]
    assert "Hence $7 \\cdot 9 = 64$."[start:end] == evidence["claim"]


def test_standard_input_is_read_as_what_it_looks_like(run: RunCommand, folder: Path) -> None:
    assert run("-", text=SLIP).returncode == 1
    assert run("-", text=f"{GOOD}\n{SLIP}").stdout.splitlines()[-1] == "first broken step: 2 (refuted: exact arithmetic)"
    done = run("-", text="# Problem\nP\n# Proof\n1. $2+2=4$\n")
    assert done.returncode == 0
    assert done.stdout.startswith("stdin (-), 1 step\n")


def test_out_is_whole_or_not_there(run: RunCommand, folder: Path) -> None:
    out = folder / "out.json"
    out.write_text("old")
    out.chmod(0o640)
    done = run("slip.jsonl", "missing.md", "--format", "json", "--out", out)
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(out.read_text())["id"] == "slip"
    assert out.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in folder.iterdir() if path.name.startswith(".")) == []


def test_out_may_be_a_device_and_a_link_stays_one(run: RunCommand, folder: Path) -> None:
    assert run("slip.jsonl", "--out", os.devnull).returncode == 1
    assert not Path(os.devnull).is_file()
    (folder / "link").symlink_to("target.txt")
    run("slip.jsonl", "--out", "link")
    assert (folder / "link").is_symlink()
    assert (folder / "target.txt").read_text().endswith("first broken step: 2 (refuted: exact arithmetic)\n")


def test_a_file_gets_no_colours_whatever_is_forced(folder: Path) -> None:
    for arguments in ([], ["--out", "report.txt"]):
        done = run_process("slip.jsonl", *arguments, folder=folder, FORCE_COLOR="1", TERM="xterm-256color", TTY_COMPATIBLE="1")
        assert "\x1b" not in done.stdout
    assert "\x1b" not in (folder / "report.txt").read_text()


def test_a_reader_with_another_encoding_breaks_nothing(folder: Path) -> None:
    done = run_process("slip.jsonl", folder=folder, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert done.returncode == 1
    assert "\\u2717" in done.stdout
    (folder / "wide.jsonl").write_text('{"id": "数", "problem": "p", "steps": ["So $2+2=5$ 数"]}', encoding="utf-8")
    done = run_process("wide.jsonl", "--format", "json", folder=folder, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert json.loads(done.stdout)["id"] == "数"


def test_a_broken_pipe_is_quiet(folder: Path) -> None:
    (folder / "many.jsonl").write_text("\n".join([SLIP] * 3_000))
    command = [*COMMAND, "many.jsonl", "--format", "json"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["id"] == "slip"
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=20) == 141


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_leaves_nothing_half(folder: Path, number: signal.Signals, code: int) -> None:
    command = [*COMMAND, "good.jsonl", "-", "--out", "out.txt"]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        started = time.monotonic()
        while not list(folder.glob(".out.txt.*")) and time.monotonic() - started < 20:
            time.sleep(0.02)
        time.sleep(0.2)
        process.send_signal(number)
        assert process.wait(timeout=20) == code
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert list(folder.glob("*out.txt*")) == []


def test_without_lean_arithmetic_decides_all_the_same(run: RunCommand, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIDELEAN_CACHE", str(folder / "empty"))
    done = run("slip.jsonl", "good.jsonl", "--engine", "embedded", "--format", "json")
    assert (done.returncode, done.stderr) == (1, "")
    assert [json.loads(line)["first_error"] for line in done.stdout.splitlines()] == [2, None]


def test_a_fault_of_ours_is_3_and_loses_no_other_proof(run: RunCommand, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def failing(proofs: Sequence[Proof], system: System, policy: Policy) -> list[ProofVerdict]:
        if any(proof.id == "good" for proof in proofs):
            raise RuntimeError("no such luck")
        return await evaluate_many(proofs, system, policy)

    monkeypatch.setattr("fidelean.pipelines.evaluate_proof.evaluate_many", failing)
    done = run("good.jsonl", "slip.jsonl", "--format", "json")
    assert done.returncode == 3
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["slip"]
    assert done.stderr.splitlines()[-1] == "fidelean: good.jsonl: good was not evaluated: RuntimeError: no such luck"
    assert run("good.jsonl", "missing.md").returncode == 2, "bad input comes first"


def test_the_examples_say_what_they_are_for(run: RunCommand, project: Path) -> None:
    examples = [project / "examples" / name for name in ("sound.md", "slip.md", "identity.md", "remark.md", "gauss.tex")]
    done = run(*examples, "--format", "json")
    documents = {document["id"]: document for document in map(json.loads, done.stdout.splitlines())}
    assert {name: document["first_error"] for name, document in documents.items()} == {
        "sound": None,
        "slip": 3,
        "identity": None,
        "remark": None,
        "gauss": 4,
    }
    assert [step["status"] for step in documents["sound"]["steps"]] == ["supported"] * 5
    assert documents["remark"]["steps"][0]["status"] == "refuted_remark"
    assert documents["identity"]["unresolved_steps"] == [1, 2]
