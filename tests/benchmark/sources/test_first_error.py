"""Every public set has its published size, and one way to write a label."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from fidelean.benchmark.sources.first_error import FIRST_ERROR_SETS, read_first_error_set
from fidelean.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

PUBLISHED = {
    "bigbench_multistep_arithmetic.jsonl": (300, 62),
    "processbench_gsm8k.json": (400, 193),
    "processbench_math.json": (1000, 406),
    "mrben_college_math.jsonl": (252, 42),
    "proofloc_olympiad.jsonl": (350, 145),
}
"""Samples, and those without an error."""


@pytest.mark.parametrize("name", sorted(FIRST_ERROR_SETS))
def test_the_set_has_its_published_size(name: str, shared: Path) -> None:
    dataset = read_first_error_set(shared / "data" / "first_error" / name)
    correct = sum(sample.label is None for sample in dataset.samples)
    assert (len(dataset.samples), correct) == PUBLISHED[name]
    assert len({sample.proof.id for sample in dataset.samples}) == len(dataset.samples)
    assert dataset.name == name.partition(".")[0]


STEPS = {"problem": "p", "steps": ["a", "b"], "id": "x"}


@pytest.mark.parametrize(
    ("name", "row", "label"),
    [
        ("bigbench_multistep_arithmetic.jsonl", {"input": "p", "steps": ["a", "b"], "mistake_index": 1}, 2),
        ("bigbench_multistep_arithmetic.jsonl", {"input": "p", "steps": ["a", "b"], "mistake_index": None}, None),
        ("processbench_math.json", {**STEPS, "label": 0}, 1),
        ("processbench_gsm8k.json", {**STEPS, "label": -1}, None),
        ("mrben_college_math.jsonl", {**STEPS, "first_error": 2}, 2),
        ("mrben_college_math.jsonl", {**STEPS, "first_error": 0}, None),
        ("proofloc_olympiad.jsonl", {**STEPS, "first_error_step": 2}, 2),
        ("proofloc_olympiad.jsonl", {**STEPS, "first_error_step": "correct"}, None),
    ],
)
def test_labels_are_one_based(name: str, row: dict[str, object], label: int | None, tmp_path: Path) -> None:
    path = write(tmp_path / name, row)
    (sample,) = read_first_error_set(path).samples
    assert sample.label == label
    assert [(step.index, step.text) for step in sample.proof.steps] == [(1, "a"), (2, "b")]
    assert sample.proof.problem.text == "p"


@pytest.mark.parametrize("label", [2, -2, "2?", None])
def test_a_label_that_names_no_step_is_an_error_of_the_file(label: object, tmp_path: Path) -> None:
    path = write(tmp_path / "processbench_math.json", {**STEPS, "label": label})
    with pytest.raises(InputError):
        read_first_error_set(path)


def test_a_proof_without_steps_is_an_error_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "processbench_math.json", {**STEPS, "steps": [], "label": -1})
    with pytest.raises(InputError, match="without a step"):
        read_first_error_set(path)


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_first_error_set(tmp_path / "processbench_math.json")


def write(path: Path, row: dict[str, object]) -> Path:
    path.write_text(json.dumps([row] if path.suffix == ".json" else row), encoding="utf8")
    return path
