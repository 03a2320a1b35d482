"""Evaluations with models, without models and without Lean: a scripted model and an engine double say what each test needs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from fidelean.decomposition.audit.records import Difficulty, ErrorType, LocalReview, Opinion
from fidelean.decomposition.audit.review import Reviewed
from fidelean.errors import ModelError
from fidelean.evidence.records import Evidence
from fidelean.informal.reading import read_source
from fidelean.informal.records import Claim, Proof
from fidelean.lean.engine import LeanEngine
from fidelean.lean.records import LeanSource
from fidelean.llm.desk import Desk
from fidelean.llm.model import LanguageModel
from fidelean.llm.records import ModelRequest
from fidelean.llm.replay import ReplayModel
from fidelean.llm.scripted import ScriptedModel
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Inconclusive, Passed, Reason, Refuted
from fidelean.pipelines.absent_engine import AbsentEngine
from fidelean.pipelines.designs import DESIGNS, design_of
from fidelean.pipelines.full import Evaluator, study_proof
from fidelean.pipelines.kept_engine import KeptEngine
from fidelean.pipelines.study import Study, conclude, settled_before
from fidelean.policy import FaithfulnessPolicy, Policy, SuspicionPolicy
from fidelean.report.documents import json_line, proof_document
from fidelean.runs.ledger import Ledger
from fidelean.verdict.records import Basis, ModelOpinion, ProofVerdict, StepStatus
from model_evaluations import proof
from obliging import obliging_reply
from proving.engines import ScriptedEngine
from source_tree import PROJECT

POLICY = Policy()
FULL = design_of("full")
WORKED = PROJECT / "examples" / "worked"
SOUND = proof("We have $3 + 4 = 7$.", "So the box is full.")
SLIP = proof("We have $3 + 4 = 7$.", "Hence $7 \\cdot 9 = 64$.", "So it is 64.")
STATED = "theorem stated (n : Int) : n * n = n + n := by sorry"
STAGES = ("decompose", "compare", "edges", "suspect", "review", "draft", "graph", "synthesis", "agent", "direct")


def lean_double(*closed: str) -> ScriptedEngine:
    """A double, no Lean: it takes every statement that ends in ``sorry``, and every proof whose text holds one of ``closed``."""
    return ScriptedEngine(lambda text: "sorry" in text or any(words in text for words in closed))


def speaking(**stages: object) -> ScriptedModel:
    """The obliging double; a stage named here says that instead: a reply, replies one after another, or what a function makes of it."""

    def plain(request: ModelRequest) -> str:
        return obliging_reply(request.prompt.stage, request.prompt.user)

    return ScriptedModel(dict.fromkeys(STAGES, plain) | stages)  # pyright: ignore[reportArgumentType]


def field(request: ModelRequest, name: str) -> str:
    found = re.search(rf"<<<{name}\n(.*?)\n{name}>>>", request.prompt.user, re.DOTALL)
    assert found is not None
    return found[1]


def faithful(request: ModelRequest) -> Mapping[str, object]:
    """A judge to whom ``STATED`` says every claim of one line, and needs none of its conditions."""
    numbers = re.findall(r"^(P\d+): ", field(request, "CONDITIONS"), re.MULTILINE)
    slots = [("premise", "implicit", "n is an integer", "L1"), ("conclusion", "claim", field(request, "CLAIM"), "L2")]
    aspects = ("step_relation", "objects_and_witnesses", "directionality", "role_alignment", "syntax_surface")
    return {
        "source_slots": [dict(zip(("part", "place", "text", "lean_slot"), slot, strict=True)) | {"match": "exact"} for slot in slots],
        "conditions_not_needed": numbers,
        **dict.fromkeys(aspects, 1),
        "drift": [],
        "status": "faithful",
        "confidence": 1,
        "reason": "it says the same",
        "missing": [],
        "overgeneralisation_examples": [],
        "suggested_revision": "",
    }


def unfaithful(request: ModelRequest) -> Mapping[str, object]:
    return {**faithful(request), "status": "unfaithful", "drift": ["wrong_objects"]}


def states(lean: str = STATED) -> dict[str, object]:
    return {
        "draft": {"lean": lean, "notes": ""},
        "revise": {"lean": lean, "notes": ""},
        "judge": faithful,
        "prove": ModelError("no prover"),
    }


def reviews(opinion: str, error: str | None = None) -> dict[str, object]:
    return {
        "opinion": opinion,
        "suspicion": 0.5,
        "error": error,
        "should_formalize": True,
        "difficulty": "easy",
        "reason": "a look at it",
    }


def suspects(scores: Mapping[str, float]) -> dict[str, object]:
    flags = {"likely_wrong": False, "should_formalize": True}
    return {"transitions": [{"transition": name, "score": score, **flags} for name, score in scores.items()], "overall": "uncertain"}


async def studied(
    one: Proof, model: LanguageModel, engine: LeanEngine | None = None, *, system: str = "full", ledger: Ledger | None = None
) -> tuple[ProofVerdict, Study]:
    async with Desk(model, ledger=ledger) as desk:
        evaluator = Evaluator(design_of(system), desk, engine or lean_double(), POLICY)
        study = await study_proof(one, evaluator)
    return conclude(one, study, evaluator.design, POLICY), study


def worked(name: str) -> tuple[Proof, ReplayModel]:
    folder = WORKED / name
    reading = read_source(str(folder / "proof.md"), (folder / "proof.md").read_bytes(), problem=None, policy=POLICY.reading)
    return reading.proofs[0], ReplayModel.from_file(folder / "replies.jsonl")


DRIFT_DOUBLE = ("theorem claim_fails", "(x - 2) * (x + 2) = 0\n", "x = 2 ∨ x = -2\n")
"""What Lean does say of the drafts of the worked proof with a drifted statement."""


async def drifted_statement(system: str) -> tuple[Proof, ProofVerdict, Study]:
    one, model = worked("drifted-statement")
    return one, *await studied(one, model, lean_double(*DRIFT_DOUBLE), system=system)


# Deciding


async def test_a_conclusion_depends_on_nothing_but_study_design_and_policy() -> None:
    one, verdict, study = await drifted_statement("full")
    assert verdict.first_error == 2
    for system in ("no-gate", "transitions-nl", "full"):
        assert conclude(one, study, design_of(system), POLICY) == conclude(one, study, design_of(system), POLICY)
    assert conclude(one, study, FULL, POLICY) == verdict


async def test_the_gate_is_put_back_and_taken_away_without_a_model() -> None:
    one, verdict, study = await drifted_statement("no-gate")
    assert (verdict.first_error, verdict.steps[1].status) == (3, StepStatus.SUPPORTED)
    gated = conclude(one, study, FULL, POLICY)
    assert (gated.first_error, gated.steps[1].status) == (3, StepStatus.UNCERTAIN)
    assert gated.notices[-1] == "in front of step 3, checks of step 2 could not tell"
    assert conclude(one, study, design_of("no-gate"), POLICY) == verdict


async def test_another_threshold_replays_without_a_model() -> None:
    one, _, study = await drifted_statement("full")
    assert conclude(one, study, FULL, POLICY).first_error == 2
    strict = replace(POLICY, faithfulness=FaithfulnessPolicy(reliable_strength=0.99))
    assert conclude(one, study, FULL, strict).first_error == 3, "the judges were sure to 0.95"
    stricter = replace(POLICY, verdict=replace(POLICY.verdict, remarks_count=True))
    assert conclude(one, study, FULL, stricter).first_error == 2


def refuted(step: int) -> Evidence:
    return Evidence(
        Obligation(f"{step}.1", step, ObligationKind.DERIVED_FACT, Claim("1 = 2", step=step)), Refuted("it is not"), "arithmetic"
    )


@pytest.mark.parametrize("said", [None, 1, 3])
def test_no_opinion_outranks_evidence(said: int | None) -> None:
    study = Study(evidence=(refuted(2),), opinion=ModelOpinion(said, "I think so", "a judge"))
    for design in DESIGNS.values():
        verdict = conclude(SLIP, study, design, POLICY)
        assert (verdict.first_error, verdict.basis, verdict.opinion) == (2, Basis.EVIDENCE, study.opinion)


async def test_where_nothing_is_refuted_an_opinion_names_a_step_and_refutes_none() -> None:
    verdict, _ = await studied(SOUND, speaking(synthesis={"first_error": 2, "reason": "which box?"}))
    assert (verdict.first_error, verdict.basis) == (2, Basis.OPINION)
    assert StepStatus.REFUTED not in [step.status for step in verdict.steps]


async def test_the_synthesis_is_not_asked_where_a_check_broke_a_step() -> None:
    model = speaking()
    verdict, study = await studied(SLIP, model)
    assert (verdict.first_error, study.opinion) == (2, None)
    assert "synthesis" not in {request.prompt.stage for request in model.requests}


async def test_reviews_decide_only_where_the_design_says_so() -> None:
    model = speaking(review=reviews("incorrect", "gap"))
    full, study = await studied(SOUND, model)
    assert full.first_error is None
    by_reviews = conclude(SOUND, replace(study, opinion=None), design_of("transitions-nl"), POLICY)
    assert (by_reviews.first_error, by_reviews.basis) == (1, Basis.OPINION)


# Every design

ASKED = {
    "direct": {"direct"},
    "graph": {"decompose", "compare", "edges", "graph"},
    "transitions-nl": {"decompose", "compare", "edges", "suspect", "review"},
    "no-transitions": {"suspect", "review", "draft", "judge", "synthesis"},
    "no-gate": {"decompose", "compare", "edges", "suspect", "review", "draft", "judge", "synthesis"},
    "full": {"decompose", "compare", "edges", "suspect", "review", "draft", "judge", "synthesis"},
    "nl-repeat": {"direct"},
    "nl-agent": {"agent"},
}


@pytest.mark.parametrize("system", DESIGNS)
async def test_every_design_runs_and_asks_what_belongs_to_it(system: str) -> None:
    model = speaking(**states())
    verdict, study = await studied(SOUND, model, lean_double("theorem claim "), system=system)
    assert {request.prompt.stage for request in model.requests} == ASKED[system]
    assert study.faults == ()
    assert verdict.first_error is None
    formal = design_of(system).formal
    statuses = [StepStatus.SUPPORTED] * 2 if formal else [StepStatus.UNCHECKED] * 2
    assert [step.status for step in verdict.steps] == statuses
    assert verdict.opinion is not None


def test_every_design_has_its_stages_here() -> None:
    assert ASKED.keys() == DESIGNS.keys()


# Replaying a run


class Silent(ScriptedModel):
    """A model that nobody may ask."""

    async def answer(self, request: ModelRequest) -> NoReturn:
        pytest.fail(f"a model was asked: {request.prompt.stage}")


class SilentEngine:
    """A double of an engine that nobody may ask."""

    name = "scripted"

    async def elaborate(self, sources: Sequence[LeanSource]) -> NoReturn:
        pytest.fail(f"Lean was asked: {sources[0].text}")

    async def aclose(self) -> None:
        return None


async def as_json(one: Proof, model: LanguageModel, engine: LeanEngine, folder: Path, system: str) -> str:
    with Ledger.open(folder) as ledger:
        verdict, study = await studied(one, model, KeptEngine(engine, ledger), system=system, ledger=ledger)
    return json_line(proof_document(one, verdict, study, system=system))


@pytest.mark.parametrize("system", DESIGNS)
async def test_a_finished_run_replays_without_model_and_lean_byte_for_byte(system: str, tmp_path: Path) -> None:
    for number, one in enumerate((SOUND, SLIP)):
        folder = tmp_path / str(number)
        first = await as_json(one, speaking(**states()), lean_double("theorem claim "), folder, system)
        assert await as_json(one, Silent({}), SilentEngine(), folder, system) == first


async def test_a_run_with_drafts_refusals_and_a_refutation_replays_too(tmp_path: Path) -> None:
    one, model = worked("drifted-statement")
    first = await as_json(one, model, lean_double(*DRIFT_DOUBLE), tmp_path, "full")
    assert json.loads(first)["first_error"] == 2
    silent = Silent({}, name=model.name)
    assert await as_json(one, silent, SilentEngine(), tmp_path, "full") == first


async def test_what_one_system_asked_serves_its_ablations(tmp_path: Path) -> None:
    await as_json(SOUND, speaking(**states()), lean_double("theorem claim "), tmp_path, "full")
    for system in ("no-gate", "transitions-nl"):
        await as_json(SOUND, Silent({}), SilentEngine(), tmp_path, system)


# Faults of stages

BROKEN = {
    "decompose": ["decomposition of step 1", "decomposition of step 2"],
    "compare": ["comparison of the substeps with the text"],
    "edges": ["tree of proof states"],
    "suspect": ["suspicion search, for which the rules stood in"],
    "review": ["review of 1.1", "review of 2.1"],
    "synthesis": ["synthesis judgement"],
}
OTHER_JUDGES = {"direct": ("direct", "direct"), "graph": ("graph", "graph"), "agent": ("nl-agent", "agent")}


@pytest.mark.parametrize("stage", BROKEN)
async def test_a_stage_that_fails_becomes_a_notice_and_no_verdict(stage: str) -> None:
    model = speaking(**states(), **{stage: ModelError("out of order")})
    verdict, study = await studied(SOUND, model, lean_double("theorem claim "))
    assert [fault.stage for fault in study.faults] == BROKEN[stage]
    assert [notice for notice in verdict.notices if "out of order" in notice] == [
        f"{name}: no_reply: out of order" for name in BROKEN[stage]
    ]
    assert verdict.first_error is None
    assert verdict.steps[0].status is StepStatus.SUPPORTED, "arithmetic needs no model"


@pytest.mark.parametrize("stage", OTHER_JUDGES)
async def test_a_judge_that_fails_gives_no_opinion(stage: str) -> None:
    system, name = OTHER_JUDGES[stage]
    verdict, _ = await studied(SOUND, speaking(**{stage: ModelError("out of order")}), system=system)
    assert verdict.notices == (f"{name} judgement: no_reply: out of order",)
    assert (verdict.first_error, verdict.opinion) == (None, None)


@pytest.mark.parametrize("stage", ["draft", "judge", "prove"])
async def test_a_fault_in_the_lean_branch_is_the_reason_of_its_obligation(stage: str) -> None:
    verdict, study = await studied(SOUND, speaking(**(states() | {stage: ModelError("out of order")})), lean_double())
    assert study.faults == ()
    (item,) = verdict.steps[1].evidence
    assert item.outcome == Inconclusive(Reason.NO_REPLY, item.outcome.detail)
    assert "out of order" in item.outcome.detail
    assert verdict.steps[1].status is StepStatus.UNCERTAIN


@pytest.mark.parametrize(
    ("system", "stage", "reply"),
    [
        ("full", "synthesis", {"first_error": 3, "reason": "?"}),
        ("graph", "graph", {"first_error": 3, "reason": "?"}),
        ("nl-agent", "agent", {"move": "answer", "step": 3, "notes": "?"}),
    ],
)
async def test_a_step_that_does_not_exist_is_no_opinion(system: str, stage: str, reply: object) -> None:
    verdict, study = await studied(SOUND, speaking(**{stage: reply}), system=system)
    assert study.faults[-1].reason == Inconclusive(Reason.MALFORMED_REPLY, "there is no step 3: the proof has 2")
    assert (verdict.first_error, verdict.opinion) == (None, None)


# What does not keep to the text


def retold(request: ModelRequest) -> object:
    """The second step, and it alone, is told in other words."""
    step = field(request, "STEP")
    text = "So the box is never full." if "box" in step else step
    return {"substeps": [{"text": text, "quotes": [step]}]}


def strange(request: ModelRequest) -> object:
    """An edge puts in force what the text does not have."""
    edges = json.loads(obliging_reply("edges", request.prompt.user))
    edges["edges"][-1]["children"][0]["conditions"][0]["text"] = "$n = 5$ holds"
    return edges


UNTRUSTED = {"drifted": {"decompose": retold}, "malformed": {"edges": strange}}


@pytest.mark.parametrize("what", UNTRUSTED)
@pytest.mark.parametrize(("closed", "outcome"), [("theorem claim_fails", Refuted), ("theorem claim ", Passed)])
async def test_what_lean_says_of_an_inference_outside_the_text_counts_for_nothing(what: str, closed: str, outcome: type) -> None:
    def judge(request: ModelRequest) -> Mapping[str, object]:
        return unfaithful(request) if outcome is Refuted and "3 + 4" in field(request, "CLAIM") else faithful(request)

    verdict, study = await studied(SOUND, speaking(**(states() | {"judge": judge}), **UNTRUSTED[what]), lean_double(closed))
    assert study.untrusted == {"2.1"}
    (finding,) = (finding for finding in study.findings if finding.obligation.step == 2)
    assert finding.search is not None
    assert isinstance(finding.search.attempt.outcome, outcome), "Lean did say something"
    assert [item.outcome for item in verdict.steps[1].evidence] == [
        Inconclusive(Reason.DRIFTED, "the inference that was checked does not keep to the text of the step")
    ]
    assert (verdict.first_error, verdict.steps[1].status) == (None, StepStatus.UNCERTAIN)
    assert any(notice.endswith("counts for nothing") for notice in verdict.notices)


@pytest.mark.parametrize("what", UNTRUSTED)
async def test_a_review_of_an_inference_outside_the_text_names_no_step(what: str) -> None:
    says = {"review": lambda request: reviews("incorrect", "gap") if "box" in field(request, "STEP") else reviews("correct")}
    verdict, study = await studied(SOUND, speaking(**says, **UNTRUSTED[what]), system="transitions-nl")
    assert any(isinstance(each.answer, LocalReview) and each.answer.opinion is Opinion.INCORRECT for each in study.reviews)
    assert verdict.first_error is None


THREE = proof("We call the box full.", "So the box is full.", "So it is.")


async def test_an_inference_outside_the_text_is_no_premise_of_another() -> None:
    _, study = await studied(THREE, speaking(**states(), **UNTRUSTED["drifted"]), lean_double("theorem claim "))
    last = study.findings[-1]
    assert last.obligation.step == 3
    assert "So the box is full." in last.unsettled or "So the box is never full." in last.unsettled
    assert "We call the box full." not in last.unsettled


async def test_what_serves_as_a_premise_follows_the_policy() -> None:
    """Every statement is proved and none says what its step says: with the gate nothing serves, without it everything does."""
    one = proof("So the box is big.", "So the box is full.")
    model = speaking(**(states() | {"judge": unfaithful}))
    verdict, study = await studied(one, model, lean_double("theorem claim "))
    assert [step.status for step in verdict.steps] == [StepStatus.UNCERTAIN] * 2
    assert study.findings[1].unsettled == ("So the box is big.",)
    loose = conclude(one, study, design_of("no-gate"), POLICY)
    assert [step.status for step in loose.steps] == [StepStatus.SUPPORTED] * 2


# What is decided already


def naming(request: ModelRequest) -> object:
    """Edges that put the formula in force, where the step has one, and not the words around it."""
    edges = json.loads(obliging_reply("edges", request.prompt.user))
    for edge in edges["edges"]:
        (added,) = edge["children"][0]["conditions"]
        added["text"] = (re.findall(r"\$.*?\$", added["text"]) or [added["text"]])[0]
    return edges


async def test_what_arithmetic_decides_is_not_put_to_lean() -> None:
    model = speaking(**states(), edges=naming)
    verdict, study = await studied(proof("We have $3 + 4 = 7$."), model)
    assert "draft" not in {request.prompt.stage for request in model.requests}
    assert study.findings == ()
    assert {item.checker for item in verdict.steps[0].evidence} == {"arithmetic"}
    assert len(verdict.steps[0].evidence) == 2, "the obligation of the text, and that of the inference"
    assert verdict.steps[0].status is StepStatus.SUPPORTED


async def test_a_claim_elsewhere_decides_nothing_here() -> None:
    _, study = await studied(proof("We have $3 + 4 = 7$."), speaking(edges=naming))
    (obligation,) = study.obligations
    assert settled_before(obligation, study.evidence) is not None
    moved = replace(obligation, step=2)
    assert settled_before(moved, study.evidence) is None
    assert settled_before(replace(obligation, claim=Claim("3 + 4 = 7", step=1)), study.evidence) is None


@pytest.mark.parametrize("edges", [{}, {"edges": naming}], ids=["in words", "as a formula"])
async def test_a_remark_stays_a_remark_when_an_inference_holds_it(edges: dict[str, object]) -> None:
    one = proof("Incidentally, $2 + 2 = 5$.", "So the box is full.")
    says = {**states(), "judge": lambda request: faithful(request) if "full" not in field(request, "CLAIM") else unfaithful(request)}
    verdict, study = await studied(one, speaking(**says, **edges), lean_double("theorem claim_fails"))
    assert [obligation.load_bearing for obligation in study.obligations] == [False, True]
    assert (verdict.first_error, verdict.steps[0].status) == (None, StepStatus.REFUTED_REMARK)


# The uncertain prefix

LONG = proof(*(f"So box {name} is full." for name in "ABCDEFGH"), "Hence $7 \\cdot 9 = 64$.")


async def test_before_a_step_is_named_what_is_in_front_of_it_is_reviewed() -> None:
    """Nothing looks suspicious, arithmetic refutes step 9: the six inferences in front of it are reviewed, and no more."""
    model = speaking(suspect=suspects({f"{step}.1": 0.0 for step in range(1, 10)}))
    verdict, study = await studied(LONG, model)
    assert verdict.first_error == 9
    assert study.window.transitions == ()
    assert [each.transition for each in study.reviews] == [f"{step}.1" for step in range(3, 9)]
    assert {each.transition for each in study.obligations} == {f"{step}.1" for step in range(3, 9)}
    assert verdict.notices == ("in front of step 9, checks of steps 3, 4, 5, 6, 7, 8 could not tell",)


async def test_what_was_audited_is_not_reviewed_again() -> None:
    scores = {f"{step}.1": 0.9 if step == 8 else 0.0 for step in range(1, 10)}
    model = speaking(suspect=suspects(scores))
    _, study = await studied(LONG, model)
    assert study.window.transitions == tuple(f"{step}.1" for step in range(2, 9))
    assert sorted(each.transition for each in study.reviews) == [f"{step}.1" for step in range(1, 9)]
    assert len([request for request in model.requests if request.prompt.stage == "review"]) == 8


async def test_a_refutation_in_the_prefix_moves_the_first_error() -> None:
    one = proof("So the box is full.", "Hence $7 \\cdot 9 = 64$.")
    model = speaking(**states(), suspect=suspects({"1.1": 0.0, "2.1": 0.0}))
    verdict, _ = await studied(one, model, lean_double("theorem claim_fails"))
    assert (verdict.first_error, verdict.basis) == (1, Basis.EVIDENCE)


async def test_what_is_in_front_of_a_first_error_that_moved_is_looked_at_too() -> None:
    """Arithmetic refutes step 9; in front of it Lean refutes step 3, and then step 1."""

    def judge(request: ModelRequest) -> Mapping[str, object]:
        return faithful(request) if re.search("box [AC]", field(request, "CLAIM")) else unfaithful(request)

    scores = suspects({f"{step}.1": 0.0 for step in range(1, 10)})
    verdict, study = await studied(LONG, speaking(**(states() | {"judge": judge}), suspect=scores), lean_double("theorem claim_fails"))
    assert (verdict.first_error, verdict.basis) == (1, Basis.EVIDENCE)
    assert [each.transition for each in study.reviews] == [f"{step}.1" for step in (3, 4, 5, 6, 7, 8, 1, 2)]


async def test_a_premise_that_was_checked_later_serves_all_the_same() -> None:
    """The window is steps 2 to 8; step 1, on which they rest, is looked at only once step 9 is refuted."""
    scores = suspects({f"{step}.1": 0.9 if step == 8 else 0.0 for step in range(1, 10)})
    verdict, study = await studied(LONG, speaking(**states(), suspect=scores), lean_double("theorem claim "))
    assert "So box A is full." in study.findings[0].unsettled
    assert study.findings[-1].obligation.step == 1
    assert [step.status for step in verdict.steps[:8]] == [StepStatus.SUPPORTED] * 8


async def test_a_missing_lean_is_said_once() -> None:
    absent = AbsentEngine("Lean is not installed; run `fidelean lean install`")
    verdict, _ = await studied(proof("So the box is big.", "So the box is full."), speaking(**states()), absent)
    assert verdict.notices == ("Lean is not installed: 2 claims stayed unchecked; run `fidelean lean install`",)


async def test_nothing_is_reviewed_where_nothing_is_suspicious_or_refuted() -> None:
    model = speaking(suspect=suspects({"1.1": 0.0, "2.1": 0.0}))
    verdict, study = await studied(SOUND, model)
    assert (study.reviews, study.obligations) == ((), ())
    assert verdict.opinion is not None, "the synthesis has the last word"


async def test_the_window_follows_the_policy() -> None:
    model = speaking(suspect=suspects({"1.1": 0.5, "2.1": 0.0}))
    async with Desk(model) as desk:
        policy = replace(POLICY, suspicion=SuspicionPolicy(threshold=0.4))
        study = await study_proof(SOUND, Evaluator(FULL, desk, lean_double(), policy))
    assert study.window.transitions == ("1.1",)


# Judges of the whole proof


@pytest.mark.parametrize(
    ("labels", "first_error", "reason"),
    [
        (["step 2"] * 5 + ["correct"] * 3, 2, "5 of 8 judgements"),
        (["correct"] * 5 + ["step 1"] * 3, None, "5 of 8 judgements"),
        (["step 2", "step 1"] * 4, 1, "4 of 8 judgements"),
        (["correct", "step 2"] * 4, 2, "4 of 8 judgements"),
        (["step 2", *[ModelError("gone")] * 6, "step 2"], 2, "2 of 8 judgements"),
    ],
)
async def test_of_many_judgements_the_most_frequent_counts(labels: list[object], first_error: int | None, reason: str) -> None:
    verdict, _ = await studied(SOUND, speaking(direct=labels), system="nl-repeat")
    assert verdict.opinion is not None
    assert (verdict.opinion.first_error, verdict.opinion.reason) == (first_error, reason)


async def test_where_no_judgement_comes_the_first_reason_stands() -> None:
    verdict, study = await studied(SOUND, speaking(direct=ModelError("gone")), system="nl-repeat")
    assert (verdict.opinion, study.faults[0].reason) == (None, Inconclusive(Reason.NO_REPLY, "gone"))


async def test_an_agent_sees_its_own_notes_and_answers() -> None:
    moves = [
        {"move": "examine", "step": 2, "notes": "which\nbox?"},
        {"move": "examine", "step": None, "notes": "no picture"},
        {"move": "answer", "step": 2, "notes": "no box was named"},
    ]
    model = speaking(agent=moves)
    verdict, _ = await studied(SOUND, model, system="nl-agent")
    assert verdict.opinion == ModelOpinion(2, "no box was named", "agent without tools, scripted:double")
    assert [field(request, "NOTES") for request in model.requests] == [
        "(nothing)",
        "step 2: which box?",
        "step 2: which box?\nthe whole: no picture",
    ]


async def test_an_agent_is_not_asked_for_ever() -> None:
    model = speaking(agent={"move": "examine", "step": 1, "notes": "again"})
    verdict, study = await studied(SOUND, model, system="nl-agent")
    assert len(model.requests) == POLICY.judging.turns
    assert (verdict.opinion, study.faults[0].reason.reason) == (None, Reason.GAVE_UP)


def test_reviews_alone_name_the_earliest_transition() -> None:
    def review(transition: str, opinion: Opinion) -> Reviewed:
        error = ErrorType.GAP if opinion is Opinion.INCORRECT else None
        return Reviewed(
            transition, LocalReview(transition, opinion, 0.5, error, should_formalize=True, difficulty=Difficulty.EASY, reason="?")
        )

    assert conclude(SOUND, Study(reviews=(review("1.1", Opinion.INCORRECT),)), design_of("transitions-nl"), POLICY).first_error is None, (
        "without a tree nobody knows which step a review is about"
    )
