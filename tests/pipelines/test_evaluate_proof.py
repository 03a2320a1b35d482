"""The frame: obligations, every checker's evidence, what nobody answered, the verdict."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from fidelean import InputError, Policy, Problem, Proof, Step, StepStatus, evaluate_proof, evaluate_proof_async
from fidelean.evidence.records import Evidence
from fidelean.informal.records import Claim
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.pipelines.evaluate_proof import evaluate
from fidelean.pipelines.systems import System
from fidelean.policy import VerdictPolicy

STEPS = ["We have $3 + 4 = 7$.", "Then $7 \\cdot 9 = 64$.", "Hence $64 - 1 = 63$."]


class CheckerDouble:
    """Answers the obligations it was told about, and no others."""

    def __init__(self, answers: dict[str, Outcome]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def check(self, cases: Sequence[tuple[Proof, Sequence[Obligation]]]) -> list[list[Evidence]]:
        answers: list[list[Evidence]] = []
        for proof, obligations in cases:
            assert proof.steps
            self.asked += [obligation.id for obligation in obligations]
            answers.append([Evidence(each, self.answers[each.id], "double") for each in obligations if each.id in self.answers])
        return answers


def one_obligation_a_step(proof: Proof) -> list[Obligation]:
    return [
        Obligation(f"{step.index}.1", step.index, ObligationKind.DERIVED_FACT, Claim(step.text, step=step.index)) for step in proof.steps
    ]


PROOF = Proof(Problem("p"), tuple(Step(index, text) for index, text in enumerate(STEPS, start=1)), notices=("read so",))


async def test_every_checker_sees_every_obligation_and_the_unanswered_stay_unchecked() -> None:
    first, second = CheckerDouble({"1.1": Passed()}), CheckerDouble({"2.1": Refuted("r")})
    verdict = await evaluate(PROOF, System(one_obligation_a_step, (first, second)), Policy())
    assert first.asked == second.asked == ["1.1", "2.1", "3.1"]
    assert [step.status for step in verdict.steps] == [StepStatus.SUPPORTED, StepStatus.REFUTED, StepStatus.UNCHECKED]
    assert (verdict.first_error, verdict.unresolved_steps, verdict.notices) == (2, (3,), ("read so",))
    assert verdict.steps[2].evidence[0].checker == "none"


async def test_a_missing_engine_is_noticed_once() -> None:
    missing = Inconclusive(Reason.UNAVAILABLE, "Lean is not installed; run `fidelean lean install`")
    verdict = await evaluate(PROOF, System(one_obligation_a_step, (CheckerDouble({"1.1": missing, "2.1": missing}),)), Policy())
    assert verdict.notices == ("read so", "Lean is not installed: 2 claims stayed unchecked; run `fidelean lean install`")


def test_steps_are_taken_in_every_form() -> None:
    whole = "\n\n".join(STEPS)
    proof = Proof(Problem("p"), tuple(Step(index, text) for index, text in enumerate(STEPS, start=1)))
    verdicts = [evaluate_proof("p", form) for form in (STEPS, tuple(STEPS), whole, proof, list(proof.steps))]
    verdicts.append(evaluate_proof(Problem("p"), STEPS))
    assert [verdict.first_error for verdict in verdicts] == [2] * 6


def test_steps_keep_their_place_and_are_counted_anew() -> None:
    verdict = evaluate_proof("p", [Step(7, STEPS[1], line=12, offset=3)])
    assert (verdict.first_error, len(verdict.steps)) == (1, 1)


@pytest.mark.parametrize("nothing", [[], "", " \n"])
def test_a_proof_without_a_step_is_an_input_error(nothing: list[str] | str) -> None:
    with pytest.raises(InputError):
        evaluate_proof("p", nothing)


def test_the_policy_reaches_the_decision() -> None:
    async def decided(policy: Policy) -> int | None:
        remark = Obligation("1.1", 1, ObligationKind.DERIVED_FACT, Claim("c", step=1), load_bearing=False)
        proof = Proof(Problem("p"), (Step(1, "c"),))
        return (await evaluate(proof, System(lambda _: [remark], (CheckerDouble({"1.1": Refuted()}),)), policy)).first_error

    assert asyncio.run(decided(Policy())) is None
    assert asyncio.run(decided(Policy(verdict=VerdictPolicy(remarks_count=True)))) == 1


async def test_the_same_verdict_inside_a_running_event_loop() -> None:
    assert evaluate_proof("p", STEPS) == await evaluate_proof_async("p", STEPS)
