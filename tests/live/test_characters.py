"""Every character of a batch reaches Lean, wherever it lies in the stream of bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fidelean.lean.records import LeanSource, Status

if TYPE_CHECKING:
    from fidelean.lean.embedded import EmbeddedEngine

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(200)]


def test_no_character_is_lost_between_two_blocks_of_bytes(engine: EmbeddedEngine) -> None:
    statement = "theorem t (a b : Nat) (ha : 1 ≤ a ∧ a ≤ 9) (hb : b ≤ 9) : a ≤ 9 ∧ 1 ≤ a ∧ b ≤ 9 ∧ a ≤ a ∧ b ≤ b := by omega"
    # One more line end each time: over 60 texts, characters of three bytes lie at every place of a block.
    answers = engine.elaborate_now([LeanSource(statement + "\n" * count) for count in range(60)])
    assert [(answer.status, answer.diagnostics) for answer in answers] == [(Status.OK, ())] * 60
