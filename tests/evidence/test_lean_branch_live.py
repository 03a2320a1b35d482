"""The Lean branch with a real Lean. Drafts, reports and scripts are written by hand for this repository; no model said them."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from fidelean.evidence.lean_branch import LeanBranch, lean_evidence
from fidelean.evidence.records import Evidence, LeanFinding
from fidelean.faithfulness.records import Drift, Match, Status
from fidelean.faithfulness.replies import JudgeReply
from fidelean.formalization.drafting import StatementReply
from fidelean.formalization.loop import StatementLoop
from fidelean.informal.records import Claim
from fidelean.lean.contracts import accept_proof
from fidelean.lean.embedded import EmbeddedEngine
from fidelean.lean.records import LeanSource
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Inconclusive, Passed, Reason, Refuted
from fidelean.policy import FaithfulnessPolicy, FormalizationPolicy, Policy
from fidelean.proving.model_proofs import ProofLoop, ScriptReply
from fidelean.proving.records import Leaning
from judge_replies import reply, slot
from lean_room import embedded
from scripted_asker import ScriptedAsker

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(500)]

POLICY = Policy(formalization=FormalizationPolicy(max_drafts=2))
GATE, NO_GATE = FaithfulnessPolicy(), FaithfulnessPolicy(no_gate=True)
FIELD = "{K : Type} [Lean.Grind.Field K] [Lean.Grind.IsCharP K 0]"


@pytest.fixture
async def lean() -> AsyncIterator[EmbeddedEngine]:
    async with embedded(snippet_timeout_s=60) as engine:
        yield engine


async def examined(
    lean: EmbeddedEngine,
    claim: Claim,
    drafts: list[str],
    reports: list[JudgeReply],
    scripts: list[ScriptReply] | None = None,
    leaning: Leaning = Leaning.UNCERTAIN,
) -> LeanFinding:
    said = [StatementReply(lean=text, notes="") for text in drafts]
    drafter, judge = ScriptedAsker(draft=[*said[:1]], revise=[*said[1:]]), ScriptedAsker(judge=[*reports])
    prover = ScriptedAsker(prove=[*(scripts or [])[:1]], repair=[*(scripts or [])[1:]])
    branch = LeanBranch(StatementLoop(drafter, (judge,), lean, POLICY), ProofLoop(lean, POLICY, prover))
    return await branch.examine(Obligation("1.1.1", 1, ObligationKind.DERIVED_FACT, claim), leaning=leaning)


async def assert_rechecks(lean: EmbeddedEngine, evidence: Evidence) -> None:
    assert evidence.artefact is not None
    (answer,) = await lean.elaborate([LeanSource(evidence.artefact.text)])
    assert accept_proof(evidence.artefact.text, answer).accepted


def reason(evidence: Evidence) -> Reason | None:
    return evidence.outcome.reason if isinstance(evidence.outcome, Inconclusive) else None


ROOT = Claim("so $x = 2$", ("$x^2 = 4$",))
ROOT_DOMAIN = slot("premise", "implicit", "x is a real number", "L4")
ROOT_GIVEN = slot("premise", "P1", "x^2 = 4", "L5")
ROOT_FAITHFUL = f"theorem root {FIELD} (x : K) (h : x^2 = 4) : x = 2 := by sorry"
ROOT_WEAKENED = f"theorem root {FIELD} (x : K) (h : x^2 = 4) : x = 2 ∨ x = -2 := by sorry"
WEAKENED = reply(
    ROOT_DOMAIN,
    ROOT_GIVEN,
    slot("conclusion", "claim", "$x = 2$", "L6", Match.WEAK_OVERLAP),
    drift=(Drift.WEAKENED_CONCLUSION,),
    status=Status.REPAIRABLE_DRIFT,
    revision="the text claims x = 2 alone",
)
SAME = reply(ROOT_DOMAIN, ROOT_GIVEN, slot("conclusion", "claim", "$x = 2$", "L6"))


async def test_a_drifted_statement_that_lean_proves_is_rejected_by_the_gate(lean: EmbeddedEngine) -> None:
    """The step drops a root; a statement that puts it back is provable, and says nothing of the step."""
    finding = await examined(lean, ROOT, [ROOT_WEAKENED, ROOT_WEAKENED], [WEAKENED])
    gated, loose = lean_evidence(finding, GATE), lean_evidence(finding, NO_GATE)
    assert reason(gated) is Reason.UNFAITHFUL
    await assert_rechecks(lean, gated)
    assert isinstance(loose.outcome, Passed)


async def test_once_it_is_revised_the_same_step_is_refuted(lean: EmbeddedEngine) -> None:
    finding = await examined(lean, ROOT, [ROOT_WEAKENED, ROOT_FAITHFUL], [WEAKENED, SAME], leaning=Leaning.WRONG)
    evidence = lean_evidence(finding, GATE)
    assert isinstance(evidence.outcome, Refuted)
    assert evidence.strength >= GATE.strength_bar
    assert "refutes it over ℝ" in evidence.rests_on


SQUARE = Claim("$(a+b)^2 = a^2 + 2ab + b^2$")
SQUARE_SLOTS = (slot("premise", "implicit", "a and b are real numbers", "L4"),)


async def test_a_drifted_statement_that_lean_refutes_breaks_no_right_step(lean: EmbeddedEngine) -> None:
    """A draft that loses a term is false; without the gate a right step would be named."""
    text = f"theorem square {FIELD} (a b : K) : (a + b)^2 = a^2 + b^2 := by sorry"
    drifted = reply(
        *SQUARE_SLOTS,
        slot("conclusion", "claim", SQUARE.text, "L5", Match.MODIFIER_MISSING),
        drift=(Drift.WRONG_OBJECTS,),
        status=Status.UNFAITHFUL,
    )
    finding = await examined(lean, SQUARE, [text, text], [drifted])
    assert reason(lean_evidence(finding, GATE)) is Reason.UNFAITHFUL
    assert isinstance(lean_evidence(finding, NO_GATE).outcome, Refuted)


async def test_a_faithful_statement_that_lean_proves_passes(lean: EmbeddedEngine) -> None:
    text = f"theorem square {FIELD} (a b : K) : (a + b)^2 = a^2 + 2*a*b + b^2 := by sorry"
    faithful = reply(*SQUARE_SLOTS, slot("conclusion", "claim", SQUARE.text, "L5"))
    evidence = lean_evidence(await examined(lean, SQUARE, [text], [faithful]), GATE)
    assert isinstance(evidence.outcome, Passed)
    assert "ℚ, ℝ and ℂ" in evidence.rests_on
    await assert_rechecks(lean, evidence)


async def test_a_script_is_repaired_until_the_kernel_takes_it(lean: EmbeddedEngine) -> None:
    """The portfolio does not unfold the definition; a model's second script does."""
    claim = Claim("$d(n) = 2n$ for every integer $n$", ("$d(n) = n + n$",))
    text = "def d (n : Int) : Int := n + n\n\ntheorem doubled (n : Int) : d n = 2 * n := by sorry"
    report = reply(
        slot("premise", "claim", "every integer $n$", "L1"),
        slot("premise", "P1", "d(n) = n + n", "C1"),
        slot("conclusion", "claim", "$d(n) = 2n$", "L2"),
    )
    scripts = [ScriptReply(script="ring"), ScriptReply(script="simp only [d]\nomega")]
    finding = await examined(lean, claim, [text], [report], scripts, Leaning.CORRECT)
    assert finding.search is not None
    assert [tried.accepted for tried in finding.search.tries] == [False, True]
    assert "unknown tactic" in finding.search.tries[0].feedback
    evidence = lean_evidence(finding, GATE)
    assert isinstance(evidence.outcome, Passed)
