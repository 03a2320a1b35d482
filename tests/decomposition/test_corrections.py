"""Conditions that a reader corrects."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fidelean.decomposition.corrections import correction_notices, read_corrections
from fidelean.decomposition.rules import decompose
from fidelean.errors import InputError
from fidelean.informal.records import Correction, Problem, Proof, Step
from fidelean.obligations.rules import derive

PROOF = Proof(
    Problem("Let $n$ be a positive integer. Every $x$ is well behaved. Solve $x^2 = 4$ where $x$ is a real number."),
    (Step(1, "Hence $x = 2$."), Step(2, "So $x + 1 = 3$.")),
)


def conditions(proof: Proof) -> list[list[str]]:
    return [[condition.text for condition in obligation.conditions] for obligation in derive(proof)]


def test_a_condition_that_is_none_is_dropped_everywhere() -> None:
    dropped = replace(PROOF, corrections=(Correction(drop="Every $x$ is well behaved."),))
    assert all("Every $x$ is well behaved." in texts for texts in conditions(PROOF))
    assert conditions(dropped) == [[text for text in texts if text != "Every $x$ is well behaved."] for texts in conditions(PROOF)]


def test_a_condition_that_was_missed_is_read_like_the_problem() -> None:
    added = replace(PROOF, corrections=(Correction(add="Suppose $x > 0$."),))
    assert [texts[0] for texts in conditions(added)] == ["x > 0", "x > 0"]
    assert decompose(added).states[0].conditions[0].was_read


def test_without_corrections_nothing_changes() -> None:
    assert decompose(replace(PROOF, corrections=())) == decompose(PROOF)


def test_corrections_that_change_nothing_are_told() -> None:
    corrections = (Correction(drop="x: complex"), Correction(add="The $x$ are nice."))
    added = decompose(Proof(Problem(corrections[1].add), ())).states[0].conditions
    assert correction_notices(decompose(PROOF), corrections, added) == (
        "the conditions were corrected by hand",
        'no condition reads "x: complex": nothing was dropped',
        'the condition "The $x$ are nice." was added but could not be read',
    )


def test_corrections_are_read_from_json() -> None:
    text = '[{"drop": "x: natural"}, {"add": " $x \\\\ne 0$. "}]'
    assert read_corrections(text, source="c.json") == (Correction(drop="x: natural"), Correction(add="$x \\ne 0$."))


@pytest.mark.parametrize("text", ["", "{}", '[{"drop": ""}]', '[{"drop": "a", "add": "b"}]', '[{"remove": "a"}]', "[1]", '[{"add": 3}]'])
def test_anything_else_is_bad_input_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match=r"^c\.json: no list of corrections: ") as caught:
        read_corrections(text, source="c.json")
    assert "\n" not in str(caught.value)
