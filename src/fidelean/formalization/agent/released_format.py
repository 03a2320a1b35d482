"""The record formats of the released files (Beyond Compilation): output rows and trajectory rows, read and written.

An output row has ``id``, ``lean_code``, ``compiles``, ``<judge>_grade`` and ``<judge>_reason`` for every judge, ``faithful`` and ``steps``.
A grade of −1 marks a failed call and is read as unscored. A trajectory row has ``id`` and ``events``. What a row holds besides is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, cast

from fidelean.errors import InputError
from fidelean.formalization.agent.records import (
    AgentRun,
    CompileCheck,
    Event,
    GateReported,
    ModelReplied,
    Move,
    OtherEvent,
    PolicyMoved,
    RunComplete,
    ToolResult,
)

__all__ = ["JudgeGrade", "OutputRow", "TrajectoryRow", "read_outputs", "read_trajectories", "row_line", "trajectory_line", "trajectory_of"]

T = TypeVar("T")

_FAILED_CALL = -1
_GRADE, _REASON = "_grade", "_reason"


@dataclass(frozen=True, slots=True)
class JudgeGrade:
    """One judge's grade of an output."""

    judge: str
    """The judge's name, as the fields spell it: ``gpt52``."""
    grade: int | float | None
    """0 to 10; None where the call failed: unscored, never 0."""
    reason: str
    """The judge's words, or why there is no grade."""


@dataclass(frozen=True, slots=True)
class OutputRow:
    """What one system made of one statement."""

    id: str
    """The statement's id."""
    lean_code: str
    """The Lean file."""
    compiles: bool
    """Whether it compiles."""
    grades: tuple[JudgeGrade, ...]
    """One per judge, in the order of the row."""
    faithful: bool | None = None
    """What the row says of the criterion; None where it says nothing."""
    steps: int | None = None
    """Steps of the agent; None for other systems."""
    other: Mapping[str, object] = field(default_factory=dict[str, object])
    """Further fields, kept as they are."""


@dataclass(frozen=True, slots=True)
class TrajectoryRow:
    """What happened in one run."""

    id: str
    """The statement's id."""
    events: tuple[Event, ...]
    """The events, in order."""


def trajectory_of(run: AgentRun) -> TrajectoryRow:
    """The trajectory row of a run."""
    return TrajectoryRow(run.statement.id, run.events)


def read_outputs(file: Path) -> list[OutputRow]:
    """Read output rows. Raises ``InputError`` naming the line."""
    return list(_rows(file, _output_row))


def read_trajectories(file: Path) -> list[TrajectoryRow]:
    """Read trajectory rows. Raises ``InputError`` naming the line."""
    return list(_rows(file, _trajectory_row))


def row_line(row: OutputRow) -> str:
    """An output row as a line of JSON."""
    written: dict[str, object] = {"id": row.id, "lean_code": row.lean_code, "compiles": row.compiles}
    for each in row.grades:
        written[each.judge + _GRADE] = _FAILED_CALL if each.grade is None else each.grade
        written[each.judge + _REASON] = each.reason
    written |= {"faithful": row.faithful} if row.faithful is not None else {}
    written |= {"steps": row.steps} if row.steps is not None else {}
    return json.dumps(written | dict(row.other), ensure_ascii=False)


def trajectory_line(row: TrajectoryRow) -> str:
    """A trajectory row as a line of JSON."""
    return json.dumps({"id": row.id, "events": [_event_document(event) for event in row.events]}, ensure_ascii=False)


def _rows(file: Path, read: Callable[[dict[str, object]], T]) -> Iterator[T]:
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", source=str(file)) from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield read(cast("dict[str, object]", _typed(json.loads(line), dict, "the line")))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise InputError(f"line {number} is no row of a released file: {type(error).__name__}: {error}", source=str(file)) from None


def _typed(found: object, kind: type[T], name: str) -> T:
    if not isinstance(found, kind) or (kind is int and isinstance(found, bool)):
        raise TypeError(f"{name} is no {kind.__name__}")
    return found


