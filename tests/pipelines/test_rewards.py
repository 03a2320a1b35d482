"""A verdict as a reward: what is counted, when there is no judgement, and that it is plain data."""

from __future__ import annotations

import json
import math
import pickle
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from fidelean import (
    AbstentionReason,
    EngineError,
    InputError,
    Policy,
    Problem,
    Proof,
    Reason,
    Reward,
    Step,
    StepStatus,
    evaluate_many,
    reward_of,
)
from fidelean.benchmark.sources.first_error import read_first_error_set
from fidelean.evidence.records import NO_CHECKER, Evidence
from fidelean.informal.records import Claim, Span
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Inconclusive, Outcome, Passed, Refuted
from fidelean.pipelines.rewards import reward_of_fault
from fidelean.policy import RewardPolicy, StepFrequency
from fidelean.verdict.fusion import decide
from fidelean.verdict.records import ModelOpinion

WORDS = "A crate holds 12 rows of 15 apples, and 7 of the apples are rotten. How many are good?"
RIGHT = [r"There are $12 \cdot 15 = 180$ apples.", "Of these $180 - 7 = 173$ are good."]
WRONG = [r"There are $12 \cdot 15 = 180$ apples.", "Of these $180 - 7 = 174$ are good."]


def one(problem: str, steps: list[str], policy: Policy | None = None) -> Reward:
    (reward,) = evaluate_many([(problem, steps)], policy=policy)
    return reward


def by_hand(outcome: Outcome, checker: str = "double", text: str = "$12 < x$") -> Reward:
    """The reward of a proof of one step that is one claim, with one answer to it."""
    claim = Claim(text.strip("$"), step=1, span=Span(1, len(text) - 1))
    evidence = Evidence(Obligation("1.1", 1, ObligationKind.DERIVED_FACT, claim), outcome, checker)
    return reward_of(Proof(Problem("Let $x = 12$."), (Step(1, text),)), decide(1, [evidence]))


def test_a_proof_without_an_error_found() -> None:
    reward = one(WORDS, RIGHT)
    assert (reward.first_error, reward.abstention, reward.checked, reward.asserted) == (None, None, 2, 5)
    assert [(step.index, step.status, step.checked, step.asserted) for step in reward.steps] == [
        (1, StepStatus.SUPPORTED, 1, 2),
        (2, StepStatus.SUPPORTED, 1, 2),
    ]
    assert [step.evidence for step in reward.steps] == [("1.1/arithmetic",), ("2.1/arithmetic",)]
    assert reward.coverage == pytest.approx(2 / 5)


def test_a_proof_with_a_first_error_is_no_abstention_however_little_was_checked() -> None:
    prose = ["Rotten apples stay rotten."] * 60
    reward = one(WORDS, [*WRONG, *prose])
    assert (reward.first_error, reward.abstention) == (2, None)
    assert reward.coverage < Policy().rewards.min_coverage


def test_probabilities_are_the_policys_and_multiply() -> None:
    frequencies = RewardPolicy(supported=StepFrequency(8, 0), refuted=StepFrequency(8, 8))
    reward = one(WORDS, WRONG, Policy(rewards=frequencies))
    assert [step.probability for step in reward.steps] == [0.9, 0.1]
    assert reward.probability == math.prod([0.9, 0.1])


def test_a_refuted_step_is_less_likely_right_than_any_other() -> None:
    policy = RewardPolicy()
    others = (policy.supported, policy.refuted_remark, policy.uncertain, policy.unchecked)
    assert policy.refuted.probability < min(other.probability for other in others)
    assert all(0 < frequency.probability < 1 for frequency in (policy.refuted, *others))


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (["Clear."], AbstentionReason.NOTHING_CHECKABLE),
        ([*RIGHT, *["Rotten apples stay rotten."] * 60], AbstentionReason.LOW_COVERAGE),
        (["Hence $x^2 + 12 = x + 15$."], AbstentionReason.MACHINERY),
        ([], AbstentionReason.NOT_READ),
    ],
)
def test_an_abstention_says_why(steps: list[str], reason: AbstentionReason) -> None:
    reward = one(WORDS, steps)
    assert reward.abstention is not None
    assert reward.abstention.reason is reason
    assert reward.abstention.detail
    assert (reward.first_error, reward.probability) == (None, None)
    assert len(reward.steps) == len(steps)


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Inconclusive(Reason.BUDGET_SPENT, "no tokens left"), AbstentionReason.BUDGET_SPENT),
        (Inconclusive(Reason.TIMEOUT), AbstentionReason.BUDGET_SPENT),
        (Inconclusive(Reason.CRASHED), AbstentionReason.MACHINERY),
        (Inconclusive(Reason.GAVE_UP), AbstentionReason.NOTHING_CHECKABLE),
    ],
)
def test_what_a_checker_could_not_say_is_told_apart(outcome: Outcome, reason: AbstentionReason) -> None:
    reward = by_hand(outcome)
    assert reward.abstention is not None
    assert reward.abstention.reason is reason


