"""Substeps and what was found out about how faithful they are: the records (FaithSieve, faithful decomposition)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fidelean.informal.records import Span
from fidelean.outcome import Inconclusive

__all__ = ["Decomposition", "FindingSource", "RepairFinding", "RepairKind", "Scope", "ScopeKind", "Substep", "WholeStep"]


class ScopeKind(StrEnum):
    """What an inference stands under, besides the conditions of the proof."""

    CASE = "case"
    """One case of a split."""
    CONTRADICTION = "contradiction"
    """Something that is supposed in order to be refuted, or for the sake of argument."""
    INDUCTION = "induction"
    """The base or the step of an induction."""
    WITNESS = "witness"
    """A witness that has been chosen."""


@dataclass(frozen=True, slots=True)
class Scope:
    """One scope of a substep."""

    kind: ScopeKind
    """What kind of scope it is."""
    text: str
    """The assumption, hypothesis or choice, in the words of the step or of an earlier one."""


@dataclass(frozen=True, slots=True)
class Substep:
    """One inference of a step."""

    id: str
    """``<step>.<number>``, both 1-based, unique within a proof."""
    step: int
    """1-based index of the step."""
    text: str
    """The inference, in the words of the step."""
    anchors: tuple[Span, ...] = ()
    """Where the step says it: spans of the step's text, in the order of the quotations."""
    scopes: tuple[Scope, ...] = ()
    """What it stands under, outermost first."""
    is_motivation: bool = False
    """Whether it only motivates or restates, and concludes nothing."""


class RepairKind(StrEnum):
    """How a substep departs from its step: what a reader might mend without noticing."""

    STRENGTHENED = "strengthened"
    """It claims more than the step."""
    WEAKENED = "weakened"
    """It claims less than the step."""
    BETTER_JUSTIFIED = "better_justified"
    """The cut makes the inference look better justified than the step has it."""
    DROPPED_DECISIVE_WORD = "dropped_decisive_word"
    """A word that decides what is claimed is gone: only, all, unique, at most."""
    ADDED_DECISIVE_WORD = "added_decisive_word"
    """Such a word stands where the step has none."""
    CHANGED_CONSTANT = "changed_constant"
    """A number stands where the step has none of that value."""
    CHANGED_NAME = "changed_name"
    """A name stands where the step has none of that kind."""
    CHANGED_RELATION = "changed_relation"
    """A relation stands where the step has none of that kind."""
    CHANGED_FORMULA = "changed_formula"
    """A formula is made of the step's signs, but the step does not write it."""
    DROPPED_CONSTANT = "dropped_constant"
    """A number of the step stands in no substep."""
    DROPPED_NAME = "dropped_name"
    """A name of the step stands in no substep."""
    DROPPED_RELATION = "dropped_relation"
    """A relation of the step stands in no substep."""
    DROPPED_FORMULA = "dropped_formula"
    """A formula of the step stands in no substep."""
    MISSING_SCOPE = "missing_scope"
    """The step stands under a case, a supposition or an induction, and the substep does not say so."""
    INVENTED_SCOPE = "invented_scope"
    """The scope is written neither in the step nor before it."""
    INVENTED_INFERENCE = "invented_inference"
    """Nothing in the step says it."""
    ABSENT_QUOTATION = "absent_quotation"
    """A quotation is not in the step."""
    HIDDEN_INFERENCE = "hidden_inference"
    """It is called motivation and concludes something."""
    REPEATED_SUBSTEP = "repeated_substep"
    """The same substep stands there twice."""


class FindingSource(StrEnum):
    """Who found it."""

    RULES = "rules"
    """The comparison of texts, without a model."""
    MODEL = "model"
    """A model that compared them."""


@dataclass(frozen=True, slots=True)
class RepairFinding:
    """One departure from the text; it takes trust away from evidence, and mends nothing."""

    kind: RepairKind
    """How the substep departs."""
    step: int
    """1-based index of the step."""
    substep: str | None
    """The substep; None where the step as a whole lost something, which touches all its substeps."""
    evidence: str
    """The words, the number or the formula that shows it."""
    source: FindingSource = FindingSource.RULES
    """Who found it."""


@dataclass(frozen=True, slots=True)
class WholeStep:
    """A step that could not be cut, and stands as one substep in its author's words."""

    step: int
    """1-based index of the step."""
    reason: Inconclusive
    """Why it could not be cut."""


@dataclass(frozen=True, slots=True)
class Decomposition:
    """A proof, cut into substeps."""

    substeps: tuple[Substep, ...]
    """In the order of the text."""
    findings: tuple[RepairFinding, ...] = ()
    """Every departure from the text that was found, in the order of the steps."""
    whole: tuple[WholeStep, ...] = ()
    """The steps that could not be cut."""

    @property
    def drifted(self) -> frozenset[str]:
        """Ids of the substeps whose evidence is not to be trusted."""
        steps = {finding.step for finding in self.findings if finding.substep is None}
        named = {finding.substep for finding in self.findings}
        return frozenset(substep.id for substep in self.substeps if substep.step in steps or substep.id in named)

    @property
    def inferences(self) -> tuple[Substep, ...]:
        """The substeps that conclude something: each has one transition."""
        return tuple(substep for substep in self.substeps if not substep.is_motivation)
