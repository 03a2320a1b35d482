"""One Lean process: started ahead or on demand, fed once, watched, and gone without a trace, whatever happens to us."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from pathlib import Path
from typing import IO, Self

import psutil

from fidelean.errors import EngineUnavailable
from fidelean.lean.installation import Installation

__all__ = ["Ending", "LeanProcess", "Line"]

_POLL_S = 0.1
_MEMORY_POLL_S = 0.25
_LEAN_OPTIONS = (
    "-DmaxErrors=100000",
    "-DElab.async=false",
    "-DautoImplicit=false",
    "-DrelaxedAutoImplicit=false",
)  # names that are not bound are errors: otherwise ℝ without Mathlib becomes a variable
_STDERR_TAIL = 4_000
_WAITING = b"waiting for input\n"


class Ending(StrEnum):
    """How a process came to its end."""

    FINISHED = "finished"
    """Lean ended by itself."""
    TIMEOUT = "timeout"
    """It was ended for taking too long."""
    OUT_OF_MEMORY = "out_of_memory"
    """It was ended at the memory cap, or said that memory ran out."""
    FLOOD = "flood"
    """It was ended for writing too much."""
    CRASHED = "crashed"
    """It died."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of output."""

    text: str
    """Without the line end."""
    at: float
    """When it arrived (monotonic clock, seconds)."""


class LeanProcess:
    """A Node process that runs ``lean --stdin``; it takes one text, once.

    ``waiting`` is set once it has started and waits for its text; it may be fed before.

    Use as a context manager or call ``close``: the whole process group is killed. If this Python dies first, the pipe it holds open
    closes and the process kills itself.
    """

    def __init__(self, installation: Installation, *, max_output_bytes: int = 8_000_000, memory_mb: int = 4_096) -> None:
        self._max_output = max_output_bytes
        self._memory_mb = memory_mb
        self._lines: queue.Queue[Line | None] = queue.Queue()
        self._flooded = threading.Event()
        self._stderr = b""
        self.peak_memory_mb = 0.0
        self.ending: Ending | None = None
        self.cancelled = threading.Event()
        self.waiting = threading.Event()
        reading, self._lifeline = os.pipe()
        try:
            self._process = _start(installation, reading)
        except OSError as error:
            os.close(self._lifeline)
            raise EngineUnavailable(f"Node does not start: {error}") from error
        finally:
            os.close(reading)
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._read_output, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The process id, which is also its group's id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it is still running."""
        return self._process.poll() is None

    @property
    def complaint(self) -> str:
        """The last line it wrote to standard error, for a reader."""
        lines = self._stderr.decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:200] if lines else ""

    def feed(self, text: str) -> None:
        """Hand over the whole text and close its input; returns at once."""
        writer = threading.Thread(target=self._write, args=(text.encode("utf-8", "replace"),), daemon=True)
        self._threads.append(writer)
        writer.start()

    def lines(self) -> Iterator[Line | None]:
        """Lines as they arrive, and None every tenth of a second without one, until the process has ended.

        The caller may call ``close`` between two lines. Afterwards ``ending`` says how it ended.
        """
        next_look = 0.0
        while self.ending is None:
            if time.monotonic() >= next_look:
                self._watch()
                next_look = time.monotonic() + _MEMORY_POLL_S
            try:
                line = self._lines.get(timeout=_POLL_S)
            except queue.Empty:
                yield None
                continue
            if line is None:
                self._settle()
                return
            yield line

    def end(self, ending: Ending) -> None:
        """Kill it, and say why; the first reason counts."""
        self.ending = self.ending or ending
        self.close()

    def close(self) -> None:
        """Kill the whole group, wait for it, and give back every pipe and thread. Any number of times."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for thread in self._threads:
            thread.join(timeout=5)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        self.ending = self.ending or Ending.CRASHED

    def _settle(self) -> None:
        code = self._process.wait()
        for thread in self._threads:
            thread.join(timeout=5)
        if self.ending is None:
            self.ending = self._cause(code)

    def _cause(self, code: int) -> Ending:
        if self._flooded.is_set():
            return Ending.FLOOD
        if b"out of memory" in self._stderr or b"Cannot enlarge memory" in self._stderr or b"bad_alloc" in self._stderr:
            return Ending.OUT_OF_MEMORY
        return Ending.FINISHED if code in (0, 1) and b"    at " not in self._stderr else Ending.CRASHED

    def _watch(self) -> None:
        if self._flooded.is_set():
            self.end(Ending.FLOOD)
        elif self.cancelled.is_set():
            self.end(Ending.CRASHED)
        else:
            self.peak_memory_mb = max(self.peak_memory_mb, _group_memory_mb(self._process.pid))
            if self.peak_memory_mb > self._memory_mb:
                self.end(Ending.OUT_OF_MEMORY)

    def _write(self, data: bytes) -> None:
        stdin = _piped(self._process.stdin)
        with contextlib.suppress(OSError, ValueError):
            stdin.write(data)
            stdin.close()

    def _read_output(self) -> None:
        stdout = _piped(self._process.stdout)
        pending, total = b"", 0
        with contextlib.suppress(OSError, ValueError):
            while block := os.read(stdout.fileno(), 65_536):
                total += len(block)
                if total > self._max_output:
                    self._flooded.set()
                    continue
                now = time.monotonic()
                *whole, pending = (pending + block).split(b"\n") if b"\n" in block else (pending + block,)
                for line in whole:
                    self._lines.put(Line(line.decode("utf-8", "replace"), now))
        self._lines.put(None)

    def _read_errors(self) -> None:
        stderr = _piped(self._process.stderr)
        with contextlib.suppress(OSError, ValueError):
            while block := os.read(stderr.fileno(), 65_536):
                self._stderr = (self._stderr + block)[-_STDERR_TAIL:]
                if _WAITING in self._stderr:
                    self._stderr = self._stderr.replace(_WAITING, b"")
                    self.waiting.set()


def _start(installation: Installation, lifeline: int) -> subprocess.Popen[bytes]:
    host = Path(str(resources.files("fidelean.lean").joinpath("host.cjs")))
    readable = (host, installation.room, installation.library)
    # Node's permission model: of the whole disk only these may be read, nothing written, nothing started.
    command = [
        str(installation.node),
        "--permission",
        "--allow-worker",
        *(f"--allow-fs-read={path}" for path in readable),
        "--no-warnings",
        "--stack-size=7000",
        str(host),
        str(lifeline),
        str(installation.room),
        str(installation.library),
        "--json",
        "--stdin",
        *_LEAN_OPTIONS,
    ]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={},
        cwd=installation.room,
        start_new_session=True,
        pass_fds=(lifeline,),
        bufsize=0,
    )


def _piped(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise EngineUnavailable("a Lean process was started without pipes")
    return stream


def _group_memory_mb(pid: int) -> float:
    """Resident memory of the process and its children (MiB); 0 where it is already gone."""
    try:
        process = psutil.Process(pid)
        members: Sequence[psutil.Process] = (process, *process.children(recursive=True))
        return sum(member.memory_info().rss for member in members) / 2**20
    except psutil.Error:
        return 0.0
