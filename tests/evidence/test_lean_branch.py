from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fidelean.evidence.lean_branch import CHECKER, LeanBranch, lean_evidence
from fidelean.evidence.records import NO_CHECKER, Evidence, LeanFinding
from fidelean.faithfulness.records import Match, Status
from fidelean.faithfulness.replies import JudgeReply, SourceSlotReply
from fidelean.formalization.drafting import StatementReply
from fidelean.formalization.loop import StatementLoop
from fidelean.informal.records import Claim
from fidelean.obligations.records import Obligation, ObligationKind, Premise
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import FaithfulnessPolicy, FormalizationPolicy, ModelProofPolicy, Policy
from fidelean.proving.model_proofs import ProofLoop, ScriptReply
from fidelean.proving.records import Leaning
from judge_replies import reply, slot
from proving.engines import ScriptedEngine
from scripted_asker import ScriptedAsker

POLICY = Policy(formalization=FormalizationPolicy(max_drafts=1), model_proofs=ModelProofPolicy(scripts=2))
NO_GATE = FaithfulnessPolicy(no_gate=True)

CLAIM = Claim("$y \\ge 0$", ("$x^4 = y^3$",), step=3)
OBLIGATION = Obligation("3.1.1", 3, ObligationKind.DERIVED_FACT, CLAIM, premises=(Premise("$x^4 = y^3$"),))
TEXT = "theorem t (x y : Int) (h : x^4 = y^3) : y ≥ 0 := by sorry\n"

DOMAIN = slot("premise", "implicit", "x and y are integers", "L1")
GIVEN = slot("premise", "P1", "x^4 = y^3", "L2")
SHOWN = slot("conclusion", "claim", "y \\ge 0", "L3")
FAITHFUL = reply(DOMAIN, GIVEN, SHOWN, confidence=0.9)
DRIFTED = reply(DOMAIN, GIVEN, slot("conclusion", "claim", "y \\ge 0", "L3", Match.WEAK_OVERLAP), status=Status.UNFAITHFUL)


def replace_slot(said: SourceSlotReply, number: int) -> SourceSlotReply:
    return said.model_copy(update={"lean_slot": f"L{number}"})


def proves(text: str) -> bool:
    return "sorry" in text or ("good_one" in text and "vacuous" not in text) or ("grind" in text and "theorem claim " in text)


def models_only(text: str) -> bool:
    return "sorry" in text or ("good_one" in text and "vacuous" not in text)


def branch(
    drafts: list[str],
    judged: list[JudgeReply],
    scripts: list[ScriptReply | Inconclusive],
    *,
    closes: Callable[[str], bool] = models_only,
    policy: Policy = POLICY,
) -> LeanBranch:
    said = [StatementReply(lean=text, notes="") for text in drafts]
    drafter = ScriptedAsker(draft=[*said[:1]], revise=[*said[1:]])
    engine = ScriptedEngine(closes)
    prover = ScriptedAsker(prove=[*scripts], repair=[*scripts[1:]])
    return LeanBranch(StatementLoop(drafter, (ScriptedAsker(judge=[*judged]),), engine, policy), ProofLoop(engine, policy, prover))


async def found(
    judged: JudgeReply = FAITHFUL,
    *,
    closes: Callable[[str], bool] = models_only,
    leaning: Leaning = Leaning.CORRECT,
    policy: Policy = POLICY,
    obligation: Obligation = OBLIGATION,
    outcomes: dict[str, Outcome] | None = None,
    text: str = TEXT,
) -> LeanFinding:
    lean = branch([text], [judged] * 3, [ScriptReply(script="good_one")] * 2, closes=closes, policy=policy)
    return await lean.examine(obligation, leaning=leaning, outcomes=outcomes)


def reason(evidence: Evidence) -> Reason | None:
    return evidence.outcome.reason if isinstance(evidence.outcome, Inconclusive) else None


