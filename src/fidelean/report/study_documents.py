"""The JSON form of a study: what the stages that ask models found out. ``docs/json.md`` explains every field."""

from __future__ import annotations

from fidelean.decomposition.audit.records import Difficulty, ErrorType, Likelihood, Opinion
from fidelean.decomposition.growth.records import MalformationKind
from fidelean.decomposition.records import BranchRole, ConditionKind, GoalRelation, RiskFlag, TransitionKind
from fidelean.decomposition.substeps.records import FindingSource, RepairKind, ScopeKind
from fidelean.obligations.records import ObligationKind, ObligationSource
from fidelean.outcome import Reason
from fidelean.report.document_parts import Document, OutcomeName, SpanPair, StepNumber, Words
from fidelean.report.lean_documents import LeanDocument

__all__ = [
    "ConditionDocument",
    "CostDocument",
    "DepartureDocument",
    "FaultDocument",
    "MalformationDocument",
    "ObligationDocument",
    "PremiseDocument",
    "PriorDocument",
    "ReviewDocument",
    "ScanDocument",
    "ScopeDocument",
    "StateDocument",
    "StudyDocument",
    "SubstepDocument",
    "SuspicionDocument",
    "TransitionDocument",
    "TreeDocument",
    "WholeStepDocument",
]


class ScopeDocument(Document):
    """What a substep stands under."""

    kind: ScopeKind
    """What kind of scope it is."""
    text: Words
    """The assumption, hypothesis or choice, as written."""


class DepartureDocument(Document):
    """How a substep, or the cut of a step, departs from the text."""

    kind: RepairKind
    """How it departs."""
    step: StepNumber
    """1-based index of the step."""
    substep: str | None
    """The substep; null where the step as a whole lost something."""
    evidence: Words
    """The words, the number or the formula that shows it."""
    source: FindingSource
    """Who found the departure."""


class SubstepDocument(Document):
    """One inference of a step."""

    id: str
    """``<step>.<number>``."""
    step: StepNumber
    """1-based index of the step."""
    text: Words
    """The inference, in the words of the step."""
    anchors: list[SpanPair]
    """Where the step says it, in the step's text."""
    scopes: list[ScopeDocument]
    """What it stands under, outermost first."""
    is_motivation: bool
    """Whether it only motivates or restates."""
    findings: list[DepartureDocument]
    """How it departs from the step; what Lean says of such a substep counts for nothing."""


class WholeStepDocument(Document):
    """A step that could not be cut."""

    step: StepNumber
    """1-based index of the step."""
    reason: Reason
    """Why."""
    detail: Words
    """The same for a reader."""


class ConditionDocument(Document):
    """Something in force at a state."""

    name: Words
    """What the model calls it; may be empty."""
    kind: ConditionKind
    """Where it comes from."""
    step: int
    """1-based step it stands in; 0 for the problem."""
    text: Words
    """As written."""


class StateDocument(Document):
    """What is available at a point of the proof, and what is to be shown."""

    id: Words
    """Unique within the tree; ``root`` for the first."""
    goal: Words
    """The goal."""
    role: BranchRole
    """What it is for the transition that leads to it."""
    branch: list[Words]
    """The case assumptions on the way from the root, outermost first."""
    conditions: list[ConditionDocument]
    """Everything in force, oldest first."""


class TransitionDocument(Document):
    """One inference, from a state to states."""

    id: Words
    """Unique within the tree."""
    step: StepNumber
    """1-based index of the step."""
    substep: str | None
    """The substep that it stands for."""
    pattern: TransitionKind
    """The pattern of the inference."""
    goal_relation: GoalRelation
    """What happens to the goal."""
    before: Words
    """Id of the state it starts from."""
    after: list[Words]
    """Ids of the states it leads to."""
    joins: list[Words]
    """Ids of the states at the ends of the branches that it rests on."""
    text: Words
    """The substep's text."""
    claim: Words | None
    """What it concludes; null where that is not written as a formula."""
    explanation: Words
    """Why it has this pattern, in the model's words."""
    closes: bool
    """Whether it reaches the goal of its state."""
    risks: list[RiskFlag]
    """Why it deserves a look."""
    trusted: bool
    """Whether it keeps to the text and has its proper place; else what Lean says of it counts for nothing."""


class MalformationDocument(Document):
    """A departure of the tree from what a tree of proof states is."""

    kind: MalformationKind
    """How it departs."""
    transition: Words | None
    """The transition; null where one is missing."""
    substep: str | None
    """The substep, where it is known."""
    detail: Words
    """What shows it."""


