"""The direct judge's reply."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fidelean.llm.direct import DirectLabel, read_label
from fidelean.llm.replies import MalformedReply


def test_every_reply_of_the_acceptance_file_is_read_as_it_says(shared: Path) -> None:
    entries = [json.loads(line) for line in (shared / "acceptance" / "direct_judge_replies.jsonl").read_text(encoding="utf8").splitlines()]
    assert len(entries) >= 10
    for entry in entries:
        read = read_label(entry["raw"], entry["steps"])
        said = "unparsable" if isinstance(read, MalformedReply) else "correct" if read.first_error is None else read.first_error
        assert said == entry["label"], entry["raw"]


@pytest.mark.parametrize(
    ("raw", "step"),
    [
        ("CORRECT", None),
        ("`correct`", None),
        ("Answer: correct", None),
        ("The proof is correct.", None),
        ("step 4 of 9", 4),
        ("Final answer: **Step 2**", 2),
        ("Step 2 divides by zero, and nothing later mends it.\n\nstep 2", 2),
        ("The first error occurs in step 3, because step 2 gives 5.", 3),
        ("The earliest mistake is step 7: the sign.", 7),
        ("step 3\n\nThe first error is in step 3, because 2+2=5.", 3),
    ],
)
def test_read(raw: str, step: int | None) -> None:
    assert read_label(raw, 9) == DirectLabel(step)


@pytest.mark.parametrize(
    "raw",
    [
        "incorrect",
        "not correct",
        "Step 3 is correct",
        "correct, except for step 4",
        "correct\nstep 4",
        "step 4\nstep 5",
        "step 3 of 4",
        "step 0",
        "step -1",
        "step 10",
        "step four",
        "steps 2-3",
        "If the first error is in step 3, I cannot tell.",
        "It is not true that the first error is in step 3.",
        "The first error is in step 3\nstep 4",
        '{"label": "correct"}',
        "x" * 200_000,
        "step 99999999999999999999",
    ],
)
def test_unparsable(raw: str) -> None:
    assert isinstance(read_label(raw, 9), MalformedReply)
