"""What a judge finds when a claim and a Lean statement are laid side by side, with the arithmetic of the scores (FaithSieve, gate)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

__all__ = [
    "Aspects",
    "Drift",
    "FaithfulnessReport",
    "GateDecision",
    "GateObjection",
    "GateReason",
    "Judgement",
    "Lint",
    "LintKind",
    "LintSeverity",
    "Match",
    "Part",
    "Side",
    "Slot",
    "Status",
]


class Side(StrEnum):
    """Which of the two texts a slot stands in."""

    SOURCE = "source"
    """The claim with its conditions."""
    LEAN = "lean"
    """The Lean statement."""


class Part(StrEnum):
    """What a slot does in its text."""

    PREMISE = "premise"
    """An assumption, branch hypothesis, domain, fixed variable, side condition or permitted witness."""
    CONCLUSION = "conclusion"
    """An equality, inequality, implication, set relation, existence, uniqueness, reduction or coverage."""


class Match(StrEnum):
    """How well a slot is met by its best partner of the same part."""

    EXACT = "exact"
    """It says the same."""
    NOTATION_ONLY = "notation_only"
    """Only the notation differs."""
    MODIFIER_MISSING = "modifier_missing"
    """A modifier or side condition is missing."""
    WEAK_OVERLAP = "weak_overlap"
    """They overlap weakly."""
    NONE = "none"
    """Missing, contradicted, in another role, or in the wrong direction."""

    @property
    def score(self) -> float:
        """The same as a number: 1, 0.75, 0.5, 0.25 or 0."""
        return _SCORES[self]


_SCORES = {Match.EXACT: 1.0, Match.NOTATION_ONLY: 0.75, Match.MODIFIER_MISSING: 0.5, Match.WEAK_OVERLAP: 0.25, Match.NONE: 0.0}


@dataclass(frozen=True, slots=True)
class Slot:
    """One piece of meaning on one side."""

    side: Side
    """Which text it stands in."""
    part: Part
    """What it does there."""
    text: str
    """The piece, as written."""
    match: Match
    """How well the best partner on the other side meets it."""
    partner: str = ""
    """The text of that partner; empty where there is none."""
    is_implicit: bool = False
    """Whether the text only implies it: the kind of number that a letter stands for."""
    needs_source: bool = True
    """Whether, in a Lean statement, something in the text must stand behind it; not so for the declaration of the field it speaks of."""


@dataclass(frozen=True, slots=True)
class Aspects:
    """Five views of the whole, each 0, 0.25, 0.5, 0.75 or 1."""

    step_relation: float
    """Whether the statement is about this inference and not another."""
    objects: float
    """Whether the objects and witnesses are the same."""
    directionality: float
    """Whether it goes from the conditions to the conclusion and not back."""
    role_alignment: float
    """Whether what is assumed is assumed and what is shown is shown."""
    syntax_surface: float
    """Whether relations, quantifiers and constants are the same on the page."""

    @property
    def mean(self) -> float:
        """The plain mean."""
        return (self.step_relation + self.objects + self.directionality + self.role_alignment + self.syntax_surface) / 5


class Drift(StrEnum):
    """How a statement departs from its text."""

    MISSING_ASSUMPTIONS = "missing_assumptions"
    """A condition of the text is missing."""
    OVERGENERALIZED = "overgeneralized"
    """It claims more cases than the text."""
    UNDERGENERALIZED = "undergeneralized"
    """It claims fewer cases than the text."""
    WRONG_OBJECTS = "wrong_objects"
    """It is about other objects."""
    WRONG_QUANTIFIERS = "wrong_quantifiers"
    """A quantifier, or the order of two, is another."""
    WRONG_DIRECTION = "wrong_direction"
    """It is the converse."""
    ROLE_SWAP = "role_swap"
    """A condition became the conclusion, or the other way round."""
    VACUOUS_OR_TRIVIALIZED = "vacuous_or_trivialized"
    """It holds for a reason that has nothing to do with the text."""
    ADDED_ASSUMPTIONS = "added_assumptions"
    """It assumes what the text does not."""
    WEAKENED_CONCLUSION = "weakened_conclusion"
    """It shows less than the text."""


class Status(StrEnum):
    """A judge's own summary."""

    FAITHFUL = "faithful"
    """It says the same."""
    REPAIRABLE_DRIFT = "repairable_drift"
    """It drifted, and a small change mends it."""
    UNFAITHFUL = "unfaithful"
    """It says something else."""


