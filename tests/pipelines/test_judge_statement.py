"""Judging a formalisation. Replies of judges are written by hand for this repository, or made of the list of issues: no model said them."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from fidelean.errors import UsageError
from fidelean.faithfulness.grading.families import family_of
from fidelean.faithfulness.grading.grading import Judge
from fidelean.faithfulness.grading.records import CheckKind, DefectKind, GradingRules, Preset, Stance
from fidelean.faithfulness.grading.replies import CheckReply, DefectReply, DifferenceReply, GradeReply
from fidelean.faithfulness.records import Drift
from fidelean.informal.records import Statement
from fidelean.lean.embedded import EmbeddedEngine
from fidelean.lean.records import Diagnostic, Elaboration, LeanSource, Position, Severity, Status
from fidelean.outcome import Inconclusive, Passed, Reason, Refuted
from fidelean.pipelines.absent_engine import AbsentEngine
from fidelean.pipelines.judge_statement import judge_statement
from fidelean.verdict.formalization_records import FormalizationOutcome, FormalizationVerdict, ProbeFinding
from scripted_asker import ScriptedAsker

TEXT = Statement("For every positive integer $n$, $n + 1 > 1$.")
LEAN = "theorem t (n : Int) (h : 0 < n) : 1 < n + 1 := by sorry\n"
FINE = GradeReply(score=10, reason="the same")
WEAK = DifferenceReply(kind=Drift.ADDED_ASSUMPTIONS, where="h : 0 < n", says_source="any n", says_lean="positive n")
REJECT = GradeReply(score=6, reason="drift", differences=(WEAK,))
UNFOUNDED = GradeReply(score=4, reason="drift", differences=(WEAK.model_copy(update={"where": "a prime p"}),))


class Says:
    """An engine that says the same of every text."""

    name = "says"

    def __init__(self, status: Status) -> None:
        self.status = status

    async def elaborate(self, sources: Sequence[LeanSource]) -> list[Elaboration]:
        error = (Diagnostic(Severity.ERROR, Position(1, 0), None, "unknown identifier"),) if self.status is Status.ERRORS else ()
        return [Elaboration(self.status, error, engine=self.name) for _ in sources]

    async def aclose(self) -> None:
        """Nothing is open."""


def judged(*replies: Sequence[GradeReply | Inconclusive], status: Status = Status.OK, **more: object) -> FormalizationVerdict:
    names = ("openai:gpt-5", "google:gemini-2.5-pro")
    judges = [Judge(name, ScriptedAsker(grade=list(said))) for name, said in zip(names, replies, strict=False)]
    return asyncio.run(judge_statement(TEXT, LEAN, judges, Says(status), **more))  # pyright: ignore[reportArgumentType]


def test_two_judges_who_accept_make_it_faithful() -> None:
    assert judged([FINE], [GradeReply(score=9, reason="")]).outcome is FormalizationOutcome.FAITHFUL


def test_two_rejections_with_a_reason_make_it_unfaithful() -> None:
    verdict = judged([REJECT], [REJECT])
    assert verdict.outcome is FormalizationOutcome.UNFAITHFUL
    assert "h : 0 < n" in verdict.grounds[0]


def test_judges_who_disagree_leave_it_undecided_and_the_released_protocol_does_not() -> None:
    assert judged([FINE], [REJECT]).outcome is FormalizationOutcome.UNDECIDED
    assert judged([FINE], [REJECT], rules=GradingRules(Preset.PAPER)).outcome is FormalizationOutcome.UNFAITHFUL


@pytest.mark.parametrize("reply", [UNFOUNDED, GradeReply(score=4, reason="no"), Inconclusive(Reason.NO_REPLY, "no connection")])
def test_a_rejection_without_ground_or_a_failed_call_is_unscored_and_no_zero(reply: GradeReply | Inconclusive) -> None:
    verdict = judged([FINE], [reply])
    assert verdict.outcome is FormalizationOutcome.UNDECIDED
    assert verdict.axes.judges[1].stance is Stance.UNSCORED
    assert verdict.axes.judges[1].scores == ()


def test_grades_that_flip_are_shown_with_their_spread() -> None:
    verdict = judged([FINE, FINE], [FINE, REJECT], rules=GradingRules(regrades=2))
    assert verdict.axes.judges[1].spread == (6, 10)
    assert verdict.axes.judges[1].stance is Stance.DIVIDED
    assert verdict.outcome is FormalizationOutcome.UNDECIDED


def test_lean_that_rejects_the_text_and_lean_that_is_not_there_are_told_apart() -> None:
    assert judged([], [], status=Status.ERRORS).outcome is FormalizationOutcome.DOES_NOT_COMPILE
    assert judged([FINE], [FINE], status=Status.UNAVAILABLE).outcome is FormalizationOutcome.UNDECIDED


def test_without_judges_nothing_is_faithful() -> None:
    assert judged().outcome is FormalizationOutcome.UNDECIDED


def test_one_defect_of_the_source_needs_evidence_beside_it() -> None:
    defect = DefectReply(kind=DefectKind.FALSE, where="every positive integer", reason="it fails")
    naming = FINE.model_copy(update={"source_defects": (defect,)})
    shown = ProbeFinding("counterexample", Refuted("n = 1"))
    assert judged([FINE], [naming]).outcome is FormalizationOutcome.FAITHFUL
    assert judged([FINE], [naming], probes=(shown,)).outcome is FormalizationOutcome.SOURCE_DEFECTIVE
    assert judged([FINE], [FINE], probes=(shown,)).outcome is FormalizationOutcome.UNDECIDED


def test_judges_have_to_be_independent_of_each_other_and_of_the_drafter() -> None:
    assert family_of("openai-compatible:openai/gpt-oss@http://host/v1") == family_of("openai:o3") == "gpt"
    with pytest.raises(UsageError, match="another family"):
        judged([FINE], [FINE], drafter="openai:gpt-5-mini")
    verdict = judged([FINE], [FINE], drafter="openai:gpt-5-mini", rules=GradingRules(Preset.PAPER))
    assert any("not independent" in notice for notice in verdict.notices)


KINDS = {"false_in_source": DefectKind.FALSE, "extraction": DefectKind.MISEXTRACTED, "undefined_term": DefectKind.UNDEFINED_TERM}


def test_the_known_issues_of_the_released_benchmark_are_defects_of_their_source(shared: Path) -> None:
    file = shared / "data" / "beyond_compilation" / "known_issues.csv"
    if not file.exists():
        pytest.skip("data/beyond_compilation/known_issues.csv is not there")
    statements = _statements(file.with_name("benchmark.jsonl"))
    with file.open(encoding="utf8", newline="") as stream:
        issues = list(csv.DictReader(stream))
    assert len(issues) == 18
    for issue in issues:
        text = statements[issue["id"]]
        defect = DefectReply(kind=KINDS[issue["kind"]], where=text[:40], reason=issue["issue"])
        said = FINE.model_copy(update={"source_defects": (defect,)})
        judges = [Judge(name, ScriptedAsker(grade=[said])) for name in ("openai:gpt-5", "google:gemini-2.5-pro")]
        verdict = asyncio.run(judge_statement(Statement(text, issue["id"]), LEAN, judges, AbsentEngine("no Mathlib")))
        assert verdict.outcome is FormalizationOutcome.SOURCE_DEFECTIVE, issue["id"]
        assert verdict.axes.source_defects[0].kind is KINDS[issue["kind"]]


def _statements(file: Path) -> dict[str, str]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf8").splitlines()]
    return {row["id"]: row["nl_statement"] for row in rows}


@pytest.mark.live
def test_lean_lifts_a_rejection_whose_difference_it_refutes_and_confirms_another() -> None:
    same, other = ("(n : Int) (h : 0 < n) : n + 1 > 1", "(n : Int) (h : 0 < n) : n + 1 > 5")

    async def run(lean: str) -> FormalizationVerdict:
        check = CheckReply(kind=CheckKind.SAME_AS, lean=lean)
        reply = REJECT.model_copy(update={"differences": (WEAK.model_copy(update={"check": check}),)})
        judges = [Judge("openai:gpt-5", ScriptedAsker(grade=[FINE])), Judge("google:gemini", ScriptedAsker(grade=[reply]))]
        async with EmbeddedEngine() as engine:
            return await judge_statement(TEXT, LEAN, judges, engine)

    lifted, confirmed = asyncio.run(run(same)), asyncio.run(run(other))
    assert isinstance(lifted.axes.judges[1].grades[0].differences[0].outcome, Passed)
    assert (lifted.axes.judges[1].stance, lifted.outcome) == (Stance.LIFTED, FormalizationOutcome.UNDECIDED)
    assert confirmed.outcome is FormalizationOutcome.UNFAITHFUL
