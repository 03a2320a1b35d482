"""JSON and JSON lines: forms, places, and faults that lose nothing else."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.informal.reading import read_proofs, read_source

RECORDS = [
    {"id": "one", "problem": "P", "steps": ["a \\frac{1}{2}", "b"], "label": 0},
    {"input": "P", "steps": ["a", "b"], "mistake_index": None},
    {"id": 7, "problem": "P", "proof": "1. a\n2. b"},
]


def test_every_form_is_read_and_labels_are_not() -> None:
    proofs = read_proofs("set.json", json.dumps(RECORDS))
    assert [(proof.id, proof.problem.text, len(proof.steps)) for proof in proofs] == [("one", "P", 2), ("set:2", "P", 2), ("7", "P", 2)]
    assert proofs[0].steps[0].text == "a \\frac{1}{2}"
    assert [step.text for step in proofs[2].steps] == ["a", "b"]


def test_lines_and_arrays_give_the_same_proofs() -> None:
    lines = "\n".join(json.dumps(record) for record in RECORDS)
    from_lines, from_array = read_proofs("set.jsonl", lines), read_proofs("set.json", json.dumps(RECORDS))
    assert [[step.text for step in proof.steps] for proof in from_lines] == [[step.text for step in proof.steps] for proof in from_array]
    assert [proof.steps[0].line for proof in from_lines] == [1, 2, 3]


@given(
    st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), min_size=1, max_size=4), min_size=1, max_size=4),
    st.booleans(),
)
def test_every_string_survives_and_stands_where_it_says(steps: list[list[str]], ascii_only: bool) -> None:
    text = json.dumps([{"problem": "p", "steps": strings} for strings in steps], ensure_ascii=ascii_only, indent=1)
    proofs = read_proofs("a.json", text)
    assert [[step.text for step in proof.steps] for proof in proofs] == steps
    for step in (step for proof in proofs for step in proof.steps):
        assert step.line is not None
        assert text.split("\n")[step.line - 1].strip(" ,") == json.dumps(step.text, ensure_ascii=ascii_only)
        assert step.line_at(len(step.text)) == step.line
        if step.offset is not None:
            assert text[step.offset : step.offset + len(step.text)] == step.text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{bad}", "a.jsonl:2: is not JSON at column 2: Expecting property name enclosed in double quotes"),
        (
            '{"problem": "p", "steps": ["s"]} x',
            "a.jsonl:2: is not JSON at column 34: there is more text behind the value; one object a line is .jsonl",
        ),
        ("[1]", "a.jsonl:2: record 2: is not an object with a problem and steps"),
        ('{"problem": "p"}', 'a.jsonl:2: record 2: has neither "steps" nor "proof"'),
        ('{"problem": "p", "steps": []}', 'a.jsonl:2: record 2: "steps" is not a list of strings with at least one step'),
        ('{"problem": "p", "steps": ["s", 5]}', 'a.jsonl:2: record 2: "steps[1]" is not a string'),
        ('{"problem": 5, "steps": ["s"]}', 'a.jsonl:2: record 2: "problem" is not a string'),
        ('{"problem": "p", "problem": "q", "steps": ["s"]}', "a.jsonl:2: record 2: the key 'problem' occurs twice"),
        ('{"problem": "\\udead", "steps": ["s"]}', 'a.jsonl:2: record 2: "problem" holds half of a surrogate pair, which is no character'),
        ('{"problem": "p", "proof": " "}', "a.jsonl:2: record 2: the proof is empty"),
        (
            '{"steps": ["s"]}',
            'a.jsonl:2: record 2: no problem: give it under the key "problem", or with --problem FILE (--problem "" for none)',
        ),
        ("[" * 9_000, "a.jsonl:2: is not JSON at column 1: it is nested too deeply"),
    ],
)
def test_one_bad_line_is_said_exactly_and_loses_nothing(line: str, message: str) -> None:
    good = '{"problem": "p", "steps": ["s"]}'
    reading = read_source("a.jsonl", f"{good}\n{line}\n{good}")
    assert [str(fault) for fault in reading.faults] == [message]
    assert [proof.id for proof in reading.proofs] == ["a:1", "a:3"]


def test_what_stands_in_front_of_a_fault_in_an_array_is_kept() -> None:
    reading = read_source("a.json", '[{"problem": "p", "steps": ["s"]},\n {"problem": oops}]')
    assert [proof.id for proof in reading.proofs] == ["a:1"]
    assert [str(fault) for fault in reading.faults] == ["a.json:2: is not JSON at column 14: Expecting value"]


def test_doubled_names_are_kept_and_told_apart() -> None:
    line = '{"id": "x", "problem": "p", "steps": ["s"]}'
    assert [proof.notices for proof in read_proofs("a.jsonl", f"{line}\n{line}")] == [
        ("the id occurs 2 times in the source; this is record 1",),
        ("the id occurs 2 times in the source; this is record 2",),
    ]


def test_backslashes_that_json_swallowed_are_noticed() -> None:
    (proof,) = read_proofs("a.json", r'{"problem": "p", "steps": ["$\frac12$", "fine\nnext", "$2 \times 3$"]}')
    assert proof.notices == ("step 1, 3: control characters where LaTeX commands may have been; JSON writes a backslash as two",)


def test_numbers_that_no_machine_holds_do_no_harm() -> None:
    digits = "9" * 5_000
    (proof,) = read_proofs("a.json", f'{{"id": {digits}, "problem": "p", "steps": ["s"], "label": 1e999}}')
    assert proof.id == digits


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("processbench_gsm8k.json", 400),
        ("processbench_math.json", 1_000),
        ("proofloc_olympiad.jsonl", 350),
        ("bigbench_multistep_arithmetic.jsonl", 300),
        ("mrben_college_math.jsonl", 252),
    ],
)
def test_public_data_is_read_byte_for_byte(shared: Path, name: str, count: int) -> None:
    text = (shared / "data" / "first_error" / name).read_text(encoding="utf-8")
    records = json.loads(text) if name.endswith(".json") else [json.loads(line) for line in text.split("\n") if line.strip()]
    started = time.perf_counter()
    proofs = read_proofs(name, text)
    assert time.perf_counter() - started < 10
    assert len(proofs) == count
    assert [[step.text for step in proof.steps] for proof in proofs] == [record["steps"] for record in records]
