"""What a system with models found out about a proof, before any threshold: the record, and the verdict that follows from it.

The verdict is a pure function of the study and a policy, so another threshold, or the ablation without the gate, replays without a model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fidelean.decomposition.audit.records import AuditWindow, LocalReview, Opinion, SuspicionScan
from fidelean.decomposition.audit.review import Reviewed
from fidelean.decomposition.audit.window import text_order
from fidelean.decomposition.growth.records import GrownTree
from fidelean.decomposition.records import ProofTree
from fidelean.decomposition.substeps.records import Decomposition
from fidelean.evidence.arithmetic import unanswered
from fidelean.evidence.lean_branch import lean_evidence
from fidelean.evidence.records import Evidence, LeanFinding
from fidelean.informal.records import Proof
from fidelean.obligations.records import Obligation
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason
from fidelean.pipelines.absent_engine import missing_engine
from fidelean.pipelines.designs import Design
from fidelean.policy import Policy
from fidelean.runs.records import Spending
from fidelean.verdict.fusion import decide
from fidelean.verdict.records import ModelOpinion, ProofVerdict, StepStatus

__all__ = ["Fault", "Study", "conclude", "judged", "settled_before", "study_evidence", "weighed"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that a stage could not do; the evaluation went on without it."""

    stage: str
    """The stage, and what it was at."""
    reason: Inconclusive
    """Why."""


@dataclass(frozen=True, slots=True)
class Study:
    """Everything that was found out about a proof."""

    decomposition: Decomposition | None = None
    """The substeps; None for a system that cuts none."""
    grown: GrownTree | None = None
    """The tree of proof states with its malformations; None where there is none."""
    scan: SuspicionScan | None = None
    """What looked suspicious."""
    window: AuditWindow = field(default_factory=AuditWindow)
    """What was audited, in the order of the text."""
    reviews: tuple[Reviewed, ...] = ()
    """The local reviews, in the order in which they were asked for."""
    obligations: tuple[Obligation, ...] = ()
    """What must hold for the transitions that were audited."""
    findings: tuple[LeanFinding, ...] = ()
    """What Lean said of them, with every draft and script."""
    evidence: tuple[Evidence, ...] = ()
    """What the checkers that need no model found in the whole text."""
    opinion: ModelOpinion | None = None
    """What a model makes of the whole proof."""
    faults: tuple[Fault, ...] = ()
    """What the stages could not do."""
    spending: Spending = field(default_factory=Spending)
    """What the replies took that the study rests on; calls that were lost are in the ledger alone."""

    @property
    def tree(self) -> ProofTree | None:
        """The tree of proof states."""
        return self.grown.tree if self.grown is not None else None

    @property
    def untrusted(self) -> frozenset[str]:
        """Transitions that do not keep to the text, or have no proper place in the tree."""
        if self.grown is None:
            return frozenset()
        drifted = self.decomposition.drifted if self.decomposition is not None else frozenset[str]()
        return self.grown.malformed | {one.id for one in self.grown.tree.transitions if one.substep in drifted}


def study_evidence(study: Study, policy: Policy) -> list[Evidence]:
    """All evidence of a study under a policy."""
    found = list(study.evidence)
    stated = {finding.obligation.id: finding for finding in study.findings}
    outcomes: dict[str, Outcome] = {}
    for obligation in _in_text_order(study):
        evidence = settled_before(obligation, study.evidence)
        if evidence is None and (finding := stated.get(obligation.id)) is not None:
            evidence = judged(replace(finding, unsettled=_unsettled(finding, outcomes)), study.untrusted, policy)
        if evidence is not None:
            outcomes[obligation.id] = evidence.outcome
        found.append(evidence or unanswered(obligation))
    return found


def _in_text_order(study: Study) -> list[Obligation]:
    """The obligations with what establishes a premise in front of what uses it, whenever each was asked."""
    place = {identifier: number for number, identifier in enumerate(text_order(study.tree))} if study.tree is not None else {}
    return sorted(study.obligations, key=lambda obligation: place.get(obligation.transition, len(place)))


def settled_before(obligation: Obligation, evidence: Sequence[Evidence]) -> Evidence | None:
    """What decides an obligation without any model: the check of the same words at the same place; None where there is none."""
    span = obligation.claim.span
    same = (one for one in _within(obligation, evidence) if one.obligation.claim.span == span)
    return next((replace(one, obligation=obligation) for one in same if not isinstance(one.outcome, Inconclusive)), None)


