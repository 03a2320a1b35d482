"""Many snippets in one Lean text, and each one's own answer out of the common output.

Every snippet stands in a namespace of its own between two marks. A mark is a message whose text holds a random token of this batch, on
the line where the batch put it; no snippet can print one. Behind each snippet Lean is asked for its whole scope (``#where``), which
must be what it was at the start: a snippet that leaves anything open is found out, and what was read behind it does not count.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from fidelean.lean.guard import ROOM_PREFIX, Screening
from fidelean.lean.records import Diagnostic, Position, Severity
from fidelean.lean.shadowing import declared_names

__all__ = ["Batch", "Reading", "Snippet"]

_WARM_UP = f"theorem {ROOM_PREFIX}_start (a b : Nat) (h : a < b) : a + 1 ≤ b := by omega"
_SCOPE = "#where"
_ROOM_NAME = re.compile(rf"{ROOM_PREFIX}_[0-9]+\.?")


@dataclass(frozen=True, slots=True)
class Snippet:
    """One guarded text on its way into a batch."""

    text: str
    """The normalised text, head included."""
    screening: Screening
    """What the guard read."""

    @property
    def body(self) -> str:
        """The text with its head blanked out, so that lines stay what they are."""
        if not self.screening.imports:
            return self.text
        head = self.screening.tokens[2 * _import_count(self.screening) :]
        if not head:
            return "\n" * self.text.count("\n")
        first = head[0].position
        lines = self.text.split("\n")
        kept = [" " * first.column + lines[first.line - 1][first.column :], *lines[first.line :]]
        return "\n" * (first.line - 1) + "\n".join(kept)


def _import_count(screening: Screening) -> int:
    count = 0
    while 2 * count < len(screening.tokens) and screening.tokens[2 * count].text == "import":
        count += 1
    return count


@dataclass(slots=True)
class Reading:
    """What is known about one snippet while output arrives."""

    began: float | None = None
    """When its opening mark arrived (monotonic clock, seconds)."""
    ended: float | None = None
    """When its closing mark arrived."""
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    """Messages inside its lines."""
    taken_names: list[str] = field(default_factory=list[str])
    """Declared names that the library already has."""
    scope: str | None = None
    """The scope Lean reported behind it."""
    left_open: bool = False
    """Whether it changed the scope, or the end of its namespace did not fit."""


@dataclass(frozen=True, slots=True)
class _Room:
    """Line numbers of one snippet inside the batch; all 1-based, inclusive."""

    probes: Mapping[int, str]
    """Lines that ask for a declared name in the library, and the name."""
    opening: int
    """The line of the opening mark."""
    first: int
    """The snippet's first line."""
    last: int
    """The snippet's last line."""
    scope: int
    """The line that asks for the scope."""
    closing: int
    """The line of the closing mark."""


class Batch:
    """The text of a batch, and a reader of Lean's output about it.

    Feed output lines to ``read`` in order; ``readings`` then holds what is known of each snippet.
    """

    def __init__(self, snippets: Sequence[Snippet], *, token: str | None = None) -> None:
        self._token = token or secrets.token_hex(16)
        self._rooms: list[_Room] = []
        self.readings = [Reading() for _ in snippets]
        self.ready_at: float | None = None
        self._reference: str | None = None
        lines = [f"import {module}" for module in (snippets[0].screening.imports if snippets else ())]
        lines += [_WARM_UP, _SCOPE, f'#print "{self._token}:ready"']
        self._reference_line, self._ready_line = len(lines) - 1, len(lines)
        for index, snippet in enumerate(snippets):
            self._rooms.append(self._place(lines, index, snippet))
        self.text = "\n".join(lines) + "\n"

    @property
    def current(self) -> int | None:
        """The first snippet whose closing mark has not arrived, or None where all have."""
        return next((index for index, reading in enumerate(self.readings) if reading.ended is None), None)

    def _place(self, lines: list[str], index: int, snippet: Snippet) -> _Room:
        names = declared_names(snippet.screening.commands)
        lines.append(f'#print "{self._token}:{index}:begin"')
        opening = len(lines)
        lines += [f"#check @_root_.{name}" for name in names]
        probes = {opening + 1 + offset: name for offset, name in enumerate(names)}
        lines.append(f"namespace {ROOM_PREFIX}_{index}")
        first = len(lines) + 1
        lines += snippet.body.split("\n")
        last = len(lines)
        lines += [f"end {ROOM_PREFIX}_{index}", _SCOPE, f'#print "{self._token}:{index}:end"']
        return _Room(probes, opening, first, last, len(lines) - 1, len(lines))

    def read(self, line: str, at: float) -> None:
        """Take in one line of Lean's output that arrived at ``at``; lines that are not Lean's messages are ignored."""
        message = _message(line)
        if message is None:
            return
        diagnostic, number = message, message.position.line
        if number == self._reference_line:
            self._reference = diagnostic.message
        elif number == self._ready_line and diagnostic.message == f"{self._token}:ready":
            self.ready_at = at
        else:
            self._sort(diagnostic, number, at)

    def _sort(self, diagnostic: Diagnostic, number: int, at: float) -> None:
        index = next((index for index, room in enumerate(self._rooms) if number <= room.closing), None)
        if index is None:
            return
        room, reading = self._rooms[index], self.readings[index]
        if number == room.opening and diagnostic.message == f"{self._token}:{index}:begin":
            reading.began = at
        elif number == room.closing and diagnostic.message == f"{self._token}:{index}:end":
            reading.ended = at
            reading.left_open = reading.left_open or self._reference is None or reading.scope != self._reference
        elif number == room.scope and diagnostic.severity is Severity.INFORMATION:
            reading.scope = diagnostic.message
        elif number in room.probes:
            if diagnostic.severity is not Severity.ERROR:
                reading.taken_names.append(room.probes[number])
        else:
            reading.diagnostics.append(_inside(diagnostic, room))


def _inside(diagnostic: Diagnostic, room: _Room) -> Diagnostic:
    """The diagnostic in the snippet's own lines; what Lean found only behind the snippet is put at its end."""
    return Diagnostic(
        diagnostic.severity,
        _shifted(diagnostic.position, room),
        None if diagnostic.end is None else _shifted(diagnostic.end, room),
        _ROOM_NAME.sub("", diagnostic.message),
        diagnostic.kind,
    )


def _shifted(position: Position, room: _Room) -> Position:
    if position.line > room.last:
        return Position(room.last - room.first + 1, 0)
    return Position(max(1, position.line - room.first + 1), position.column)


def _message(line: str) -> Diagnostic | None:
    if not line.startswith("{"):
        return None
    try:
        loaded: object = json.loads(line)
    except ValueError:
        return None
    if not isinstance(loaded, dict):
        return None
    record = cast("dict[str, object]", loaded)
    severity, data, kind = record.get("severity"), record.get("data"), record.get("kind")
    start = _position(record.get("pos"))
    if start is None or not isinstance(data, str) or severity not in tuple(Severity):
        return None
    shown = kind if isinstance(kind, str) and kind != "[anonymous]" else ""
    return Diagnostic(Severity(cast("str", severity)), start, _position(record.get("endPos")), data, shown)


def _position(value: object) -> Position | None:
    if not isinstance(value, dict):
        return None
    record = cast("dict[str, object]", value)
    line, column = record.get("line"), record.get("column")
    return Position(line, column) if isinstance(line, int) and isinstance(column, int) else None
