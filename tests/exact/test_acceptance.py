"""The acceptance inputs, each by the rules of their README."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from fidelean.exact import check_claim, check_step
from fidelean.outcome import Outcome, Refuted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECONDS = 0.5
"""No claim may take longer."""


def rows(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf8") as lines:
        yield from map(json.loads, lines)


def kind(outcome: Outcome) -> str:
    return type(outcome).__name__.lower()


def test_every_claim_has_the_outcome_that_the_file_gives_it(shared: Path, subtests: pytest.Subtests) -> None:
    for row in rows(shared / "acceptance" / "arithmetic_claims.jsonl"):
        with subtests.test(claim=row["claim"]):
            started = time.process_time()
            outcome = check_claim(str(row["claim"])).outcome
            assert time.process_time() - started < SECONDS
            assert kind(outcome) in str(row["outcome"]).split("|"), outcome


def test_of_every_step_exactly_the_given_claims_are_refuted(shared: Path, subtests: pytest.Subtests) -> None:
    for row in rows(shared / "acceptance" / "steps.jsonl"):
        with subtests.test(step=row["step"]):
            text = str(row["step"])
            refuted = [checked.claim.text for checked in check_step(text) if isinstance(checked.outcome, Refuted)]
            expected = row["refuted"]
            assert isinstance(expected, list)
            assert len(refuted) == len(expected), refuted
            assert all(part in whole for part, whole in zip(expected, refuted, strict=True)), refuted
