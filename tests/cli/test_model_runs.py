"""Long runs of ``fidelean evaluate`` with a model, from outside: progress, an end that is clean, going on, and folders of other runs."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import psutil
import pytest

from cli_runs import CommandRun, RunCommand
from fidelean.runs.ledger import Ledger
from fidelean.runs.records import CallOutcome
from llm.faulty_server import FaultyServer, Handling, hanging, said, status
from obliging import obliging_server

pytestmark = pytest.mark.timeout(240)

AT_ONCE = 3
PROOFS = 8
SETTINGS = """
[models]
main = "{name}"
[asking]
concurrency = {at_once}
max_output_tokens = 200
turns = 2
backoff_s = 0.01
[prices."{name}"]
input = 100
output = 100
"""


class Within(Protocol):
    """Runs the command within this process."""

    def __call__(self, *arguments: str, system: str = "full") -> CommandRun: ...


class Runs:
    """Runs of the command in one folder against one server."""

    def __init__(self, folder: Path, server: FaultyServer) -> None:
        self.folder = folder
        self.server = server
        name = f"openai-compatible:tiny@{server.url}"
        (folder / "fidelean.toml").write_text(SETTINGS.format(name=name, at_once=AT_ONCE))
        self.write("many.jsonl", range(PROOFS))

    def write(self, name: str, numbers: Sequence[int]) -> None:
        steps = {number: [f"We have ${number} + 4 = {number + 4}$.", f"Hence $7 + {number} = {6 + number}$."] for number in numbers}
        lines = [json.dumps({"id": f"p{number}", "problem": "How much?", "steps": steps[number]}) for number in numbers]
        (self.folder / name).write_text("\n".join(lines))

    def command(self, *arguments: str, system: str = "full", engine: str = "none") -> list[str]:
        program = str(Path(sys.executable).with_name("fidelean"))
        return [program, "evaluate", "--engine", engine, "--system", system, "--run", "run", "--format", "json", *arguments]

    def run(self, *arguments: str, system: str = "full") -> subprocess.CompletedProcess[str]:
        """Run it in a process of its own, to its end."""
        return subprocess.run(
            self.command(*(arguments or ("many.jsonl",)), system=system), cwd=self.folder, capture_output=True, text=True, check=False
        )

    @contextmanager
    def started(self, **options: object) -> Iterator[subprocess.Popen[bytes]]:
        with subprocess.Popen(self.command("many.jsonl"), cwd=self.folder, **options) as process:  # type: ignore[call-overload]
            try:
                yield process
            finally:
                process.kill()

    @property
    def asked(self) -> int:
        return len(self.server.bodies)

    def wait_until_asked(self, calls: int) -> None:
        until = time.monotonic() + 40
        while self.asked < calls and time.monotonic() < until:
            time.sleep(0.005)
        assert self.asked >= calls

    def answered(self) -> list[str]:
        """Keys of the calls to which a reply is kept."""
        with Ledger.read(self.folder / "run") as ledger:
            return [call.key for call in ledger.calls() if call.reply is not None]


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[Runs]:
    with FaultyServer.running(obliging_server(0.02)) as server:
        yield Runs(tmp_path, server)


def in_one_go(folder: Path) -> tuple[str, int]:
    """What an undisturbed run says, and how many calls it takes."""
    with FaultyServer.running(obliging_server()) as server:
        done = Runs(folder, server).run()
        assert (done.returncode, done.stderr) == (1, "")
        return done.stdout, len(server.bodies)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_ends_cleanly_and_goes_on_where_it_was(
    runs: Runs, tmp_path_factory: pytest.TempPathFactory, number: signal.Signals, code: int
) -> None:
    with runs.started(stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        runs.wait_until_asked(12)
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=20)
        assert (process.returncode, stderr) == (code, b"")
    assert not [child for child in children if child.is_running()]
    assert all(json.loads(line)["version"] == 1 for line in stdout.splitlines()), "no half line"
    asked, kept = runs.asked, runs.answered()
    assert 0 < asked - len(kept) <= AT_ONCE
    with Ledger.read(runs.folder / "run") as ledger:
        lost = [call for call in ledger.calls() if call.reply is None]
    assert {(call.outcome, call.detail) for call in lost} == {(CallOutcome.FAILED, "interrupted")}
    assert all(call.presumed and call.price > 0 for call in lost), "the server may have worked on them"
    done = runs.run()
    whole, calls = in_one_go(tmp_path_factory.mktemp("whole"))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == whole
    assert runs.asked - asked == calls - len(kept), "only what was missing is asked"
    assert len(runs.answered()) == len(set(runs.answered())) == calls
    assert runs.run().stdout == whole
    assert runs.asked - asked == calls - len(kept), "a finished run asks nothing"


@pytest.mark.slow
def test_a_killed_run_loses_the_calls_in_flight_and_nothing_else(runs: Runs, tmp_path_factory: pytest.TempPathFactory) -> None:
    with runs.started(stdout=subprocess.DEVNULL) as process:
        runs.wait_until_asked(12)
        process.kill()
    time.sleep(0.2)
    asked, kept = runs.asked, runs.answered()
    assert kept
    assert asked - len(kept) <= AT_ONCE
    done = runs.run()
    whole, calls = in_one_go(tmp_path_factory.mktemp("whole"))
    assert done.stdout == whole
    assert runs.asked - asked == calls - len(kept)


def wait_for_children(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """The processes that a process has started, as soon as there are some and they have had a moment to work."""
    until, started = time.monotonic() + 60, psutil.Process(process.pid)
    while not (children := started.children(recursive=True)):
        assert process.poll() is None, "it ended before Lean was started"
        assert time.monotonic() < until, "Lean was not started"
        time.sleep(0.02)
    time.sleep(0.5)
    return [*children, *started.children(recursive=True)]


@pytest.mark.slow
@pytest.mark.live
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_lean_outlives_a_run(tmp_path: Path, number: signal.Signals) -> None:
    with FaultyServer.running(obliging_server()) as server:
        runs = Runs(tmp_path, server)
        new = time.time_ns() % 10**9  # Lean's answers are stored, and what it has answered before would start none
        step = f"For all real $x$ we have $(x + {new})^2 = x^2 + {2 * new}x + {new**2}$."
        proof = {"id": "p", "problem": "Expand.", "steps": [step]}
        (tmp_path / "algebra.jsonl").write_text(json.dumps(proof))
        with subprocess.Popen(runs.command("algebra.jsonl", engine="embedded"), cwd=tmp_path) as process:
            try:
                children = wait_for_children(process)
                process.send_signal(number)
                process.wait(20)
            finally:
                process.kill()
        _, alive = psutil.wait_procs(children, timeout=10)
    assert not alive


@pytest.mark.slow
def test_two_runs_do_not_share_a_folder_at_the_same_time(tmp_path: Path) -> None:
    with FaultyServer.running(hanging()) as server:
        runs = Runs(tmp_path, server)
        with runs.started(stdout=subprocess.DEVNULL) as process:
            runs.wait_until_asked(1)
            done = runs.run()
            assert (done.returncode, done.stdout, done.stderr) == (2, "", "fidelean: run: another run is writing there\n")
            assert process.poll() is None


def shown_on_a_terminal(process: Callable[[int], subprocess.Popen[bytes]]) -> str:
    """Everything that a process writes to a pseudo-terminal as its standard error."""
    ours, theirs = pty.openpty()
    text = b""
    with process(theirs) as running:
        os.close(theirs)
        until = time.monotonic() + 40
        while time.monotonic() < until:
            if select.select([ours], [], [], 0.1)[0]:
                try:
                    text += os.read(ours, 65_536)
                except OSError:
                    break
            elif running.poll() is not None:
                break
    os.close(ours)
    return text.decode()


@pytest.mark.slow
def test_progress_counts_proofs_calls_and_cost_and_tells_the_time_left(tmp_path: Path) -> None:
    with FaultyServer.running(obliging_server(0.2)) as server:
        runs = Runs(tmp_path, server)
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}

        def start(terminal: int) -> subprocess.Popen[bytes]:
            command = runs.command("many.jsonl")
            return subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=terminal)

        shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown_on_a_terminal(start))
    found = re.findall(r"evaluating \((\d+) calls, (\d+\.\d\d) USD\)\s+(\d)/8 \S*\s*(\S+) left", shown)
    assert found, shown[-2_000:]
    calls, cost, items, left = zip(*found, strict=True)
    assert [int(each) for each in calls] == sorted(int(each) for each in calls)
    assert int(calls[-1]) > int(calls[0])
    assert float(cost[-1]) > float(cost[0])
    assert int(items[-1]) > int(items[0])
    assert any(re.fullmatch(r"0:00:\d\d", each) for each in left), "once a proof is done there is an estimate"
    assert runs.run("--quiet", "many.jsonl").stderr == ""


@pytest.fixture
def within(runs: Runs, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch) -> Within:
    """Run the command within this process."""
    monkeypatch.chdir(runs.folder)
    return lambda *arguments, system="full": run_command(*runs.command(*arguments, system=system)[1:])


def test_a_folder_of_other_proofs_is_refused_with_one_line(runs: Runs, within: Within) -> None:
    runs.write("few.jsonl", [1, 2])
    runs.write("swapped.jsonl", [2, 1])
    first = within("few.jsonl", system="direct")
    assert (first.returncode, first.stderr) == (0, "")
    asked = runs.asked
    other = within("many.jsonl", system="direct")
    assert (other.returncode, other.stdout) == (2, "")
    assert re.fullmatch(
        r"fidelean: run: the run folder holds another run: input was '2 proofs with digest [0-9a-f]{16}' and is "
        r"'8 proofs with digest [0-9a-f]{16}' now: name another folder with --run\n",
        other.stderr,
    )
    again = within("swapped.jsonl", system="direct")
    assert again.returncode == 0
    assert [json.loads(line)["id"] for line in again.stdout.splitlines()] == ["p2", "p1"]
    assert runs.asked == asked, "the order of the proofs is not the run"


def test_another_system_goes_on_in_the_same_folder_with_what_was_asked(runs: Runs, within: Within) -> None:
    runs.write("few.jsonl", [1])
    within("few.jsonl", system="full")
    asked = runs.asked
    done = within("few.jsonl", system="no-gate")
    assert done.stderr == ""
    assert runs.asked == asked, "an ablation of what was asked asks nothing"
    assert within("few.jsonl", system="direct").stderr == ""
    assert runs.asked == asked + 1
    with Ledger.read(runs.folder / "run") as ledger:
        facts = ledger.facts()
    assert {"system full", "system no-gate", "system direct"} < facts.keys()


FAULTY: dict[str, tuple[Handling, str, int]] = {
    "no key": (status(401, "no such key"), "no_reply", 3),
    "prose": (said("I think so."), "malformed_reply", 1),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_what_a_model_did_not_do_stands_in_the_report(runs: Runs, within: Within, fault: str) -> None:
    handling, reason, code = FAULTY[fault]
    runs.server.script[:] = [handling]
    runs.write("few.jsonl", [1, 2])
    done = within("few.jsonl")
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    assert [document["first_error"] for document in documents] == [2, 2], "arithmetic needs no model"
    for document in documents:
        assert [notice.split(": ")[1] for notice in document["notices"]] == [reason] * 4
    assert done.returncode == code, "a model that cannot be reached is machinery that failed"
    lines = [f"fidelean: few.jsonl: p{number}: 4 questions got no reply: " for number in (1, 2)] if code == 3 else []
    for line, begins in zip(done.stderr.splitlines(), lines, strict=True):
        assert line.startswith(begins)
        assert line.endswith("the server answered 401: no such key")


def test_a_run_whose_model_came_back_ends_as_if_nothing_had_been(runs: Runs, within: Within) -> None:
    runs.write("few.jsonl", [1, 2])
    kept, runs.server.script[:] = list(runs.server.script), [status(503, "in a moment")]
    assert within("few.jsonl").returncode == 3
    runs.server.script[:] = kept
    done = within("few.jsonl")
    assert (done.returncode, done.stderr) == (1, "")
    assert not re.search("no_reply|got no reply", done.stdout)


def test_a_budget_that_is_spent_changes_no_exit_code(runs: Runs, within: Within) -> None:
    runs.write("few.jsonl", [1, 2])
    done = within("few.jsonl", "--max-tokens", "100")
    assert (done.returncode, done.stderr) == (1, "")
    for document in map(json.loads, done.stdout.splitlines()):
        assert document["first_error"] == 2
        assert all("budget_spent: the budget of 100 tokens for the run has no room" in notice for notice in document["notices"])
        assert document["notices"]
    assert runs.asked == 0