async def test_a_faithful_statement_that_is_proved_passes_with_its_strength() -> None:
    evidence = lean_evidence(await found(), POLICY.faithfulness)
    assert isinstance(evidence.outcome, Passed)
    assert evidence.checker == CHECKER
    assert evidence.strength == 0.9
    assert evidence.strength >= POLICY.faithfulness.strength_bar
    assert evidence.faithfulness is not None
    assert evidence.artefact is not None
    assert "good_one" in evidence.artefact.text
    assert "1 judge, faithfulness 1.00" in evidence.rests_on


async def test_a_proved_negation_refutes() -> None:
    evidence = lean_evidence(await found(leaning=Leaning.WRONG), POLICY.faithfulness)
    assert isinstance(evidence.outcome, Refuted)


async def test_what_lean_says_of_a_drifted_statement_does_not_count_and_is_kept() -> None:
    finding = await found(DRIFTED, closes=proves)
    evidence = lean_evidence(finding, POLICY.faithfulness)
    assert isinstance(evidence.outcome, Inconclusive)
    assert evidence.outcome.reason is Reason.UNFAITHFUL
    assert evidence.outcome.detail.startswith("Lean proves the statement, but it does not count")
    assert evidence.artefact is not None
    assert "grind" in evidence.artefact.text
    loose = lean_evidence(finding, NO_GATE)
    assert isinstance(loose.outcome, Passed)
    assert loose.strength >= NO_GATE.strength_bar


async def test_a_statement_that_the_gate_holds_back_costs_no_prover() -> None:
    finding = await found(DRIFTED)
    assert finding.search is not None
    assert finding.search.tries == ()


async def test_other_thresholds_replay_from_what_is_stored() -> None:
    weak = reply(DOMAIN, GIVEN, slot("conclusion", "claim", "y \\ge 0", "L3", Match.NOTATION_ONLY))
    finding = await found(weak, policy=replace(POLICY, faithfulness=FaithfulnessPolicy(statement_threshold=0.5)))
    assert isinstance(lean_evidence(finding, FaithfulnessPolicy(statement_threshold=0.75)).outcome, Passed)
    assert reason(lean_evidence(finding, FaithfulnessPolicy(statement_threshold=0.9))) is Reason.UNFAITHFUL


async def test_a_low_opinion_of_itself_makes_evidence_weak() -> None:
    evidence = lean_evidence(await found(reply(DOMAIN, GIVEN, SHOWN, confidence=0.25)), POLICY.faithfulness)
    assert isinstance(evidence.outcome, Passed)
    assert evidence.strength == 0.25
    assert evidence.strength < POLICY.faithfulness.strength_bar


async def test_a_proof_from_an_unchecked_premise_establishes_nothing_and_a_refutation_stands() -> None:
    rests = replace(OBLIGATION, premises=(Premise("$x^4 = y^3$", ("2.1.1",)),))
    assert reason(lean_evidence(await found(obligation=rests), POLICY.faithfulness)) is Reason.GAVE_UP
    passed: dict[str, Outcome] = {"2.1.1": Passed()}
    assert isinstance(lean_evidence(await found(obligation=rests, outcomes=passed), POLICY.faithfulness).outcome, Passed)
    refuted = lean_evidence(await found(obligation=rests, leaning=Leaning.WRONG), POLICY.faithfulness)
    assert isinstance(refuted.outcome, Refuted)


@pytest.mark.parametrize("obligation", [
    replace(OBLIGATION, use_lean=False),
    replace(OBLIGATION, translation_confidence=0.2),
    replace(OBLIGATION, waits_for=("3.1.0",)),
])  # fmt: skip
async def test_what_is_no_question_for_lean_is_not_asked(obligation: Obligation) -> None:
    finding = await found(obligation=obligation)
    evidence = lean_evidence(finding, POLICY.faithfulness)
    assert finding.formalization is None
    assert evidence.checker == NO_CHECKER
    assert reason(evidence) is Reason.GAVE_UP


async def test_without_the_gate_translation_confidence_holds_nothing_back() -> None:
    finding = await found(obligation=replace(OBLIGATION, translation_confidence=0.2), policy=replace(POLICY, faithfulness=NO_GATE))
    assert finding.formalization is not None


