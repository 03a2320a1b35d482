from __future__ import annotations

import json
from pathlib import Path

import pytest

from fidelean.lean.contracts import accept_proof
from fidelean.lean.records import LeanSource, Status
from fidelean.outcome import Inconclusive, Passed, Refuted
from fidelean.proving.attempt import prove
from fidelean.proving.equivalence import equivalent
from fidelean.proving.reading import read_signature, split_signature
from fidelean.proving.records import ProvingObligation, Transfer
from fidelean.proving.signature import render_signature
from lean_room import embedded

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(500)]


async def test_every_acceptance_obligation_comes_out_as_it_says(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "acceptance" / "obligations.jsonl").read_text(encoding="utf-8").splitlines()]
    async with embedded(snippet_timeout_s=30) as engine:
        found = await prove([ProvingObligation(row["id"], row["signature"]) for row in rows], engine)
        decided = [attempt for attempt in found if not isinstance(attempt.outcome, Inconclusive)]
        again = await engine.elaborate([LeanSource(attempt.script) for attempt in decided])
    said = {
        attempt.id: (type(attempt.outcome).__name__.lower(), attempt.outcome.reason if isinstance(attempt.outcome, Inconclusive) else None)
        for attempt in found
    }
    assert said == {row["id"]: (row["outcome"], row.get("reason")) for row in rows}
    assert all(accept_proof(attempt.script, answer).accepted for attempt, answer in zip(decided, again, strict=True))
    assert all(attempt.transfer is not None for attempt in decided)


async def test_lean_reads_a_signature_as_we_do(shared: Path) -> None:
    """A signature as written implies the one written again from our tree, by itself: they are the same to Lean."""
    sources: list[LeanSource] = []
    for line in (shared / "acceptance" / "obligations.jsonl").read_text(encoding="utf-8").splitlines():
        text = json.loads(line)["signature"]
        signature = read_signature(text).signature
        assert signature is not None
        as_written, as_read = (split_signature(each) for each in (text, render_signature(signature)))
        assert as_written is not None
        assert as_read is not None
        closed = [f"∀ {binders}, {conclusion}" if binders else conclusion for binders, conclusion in (as_written, as_read)]
        sources.append(LeanSource(f"theorem same (given : {closed[0]}) : {closed[1]} := @given"))
    async with embedded() as engine:
        answers = await engine.elaborate(sources)
    assert [answer.status for answer in answers] == [Status.OK] * len(sources)


async def test_equivalence_is_decided_by_the_kernel() -> None:
    async with embedded(snippet_timeout_s=30) as engine:
        same = await equivalent("(x : Rat) (h : 2*x = 4) : x = 3", "(t : Rat) (h : t = 2) : t = 3", engine)
        other = await equivalent("(x : Rat) : x^2 = 4", "(x : Rat) : x = 2", engine)
    assert isinstance(same.outcome, Passed)
    assert isinstance(other.outcome, Refuted)
    assert other.forward.transfer is Transfer.UPWARDS
