"""The released record formats: what is read is written again, and the other way round."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.errors import InputError
from fidelean.formalization.agent.records import (
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
from fidelean.formalization.agent.released_format import (
    JudgeGrade,
    OutputRow,
    TrajectoryRow,
    read_outputs,
    read_trajectories,
    row_line,
    trajectory_line,
)

# In the form of the released files; the words are written by hand for this repository.
RELEASED_EVENTS = """
{"action": "model_reply:", "step": 1, "has_tools": true, "content": null, "tools_requested": ["lean_write_file"]}
{"action": "tool_run_result", "step": 1, "tool": "lean_write_file", "ok": true, "args": {"content": "x"}, "result": "Wrote"}
{"action": "success", "step": 2, "type": "repl_pass"}
{"action": "compile_check", "step": "repl_pass", "passed": true, "result": "{'ok': True}"}
{"action": "run_complete", "outcome": "repl_pass", "step": 2, "compile_status": 1}
""".strip().split("\n")
RELEASED_ROW = (
    '{"id": "BC001", "input_matches_benchmark": true, "lean_code": "theorem", "compiles": true, "gpt52_grade": 10, "gpt52_reason": "same", '
    '"gemini25pro_grade": -1, "gemini25pro_reason": "timeout", "faithful": false, "sonnet5_grade": 9, "sonnet5_reason": "tiny", "steps": 2}'
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
names = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True)
numbers = st.integers(1, 24)
events = st.one_of(
    st.builds(ModelReplied, numbers, st.lists(names, max_size=3).map(tuple), st.none() | texts),
    st.builds(ToolResult, numbers, names, st.booleans(), st.dictionaries(names, texts | numbers | st.booleans(), max_size=3), texts),
    st.builds(CompileCheck, numbers | names, st.booleans(), texts),
    st.builds(GateReported, numbers, st.booleans(), texts),
    st.builds(PolicyMoved, numbers, st.sampled_from(Move), texts),
    st.builds(RunComplete, numbers, names, st.sampled_from([0, 1, None])),
    st.builds(OtherEvent, st.dictionaries(names.map("x_".__add__), texts, max_size=3)),
)
grades = st.builds(JudgeGrade, names, st.none() | st.integers(0, 10), texts)
rows = st.builds(
    OutputRow,
    texts,
    texts,
    st.booleans(),
    st.lists(grades, max_size=3, unique_by=lambda grade: grade.judge).map(tuple),
    st.none() | st.booleans(),
    st.none() | numbers,
    st.dictionaries(names.map("x_".__add__), texts, max_size=2),
)

_FOLDER = TemporaryDirectory()


def written(*lines: str) -> Path:
    path = Path(_FOLDER.name) / "rows.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@given(texts, st.lists(events, max_size=6))
def test_trajectories_are_read_as_they_were_written(name: str, found: list[Event]) -> None:
    row = TrajectoryRow(name, tuple(found))
    assert read_trajectories(written(trajectory_line(row))) == [row]


@given(rows)
def test_outputs_are_read_as_they_were_written(row: OutputRow) -> None:
    assert read_outputs(written(row_line(row))) == [row]


def test_a_released_trajectory_is_kept_whole() -> None:
    line = json.dumps({"id": "BC001", "events": [json.loads(event) for event in RELEASED_EVENTS]})
    (row,) = read_trajectories(written(line))
    assert [type(event) for event in row.events] == [ModelReplied, ToolResult, OtherEvent, CompileCheck, RunComplete]
    assert json.loads(trajectory_line(row)) == json.loads(line)


def test_a_released_row_is_kept_whole_and_a_failed_call_is_unscored() -> None:
    (row,) = read_outputs(written(RELEASED_ROW))
    assert [(grade.judge, grade.grade) for grade in row.grades] == [("gpt52", 10), ("gemini25pro", None), ("sonnet5", 9)]
    assert json.loads(row_line(row)) == json.loads(RELEASED_ROW)


@pytest.mark.parametrize("line", [
    "[]", "{", "{}", RELEASED_ROW.replace("-1", "11"), RELEASED_ROW.replace("-1", '"9"'),
    RELEASED_ROW.replace('"compiles": true', '"compiles": 1'),
])  # fmt: skip
def test_what_is_no_row_is_said_with_its_line(line: str) -> None:
    with pytest.raises(InputError, match="line 2"):
        read_outputs(written(RELEASED_ROW, line))


def test_a_file_that_is_not_there_is_said() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_trajectories(Path("nowhere.jsonl"))