async def test_failing_to_prove_is_no_evidence() -> None:
    evidence = lean_evidence(await found(closes=lambda text: "sorry" in text), POLICY.faithfulness)
    assert reason(evidence) is Reason.GAVE_UP
    assert evidence.artefact is not None
    assert evidence.artefact.text == TEXT


async def test_a_proof_over_the_rationals_alone_says_nothing_of_other_numbers() -> None:
    text = TEXT.replace("Int", "Rat")
    assert reason(lean_evidence(await found(text=text), POLICY.faithfulness)) is Reason.NOT_IMPLIED
    said = replace(OBLIGATION, claim=replace(CLAIM, text="for rational $x$ and $y$: $y \\ge 0$"))
    assert isinstance(lean_evidence(await found(text=text, obligation=said), POLICY.faithfulness).outcome, Passed)


async def test_some_field_that_breaks_it_need_not_be_that_of_the_text() -> None:
    """With a definition in front the signature is not read, and the negation speaks of some field."""
    text = "def one : Int := 1\n\n" + TEXT.replace("(x y : Int)", "{K : Type} [Lean.Grind.Field K] (x y : K)")
    generic = reply(*(replace_slot(each, number) for each, number in ((DOMAIN, 3), (GIVEN, 4), (SHOWN, 5))))
    refuted = await found(generic, text=text, leaning=Leaning.WRONG)
    assert refuted.search is not None
    assert isinstance(refuted.search.attempt.outcome, Refuted)
    assert reason(lean_evidence(refuted, POLICY.faithfulness)) is Reason.NOT_IMPLIED
    assert isinstance(lean_evidence(await found(generic, text=text), POLICY.faithfulness).outcome, Passed)


async def test_contradictory_conditions_reopen_the_statement_and_gate_it_again() -> None:
    better = TEXT.replace("theorem t ", "theorem better ")

    def closes(text: str) -> bool:
        return "sorry" in text or ("good_one" in text and "better_is_vacuous" not in text)

    lean = branch([TEXT, better], [FAITHFUL] * 2, [ScriptReply(script="good_one")] * 2, closes=closes)
    finding = await lean.examine(OBLIGATION, leaning=Leaning.CORRECT)
    assert finding.formalization is not None
    assert [each.feedback.kind.value for each in finding.formalization.trajectory.rounds] == ["admitted", "fault", "admitted"]
    evidence = lean_evidence(finding, POLICY.faithfulness)
    assert isinstance(evidence.outcome, Passed)
    assert evidence.artefact is not None
    assert "theorem better" in evidence.artefact.text


async def test_a_fault_that_nothing_mends_stays_a_vacuous_result() -> None:
    lean = branch([TEXT, TEXT], [FAITHFUL], [ScriptReply(script="good_one")], closes=lambda text: "sorry" in text or "good_one" in text)
    evidence = await lean.check(OBLIGATION, leaning=Leaning.CORRECT)
    assert reason(evidence) is Reason.VACUOUS


async def test_a_fault_that_only_the_prover_sees_counts_once_judges_see_it_too() -> None:
    complaint = ScriptReply(script="", statement_fault="the conclusion is not the text's")
    mended = TEXT.replace("theorem t ", "theorem mended ")
    scripts: list[ScriptReply | Inconclusive] = [complaint, ScriptReply(script="good_one")]
    agrees = branch([TEXT, mended], [FAITHFUL, DRIFTED, FAITHFUL], scripts)
    assert isinstance((await agrees.check(OBLIGATION, leaning=Leaning.CORRECT)).outcome, Passed)
    differs = branch([TEXT, mended], [FAITHFUL, FAITHFUL, FAITHFUL], scripts)
    assert reason(await differs.check(OBLIGATION, leaning=Leaning.CORRECT)) is Reason.GAVE_UP


async def test_a_budget_that_ends_is_the_reason() -> None:
    spent = Inconclusive(Reason.BUDGET_SPENT, "no tokens left")
    lean = branch([TEXT], [FAITHFUL], [spent])
    assert (await lean.check(OBLIGATION)).outcome == spent
