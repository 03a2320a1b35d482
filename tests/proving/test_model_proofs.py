from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from fidelean.lean.declarations import statement_of
from fidelean.lean.records import LeanStatement, Status
from fidelean.outcome import Inconclusive, Passed, Reason, Refuted
from fidelean.policy import ModelProofPolicy, Policy
from fidelean.proving.frozen import freeze
from fidelean.proving.model_proofs import ProofLoop, ScriptReply
from fidelean.proving.records import Aim, Leaning, ProofSearch
from proving.engines import ScriptedEngine
from scripted_asker import ScriptedAsker

POLICY = Policy(model_proofs=ModelProofPolicy(scripts=3))
HARD = "theorem t (x y : Int) (h : x^4 = y^3) : y ≥ 0 ∨ x = 7 := by sorry\n"
IN_CONTEXT = "def sq (x : Int) : Int := x * x\n\ntheorem t (x : Int) (h : x = 2) : sq x = 4 := by sorry\n"


def statement(text: str = HARD) -> LeanStatement:
    found = statement_of(text)
    assert found is not None
    return found


def script(text: str, **more: str) -> ScriptReply:
    return ScriptReply(script=text, **more)


async def run(
    *replies: ScriptReply | Inconclusive,
    closes: Callable[[str], bool] = lambda _: False,
    text: str = HARD,
    leaning: Leaning = Leaning.CORRECT,
    clock: Callable[[], float] = lambda: 0.0,
    status: Status | None = None,
) -> tuple[ProofSearch, ScriptedAsker]:
    prover = ScriptedAsker(prove=[*replies], repair=[*replies[1:]])
    if leaning is Leaning.UNCERTAIN:
        prover = ScriptedAsker(prove=[replies[0], replies[3]], repair=[*replies[1:3], *replies[4:]])
    loop = ProofLoop(ScriptedEngine(closes, status=status, error_line=4), POLICY, prover, clock)
    return await loop.run(statement(text), leaning=leaning), prover


async def test_the_portfolio_comes_before_any_model() -> None:
    found, prover = await run(closes=lambda text: "grind" in text and "False" not in text)
    assert isinstance(found.attempt.outcome, Passed)
    assert found.tries == ()
    assert prover.prompts == []


async def test_a_script_is_repaired_with_what_lean_said() -> None:
    found, prover = await run(script("bad_one"), script("by\n  good_one"), closes=lambda text: "good_one" in text and ": False" not in text)
    assert found.attempt.outcome == Passed("kernel-checked, script 2 of a model")
    assert found.attempt.entry == "model"
    assert [tried.accepted for tried in found.tries] == [False, True]
    assert prover.stages == ["prove", "repair"]
    assert "it failed" in prover.prompts[1].user
    assert "bad_one" in prover.prompts[1].user
    assert "by\n  by" not in found.attempt.script


async def test_a_script_that_proves_false_from_the_conditions_is_a_fault_of_the_statement() -> None:
    found, _ = await run(script("good_one"), closes=lambda text: "good_one" in text)
    assert isinstance(found.attempt.outcome, Inconclusive)
    assert found.attempt.outcome.reason is Reason.VACUOUS
    assert "False" in found.fault
    assert "t_is_vacuous" in found.attempt.script


@pytest.mark.parametrize("sly", [
    "sorry",
    "trivial\ntheorem other : 1 = 1 := by rfl",
    "exact absurd h (by simp)\n\naxiom cheat : False",
    "set_option warn.sorry false in\nsorry",
    "native_decide",
    "#eval 1",
])  # fmt: skip
async def test_a_sly_script_counts_for_nothing(sly: str) -> None:
    found, _ = await run(*[script(f"{sly}\n-- {number}") for number in range(3)], closes=lambda text: "-- " in text)
    assert isinstance(found.attempt.outcome, Inconclusive)
    assert found.attempt.outcome.reason is Reason.GAVE_UP
    assert not any(tried.accepted for tried in found.tries)


async def test_helpers_stand_before_the_theorem_and_may_not_take_its_names() -> None:
    helper = "theorem help : 1 = 1 := by rfl"
    good, _ = await run(script("good_one", helpers=helper), closes=lambda text: "good_one" in text and "vacuous" not in text)
    assert isinstance(good.attempt.outcome, Passed)
    assert good.attempt.script.index("help") < good.attempt.script.index("theorem t ")
    worse = "def help : Nat := 3"
    bad, _ = await run(*[script("good_one", helpers=worse)] * 3, closes=lambda text: "good_one" in text)
    assert isinstance(bad.attempt.outcome, Inconclusive)


