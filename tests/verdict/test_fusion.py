"""Evidence to verdicts: every status by its docstring, in any order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.evidence.records import Evidence
from fidelean.informal.records import Claim, Span
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import VerdictPolicy
from fidelean.verdict.fusion import decide
from fidelean.verdict.records import StepStatus

PASSED, REFUTED, OPEN = Passed(), Refuted("2 is not 3"), Inconclusive(Reason.UNDECIDED)
REMARKS_COUNT = VerdictPolicy(remarks_count=True)


def obligation(name: str = "1.1", *, load_bearing: bool = True) -> Obligation:
    step, number = (int(part) for part in name.split("."))
    return Obligation(name, step, ObligationKind.DERIVED_FACT, Claim(f"c{name}", step=step, span=Span(number, number + 1)), load_bearing)


def evidence(outcome: Outcome, name: str = "1.1", *, checker: str = "arithmetic", load_bearing: bool = True) -> Evidence:
    return Evidence(obligation(name, load_bearing=load_bearing), outcome, checker)


@pytest.mark.parametrize(
    ("items", "status"),
    [
        ([], StepStatus.UNCHECKED),
        ([evidence(PASSED)], StepStatus.SUPPORTED),
        ([evidence(PASSED), evidence(PASSED, "1.2")], StepStatus.SUPPORTED),
        ([evidence(OPEN, checker="none")], StepStatus.UNCHECKED),
        ([evidence(PASSED), evidence(OPEN, "1.2", checker="none")], StepStatus.UNCHECKED),
        ([evidence(PASSED), evidence(OPEN, "1.2")], StepStatus.UNCERTAIN),
        ([evidence(OPEN), evidence(OPEN, "1.2", checker="none")], StepStatus.UNCERTAIN),
        ([evidence(OPEN), evidence(PASSED, checker="lean")], StepStatus.SUPPORTED),
        ([evidence(OPEN), evidence(REFUTED, checker="lean")], StepStatus.REFUTED),
        ([evidence(PASSED), evidence(REFUTED, "1.2")], StepStatus.REFUTED),
        ([evidence(OPEN), evidence(REFUTED, "1.2")], StepStatus.REFUTED),
        ([evidence(REFUTED, load_bearing=False)], StepStatus.REFUTED_REMARK),
        ([evidence(REFUTED, load_bearing=False), evidence(OPEN, "1.2")], StepStatus.REFUTED_REMARK),
        ([evidence(REFUTED, load_bearing=False), evidence(REFUTED, "1.2")], StepStatus.REFUTED),
        ([evidence(PASSED), evidence(REFUTED, checker="lean")], StepStatus.UNCERTAIN),
        ([evidence(PASSED), evidence(REFUTED, checker="lean"), evidence(REFUTED, "1.2")], StepStatus.REFUTED),
    ],
)
def test_a_step_is_what_its_evidence_says(items: list[Evidence], status: StepStatus) -> None:
    verdict = decide(1, items)
    assert verdict.steps[0].status is status
    assert verdict.first_error == (1 if status is StepStatus.REFUTED else None)
    assert verdict.unresolved_steps == ((1,) if status in (StepStatus.UNCERTAIN, StepStatus.UNCHECKED) else ())


def test_remarks_count_where_the_policy_says_so() -> None:
    items = [evidence(REFUTED, load_bearing=False)]
    assert decide(1, items).first_error is None
    assert decide(1, items, REMARKS_COUNT).first_error == 1


def test_the_first_refuted_step_is_the_answer_and_every_step_is_listed() -> None:
    verdict = decide(5, [evidence(REFUTED, "4.1"), evidence(REFUTED, "2.1"), evidence(PASSED, "1.1"), evidence(OPEN, "3.1")])
    assert verdict.first_error == 2
    assert verdict.unresolved_steps == (3, 5)
    assert [step.index for step in verdict.steps] == [1, 2, 3, 4, 5]


def test_a_conflict_counts_neither_way_and_is_said() -> None:
    verdict = decide(1, [evidence(PASSED), evidence(REFUTED, checker="identity")], notices=["first"])
    assert verdict.first_error is None
    assert verdict.notices == ("first", "step 1: conflict on 'c1.1' between arithmetic, identity; it counts neither way")


def test_evidence_on_a_step_that_does_not_exist_is_a_fault_of_the_caller() -> None:
    with pytest.raises(ValueError, match="evidence on step 2 of a proof with 1 steps"):
        decide(1, [evidence(PASSED, "2.1")])


def test_no_step_gives_no_error() -> None:
    assert decide(0, []).steps == ()


OUTCOMES = st.sampled_from([PASSED, REFUTED, OPEN, Refuted("other"), Inconclusive(Reason.ROUNDING)])
EVIDENCE = st.builds(
    lambda outcome, step, number, checker: evidence(outcome, f"{step}.{number}", checker=checker, load_bearing=number != 3),
    OUTCOMES,
    st.integers(1, 4),
    st.integers(1, 3),
    st.sampled_from(["arithmetic", "identity", "none"]),
)


@given(st.lists(EVIDENCE, max_size=12), st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_evidence_never_matters(items: list[Evidence], shuffler: random.Random, remarks_count: bool) -> None:
    shuffled = items.copy()
    shuffler.shuffle(shuffled)
    policy = VerdictPolicy(remarks_count)
    assert decide(4, items, policy) == decide(4, shuffled, policy)


@given(st.lists(EVIDENCE, max_size=12))
def test_what_no_checker_tried_never_names_a_step(items: list[Evidence]) -> None:
    untried = [Evidence(item.obligation, item.outcome, "none") for item in items]
    assert decide(4, untried).first_error is None
    assert {step.status for step in decide(4, untried).steps} == {StepStatus.UNCHECKED}


@given(st.lists(EVIDENCE, max_size=12), EVIDENCE)
def test_an_inconclusive_answer_never_turns_a_step_into_an_error(items: list[Evidence], more: Evidence) -> None:
    doubt = Evidence(more.obligation, OPEN, "arithmetic")
    before, after = decide(4, items), decide(4, [*items, doubt])
    assert before.first_error == after.first_error
