from __future__ import annotations

from dataclasses import replace
from math import isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.faithfulness.gate import admit, refusal, rejudged, weigh
from fidelean.faithfulness.records import (
    Aspects,
    FaithfulnessReport,
    GateReason,
    Lint,
    LintKind,
    LintSeverity,
    Match,
    Part,
    Side,
    Slot,
    Status,
)
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import FaithfulnessPolicy

POLICY = FaithfulnessPolicy()
LOOSE = FaithfulnessPolicy(no_gate=True)

GRADES = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
ASPECT_NAMES = ["step_relation", "objects", "directionality", "role_alignment", "syntax_surface"]
ASPECTS = st.builds(Aspects, GRADES, GRADES, GRADES, GRADES, GRADES)


def source(part: Part, match: Match) -> Slot:
    return Slot(Side.SOURCE, part, "piece", match)


SOURCES = st.builds(source, st.sampled_from(Part), st.sampled_from(Match))
LEANS = st.builds(
    lambda part, match, needs: Slot(Side.LEAN, part, "piece", match, needs_source=needs),
    st.sampled_from(Part),
    st.sampled_from(Match),
    st.booleans(),
)
REPORTS = st.builds(
    lambda slots, aspects, status, confidence: FaithfulnessReport(tuple(slots), aspects, (), status, confidence, ""),
    st.lists(st.one_of(SOURCES, LEANS), max_size=6),
    ASPECTS,
    st.sampled_from(Status),
    st.floats(0, 1),
)
POLICIES = st.builds(FaithfulnessPolicy, statement_threshold=st.floats(0.05, 1))


def report(
    *slots: Slot,
    aspects: Aspects | None = None,
    status: Status = Status.FAITHFUL,
) -> FaithfulnessReport:
    return FaithfulnessReport(slots, aspects or Aspects(1, 1, 1, 1, 1), (), status, 1.0, "")


WHOLE = report(source(Part.PREMISE, Match.EXACT), source(Part.CONCLUSION, Match.EXACT))


def reasons(found: FaithfulnessReport, policy: FaithfulnessPolicy = POLICY, *lints: Lint) -> set[GateReason]:
    return {objection.reason for objection in admit(found, policy, lints).objections}


def test_the_score_is_the_formula() -> None:
    found = report(
        source(Part.PREMISE, Match.EXACT),
        source(Part.PREMISE, Match.MODIFIER_MISSING),
        source(Part.CONCLUSION, Match.NOTATION_ONLY),
        aspects=Aspects(1, 0.75, 0.5, 1, 0.25),
    )
    assert (found.s_prem, found.s_conc, found.s_hol) == (0.75, 0.75, 0.7)
    assert isclose(found.s, sqrt(0.75 * 0.75) * 0.7)


def test_an_empty_side_scores_one_unless_the_statement_added_to_it() -> None:
    conclusion = source(Part.CONCLUSION, Match.EXACT)
    assert report(conclusion).s_prem == 1.0
    assert report(conclusion, Slot(Side.LEAN, Part.PREMISE, "{K : Type}", Match.NONE, needs_source=False)).s_prem == 1.0
    added = report(conclusion, Slot(Side.LEAN, Part.PREMISE, "(h : x = 1)", Match.NONE))
    assert added.s_prem == 0.0
    assert GateReason.UNSUPPORTED_PREMISE in reasons(added)


def test_a_whole_match_is_admitted() -> None:
    assert admit(WHOLE, POLICY).admitted
    assert admit(WHOLE, POLICY).objections == ()


def test_a_premise_without_a_source_is_critical_however_good_the_rest() -> None:
    found = report(*WHOLE.slots, Slot(Side.LEAN, Part.PREMISE, "(h : x = 1)", Match.NONE))
    assert found.s == 1.0
    assert reasons(found) == {GateReason.UNSUPPORTED_PREMISE}


def test_a_summary_that_contradicts_the_numbers_is_not_overruled_by_them() -> None:
    assert reasons(report(*WHOLE.slots, status=Status.REPAIRABLE_DRIFT)) == {GateReason.STATUS}


@pytest.mark.parametrize(
    ("field", "reason"), [("directionality", GateReason.DIRECTIONALITY), ("role_alignment", GateReason.ROLE_ALIGNMENT)]
)
@given(slots=st.lists(SOURCES, max_size=8), policy=POLICIES, low=GRADES)
def test_a_high_average_cannot_pay_for_a_critical_aspect(
    field: str, reason: GateReason, slots: list[Slot], policy: FaithfulnessPolicy, low: float
) -> None:
    found = report(*slots, *(WHOLE.slots * 50), aspects=replace(Aspects(1, 1, 1, 1, 1), **{field: low}))
    decision = admit(found, policy)
    assert (reason in {objection.reason for objection in decision.objections}) == (low < policy.statement_threshold)
    assert not (decision.admitted and low < policy.statement_threshold)