def weighed(obligation: Obligation, evidence: Sequence[Evidence]) -> Obligation:
    """The obligation with the weight that the rules give to its place: where the author makes nothing but remarks, it is one."""
    inside = [one.obligation.load_bearing for one in _within(obligation, evidence)]
    return replace(obligation, load_bearing=any(inside)) if inside else obligation


def judged(finding: LeanFinding, untrusted: frozenset[str], policy: Policy) -> Evidence:
    """What a finding amounts to; what Lean says of an inference that the proof does not contain counts for nothing."""
    evidence = lean_evidence(finding, policy.faithfulness)
    if finding.obligation.transition not in untrusted or isinstance(evidence.outcome, Inconclusive):
        return evidence
    return replace(evidence, outcome=Inconclusive(Reason.DRIFTED, "the inference that was checked does not keep to the text of the step"))


def _within(obligation: Obligation, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence on claims that stand in the words of an obligation."""
    span = obligation.claim.span
    at = [(one, one.obligation.claim.span) for one in evidence if one.obligation.step == obligation.step]
    return [one for one, own in at if span is not None and own is not None and span.start <= own.start and own.end <= span.end]


def _unsettled(finding: LeanFinding, outcomes: Mapping[str, Outcome]) -> tuple[str, ...]:
    """The premises that may not serve under a policy; of those that nobody looked at, what was known when it was asked."""
    return tuple(
        premise.text
        for premise in finding.obligation.premises
        if (
            not all(isinstance(outcomes.get(awaited), Passed) for awaited in premise.awaits)
            if any(awaited in outcomes for awaited in premise.awaits)
            else premise.text in finding.unsettled
        )
    )


def conclude(proof: Proof, study: Study, design: Design, policy: Policy) -> ProofVerdict:
    """Decide on a proof from what was found out. Pure."""
    policy = design.policy(policy)
    opinion = study.opinion
    if opinion is None and design.reviews_decide:
        opinion = _by_reviews(study)
    evidence = study_evidence(study, policy)
    notices = (*proof.notices, *_notices(study), *missing_engine(evidence))
    verdict = decide(
        len(proof.steps), evidence, policy.verdict, notices=notices, opinion=opinion, strength_bar=policy.faithfulness.strength_bar
    )
    prefix = [step.index for step in verdict.steps[: (verdict.first_error or 1) - 1] if step.status is StepStatus.UNCERTAIN]
    if not prefix:
        return verdict
    steps = f"step{'s' if len(prefix) > 1 else ''} {', '.join(map(str, prefix))}"
    return replace(verdict, notices=(*verdict.notices, f"in front of step {verdict.first_error}, checks of {steps} could not tell"))


def _by_reviews(study: Study) -> ModelOpinion | None:
    """The earliest transition that a local review calls incorrect, of those that keep to the text."""
    if study.tree is None or not study.reviews:
        return None
    said = {each.transition: each.answer for each in study.reviews if isinstance(each.answer, LocalReview)}
    trusted = [one for one in study.tree.transitions if one.id not in study.untrusted]
    wrong = [one for one in trusted if (found := said.get(one.id)) is not None and found.opinion is Opinion.INCORRECT]
    if not wrong:
        return ModelOpinion(None, "no local review calls an inference incorrect", "review")
    first = min(wrong, key=lambda one: (one.step, one.index))
    return ModelOpinion(first.step, said[first.id].reason, "review")


def _notices(study: Study) -> Iterator[str]:
    for fault in study.faults:
        yield _short(": ".join(part for part in (fault.stage, fault.reason.reason.value, fault.reason.detail) if part))
    if study.grown is not None and study.grown.malformations:
        kinds = sorted({fault.kind.value for fault in study.grown.malformations})
        yield f"the tree has {len(study.grown.malformations)} malformations ({', '.join(kinds)}): what they touch counts for nothing"
    if study.decomposition is not None and study.decomposition.findings:
        touched = sorted({finding.step for finding in study.decomposition.findings})
        yield f"the substeps of step {', '.join(map(str, touched))} depart from the text: what Lean says of them counts for nothing"


def _short(text: str, limit: int = 240) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"
