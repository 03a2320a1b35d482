"""What a page shows, ready for its templates: texts as markup, outcomes as words, signs and classes. Records only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from fidelean.report.html.study_views import StudyView

__all__ = [
    "ArtefactView",
    "ClaimView",
    "ConditionView",
    "FindingView",
    "GateView",
    "OpenView",
    "OpinionView",
    "ProofView",
    "SlotView",
    "StatusView",
    "StepView",
    "SuggestionView",
    "TransitionView",
    "TreeView",
]


@dataclass(frozen=True, slots=True)
class StatusView:
    """A status or an outcome."""

    tone: str
    """Class of the style sheet."""
    symbol: str
    """Its sign."""
    word: str
    """Its name."""


@dataclass(frozen=True, slots=True)
class ArtefactView:
    """Something to recheck."""

    kind: str
    """``lean`` or what it is."""
    text: str
    """What decides."""
    file_name: str
    """Name for a file with it."""
    address: str
    """That file, which also says what it is about, as a ``data:`` address."""


@dataclass(frozen=True, slots=True)
class ConditionView:
    """A condition in force."""

    markup: Markup
    """The condition."""
    origin: str
    """Where it comes from, in words."""
    step: int
    """1-based step it stands in; 0 for the problem."""
    was_used: bool
    """Whether a check made use of it."""
    was_read: bool
    """Whether it is known as more than words."""


@dataclass(frozen=True, slots=True)
class SlotView:
    """A piece of meaning of the claim or of the Lean statement, with what stands for it on the other side."""

    side: str
    """Whose piece it is."""
    part: str
    """Premise or conclusion."""
    text: str
    """The piece."""
    partner: str
    """What stands for it on the other side; empty where nothing does."""
    match: str
    """How well it does, in words."""
    score: str
    """The same as a number."""


@dataclass(frozen=True, slots=True)
class GateView:
    """What a judge found when the claim and the Lean statement were laid side by side."""

    status: str
    """The judge's own summary, in words."""
    reason: str
    """Why."""
    scores: tuple[tuple[str, str], ...]
    """The scores with their names, the whole one first."""
    drift: str
    """How the statement departs from the text, in words; empty where it does not."""
    missing: tuple[str, ...]
    """What of the text has no place in the statement."""
    slots: tuple[SlotView, ...]
    """Every slot."""


@dataclass(frozen=True, slots=True)
class FindingView:
    """One checker's answer."""

    outcome: StatusView
    """What it found."""
    checker: str
    """Who answered, in words."""
    reason: str
    """Why it could not tell, in words; empty otherwise."""
    detail: str
    """The same for a reader."""
    values: tuple[str, ...]
    """Exact values."""
    rests_on: str
    """What the outcome rests on."""
    strength: str
    """How far the outcome carries, 0 to 1; empty where nothing is taken off."""
    gate: GateView | None
    """Whether what was asked says what the text says, where a judge looked."""
    artefacts: tuple[ArtefactView, ...]
    """What can be rechecked."""


@dataclass(frozen=True, slots=True)
class ClaimView:
    """Everything about one claim."""

    anchor: str
    """Id in the page."""
    name: str
    """Name of the obligation."""
    outcome: StatusView
    """What its findings come to."""
    markup: Markup
    """The claim."""
    kind: str
    """What kind of thing must hold, in words."""
    summary: str
    """The decisive finding in one line."""
    findings: tuple[FindingView, ...]
    """Every checker's answer."""
    conditions: tuple[ConditionView, ...]
    """The conditions in force, oldest first."""
    bearing: str
    """Whether the proof rests on it, in words."""
    place: str
    """File and line."""
    span: str
    """Where it stands in the step, in words."""
    is_open: bool
    """Whether its account is shown from the start."""


@dataclass(frozen=True, slots=True)
class StepView:
    """One step."""

    index: int
    """1-based position."""
    anchor: str
    """Id in the page."""
    status: StatusView
    """What the evidence says."""
    flag: str
    """First broken step, or a later independent error; empty otherwise."""
    line: int | None
    """Line of the source."""
    text: Markup
    """The text to be read, claims marked."""
    source: Markup
    """The text as written, claims marked to the character."""
    shows_source: bool
    """Whether the text as written is shown from the start, since only there every claim is marked."""
    claims: tuple[ClaimView, ...]
    """Its claims, in the order of the text."""