class TreeDocument(Document):
    """The tree of proof states as the model proposed it."""

    states: list[StateDocument]
    """Every state, parents before children."""
    transitions: list[TransitionDocument]
    """Every transition, in the order of the text."""
    malformations: list[MalformationDocument]
    """What is wrong with it."""


class PriorDocument(Document):
    """How plausible one kind of error is."""

    error: ErrorType
    """The kind of error."""
    weight: float
    """Its plausibility, 0 to 1."""


class SuspicionDocument(Document):
    """What a pass over the proof makes of one transition."""

    transition: Words
    """Id of the transition."""
    score: float
    """How suspicious it is, 0 to 1."""
    likely_wrong: bool
    """Whether it looks wrong rather than merely unclear."""
    should_formalize: bool
    """Whether a Lean statement of it is worth the effort."""
    priors: list[PriorDocument]
    """Which errors are plausible."""
    reason: Words
    """Why."""


class ScanDocument(Document):
    """One pass over all transitions; it orders work and is no evidence."""

    source: str
    """Who scanned: ``model`` or ``rules``."""
    overall: Likelihood
    """What the pass makes of the whole proof."""
    transitions: list[SuspicionDocument]
    """One for each transition, in the order of the text."""


class ReviewDocument(Document):
    """A model's look at one transition; an opinion, no evidence."""

    transition: Words
    """Id of the transition."""
    opinion: Opinion | None
    """What the reviewer makes of it; null where no review could be had."""
    suspicion: float | None
    """How suspicious it is after the look, 0 to 1; null without a review."""
    error: ErrorType | None
    """The error that is seen; null where none is."""
    difficulty: Difficulty | None
    """How hard it is to say in Lean; null without a review."""
    should_formalize: bool | None
    """Whether a Lean statement of it is worth the effort; null without a review."""
    explanation: Words
    """Why, in the reviewer's words; empty without a review."""
    reason: Reason | None
    """Why no review could be had; null where there is one."""
    detail: Words
    """The same for a reader; empty where there is a review."""


class PremiseDocument(Document):
    """A condition that may serve, and what it awaits."""

    text: Words
    """The condition, as written."""
    awaits: list[str]
    """Obligations that have to pass before it may serve."""


class ObligationDocument(Document):
    """Something that must hold for an audited transition, and what became of it."""

    id: str
    """Name, as in the evidence of the step."""
    transition: Words
    """Id of the transition."""
    step: StepNumber
    """1-based index of the step."""
    kind: ObligationKind
    """What kind of thing must hold."""
    statement: Words
    """What must hold, in the words of the text."""
    premises: list[PremiseDocument]
    """The conditions in force, with what each awaits."""
    waits_for: list[str]
    """Obligations that had to pass before this one was asked: the fact before the reduction."""
    source: ObligationSource
    """Who says so: the rules, or a review."""
    reason: Words
    """Why it must."""
    load_bearing: bool
    """Whether the proof rests on it."""
    outcome: OutcomeName
    """What counts of what was found out."""
    outcome_reason: Reason | None
    """Why it is open; null where it is not."""
    detail: Words
    """The same for a reader."""
    checker: str
    """Who answered; ``none`` where nobody did."""
    lean: LeanDocument | None
    """What Lean was told and said; null where another checker had decided before, or nobody was asked."""


class FaultDocument(Document):
    """Something that a stage could not do; the evaluation went on without it."""

    stage: Words
    """The stage, and what it was at."""
    reason: Reason
    """Why."""
    detail: Words
    """The same for a reader."""


class CostDocument(Document):
    """What the models' replies for this proof took; calls that brought none stand in the run folder's ledger alone."""

    calls: int
    """Calls that brought a reply."""
    tokens: int
    """Tokens read and written."""
    usd: str
    """Money (US dollars), an exact decimal."""


class StudyDocument(Document):
    """What the stages that ask models found out."""

    substeps: list[SubstepDocument]
    """The substeps, in the order of the text; empty for a system that cuts none."""
    departures: list[DepartureDocument]
    """How steps as wholes lost something in the cut."""
    uncut: list[WholeStepDocument]
    """Steps that could not be cut and stand whole."""
    tree: TreeDocument | None
    """The tree of proof states; null where there is none."""
    scan: ScanDocument | None
    """What looked suspicious; null where nobody looked."""
    window: list[Words]
    """The audited transitions, in the order of the text, the one that set it off last."""
    reviews: list[ReviewDocument]
    """The local reviews, in the order in which they were asked for."""
    obligations: list[ObligationDocument]
    """What must hold for the audited transitions, in the order in which it was asked."""
    faults: list[FaultDocument]
    """What the stages could not do."""
    cost: CostDocument
    """What it took."""
