"""What a page shows of a study, ready for its templates. Records only."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from fidelean.report.html.views import GateView, StatusView

__all__ = ["AuditView", "DraftView", "JudgeView", "LeanView", "ObligationView", "ScriptView", "StudyView", "SubstepView"]


@dataclass(frozen=True, slots=True)
class AuditView:
    """One inference, as suspicion and review saw it."""

    name: str
    """Name of the transition."""
    step: int
    """1-based index of the step."""
    step_anchor: str
    """Id of the step."""
    score: str
    """How suspicious it looked, 0 to 1; empty where nobody looked."""
    suspicion: str
    """Why."""
    is_audited: bool
    """Whether it is in the window."""
    is_trigger: bool
    """Whether it set the window off."""
    opinion: str
    """What the review makes of it, in words; empty where there was none."""
    review: str
    """Why."""
    distrust: str
    """Why what Lean says of it counts for nothing; empty where it may count."""


@dataclass(frozen=True, slots=True)
class DraftView:
    """One draft of a Lean statement."""

    number: int
    """1-based position."""
    feedback: str
    """What came of it, in words."""
    said: str
    """The same for the drafter."""
    text: str
    """The Lean text."""
    notes: str
    """What the model says about it."""


@dataclass(frozen=True, slots=True)
class ScriptView:
    """One script of a model."""

    number: int
    """1-based position."""
    aim: str
    """What it was to prove."""
    accepted: bool
    """Whether it meets the proof contract."""
    text: str
    """The Lean text."""
    feedback: str
    """What came back."""


@dataclass(frozen=True, slots=True)
class JudgeView:
    """One judge's report with what the gate makes of it."""

    admitted: bool
    """Whether the gate lets the statement through on it."""
    objections: tuple[str, ...]
    """What is against it."""
    gate: GateView
    """The report."""


@dataclass(frozen=True, slots=True)
class LeanView:
    """What Lean was told of an obligation, and what it said."""

    statement: str
    """The statement; empty without any."""
    gate: str
    """What the gate makes of it, in words."""
    is_admitted: bool
    """Whether it may carry evidence."""
    judges: tuple[JudgeView, ...]
    """Every judge's report."""
    lints: tuple[str, ...]
    """What a deterministic look found."""
    drafts: tuple[DraftView, ...]
    """Every draft."""
    attempt: str
    """What came of proving it, in words; empty where that was not tried."""
    witness: tuple[str, ...]
    """The counterexample."""
    tried: tuple[str, ...]
    """Everything that was handed to Lean."""
    decided: str
    """The script that decided; empty where none did."""
    scripts: tuple[ScriptView, ...]
    """Every script of a model."""
    fault: str
    """A fault of the statement, confirmed or suspected; empty without one."""


@dataclass(frozen=True, slots=True)
class ObligationView:
    """Something that must hold for an audited inference."""

    anchor: str
    """Id in the page."""
    name: str
    """Name."""
    transition: str
    """Name of the transition."""
    step: int
    """1-based index of the step."""
    step_anchor: str
    """Id of the step."""
    kind: str
    """What kind of thing must hold, in words."""
    outcome: StatusView
    """What became of it."""
    markup: Markup
    """What must hold."""
    detail: str
    """The finding, or why it is open."""
    reason: str
    """Why it must hold."""
    waits_for: tuple[str, ...]
    """What had to pass before."""
    premises: tuple[tuple[str, str], ...]
    """The conditions in force, each with what it awaits."""
    lean: LeanView | None
    """What was put to Lean."""


@dataclass(frozen=True, slots=True)
class SubstepView:
    """One substep."""

    name: str
    """Its name."""
    text: Markup
    """Its text, typeset."""
    scopes: tuple[str, ...]
    """What it stands under."""
    is_motivation: bool
    """Whether it only motivates."""
    findings: tuple[str, ...]
    """How it departs from the text."""


@dataclass(frozen=True, slots=True)
class StudyView:
    """What the stages that ask models found out."""

    search: str
    """Who looked for suspicion and what they make of the whole; empty where nobody did."""
    audit: tuple[AuditView, ...]
    """Every inference of the tree, as suspicion and review saw it; empty for a system without an audit."""
    obligations: tuple[ObligationView, ...]
    """What must hold, in the order in which it was asked."""
    substeps: tuple[SubstepView, ...]
    """The substeps."""
    malformations: tuple[str, ...]
    """What is wrong with the tree, and how steps were cut."""
    cost: tuple[tuple[str, str], ...]
    """What the models took, by name."""
