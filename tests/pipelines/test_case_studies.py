"""The paper's case studies, end to end with the embedded Lean: the first error and the steps that must stay open."""

from __future__ import annotations

import json

import pytest

from fidelean.informal.records import Problem, Proof, Step
from fidelean.pipelines.evaluate_proof import evaluate_many
from fidelean.pipelines.systems import rules
from fidelean.policy import Policy

pytestmark = [pytest.mark.live, pytest.mark.slow]


async def test_the_case_studies_come_out_as_given(shared, live_engine):
    studies = [json.loads(line) for line in (shared / "acceptance" / "case_studies.jsonl").read_text(encoding="utf-8").splitlines()]
    proofs = [
        Proof(Problem(study["problem"]), tuple(Step(index, text) for index, text in enumerate(study["steps"], start=1)), study["id"])
        for study in studies
    ]
    policy = Policy()
    verdicts = await evaluate_many(proofs, rules(live_engine, policy), policy)
    for study, verdict in zip(studies, verdicts, strict=True):
        assert verdict.first_error == study["first_error"], study["id"]
        assert set(study.get("unresolved", ())) <= set(verdict.unresolved_steps), study["id"]