@given(n=st.integers(1, 60), match=st.sampled_from(Match))
def test_matched_premises_cannot_pay_for_another_conclusion(n: int, match: Match) -> None:
    found = report(*[source(Part.PREMISE, Match.EXACT)] * n, source(Part.CONCLUSION, match))
    assert admit(found, POLICY).admitted == (match.score >= POLICY.statement_threshold)


def better(match: Match) -> Match:
    ordered = list(Match)
    return ordered[max(0, ordered.index(match) - 1)]


@given(found=REPORTS, policy=POLICIES, data=st.data())
def test_a_better_match_never_costs_the_admission(found: FaithfulnessReport, policy: FaithfulnessPolicy, data: st.DataObject) -> None:
    if not found.slots:
        return
    at = data.draw(st.integers(0, len(found.slots) - 1))
    raised = replace(found.slots[at], match=better(found.slots[at].match))
    again = replace(found, slots=(*found.slots[:at], raised, *found.slots[at + 1 :]))
    assert again.s >= found.s
    assert admit(again, policy).admitted >= admit(found, policy).admitted


@given(found=REPORTS, policy=POLICIES, field=st.sampled_from(ASPECT_NAMES))
def test_a_better_aspect_never_costs_the_admission(found: FaithfulnessReport, policy: FaithfulnessPolicy, field: str) -> None:
    again = replace(found, aspects=replace(found.aspects, **{field: min(1.0, getattr(found.aspects, field) + 0.25)}))
    assert again.s >= found.s
    assert admit(again, policy).admitted >= admit(found, policy).admitted


@given(found=REPORTS, low=st.floats(0.05, 1), high=st.floats(0.05, 1))
def test_a_lower_threshold_never_costs_the_admission(found: FaithfulnessReport, low: float, high: float) -> None:
    low, high = sorted((low, high))
    strict, lax = (FaithfulnessPolicy(statement_threshold=value) for value in (high, low))
    assert admit(found, lax).admitted >= admit(found, strict).admitted


@given(found=REPORTS)
def test_without_the_gate_everything_is_admitted_and_still_told(found: FaithfulnessReport) -> None:
    assert admit(found, LOOSE).admitted
    assert admit(found, LOOSE).objections == admit(found, POLICY).objections


@given(found=REPORTS)
def test_scores_stay_between_zero_and_one(found: FaithfulnessReport) -> None:
    assert all(0 <= score <= 1 for score in (found.s_prem, found.s_conc, found.s_hol, found.s))


def test_only_critical_lints_hold_a_statement_back() -> None:
    warning = Lint(LintKind.UNUSED_VARIABLE, LintSeverity.WARNING, "nothing is said about y")
    critical = Lint(LintKind.FALSE_PREMISE, LintSeverity.CRITICAL, "everything follows")
    assert reasons(WHOLE, POLICY, warning) == set()
    assert reasons(WHOLE, POLICY, warning, critical) == {GateReason.LINT}


def test_judges_who_disagree_leave_the_question_open() -> None:
    converse = replace(WHOLE, aspects=replace(WHOLE.aspects, directionality=0.0))
    assert refusal(weigh([WHOLE, WHOLE], POLICY)) is None
    mixed, both = refusal(weigh([WHOLE, converse], POLICY)), refusal(weigh([converse, converse], POLICY))
    assert isinstance(mixed, Inconclusive)
    assert isinstance(both, Inconclusive)
    assert (mixed.reason, both.reason) == (Reason.AMBIGUOUS, Reason.UNFAITHFUL)


def test_nothing_is_admitted_that_nobody_judged() -> None:
    assert not weigh((), POLICY).admitted
    assert weigh((), LOOSE).admitted


def test_another_policy_judges_the_same_reports_again() -> None:
    converse = replace(WHOLE, aspects=replace(WHOLE.aspects, directionality=0.0), confidence=0.5)
    judged = weigh([WHOLE, converse], POLICY)
    assert not judged.admitted
    assert rejudged(judged, LOOSE).admitted
    assert rejudged(rejudged(judged, LOOSE), POLICY) == judged
    assert judged.report is converse
    assert judged.strength == converse.s * 0.5
