"""The engine that is not there answers every source."""

from __future__ import annotations

from fidelean.lean.engine import LeanEngine
from fidelean.lean.records import LeanSource, Status
from fidelean.pipelines.absent_engine import AbsentEngine


async def test_every_source_is_answered_with_why() -> None:
    engine: LeanEngine = AbsentEngine("Lean is not installed; run `fidelean lean install`")
    answers = await engine.elaborate([LeanSource("theorem t : True := by sorry"), LeanSource("oops")])
    assert [(answer.status, answer.elaborates, answer.detail) for answer in answers] == [
        (Status.UNAVAILABLE, False, "Lean is not installed; run `fidelean lean install`")
    ] * 2
    assert isinstance(engine, LeanEngine)
    await engine.aclose()
