"""Studies for the tests of reports: small ones with everything in them, hostile texts included."""

from __future__ import annotations

from decimal import Decimal

from fidelean.decomposition.audit.records import (
    AuditWindow,
    Difficulty,
    ErrorPrior,
    ErrorType,
    Likelihood,
    LocalReview,
    Opinion,
    Suspicion,
    SuspicionScan,
)
from fidelean.decomposition.audit.review import Reviewed
from fidelean.decomposition.growth.records import GrownTree, Malformation, MalformationKind
from fidelean.decomposition.records import (
    Condition,
    ConditionKind,
    GoalRelation,
    ProofState,
    ProofTree,
    Transition,
    TransitionKind,
)
from fidelean.decomposition.substeps.records import (
    Decomposition,
    FindingSource,
    RepairFinding,
    RepairKind,
    Scope,
    ScopeKind,
    Substep,
    WholeStep,
)
from fidelean.evidence.records import LeanFinding
from fidelean.faithfulness.records import (
    Aspects,
    Drift,
    FaithfulnessReport,
    GateDecision,
    GateObjection,
    GateReason,
    Judgement,
    Lint,
    LintKind,
    LintSeverity,
    Match,
    Part,
    Side,
    Slot,
    Status,
)
from fidelean.formalization.records import Draft, Feedback, FeedbackKind, Formalization, Round, Trajectory
from fidelean.informal.records import Claim, Problem, Proof, Span, Step
from fidelean.lean.records import LeanStatement
from fidelean.obligations.records import Obligation, ObligationKind, Premise
from fidelean.outcome import Inconclusive, Outcome, Reason, Refuted
from fidelean.pipelines.designs import design_of
from fidelean.pipelines.study import Fault, Study, conclude
from fidelean.policy import Policy
from fidelean.proving.records import Aim, ProofAttempt, ProofSearch, ProofTry, Transfer
from fidelean.runs.records import Spending
from fidelean.verdict.records import ModelOpinion, ProofVerdict

__all__ = ["PROOF", "SAID", "concluded", "opined", "studied"]

SAID = "said by a model"
"""What every text of a model's in a study is, unless a test says otherwise."""

PROOF = Proof(Problem("Let $x$ be real with $x^2 = 4$."), (Step(1, "Clearly $x^2 = 4$.", line=3), Step(2, "So $x = 2$.", line=4)), id="p")


def studied(said: str = SAID, *, admitted: bool = True, outcome: Outcome | None = None) -> Study:
    """A study of ``PROOF`` in which Lean refutes the second step, whose statement the gate admits or not.

    ``said`` is every word of a model's.
    """
    claim = Claim("x = 2", ("x^2 = 4",), 2, Span(4, 9))
    obligation = Obligation(
        "2.1.1",
        2,
        ObligationKind.ENTAILMENT,
        claim,
        transition="2.1",
        reason=said,
        premises=(Premise(said, ("1.1.1",)),),
        waits_for=("1.1.1",),
    )
    unasked = Obligation("1.1.1", 1, ObligationKind.DERIVED_FACT, Claim(said, (), 1), transition="1.1")
    attempt = ProofAttempt(
        "2.1.1",
        outcome or Refuted("x = (-2)"),
        "witness",
        "theorem t : True := trivial",
        {"x": "(-2)"},
        12.5,
        Transfer.UPWARDS,
        ("claim/decide",),
    )
    search = ProofSearch(attempt, (ProofTry(1, Aim.NEGATION, said, accepted=False, feedback=said),), suspected_fault=said)
    findings = (
        LeanFinding(unasked, not_asked=Inconclusive(Reason.GAVE_UP, said), engine="Lean"),
        LeanFinding(obligation, _formalization(said, admitted=admitted), search, engine="Lean"),
    )
    return Study(
        decomposition=_decomposition(said),
        grown=_grown(said),
        scan=SuspicionScan(
            (
                Suspicion("1.1", 0.1, likely_wrong=False, should_formalize=True),
                Suspicion("2.1", 0.9, likely_wrong=True, should_formalize=True, priors=(ErrorPrior(ErrorType.ALGEBRA, 0.5),), reason=said),
            ),
            Likelihood.LIKELY_INCORRECT,
            "model",
        ),
        window=AuditWindow(("1.1", "2.1")),
        reviews=(
            Reviewed("1.1", Inconclusive(Reason.NO_REPLY, said)),
            Reviewed("2.1", LocalReview("2.1", Opinion.INCORRECT, 0.9, ErrorType.MISSING_CASE, True, Difficulty.EASY, said)),
        ),
        obligations=(unasked, obligation),
        findings=findings,
        opinion=ModelOpinion(1, said, f"final synthesis, {said}"),
        faults=(Fault(f"review of {said}", Inconclusive(Reason.NO_REPLY, said)),),
        spending=Spending(7, 12_345, Decimal("0.0210")),
    )


