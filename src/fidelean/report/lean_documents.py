"""The JSON form of what was put to Lean: drafts of a statement, the gate's reports, scripts."""

from __future__ import annotations

from fidelean.faithfulness.records import Drift, GateReason, LintKind, LintSeverity, Match, Part, Side, Status
from fidelean.formalization.records import FeedbackKind
from fidelean.outcome import Reason
from fidelean.proving.records import Aim, Transfer
from fidelean.report.document_parts import Document, OutcomeName, Words

__all__ = [
    "AspectsDocument",
    "AttemptDocument",
    "DraftDocument",
    "GateDocument",
    "LeanDocument",
    "LintDocument",
    "ObjectionDocument",
    "ReportDocument",
    "ScriptDocument",
    "SlotDocument",
    "WitnessDocument",
]


class SlotDocument(Document):
    """One piece of meaning of the claim or of the Lean statement."""

    side: Side
    """Which text it stands in."""
    part: Part
    """What it does there."""
    text: Words
    """The piece."""
    partner: Words
    """What meets it on the other side; empty where nothing does."""
    match: Match
    """How well it is met."""
    score: float
    """The same as a number: 1, 0.75, 0.5, 0.25 or 0."""
    is_implicit: bool
    """Whether the text only implies it."""


class AspectsDocument(Document):
    """Five views of the whole, each 0 to 1 in quarters."""

    step_relation: float
    """Whether the statement is about this inference."""
    objects: float
    """Whether objects and witnesses are the same."""
    directionality: float
    """Whether it goes from the conditions to the conclusion."""
    role_alignment: float
    """Whether what is assumed is assumed and what is shown is shown."""
    syntax_surface: float
    """Whether relations, quantifiers and constants are the same."""


class ObjectionDocument(Document):
    """One reason against a statement."""

    reason: GateReason
    """Why, from the closed list."""
    detail: Words
    """The same for a reader."""


class ReportDocument(Document):
    """One judge's findings, and what the gate makes of them."""

    admitted: bool
    """Whether the gate admits the statement on this report."""
    objections: list[ObjectionDocument]
    """Everything against it."""
    s: float
    """The whole score, ``sqrt(s_prem * s_conc) * s_hol``."""
    s_prem: float
    """Mean match of the premises."""
    s_conc: float
    """Mean match of the conclusion."""
    s_hol: float
    """Mean of the aspects."""
    aspects: AspectsDocument
    """Five views of the whole."""
    slots: list[SlotDocument]
    """Every slot of both sides."""
    drift: list[Drift]
    """How it departs from the text."""
    status: Status
    """The judge's own summary."""
    confidence: float
    """How sure the judge is, 0 to 1."""
    explanation: Words
    """Why, in the judge's words."""
    missing: list[Words]
    """What of the text has no place in the statement."""
    overgeneralisations: list[Words]
    """Cases that the statement covers and the text does not."""


class LintDocument(Document):
    """What a deterministic look at the statement found."""

    kind: LintKind
    """What was found."""
    severity: LintSeverity
    """What follows."""
    message: Words
    """The same for a reader."""
    piece: Words
    """The piece of the statement; empty where it is about the whole."""


class GateDocument(Document):
    """Whether a statement says what the text says."""

    admitted: bool
    """Whether it may carry evidence: every report admits it."""
    reports: list[ReportDocument]
    """One for each judge; empty where only lints spoke."""
    lints: list[LintDocument]
    """What the deterministic look found."""
    objections: list[ObjectionDocument]
    """Everything any report or lint holds against it."""


class DraftDocument(Document):
    """One try at a statement, and what came back."""

    number: int
    """1-based position."""
    text: Words
    """The Lean text as the model wrote it."""
    notes: Words
    """What the model says about it."""
    feedback: FeedbackKind
    """What came of it."""
    feedback_text: Words
    """The same for the drafter, in lines."""


class WitnessDocument(Document):
    """One value of a counterexample."""

    variable: Words
    """The variable."""
    value: Words
    """Its value, as Lean text."""


class ScriptDocument(Document):
    """One script of a model."""

    number: int
    """1-based position."""
    aim: Aim
    """What it was to prove."""
    text: Words
    """The whole Lean text."""
    accepted: bool
    """Whether it meets the proof contract."""
    feedback: Words
    """What came back; empty where it was accepted."""


class AttemptDocument(Document):
    """What came of proving and refuting the statement; whether it counts is the obligation's ``outcome``."""

    outcome: OutcomeName
    """What Lean says of the statement."""
    reason: Reason | None
    """Why it is open; null where it is not."""
    detail: Words
    """The same for a reader."""
    entry: str
    """What closed it: an entry of the portfolio, the search, a model's script; empty where nothing did."""
    script: Words
    """The whole Lean text that decided; empty where none did."""
    witness: list[WitnessDocument]
    """The counterexample; empty where there is none."""
    transfer: Transfer | None
    """What the fact says about other domains; null where nothing was established."""
    tried: list[str]
    """Everything that was handed to Lean, as ``role/entry``, in order."""
    scripts: list[ScriptDocument]
    """Every script of the model; empty where the portfolio was enough."""
    fault: Words
    """A fault of the statement that the kernel confirmed; empty without one."""
    suspected_fault: Words
    """A fault that the prover suspects and nothing confirmed; empty without one."""


class LeanDocument(Document):
    """What Lean was told of an obligation, and what it said."""

    engine: str
    """Name and version of the Lean that was asked."""
    not_asked: Reason | None
    """Why it was not put to Lean; null where it was."""
    not_asked_detail: Words
    """The same for a reader."""
    unsettled: list[Words]
    """Premises that were not established when it was asked."""
    statement: Words | None
    """The Lean text that was admitted, or the last one that elaborates; null without any."""
    admitted: bool
    """Whether the loop admitted the statement."""
    reason: Reason | None
    """Why nothing was admitted; null where a statement was, or it was not put to Lean."""
    detail: Words
    """The same for a reader."""
    drafts: list[DraftDocument]
    """Every draft with what came back, in order."""
    gate: GateDocument | None
    """What the gate makes of the statement; null where it was not judged."""
    attempt: AttemptDocument | None
    """What came of proving it; null where that was not tried."""