@dataclass(frozen=True, slots=True)
class FaithfulnessReport:
    """One judge's findings. The scores follow from the slots and the aspects; no judge gives them."""

    slots: tuple[Slot, ...]
    """Every slot of both sides."""
    aspects: Aspects
    """Five views of the whole."""
    drift: tuple[Drift, ...]
    """How it departs from the text; empty where it does not."""
    status: Status
    """The judge's own summary."""
    confidence: float
    """How sure the judge is (0 to 1)."""
    reason: str
    """Why, in words: untrusted text."""
    missing: tuple[str, ...] = ()
    """What of the text has no place in the statement."""
    overgeneralisations: tuple[str, ...] = ()
    """Cases that the statement covers and the text does not."""
    suggested_revision: str = ""
    """What the next draft should change; empty where nothing."""

    def of(self, side: Side, part: Part) -> tuple[Slot, ...]:
        """The slots of one part of one side."""
        return tuple(slot for slot in self.slots if slot.side is side and slot.part is part)

    @property
    def unsupported(self) -> tuple[Slot, ...]:
        """What the Lean statement says although nothing in the text stands behind it."""
        return tuple(slot for slot in self.slots if slot.side is Side.LEAN and slot.needs_source and slot.match is Match.NONE)

    def _score(self, part: Part) -> float:
        scores = [slot.match.score for slot in self.of(Side.SOURCE, part)]
        if scores:
            return sum(scores) / len(scores)
        return 0.0 if any(slot.part is part for slot in self.unsupported) else 1.0

    @property
    def s_prem(self) -> float:
        """Mean match of the text's premises; without any, 1 unless the statement assumes something unsupported."""
        return self._score(Part.PREMISE)

    @property
    def s_conc(self) -> float:
        """Mean match of the text's conclusion; without any, 1 unless the statement shows something unsupported."""
        return self._score(Part.CONCLUSION)

    @property
    def s_hol(self) -> float:
        """Mean of the five aspects."""
        return self.aspects.mean

    @property
    def s(self) -> float:
        """The whole score: ``sqrt(s_prem * s_conc) * s_hol``."""
        return sqrt(self.s_prem * self.s_conc) * self.s_hol


class LintKind(StrEnum):
    """What a deterministic look at a statement finds."""

    CONCLUSION_ASSUMED = "conclusion_assumed"
    """The conclusion is among the hypotheses."""
    FALSE_PREMISE = "false_premise"
    """A hypothesis is false whatever the variables are."""
    SELF_ANSWERING = "self_answering"
    """The conclusion holds by its own shape: ``a = a``, ``True``, ``∃ x, x = a``."""
    CONVERSE = "converse"
    """It assumes the text's conclusion and concludes a condition of the text."""
    UNUSED_VARIABLE = "unused_variable"
    """A variable is declared and nothing is said about it."""
    NAT_SUBTRACTION = "nat_subtraction"
    """A difference of natural numbers that may be cut off at 0."""
    TRUNCATED_DIVISION = "truncated_division"
    """A quotient of natural numbers or integers that may be rounded."""
    DENOMINATOR = "denominator"
    """A denominator that no hypothesis keeps from 0."""
    LITERAL_MISSING = "literal_missing"
    """A number of the claim does not occur in the statement."""


class LintSeverity(StrEnum):
    """What follows from a lint."""

    CRITICAL = "critical"
    """The gate does not let the statement through."""
    WARNING = "warning"
    """A hint for the drafter and the reader; it decides nothing."""


@dataclass(frozen=True, slots=True)
class Lint:
    """One finding of a deterministic look at a statement."""

    kind: LintKind
    """What was found."""
    severity: LintSeverity
    """What follows."""
    message: str
    """The same for a reader, in one line."""
    piece: str = ""
    """The piece of the statement it is about; empty where it is about the whole."""


class GateReason(StrEnum):
    """Why the gate does not let a statement through."""

    SCORE = "score"
    """The whole score is below the threshold."""
    DIRECTIONALITY = "directionality"
    """A critical score: it may be the converse."""
    ROLE_ALIGNMENT = "role_alignment"
    """A critical score: what is assumed and what is shown may be swapped."""
    CONCLUSION = "conclusion"
    """A critical score: the conclusion is not the text's."""
    UNSUPPORTED_PREMISE = "unsupported_premise"
    """It assumes something that the text does not."""
    UNSUPPORTED_CONCLUSION = "unsupported_conclusion"
    """It claims something that the text does not."""
    STATUS = "status"
    """The judge's own summary is not *faithful*, whatever the numbers say."""
    LINT = "lint"
    """A deterministic look found a critical fault."""
    UNJUDGED = "unjudged"
    """No judge's report could be had."""


@dataclass(frozen=True, slots=True)
class GateObjection:
    """One reason against a statement."""

    reason: GateReason
    """Why, from the closed list."""
    detail: str
    """The same for a reader, in one line."""


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Whether a statement may carry evidence."""

    admitted: bool
    """Whether it may."""
    objections: tuple[GateObjection, ...] = ()
    """Everything against it; where the gate is loosened, what it would have objected."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of judging a statement: every report, and what the gate makes of each."""

    reports: tuple[FaithfulnessReport, ...]
    """One per judge, in their order; empty where only lints spoke."""
    decisions: tuple[GateDecision, ...]
    """One per report, or the single one that the lints gave."""
    lints: tuple[Lint, ...] = ()
    """What the deterministic look found."""

    @property
    def admitted(self) -> bool:
        """Whether every decision admits it."""
        return bool(self.decisions) and all(decision.admitted for decision in self.decisions)

    @property
    def agree(self) -> bool:
        """Whether the decisions are all the same."""
        return len({decision.admitted for decision in self.decisions}) <= 1

    @property
    def report(self) -> FaithfulnessReport | None:
        """The report with the lowest score, which is what counts; None without any."""
        return min(self.reports, key=lambda report: report.s, default=None)

    @property
    def objections(self) -> tuple[GateObjection, ...]:
        """Everything any decision holds against it, without repeats."""
        return _distinct(objection for decision in self.decisions for objection in decision.objections)

    @property
    def strength(self) -> float:
        """How far the statement carries: the lowest score times its judge's confidence (0 to 1); 0 without a report."""
        return min((report.s * report.confidence for report in self.reports), default=0.0)


def _distinct(objections: Iterable[GateObjection]) -> tuple[GateObjection, ...]:
    return tuple(dict.fromkeys(objections))