def test_a_missing_engine_is_not_the_reason_where_it_would_have_made_no_difference() -> None:
    steps = ["Rotten apples stay rotten."] * 60
    reward = one(WORDS, ["Hence $x^2 + 12 = x + 15$.", *steps])
    assert reward.abstention is not None
    assert reward.abstention.reason is AbstentionReason.NOTHING_CHECKABLE


def test_decided_counts_and_the_rest_does_not() -> None:
    assert by_hand(Passed()).steps[0].checked == by_hand(Refuted()).steps[0].checked == 1
    assert by_hand(Passed(), checker=NO_CHECKER).steps[0] == replace(
        by_hand(Passed()).steps[0],
        status=StepStatus.UNCHECKED,
        checked=0,
        asserted=1,
        evidence=(),
        probability=RewardPolicy().unchecked.probability,
    )
    assert by_hand(Refuted()).first_error == 1


def test_an_opinion_is_no_first_error() -> None:
    proof = Proof(Problem(WORDS), (Step(1, "Clear."),))
    reward = reward_of(proof, decide(1, [], opinion=ModelOpinion(1, "it looks wrong", "direct/some model")))
    assert reward.first_error is None
    assert reward.abstention is not None


def test_a_verdict_on_another_number_of_steps_is_an_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        reward_of(Proof(Problem(WORDS), (Step(1, "Clear."),)), decide(2, []))


@pytest.mark.parametrize(
    ("error", "reason", "detail"),
    [
        (EngineError("Lean\nfell over"), AbstentionReason.MACHINERY, "Lean fell over"),
        (InputError("too long"), AbstentionReason.NOT_READ, "too long"),
        (RecursionError("deep\x1b[31m"), AbstentionReason.FAILED, "RecursionError: deep [31m"),
        (ValueError("\ud800" + "x" * 10_000), AbstentionReason.FAILED, "ValueError:  " + "x" * 287),
    ],
)
def test_a_fault_is_an_abstention_with_its_reason(error: Exception, reason: AbstentionReason, detail: str) -> None:
    proof = Proof(Problem(WORDS), (Step(1, "Clear."),), id="p")
    reward = reward_of_fault(proof, error, Policy())
    assert reward.abstention is not None
    assert (reward.abstention.reason, reward.abstention.detail) == (reason, detail)
    assert (reward.id, reward.checked, reward.steps[0].status) == ("p", 0, StepStatus.UNCHECKED)
    json.dumps(asdict(reward), ensure_ascii=False).encode()


@pytest.mark.parametrize("steps", [RIGHT, WRONG, [], ["Clear."]])
def test_rewards_are_plain_data(steps: list[str]) -> None:
    reward = one(WORDS, steps)
    assert pickle.loads(pickle.dumps(reward)) == reward  # noqa: S301 - our own bytes
    back = json.loads(json.dumps(asdict(reward), allow_nan=False))
    assert back["probability"] == reward.probability
    assert [step["status"] for step in back["steps"]] == [step.status.value for step in reward.steps]


def test_equal_inputs_give_equal_floats() -> None:
    proofs = [(WORDS, RIGHT), (WORDS, WRONG), (WORDS, RIGHT * 9)]
    first = evaluate_many(proofs)
    assert [repr(reward) for reward in evaluate_many(proofs)] == [repr(reward) for reward in first]
    alone = [evaluate_many([proof])[0] for proof in proofs]
    assert alone == first


@pytest.mark.slow
def test_the_figures_of_the_policy_are_what_is_measured(shared: Path) -> None:
    steps: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    quiet: Counter[tuple[bool, bool]] = Counter()
    for name in ("processbench_gsm8k.json", "processbench_math.json"):
        samples = read_first_error_set(shared / "data" / "first_error" / name).samples
        for sample, reward in zip(samples, evaluate_many(sample.proof for sample in samples), strict=True):
            labelled = reward.steps[: sample.label]
            steps.update(step.status.value for step in labelled)
            errors.update(step.status.value for step in labelled if step.index == sample.label)
            if reward.first_error is None:
                quiet[reward.coverage >= RewardPolicy().min_coverage, sample.label is None] += 1
    policy = RewardPolicy()
    assert {status.value: StepFrequency(steps[status], errors[status]) for status in StepStatus} == {
        status.value: getattr(policy, status.value) for status in StepStatus
    }
    # below the bar, as its docstring says: 342 of 831 labelled correct
    assert (quiet[False, True], quiet[False, True] + quiet[False, False]) == (342, 831)
