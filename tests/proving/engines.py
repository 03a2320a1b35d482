"""An engine for tests: it says of each text what a function says of it, and keeps what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fidelean.lean.records import Diagnostic, Elaboration, LeanSource, Position, Severity, Status


class ScriptedEngine:
    """``closes`` tells of a whole text whether Lean would accept it; ``status`` is what every text gets where it is given."""

    name = "scripted"

    def __init__(self, closes: Callable[[str], bool], *, status: Status | None = None, error_line: int = 99) -> None:
        self._closes = closes
        self._status = status
        self._error_line = error_line
        self.batches: list[list[str]] = []

    async def elaborate(self, sources: Sequence[LeanSource]) -> list[Elaboration]:
        self.batches.append([source.text for source in sources])
        return [self._answer(source.text) for source in sources]

    def _answer(self, text: str) -> Elaboration:
        if self._status is not None:
            return Elaboration(self._status)
        if self._closes(text):
            return Elaboration(Status.OK)
        failed = Diagnostic(Severity.ERROR, Position(self._error_line, 0), None, "it failed")
        return Elaboration(Status.ERRORS, (failed,))

    async def aclose(self) -> None:
        return None