def _output_row(found: dict[str, object]) -> OutputRow:
    judges = [name.removesuffix(_GRADE) for name in found if name.endswith(_GRADE) and name.removesuffix(_GRADE) + _REASON in found]
    taken = {"id", "lean_code", "compiles", "faithful", "steps", *(judge + end for judge in judges for end in (_GRADE, _REASON))}
    faithful, steps = found.get("faithful"), found.get("steps")
    return OutputRow(
        id=_typed(found["id"], str, "id"),
        lean_code=_typed(found["lean_code"], str, "lean_code"),
        compiles=_typed(found["compiles"], bool, "compiles"),
        grades=tuple(JudgeGrade(judge, _grade(found[judge + _GRADE]), str(found[judge + _REASON] or "")) for judge in judges),
        faithful=None if faithful is None else _typed(faithful, bool, "faithful"),
        steps=None if steps is None else _typed(steps, int, "steps"),
        other={name: value for name, value in found.items() if name not in taken},
    )


def _grade(found: object) -> int | float | None:
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise TypeError("a grade is no number")
    if found == _FAILED_CALL:
        return None
    if not 0 <= found <= 10:
        raise ValueError(f"a grade of {found} is outside of 0 to 10")
    return found


def _trajectory_row(found: dict[str, object]) -> TrajectoryRow:
    events = cast("Iterable[object]", _typed(found["events"], list, "events"))
    read = tuple(_event(cast("dict[str, object]", _typed(event, dict, "an event"))) for event in events)
    return TrajectoryRow(_typed(found["id"], str, "id"), read)


def _event(found: dict[str, object]) -> Event:
    """The record of an event, or the whole of it where no record would give back exactly this."""
    try:
        event = _known(found)
    except (TypeError, KeyError, ValueError):
        return OtherEvent(found)
    return event if event is not None and _event_document(event) == found else OtherEvent(found)


def _known(found: dict[str, object]) -> Event | None:
    step = cast("int", found["step"])
    match found["action"]:
        case "model_reply:":
            content = found["content"]
            tools = cast("Iterable[object]", _typed(found["tools_requested"], list, "tools_requested"))
            named = tuple(_typed(tool, str, "a tool") for tool in tools)
            return ModelReplied(step, named, None if content is None else _typed(content, str, "content"))
        case "tool_run_result":
            args = cast("dict[str, object]", _typed(found["args"], dict, "args"))
            said = _typed(found["result"], str, "result")
            return ToolResult(step, _typed(found["tool"], str, "tool"), _typed(found["ok"], bool, "ok"), args, said)
        case "compile_check":
            return CompileCheck(step, _typed(found["passed"], bool, "passed"), _typed(found["result"], str, "result"))
        case "gate_report":
            return GateReported(step, _typed(found["admitted"], bool, "admitted"), _typed(found["result"], str, "result"))
        case "policy":
            return PolicyMoved(step, Move(found["move"]), _typed(found["result"], str, "result"))
        case "run_complete":
            return RunComplete(step, _typed(found["outcome"], str, "outcome"), cast("int | None", found["compile_status"]))
        case _:
            return None


def _event_document(event: Event) -> dict[str, object]:
    match event:
        case ModelReplied(step, tools, content):
            said = {"has_tools": bool(tools), "content": content, "tools_requested": list(tools)}
            return {"action": "model_reply:", "step": step, **said}
        case ToolResult(step, tool, ok, args, result):
            return {"action": "tool_run_result", "step": step, "tool": tool, "ok": ok, "args": dict(args), "result": result}
        case CompileCheck(step, passed, result):
            return {"action": "compile_check", "step": step, "passed": passed, "result": result}
        case GateReported(step, admitted, result):
            return {"action": "gate_report", "step": step, "admitted": admitted, "result": result}
        case PolicyMoved(step, move, result):
            return {"action": "policy", "step": step, "move": move.value, "result": result}
        case RunComplete(step, outcome, status):
            return {"action": "run_complete", "outcome": outcome, "step": step, "compile_status": status}
        case OtherEvent(fields):
            return dict(fields)
