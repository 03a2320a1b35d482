"""The paper's case studies and the examples, end to end with the embedded Lean."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fidelean import Problem, Proof, ProofVerdict, Step
from fidelean.cli.inputs import read_input
from fidelean.informal.reading import read_source
from fidelean.lean.embedded import EmbeddedEngine
from fidelean.lean.installation import find_installation
from fidelean.pipelines.evaluate_proof import evaluate_many
from fidelean.pipelines.systems import rules
from fidelean.policy import Policy
from fidelean.report.artefacts import artefact_files

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
async def engine() -> AsyncIterator[EmbeddedEngine]:
    if find_installation() is None:
        pytest.skip("the embedded Lean is not installed: fidelean lean install")
    opened = EmbeddedEngine()
    yield opened
    await opened.aclose()


async def test_the_case_studies_come_out_as_given(shared: Path, engine: EmbeddedEngine) -> None:
    studies = [json.loads(line) for line in (shared / "acceptance" / "case_studies.jsonl").read_text(encoding="utf-8").splitlines()]
    proofs = [
        Proof(Problem(study["problem"]), tuple(Step(index, text) for index, text in enumerate(study["steps"], start=1)), study["id"])
        for study in studies
    ]
    verdicts = await evaluate_many(proofs, rules(engine, Policy()), Policy())
    assert {p.id: v.first_error for p, v in zip(proofs, verdicts, strict=True)} == {study["id"]: study["first_error"] for study in studies}
    for study, verdict in zip(studies, verdicts, strict=True):
        assert set(study.get("unresolved", ())) <= set(verdict.unresolved_steps), study["id"]


EXAMPLES = {"sound": None, "slip": 3, "identity": 1, "remark": None, "algebra": 2, "cases": 1, "gauss": 4}


async def test_the_examples_break_where_their_authors_broke_them(project: Path, engine: EmbeddedEngine) -> None:
    files = sorted((project / "examples").glob("*.*"))
    proofs = [p for file in files for p in read_source(str(file), read_input(str(file), max_bytes=10**6)).proofs]
    verdicts = await evaluate_many(proofs, rules(engine, Policy()), Policy())
    found = {proof.id: verdict for proof, verdict in zip(proofs, verdicts, strict=True)}
    assert {name: verdict.first_error for name, verdict in found.items()} == EXAMPLES
    assert broken_by(found["algebra"]) == ("3a - 2b = 2 and a + b = 1 give a = 4/5",) or broken_by(found["algebra"])[0].endswith("a = 4/5")
    assert broken_by(found["cases"]) == ("x = -2 satisfies the conditions and none of the cases",)
    for proof in proofs:
        for name, text in artefact_files(proof, found[proof.id]):
            assert name.startswith(proof.id)
            assert text.startswith(f"-- proof {proof.id}, step ")
            assert "theorem" in text


def broken_by(verdict: ProofVerdict) -> tuple[str, ...]:
    evidence = verdict.steps[(verdict.first_error or 1) - 1].evidence
    return tuple(item.outcome.detail for item in evidence if type(item.outcome).__name__ == "Refuted")
