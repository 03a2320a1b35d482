"""The JSON form of evaluations with models: what it says, that it conforms, that a replay gives the same bytes."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.llm.desk import Desk
from fidelean.pipelines.designs import DESIGNS
from fidelean.report.document_parts import json_line
from fidelean.report.documents import ProofDocument, proof_document
from fidelean.runs.ledger import Ledger
from fidelean.runs.records import Spending
from model_evaluations import evaluate_one, proof
from obliging import obliging_model
from report_studies import PROOF, SAID, concluded, opined, studied


def document(study_of: object = None) -> ProofDocument:
    study = studied() if study_of is None else study_of
    return proof_document(PROOF, concluded(study), study, system="full")  # type: ignore[arg-type]


def test_what_the_verdict_rests_on_and_what_a_model_thinks_stand_apart() -> None:
    whole = document()
    assert (whole.first_error, whole.basis, whole.system) == (2, "evidence", "full")
    assert whole.opinion is not None
    assert (whole.opinion.first_error, whole.opinion.reason) == (1, SAID)
    alone = document(opined())
    assert (alone.first_error, alone.basis, alone.suggestions) == (2, "opinion", [])
    assert [step.status for step in alone.steps] == ["unchecked", "unchecked"]
    assert document(opined(None)).basis is None


def test_a_study_says_every_stage() -> None:
    study = document().study
    assert study is not None
    assert [(each.id, [finding.kind for finding in each.findings]) for each in study.substeps] == [("1.1", ["strengthened"]), ("2.1", [])]
    assert [each.kind for each in study.departures] == ["dropped_formula"]
    assert [each.step for each in study.uncut] == [1]
    assert study.tree is not None
    assert [(each.id, each.trusted) for each in study.tree.transitions] == [("1.1", False), ("2.1", True)]
    assert [each.kind for each in study.tree.malformations] == ["missing_edge"]
    assert study.scan is not None
    assert [each.score for each in study.scan.transitions] == [0.1, 0.9]
    assert study.window == ["1.1", "2.1"]
    assert [(each.opinion, each.reason) for each in study.reviews] == [(None, "no_reply"), ("incorrect", None)]
    assert study.cost.model_dump() == {"calls": 7, "tokens": 12345, "usd": "0.021"}


def test_an_obligation_says_what_lean_was_told_and_said() -> None:
    study = document().study
    assert study is not None
    unasked, asked = study.obligations
    assert (unasked.outcome, unasked.lean.not_asked if unasked.lean else "") == ("inconclusive", "gave_up")
    assert (asked.kind, asked.outcome, asked.waits_for, asked.premises[0].awaits) == ("entailment", "refuted", ["1.1.1"], ["1.1.1"])
    lean = asked.lean
    assert lean is not None
    assert lean.gate is not None
    assert lean.attempt is not None
    assert [each.feedback for each in lean.drafts] == ["errors", "admitted"]
    assert [slot.score for slot in lean.gate.reports[0].slots] == [1.0, 1.0, 1.0]
    assert (lean.gate.admitted, [each.kind for each in lean.gate.lints]) == (True, ["literal_missing"])
    assert (lean.attempt.outcome, lean.attempt.tried, len(lean.attempt.scripts)) == ("refuted", ["claim/decide"], 1)


def test_what_the_gate_holds_back_is_shown_and_does_not_count() -> None:
    study = studied(admitted=False)
    verdict = concluded(study)
    assert verdict.first_error != 2
    whole = proof_document(PROOF, verdict, study, system="full").study
    assert whole is not None
    asked = whole.obligations[1]
    assert asked.lean is not None
    assert asked.lean.gate is not None
    assert asked.lean.attempt is not None
    assert (asked.outcome, asked.outcome_reason) == ("inconclusive", "unfaithful")
    assert (asked.lean.gate.admitted, asked.lean.attempt.outcome) == (False, "refuted")
    assert asked.lean.gate.reports[0].s < 1


def test_no_time_is_in_it() -> None:
    finding = studied().findings[1]
    assert finding.search is not None
    slower = replace(finding.search, attempt=replace(finding.search.attempt, seconds=99.0))
    study = studied()
    later = replace(study, findings=(study.findings[0], replace(finding, search=slower)))
    assert json_line(document(study)) == json_line(document(later))
    assert "seconds" not in json_line(document())


@given(st.text(max_size=12) | st.just("\ud800 half of a pair"))
def test_whatever_a_model_says_the_line_conforms(said: str) -> None:
    line = json_line(document(studied(said)))
    assert line.splitlines() == [line]
    assert ProofDocument.model_validate_json(line, strict=True).study is not None
    json.loads(line.encode("utf-8"))


@pytest.mark.parametrize("system", sorted(DESIGNS))
async def test_a_replay_gives_the_same_bytes(system: str) -> None:
    one = proof("We have $3 + 4 = 7$.", "Hence $7 + 1 = 9$.")
    with Ledger.in_memory() as ledger:
        lines: list[str] = []
        for _ in range(2):
            async with Desk(obliging_model(), ledger=ledger) as desk:
                verdict, study = await evaluate_one(desk, one, system)
                lines.append(json_line(proof_document(one, verdict, study, system=system)))
    assert lines[0] == lines[1]
    assert json.loads(lines[0])["study"]["cost"]["calls"] > 0


def test_money_is_an_exact_decimal_without_an_exponent() -> None:
    study = replace(studied(), spending=Spending(1, 2, Decimal("1E-7")))
    shown = document(study).study
    assert shown is not None
    assert shown.cost.usd == "0.0000001"
