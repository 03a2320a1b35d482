"""The JSON form: schema, conformity, one object a line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.evidence.records import Artefact, Evidence
from fidelean.exact import check_claim, check_step
from fidelean.informal.records import Claim, Problem, Proof, Span, Step
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.report.claim_documents import claim_document, step_claims_document
from fidelean.report.document_parts import json_line
from fidelean.report.documents import ProofDocument, proof_document
from fidelean.report.schema import generated_schema, shipped_schema
from fidelean.verdict.fusion import decide

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
OUTCOME: st.SearchStrategy[Outcome] = st.one_of(
    st.builds(Passed, TEXT), st.builds(Refuted, TEXT), st.builds(Inconclusive, st.sampled_from(list(Reason)), TEXT)
)


def test_the_shipped_schema_is_up_to_date() -> None:
    assert shipped_schema() == generated_schema(), "run python -m fidelean.report.schema and keep what it prints"


def test_every_field_of_the_schema_is_explained() -> None:
    schema = json.loads(shipped_schema())
    owners = [schema, *(model for model in schema["$defs"].values() if "properties" in model)]
    silent = [f"{owner['title']}.{name}" for owner in owners for name, field in owner["properties"].items() if "description" not in field]
    assert silent == []


def test_a_document_says_what_the_verdict_says() -> None:
    steps = (Step(1, "see\n$2+2=5$", line=4, offset=20), Step(2, "so"))
    claim = Claim("2+2=5", ("x > 0",), step=1, span=Span(5, 10))
    obligation = Obligation("1.1", 1, ObligationKind.REWRITE, claim)
    evidence = Evidence(obligation, Refuted("4, not 5"), "identity", ("4", "5"), "the kernel", Artefact("lean", "theorem t"), 1.5)
    proof = Proof(Problem("p"), steps, id="i", source="a.md")
    assert json.loads(json_line(proof_document(proof, decide(2, [evidence], notices=["n"])))) == {
        "version": 1,
        "id": "i",
        "source": "a.md",
        "first_error": 1,
        "unresolved_steps": [2],
        "later_errors": [],
        "basis": "evidence",
        "opinion": None,
        "system": "rules",
        "suggestions": [],
        "notices": ["n"],
        "steps": [
            {
                "index": 1,
                "status": "refuted",
                "line": 4,
                "evidence": [
                    {
                        "obligation": "1.1",
                        "kind": "rewrite",
                        "claim": "2+2=5",
                        "conditions": ["x > 0"],
                        "span": [5, 10],
                        "line": 5,
                        "load_bearing": True,
                        "outcome": "refuted",
                        "reason": None,
                        "detail": "4, not 5",
                        "checker": "identity",
                        "values": ["4", "5"],
                        "rests_on": "the kernel",
                        "strength": 1.0,
                        "artefact": {"kind": "lean", "text": "theorem t"},
                    }
                ],
            },
            {"index": 2, "status": "unchecked", "line": None, "evidence": []},
        ],
        "study": None,
    }


@given(TEXT, TEXT, OUTCOME, st.lists(TEXT, max_size=3))
def test_every_output_conforms_and_takes_one_line(text: str, name: str, outcome: Outcome, values: list[str]) -> None:
    claim = Claim(text, step=1, span=Span(0, len(text)))
    evidence = Evidence(Obligation("1.1", 1, ObligationKind.DERIVED_FACT, claim), outcome, "arithmetic", tuple(values), text)
    proof = Proof(Problem(text), (Step(1, text, line=1),), id=name, source=name)
    line = json_line(proof_document(proof, decide(1, [evidence], notices=[text])))
    assert line.splitlines() == [line]
    document = ProofDocument.model_validate_json(line, strict=True)
    assert document.steps[0].evidence[0].claim == text
    assert document.steps[0].evidence[0].values == values


def test_a_document_of_another_proof_is_a_fault_of_the_caller() -> None:
    with pytest.raises(ValueError, match="zip"):
        proof_document(Proof(Problem("p"), (Step(1, "a"),)), decide(2, []))


def test_claims_on_their_own() -> None:
    refuted = claim_document("2+2=5", check_claim("2+2=5"))
    assert (refuted.claim, refuted.outcome, refuted.reason, refuted.values, refuted.broken) == (
        "2+2=5",
        "refuted",
        None,
        ["4", "5"],
        (0, 5),
    )
    unread = claim_document("x=5", check_claim("x=5"))
    assert (unread.outcome, unread.reason, unread.broken) == ("inconclusive", Reason.HAS_VARIABLE, None)
    step = step_claims_document("So $2+2=5$, and $2+2=4$.", check_step("So $2+2=5$, and $2+2=4$."))
    assert step.refuted == ["2+2=5"]
    assert [(claim.claim, claim.span, claim.outcome) for claim in step.claims] == [
        ("2+2=5", (4, 9), "refuted"),
        ("2+2=4", (17, 22), "passed"),
    ]
