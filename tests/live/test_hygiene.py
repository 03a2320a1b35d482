"""Nothing is left behind: no process, thread, descriptor or file, however a run ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from fidelean.errors import EngineUnavailable
from fidelean.lean.records import LeanSource, Status
from fidelean.policy import LeanPolicy
from lean_room import embedded

if TYPE_CHECKING:
    from collections.abc import Callable

    from fidelean.lean.embedded import EmbeddedEngine

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(400)]

FAST = LeanSource("theorem t : 1 = 1 := rfl")
ENDLESS = LeanSource(
    "def ack : Nat → Nat → Nat\n  | 0, n => n + 1\n  | m + 1, 0 => ack m 1\n  | m + 1, n + 1 => ack m (ack (m + 1) n)\n"
    "set_option maxRecDepth 100000 in\nset_option maxHeartbeats 0 in\n"
    "theorem t : (List.range 3000).foldl (fun a n => (a * 7 + n) % 1000003) 1 = 5 := by\n"
    "  repeat (first | (have : 1 + 1 = 2 := by decide) | skip)\n  decide"
)


def lean_processes(of: int | None = None) -> list[psutil.Process]:
    """The living Lean processes below process ``of``, by default this one."""
    return [process for process in psutil.Process(of).children(recursive=True) if _is_lean(process)]


def _is_lean(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and any(part.endswith("host.cjs") for part in process.cmdline())
    except psutil.NoSuchProcess:
        return False


def settled(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_a_time_limit_ends_the_process() -> None:
    with embedded(snippet_timeout_s=3) as engine:
        started = time.monotonic()
        slow, fast = engine.elaborate_now([ENDLESS, FAST])
        assert (slow.status, fast.status) == (Status.TIMEOUT, Status.OK)
        assert time.monotonic() - started < 60
        assert lean_processes() == []


def test_a_memory_cap_ends_the_process() -> None:
    with embedded(policy=LeanPolicy(memory_mb=500)) as engine:
        answers = engine.elaborate_now([FAST, FAST])
    assert [(answer.status, answer.detail.rpartition(": ")[2]) for answer in answers] == [(Status.UNAVAILABLE, "out_of_memory")] * 2
    assert lean_processes() == []


def test_memory_that_runs_away_is_named() -> None:
    greedy = LeanSource("theorem t : (List.range 40000).foldl (fun a n => (a * 7 + n) % 1000003) 1 = 5 := by decide +kernel")
    with embedded(policy=LeanPolicy(memory_mb=1_500), snippet_timeout_s=300) as engine:
        answers = engine.elaborate_now([greedy, FAST])
    assert answers[0].status is Status.OUT_OF_MEMORY
    assert answers[1].status is Status.OK
    assert lean_processes() == []


def test_a_flood_ends_the_process() -> None:
    loud = LeanSource("theorem t : True := by\n" + '  trace "' + "x" * 1_000 + '"\n' + "  trivial", name="loud")
    many = LeanSource("theorem t : True := by\n" + ('  trace "' + "x" * 500 + '"\n') * 300 + "  trivial")
    with embedded(policy=LeanPolicy(max_output_bytes=100_000)) as engine:
        answers = engine.elaborate_now([loud, many, FAST])
    assert [answer.status for answer in answers] == [Status.OK, Status.CRASHED, Status.OK]
    assert "bytes of output" in answers[1].detail
    assert lean_processes() == []


SCRIPT = """
import sys
from fidelean.lean.embedded import EmbeddedEngine
from fidelean.lean.records import LeanSource
engine = EmbeddedEngine(use_cache=False)
engine.prestart()
print("started", flush=True)
engine.elaborate_now([LeanSource(sys.argv[1])])
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("wait", [0.0, 1.5, 12.0])
def test_a_signal_to_the_parent_leaves_no_process(number: signal.Signals, wait: float) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, ENDLESS.text], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        time.sleep(wait)
        children = lean_processes(parent.pid)
        assert children, "the test is about a process that runs"
        parent.send_signal(number)
        parent.wait(timeout=20)
    assert settled(lambda: not any(child.is_running() for child in children)), children


def test_cancelling_ends_the_process() -> None:
    async def run() -> None:
        async with embedded() as engine:
            task = asyncio.create_task(engine.elaborate([ENDLESS]))
            await asyncio.sleep(2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(run())
    assert settled(lambda: lean_processes() == [])


def test_closing_from_another_thread_ends_the_process() -> None:
    engine = embedded()
    threading.Timer(2.0, engine.close).start()
    with pytest.raises(EngineUnavailable):
        engine.elaborate_now([ENDLESS])
    assert settled(lambda: lean_processes() == [])


def test_a_process_started_ahead_is_used_or_ended() -> None:
    with embedded() as engine:
        engine.prestart()
        (process,) = lean_processes()
        assert engine.elaborate_now([FAST])[0].status is Status.OK
        assert not process.is_running()
        engine.prestart()
    assert settled(lambda: lean_processes() == [])


def test_two_hundred_snippets_leak_nothing(engine: EmbeddedEngine) -> None:
    me = psutil.Process()
    temporary = Path("/tmp") if sys.platform != "win32" else Path(os.environ["TEMP"])
    batches = [[LeanSource(f"theorem t (n : Nat) : n + {50 * b + k} = {50 * b + k} + n := by omega") for k in range(50)] for b in range(4)]
    engine.elaborate_now(batches[0][:2])
    descriptors, threads, memory = me.num_fds(), me.num_threads(), me.memory_info().rss
    files = {path.name for path in temporary.iterdir() if "lean" in path.name or "node" in path.name}
    for batch in batches:
        assert all(answer.status is Status.OK for answer in engine.elaborate_now(batch))
    assert (me.num_fds(), me.num_threads()) == (descriptors, threads)
    assert me.memory_info().rss - memory < 20 * 2**20
    assert {path.name for path in temporary.iterdir() if "lean" in path.name or "node" in path.name} == files
    assert lean_processes() == []


def test_lean_sees_neither_the_disk_nor_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the guard, on purpose: what code inside Lean could reach."""
    from fidelean.lean.installation import find_installation
    from fidelean.lean.process import Ending, LeanProcess

    found = find_installation()
    if found is None:
        pytest.skip("the embedded Lean is not installed")
    monkeypatch.setenv("SECRET_OF_THE_HOST", "seen")
    with LeanProcess(found) as process:
        process.feed(
            f'#eval IO.FS.readFile "{Path(__file__)}"\n#eval IO.FS.readFile "/etc/passwd"\n'
            '#eval IO.FS.writeFile "/lean/lib/lean/planted.olean" "x"\n'
            '#eval show IO Unit from do IO.println ((← IO.getEnv "SECRET_OF_THE_HOST").getD "unset")\n'
            '#eval show IO Unit from do discard <| IO.Process.spawn { cmd := "/bin/true" }\n#print "end"\n'
        )
        lines = [line.text for line in process.lines() if line is not None]
    assert process.ending is Ending.FINISHED
    severities = [line.split('"severity":"')[1].split('"')[0] for line in lines if line.startswith("{")]
    assert severities == ["error", "error", "error", "information", "error", "information"], lines
    assert "unset" in lines[3]
    assert not (found.library / "planted.olean").exists()
    assert lean_processes() == []
