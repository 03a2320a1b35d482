"""The words, signs and classes that a page has for statuses, outcomes, kinds and reasons, and what each means and does not mean."""

from __future__ import annotations

from collections.abc import Sequence

from fidelean.decomposition.records import ConditionKind, GoalRelation, Transition, TransitionKind
from fidelean.evidence.records import NO_CHECKER, Evidence
from fidelean.outcome import Inconclusive, Passed, Refuted
from fidelean.report.html.views import StatusView
from fidelean.verdict.records import StepStatus

__all__ = [
    "LEGEND",
    "NOTHING_CLAIMED",
    "ORIGINS",
    "OUTCOME_LEGEND",
    "STATUSES",
    "checker_words",
    "outcome_of_claim",
    "outcome_of_finding",
    "pattern_words",
    "plain_words",
    "reason_words",
]

STATUSES = {
    StepStatus.SUPPORTED: StatusView("supported", "✓", "supported"),
    StepStatus.REFUTED: StatusView("refuted", "✗", "refuted"),
    StepStatus.REFUTED_REMARK: StatusView("remark", "(✗)", "refuted remark"),
    StepStatus.UNCERTAIN: StatusView("uncertain", "?", "uncertain"),
    StepStatus.UNCHECKED: StatusView("unchecked", "○", "unchecked"),
}

PASSED = StatusView("passed", "✓", "holds")
REFUTED = StatusView("refuted", "✗", "refuted")
REFUTED_REMARK = StatusView("remark", "(✗)", "refuted remark")
TRIED = StatusView("tried", "?", "could not tell")
UNTRIED = StatusView("untried", "○", "not checked")
CONFLICT = StatusView("conflict", "⇄", "checkers disagree")
NOTHING_CLAIMED = StatusView("untried", "–", "no formula claimed")

LEGEND = (
    (
        STATUSES[StepStatus.SUPPORTED],
        "Every formula that the step claims was checked and holds.",
        "The words around the formulas were not read.",
    ),
    (
        STATUSES[StepStatus.REFUTED],
        "A claim that the proof rests on is false; what breaks it is shown.",
        "Whether the proof can be mended.",
    ),
    (
        STATUSES[StepStatus.REFUTED_REMARK],
        "A claim is false, its author marks it as a remark, and nothing uses it.",
        "It does not count as the first broken step.",
    ),
    (
        STATUSES[StepStatus.UNCERTAIN],
        "A check was tried and could not tell, or two checkers contradict each other.",
        "This is never evidence of an error.",
    ),
    (
        STATUSES[StepStatus.UNCHECKED],
        "Nothing, or not everything, was within reach of a checker, and nothing speaks against the step.",
        "That it is right, or that it is wrong.",
    ),
)
"""Each status with what it means, and what it does not say."""

OUTCOME_LEGEND = (
    (PASSED, "the check was carried out and the claim holds under the conditions shown"),
    (REFUTED, "the check was carried out and the claim is false"),
    (REFUTED_REMARK, "the same, of a remark that nothing rests on"),
    (TRIED, "a checker tried and could not tell: never evidence against the claim"),
    (UNTRIED, "no checker applies"),
    (CONFLICT, "one checker says it holds, another that it is false: it counts neither way"),
)

ORIGINS = {
    ConditionKind.GIVEN: "given",
    ConditionKind.DEFINITION: "defined",
    ConditionKind.ASSUMPTION: "supposed",
    ConditionKind.DERIVED: "concluded",
}

_CHECKERS = {
    "arithmetic": "exact arithmetic",
    "algebra": "Lean, by the algebra checker",
    "lean": "Lean, on a statement by a model",
    NO_CHECKER: "no checker applies",
}


def outcome_of_claim(evidence: Sequence[Evidence]) -> StatusView:
    """What the findings about one claim come to, as the rules of the verdict weigh them."""
    outcomes = [item.outcome for item in evidence if item.checker != NO_CHECKER]
    holds = any(isinstance(outcome, Passed) for outcome in outcomes)
    false = any(isinstance(outcome, Refuted) for outcome in outcomes)
    if holds and false:
        return CONFLICT
    if holds:
        return PASSED
    if false:
        return REFUTED if evidence[0].obligation.load_bearing else REFUTED_REMARK
    return TRIED if outcomes else UNTRIED


def outcome_of_finding(item: Evidence) -> StatusView:
    """What one checker found."""
    return outcome_of_claim([item])


def checker_words(name: str) -> str:
    """Who answered."""
    return _CHECKERS.get(name, name)


def plain_words(name: str) -> str:
    """A name of the code in plain words."""
    return name.replace("_", " ")


def reason_words(item: Evidence) -> str:
    """Why a finding is open; empty where it is not."""
    return item.outcome.reason.value.replace("_", " ") if isinstance(item.outcome, Inconclusive) else ""


def pattern_words(transition: Transition) -> str:
    """The pattern of an inference, and what happens to the goal where it does not stay."""
    pattern = transition.kind.value.replace("_", " ")
    same = transition.goal_relation is GoalRelation.SAME_GOAL
    if same or transition.kind is TransitionKind.CASE_SPLIT:
        return pattern
    return f"{pattern}, goal: {transition.goal_relation.value.replace('_', ' ')}"