def concluded(study: Study, proof: Proof = PROOF, system: str = "full") -> ProofVerdict:
    """The verdict that follows."""
    return conclude(proof, study, design_of(system), Policy())


def opined(first_error: int | None = 2, reason: str = SAID) -> Study:
    """A study that holds nothing but an opinion."""
    return Study(opinion=ModelOpinion(first_error, reason, "direct judge, m"), spending=Spending(1, 10, Decimal(0)))


def _decomposition(said: str) -> Decomposition:
    return Decomposition(
        (
            Substep("1.1", 1, said, (Span(0, 3),), (Scope(ScopeKind.CASE, said),)),
            Substep("2.1", 2, "So $x = 2$.", (Span(0, 11),)),
        ),
        (
            RepairFinding(RepairKind.STRENGTHENED, 1, "1.1", said, FindingSource.MODEL),
            RepairFinding(RepairKind.DROPPED_FORMULA, 1, None, said),
        ),
        (WholeStep(1, Inconclusive(Reason.MALFORMED_REPLY, said)),),
    )


def _grown(said: str) -> GrownTree:
    given = Condition(ConditionKind.GIVEN, 0, "x^2 = 4", name="h0")
    states = (ProofState("root", (given,), said), ProofState("1.1/1", (given,), said), ProofState("2.1/1", (given,), said, (said,)))
    same = (TransitionKind.SIMPLE_IMPLICATION, GoalRelation.SAME_GOAL)
    transitions = (
        Transition("1.1", 1, *same, "root", ("1.1/1",), None, substep="1.1", text=said, explanation=said, index=1),
        Transition("2.1", 2, *same, "1.1/1", ("2.1/1",), Claim("x = 2", (), 2, Span(4, 9)), substep="2.1", text="So $x = 2$.", index=2),
    )
    return GrownTree(ProofTree(states, transitions), (Malformation(MalformationKind.MISSING_EDGE, None, said, "1.1"),))


def _formalization(said: str, *, admitted: bool) -> Formalization:
    slots = (
        Slot(Side.SOURCE, Part.PREMISE, "x^2 = 4", Match.EXACT, "h : x^2 = 4"),
        Slot(Side.LEAN, Part.CONCLUSION, "x = 2", Match.EXACT if admitted else Match.NONE, "x = 2" if admitted else ""),
        Slot(Side.SOURCE, Part.CONCLUSION, "x = 2", Match.EXACT if admitted else Match.WEAK_OVERLAP, said),
    )
    drift = () if admitted else (Drift.WEAKENED_CONCLUSION,)
    status = Status.FAITHFUL if admitted else Status.UNFAITHFUL
    report = FaithfulnessReport(slots, Aspects(1, 1, 1, 1, 1), drift, status, 0.9, said, (said,))
    objections = () if admitted else (GateObjection(GateReason.CONCLUSION, said),)
    lint = Lint(LintKind.LITERAL_MISSING, LintSeverity.WARNING, said, "x = 2")
    judgement = Judgement((report, report), (GateDecision(admitted, objections),) * 2, (lint,))
    text = "theorem t (x : Int) (h : x^2 = 4) : x = 2 := by sorry"
    statement = LeanStatement(text, "t", "(x : Int) (h : x^2 = 4) : x = 2")
    rounds = (
        Round(Draft(1, said, said), Feedback(FeedbackKind.ERRORS, said)),
        Round(Draft(2, text, said), Feedback(FeedbackKind.ADMITTED if admitted else FeedbackKind.DRIFT, said), statement, judgement),
    )
    refused = None if admitted else Inconclusive(Reason.UNFAITHFUL, said)
    return Formalization(statement, judgement, Trajectory(rounds), refused)
