"""The embedded Lean as an engine: guard, cache, batches, and what to do when a batch does not come to its end."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from fidelean.errors import EngineUnavailable, SetupError
from fidelean.lean.batch import Batch, Reading, Snippet
from fidelean.lean.cache import ElaborationCache
from fidelean.lean.guard import GUARD_VERSION, Screening, normalise, screen
from fidelean.lean.installation import LEAN_COMMIT, LEAN_VERSION, Installation, cache_folder, find_installation
from fidelean.lean.process import Ending, LeanProcess
from fidelean.lean.records import Diagnostic, Elaboration, LeanSource, Position, Refusal, RefusalKind, Severity, Status
from fidelean.policy import LeanPolicy

__all__ = ["EmbeddedEngine"]

_ENGINE = f"embedded Lean {LEAN_VERSION} ({LEAN_COMMIT[:8]})"
_START_S = 240.0
"""A process that has not read its header after this long does not work here (seconds)."""
_OUT_OF_STACK = re.compile(r"\A\[Error pretty printing: maximum recursion depth|\A\(kernel\) deep recursion")
"""What Lean says where a computation or its own message was too deep for the stack: a limit of the machine, no finding about the text."""
_STATUS = {
    Ending.TIMEOUT: Status.TIMEOUT,
    Ending.OUT_OF_MEMORY: Status.OUT_OF_MEMORY,
    Ending.FLOOD: Status.CRASHED,
    Ending.CRASHED: Status.CRASHED,
    Ending.FINISHED: Status.CRASHED,
}


class EmbeddedEngine:
    """Elaborates texts with the embedded Lean, many in one process.

    ``snippet_timeout_s`` bounds Lean's own time on one text (seconds), by default as the policy says. ``processes`` bounds how
    many Lean processes run at once. With ``use_cache`` false nothing is read from or written to the store of earlier answers.

    Raises:
        EngineUnavailable: Lean is not installed; ``fidelean lean install`` installs it.
    """

    def __init__(
        self,
        *,
        policy: LeanPolicy | None = None,
        snippet_timeout_s: float | None = None,
        processes: int = 1,
        use_cache: bool = True,
        installation: Installation | None = None,
    ) -> None:
        try:
            found = installation or find_installation()
        except SetupError as error:
            raise EngineUnavailable(str(error)) from error
        if found is None:
            raise EngineUnavailable("the embedded Lean is not installed: run `fidelean lean install`")
        self._installation = found
        self._policy = policy or LeanPolicy()
        self._snippet_timeout_s = self._policy.snippet_timeout_s if snippet_timeout_s is None else snippet_timeout_s
        self._gate = threading.BoundedSemaphore(processes)
        self._cache = ElaborationCache(cache_folder() / f"elaborations-{LEAN_COMMIT[:8]}.sqlite") if use_cache else None
        self._waiting: list[LeanProcess] = []
        self._running: set[LeanProcess] = set()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Name and version."""
        return _ENGINE

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """End every process and give everything back."""
        self.close()

    def close(self) -> None:
        """End every process and give everything back. Any number of times; the engine may be used again afterwards."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
            running = set(self._running)
        for process in running:
            process.cancelled.set()
        for process in waiting:
            process.close()
        if self._cache is not None:
            self._cache.close()

    def prestart(self) -> None:
        """Start a process ahead, so that the next batch does not wait for it; returns at once."""
        process = self._new_process()
        with self._lock:
            self._waiting.append(process)

    async def elaborate(self, sources: Sequence[LeanSource]) -> list[Elaboration]:
        """Elaborate ``sources``: one answer each, in their order, the same as alone. Cancelling ends the processes it started."""
        cancelled = threading.Event()
        task = asyncio.get_running_loop().run_in_executor(None, self._elaborate, tuple(sources), cancelled)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            cancelled.set()
            await asyncio.wait([task])
            raise

    def elaborate_now(self, sources: Sequence[LeanSource]) -> list[Elaboration]:
        """The same without an event loop."""
        return self._elaborate(tuple(sources), threading.Event())

    def _elaborate(self, sources: Sequence[LeanSource], cancelled: threading.Event) -> list[Elaboration]:
        answers: dict[int, Elaboration] = {}
        groups: defaultdict[tuple[object, ...], list[tuple[int, Snippet]]] = defaultdict(list)
        for index, source in enumerate(sources):
            text = normalise(source.text)
            screening = screen(text, max_bytes=self._policy.max_snippet_bytes)
            early = self._before_running(text, screening)
            if early is not None:
                answers[index] = early
            else:
                group = (screening.imports, index if screening.needs_own_process else None)
                groups[group].append((index, Snippet(text, screening)))
        for members in groups.values():
            size = self._policy.batch_size
            for start in range(0, len(members), size):
                self._settle(members[start : start + size], answers, cancelled)
        return [answers[index] for index in range(len(sources))]

    def _before_running(self, text: str, screening: Screening) -> Elaboration | None:
        """What can be said without a process: a refusal, a missing module, or a stored answer."""
        if screening.refusals:
            return Elaboration(Status.REFUSED, refusals=screening.refusals, engine=_ENGINE)
        missing = [
            (module, position)
            for module, position in zip(screening.imports, screening.import_positions, strict=True)
            if not self._installation.has_module(module)
        ]
        if missing:
            said = tuple(
                Diagnostic(Severity.ERROR, position, None, f"unknown module {module}", "missingModule") for module, position in missing
            )
            return Elaboration(Status.ERRORS, said, engine=_ENGINE, missing_modules=tuple(module for module, _ in missing))
        return self._cache.get(self._key(text)) if self._cache is not None else None

    def _key(self, text: str) -> str:
        return ElaborationCache.key(("2", GUARD_VERSION, LEAN_COMMIT, text))

    def _settle(self, members: list[tuple[int, Snippet]], answers: dict[int, Elaboration], cancelled: threading.Event) -> None:
        """Run ``members`` until each has its answer; a text under suspicion is tried alone, its neighbours without it."""
        waiting = [members]
        while waiting:
            company = waiting.pop()
            try:
                batch, ending, process = self._run([snippet for _, snippet in company], cancelled)
            except _NotStartedError as error:
                unanswered = [member for group in (company, *waiting) for member in group]
                answers.update((index, Elaboration(Status.UNAVAILABLE, engine=_ENGINE, detail=str(error))) for index, _ in unanswered)
                return
            suspect = self._collect(company, batch, answers, process)
            if suspect is None:
                continue
            index, snippet = company[suspect]
            rest = company[suspect + 1 :]
            if len(company) == 1 or ending is Ending.TIMEOUT:
                answers[index] = self._failure(batch, suspect, ending, process)
            else:
                waiting.append([(index, snippet)])
            if rest:
                waiting.append(rest)

    def _collect(
        self, company: list[tuple[int, Snippet]], batch: Batch, answers: dict[int, Elaboration], process: LeanProcess
    ) -> int | None:
        """Take the answers of all that came to their end cleanly; returns the first that did not, or None."""
        for place, ((index, snippet), reading) in enumerate(zip(company, batch.readings, strict=True)):
            if reading.ended is None or (reading.left_open and len(company) > 1):
                return place
            answer = _answer(reading, process.peak_memory_mb)
            answers[index] = answer
            if self._cache is not None:
                self._cache.put(self._key(snippet.text), answer)
        return None

    def _failure(self, batch: Batch, place: int, ending: Ending, process: LeanProcess) -> Elaboration:
        reading = batch.readings[place]
        seconds = time.monotonic() - reading.began if reading.began is not None else 0.0
        detail = {
            Ending.TIMEOUT: f"no answer within {self._snippet_timeout_s:g} s",
            Ending.OUT_OF_MEMORY: f"more than {self._policy.memory_mb} MiB, or all that Lean can use",
            Ending.FLOOD: f"more than {self._policy.max_output_bytes} bytes of output",
        }.get(ending, f"the Lean process died: {process.complaint}" if process.complaint else "the Lean process died")
        return Elaboration(
            _STATUS[ending], seconds=round(seconds, 3), peak_memory_mb=_rounded(process.peak_memory_mb), engine=_ENGINE, detail=detail
        )

    def _run(self, snippets: Sequence[Snippet], cancelled: threading.Event) -> tuple[Batch, Ending, LeanProcess]:
        batch = Batch(snippets)
        with self._gate:
            try:
                process = self._take_process()
            except EngineUnavailable as error:
                raise _NotStartedError(str(error)) from error
            with self._lock:
                self._running.add(process)
            try:
                process.feed(batch.text)
                self._follow(process, batch, cancelled)
            finally:
                process.close()
                with self._lock:
                    self._running.discard(process)
        if process.cancelled.is_set() or cancelled.is_set():
            raise EngineUnavailable("the engine was closed while it was working")
        if batch.ready_at is None:
            raise _NotStartedError(f"the embedded Lean does not start here: {process.complaint or process.ending}")
        return batch, process.ending or Ending.CRASHED, process

    def _follow(self, process: LeanProcess, batch: Batch, cancelled: threading.Event) -> None:
        fed = time.monotonic()
        for line in process.lines():
            if line is not None:
                batch.read(line.text, line.at)
            now = time.monotonic()
            if cancelled.is_set():
                process.end(Ending.CRASHED)
            elif self._is_late(batch, fed, now):
                process.end(Ending.TIMEOUT)

    def _is_late(self, batch: Batch, fed: float, now: float) -> bool:
        if batch.ready_at is None:
            return now - fed > _START_S
        current = batch.current
        if current is None:
            return False
        since = batch.ready_at if current == 0 else batch.readings[current - 1].ended
        return since is not None and now - since > self._snippet_timeout_s

    def _take_process(self) -> LeanProcess:
        with self._lock:
            while self._waiting:
                process = self._waiting.pop()
                if process.alive:
                    return process
                process.close()
        return self._new_process()

    def _new_process(self) -> LeanProcess:
        return LeanProcess(self._installation, max_output_bytes=self._policy.max_output_bytes, memory_mb=self._policy.memory_mb)


class _NotStartedError(EngineUnavailable):
    """A Lean process died or stood still before it read anything of ours."""


def _answer(reading: Reading, peak_memory_mb: float) -> Elaboration:
    diagnostics = tuple(reading.diagnostics)
    if reading.left_open:
        end = Position(1, 0)
        diagnostics = (*diagnostics, Diagnostic(Severity.ERROR, end, None, "the text changes the scope it stands in", "leftOpen"))
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR]
    is_exhausted = bool(errors) and all(_OUT_OF_STACK.search(error.message) for error in errors)
    answer = Elaboration(
        Status.OUT_OF_MEMORY if is_exhausted else Status.ERRORS if errors else Status.OK,
        diagnostics,
        sorries=tuple(diagnostic.position for diagnostic in diagnostics if diagnostic.kind == "hasSorry"),
        seconds=round((reading.ended or 0.0) - (reading.began or reading.ended or 0.0), 3),
        peak_memory_mb=_rounded(peak_memory_mb),
        engine=_ENGINE,
        detail="Lean ran out of stack on this text" if is_exhausted else "",
    )
    if not reading.taken_names:
        return answer
    refusals = tuple(Refusal(RefusalKind.SHADOWING, Position(1, 0), f"{name} is a name of the library") for name in reading.taken_names)
    return replace(answer, status=Status.REFUSED, refusals=refusals)


def _rounded(megabytes: float) -> float | None:
    return round(megabytes, 1) if megabytes else None