@dataclass(frozen=True, slots=True)
class OpenView:
    """Something that stayed open."""

    anchor: str
    """Id of what is said about it."""
    name: str
    """The claim's or the step's name."""
    markup: Markup
    """The claim, if it is one."""


@dataclass(frozen=True, slots=True)
class TransitionView:
    """One inference, from a state to a state."""

    anchor: str
    """Id of the claim; empty where it concludes nothing that was checked."""
    name: str
    """Name of the transition."""
    step: int
    """1-based index of the step."""
    step_anchor: str
    """Id of the step."""
    pattern: str
    """The pattern and what happens to the goal, in words."""
    outcome: StatusView
    """What was found out about it."""
    markup: Markup
    """The conclusion, or words that say there is none."""
    before: tuple[ConditionView, ...]
    """The conditions of the state it starts from."""
    added: tuple[ConditionView, ...]
    """Of these, what came into force since the transition in front."""
    branches: tuple[TreeView, ...] = ()
    """The cases, for a split."""
    audit: str = ""
    """Its place in the audit window, in words; empty outside."""
    distrust: bool = False
    """Whether it departs from the text, so that nothing that Lean says of it counts."""


@dataclass(frozen=True, slots=True)
class TreeView:
    """Inferences in a row, below the problem or below a case."""

    title: Markup
    """The case; empty at the root."""
    given: tuple[ConditionView, ...]
    """The conditions at its start."""
    transitions: tuple[TransitionView, ...]
    """The inferences, in the order of the text."""

    @property
    def size(self) -> int:
        """How many inferences there are, those within cases included."""
        return sum(1 + sum(case.size for case in row.branches) for row in self.transitions)


@dataclass(frozen=True, slots=True)
class OpinionView:
    """What a model makes of the whole proof."""

    by: str
    """Who says so."""
    first_error: int | None
    """1-based step that it names."""
    reason: str
    """Why."""
    decides: bool
    """Whether the verdict names a step for no other reason."""


@dataclass(frozen=True, slots=True)
class SuggestionView:
    """A repair that is offered."""

    step: int
    """1-based index of the step."""
    step_anchor: str
    """Id of the step."""
    kind: str
    """What is to be mended, in words."""
    text: str
    """The repair."""
    checked: str
    """What was checked, and what was not."""


@dataclass(frozen=True, slots=True)
class ProofView:
    """One proof."""

    anchor: str
    """Id in the page."""
    prefix: str
    """What the ids of its steps and claims start with; empty where the page holds one proof."""
    name: str
    """The proof's name."""
    source: str
    """File name."""
    problem: Markup
    """The problem."""
    first_error: int | None
    """1-based index of the first broken step."""
    tone: str
    """Class of the verdict: ``bad``, ``doubt`` for an opinion, ``none``."""
    symbol: str
    """Its sign."""
    headline: str
    """The verdict."""
    gloss: str
    """What the verdict does not say, or what breaks the step."""
    broken_claim: Markup
    """The claim that breaks the first broken step; empty where there is none."""
    later_errors: tuple[int, ...]
    """1-based indices of later errors that rest on nothing broken."""
    counts: tuple[tuple[int, StatusView], ...]
    """How many steps have which status."""
    n_claims: int
    """How many claims were found."""
    steps: tuple[StepView, ...]
    """The steps."""
    open: tuple[tuple[str, tuple[OpenView, ...]], ...]
    """What stayed open, by reason."""
    tree: TreeView | None
    """Its states and transitions."""
    notices: tuple[str, ...]
    """What a reader must know about the run."""
    silence: str
    """What is said of a step without claims."""
    system: str
    """The system that evaluated it."""
    opinion: OpinionView | None
    """What a model makes of the whole."""
    suggestions: tuple[SuggestionView, ...]
    """Repairs that refutations show."""
    study: StudyView | None
    """What the stages that ask models found out."""