@pytest.mark.parametrize(("leaning", "aims"), [
    (Leaning.CORRECT, [Aim.CLAIM] * 3),
    (Leaning.WRONG, [Aim.NEGATION] * 3),
    (Leaning.UNCERTAIN, [Aim.CLAIM] * 3 + [Aim.NEGATION] * 3),
])  # fmt: skip
async def test_suspicion_chooses_the_side_and_decides_nothing(leaning: Leaning, aims: list[Aim]) -> None:
    found, _ = await run(*[script(f"try_{number}") for number in range(6)], leaning=leaning)
    assert [tried.aim for tried in found.tries] == aims
    assert isinstance(found.attempt.outcome, Inconclusive)
    assert found.attempt.outcome.reason is Reason.GAVE_UP


async def test_a_proved_negation_refutes() -> None:
    found, prover = await run(script("break_it"), leaning=Leaning.WRONG, closes=lambda text: "break_it" in text)
    assert isinstance(found.attempt.outcome, Refuted)
    assert "theorem t_fails : ¬ (∀ (x y : Int) (h : x^4 = y^3), y ≥ 0 ∨ x = 7)" in found.attempt.script
    assert "t_fails" in prover.prompts[0].user


async def test_a_proof_over_a_denominator_that_may_vanish_does_not_count() -> None:
    text = "theorem t (x y : Rat) (h : x^4 = y^3) : x / y * y = x + x * 0 ∨ x = 7 := by sorry\n"
    found, _ = await run(script("good_one"), text=text, closes=lambda text: "good_one" in text and "vacuous" not in text)
    assert isinstance(found.attempt.outcome, Inconclusive)
    assert found.attempt.outcome.reason is Reason.JUNK_DIVISION
    assert found.fault


async def test_a_script_that_comes_again_is_not_run_again() -> None:
    found, prover = await run(*[script("same")] * 3)
    assert [tried.feedback.count("sent before") for tried in found.tries] == [0, 1, 1]
    assert "this script was sent before" in prover.prompts[2].user


async def test_the_time_of_the_loop_is_limited() -> None:
    ticks: Iterator[float] = iter([0.0, 1.0, 700.0])
    found, _ = await run(script("one"), script("two"), clock=lambda: next(ticks))
    assert isinstance(found.attempt.outcome, Inconclusive)
    assert found.attempt.outcome.reason is Reason.TIMEOUT
    assert len(found.tries) == 1


@pytest.mark.parametrize("reason", [Reason.BUDGET_SPENT, Reason.NO_REPLY, Reason.MALFORMED_REPLY, Reason.DECLINED])
async def test_a_prover_without_a_reply_leaves_it_open_with_that_reason(reason: Reason) -> None:
    found, _ = await run(Inconclusive(reason))
    assert found.attempt.outcome == Inconclusive(reason)


async def test_a_fault_that_the_prover_sees_is_told_and_not_believed() -> None:
    found, _ = await run(script("", statement_fault="h contradicts itself"))
    assert found.suspected_fault == "h contradicts itself"
    assert found.fault == ""
    assert isinstance(found.attempt.outcome, Inconclusive)
    assert found.attempt.outcome.reason is Reason.GAVE_UP


async def test_without_an_engine_no_model_is_asked() -> None:
    found, prover = await run(status=Status.UNAVAILABLE)
    assert isinstance(found.attempt.outcome, Inconclusive)
    assert found.attempt.outcome.reason is Reason.UNAVAILABLE
    assert prover.prompts == []


async def test_a_statement_with_definitions_keeps_them_around_its_proof() -> None:
    found, _ = await run(script("good_one"), text=IN_CONTEXT, closes=lambda text: "good_one" in text and "vacuous" not in text)
    assert isinstance(found.attempt.outcome, Passed)
    assert found.attempt.script.startswith("def sq (x : Int) : Int := x * x\n\ntheorem t ")
    by_portfolio, prover = await run(text=IN_CONTEXT, closes=lambda text: "decide +kernel" in text and "t_fails" in text)
    assert isinstance(by_portfolio.attempt.outcome, Refuted)
    assert prover.prompts == []


def test_what_stands_before_the_theorem_stays_with_its_negation() -> None:
    frozen = freeze(statement("open Nat in\n/-- Said. -/\ntheorem a.b (n : Nat) : n = n := sorry -- := by\n"))
    assert not frozen.is_alone
    assert frozen.negation.head.startswith("open Nat in\n/-- Said. -/\ntheorem a_b_fails : ¬ (∀ (n : Nat), n = n)")
    assert frozen.claim.head.endswith("theorem a.b (n : Nat) : n = n")
    assert freeze(statement(HARD)).is_alone


def test_what_has_no_theorem_cannot_be_frozen() -> None:
    with pytest.raises(ValueError, match="does not end in one theorem"):
        freeze(LeanStatement("def x : Nat := 1", "x", ""))
