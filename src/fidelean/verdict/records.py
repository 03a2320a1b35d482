"""Decisions: the records, apart from the rules that make them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fidelean.evidence.records import Evidence

__all__ = ["Basis", "ModelOpinion", "ProofVerdict", "StepStatus", "StepVerdict"]


class StepStatus(StrEnum):
    """What the evidence says of a step."""

    SUPPORTED = "supported"
    """Every claim found in the step was checked and holds; prose around them was not read."""
    REFUTED = "refuted"
    """A claim that the proof rests on is false."""
    REFUTED_REMARK = "refuted_remark"
    """A claim is false, and nothing rests on it."""
    UNCERTAIN = "uncertain"
    """A check was tried and could not tell."""
    UNCHECKED = "unchecked"
    """Nothing, or not everything, was within reach of a checker, and nothing speaks against the step."""


@dataclass(frozen=True, slots=True)
class StepVerdict:
    """The decision on one step."""

    index: int
    """1-based index of the step."""
    status: StepStatus
    """What the evidence says."""
    evidence: tuple[Evidence, ...]
    """Everything the decision rests on, in the order of the text."""


class Basis(StrEnum):
    """What the first error of a verdict rests on."""

    EVIDENCE = "evidence"
    """A refuted claim: exact arithmetic or the Lean kernel."""
    OPINION = "opinion"
    """What a model thinks; nothing was refuted."""


@dataclass(frozen=True, slots=True)
class ModelOpinion:
    """What a model makes of a whole proof: stored and shown, never evidence."""

    first_error: int | None
    """1-based step that it holds to be the first error; None where it sees none."""
    reason: str
    """Why, in its words."""
    by: str
    """Who says so: the stage and the model."""


@dataclass(frozen=True, slots=True)
class ProofVerdict:
    """The decision on a proof. *No error found* is not *proved*."""

    first_error: int | None
    """1-based index of the first step that the evidence breaks, else of the step that a model's opinion names; None where no error was
    found."""
    unresolved_steps: tuple[int, ...]
    """1-based indices of the steps that stayed uncertain or unchecked, ascending."""
    steps: tuple[StepVerdict, ...]
    """One decision per step, in order."""
    notices: tuple[str, ...] = ()
    """What a reader must know about the run, one line each: a checker that was missing, a budget that ended."""
    basis: Basis | None = None
    """What ``first_error`` rests on; None where there is none."""
    opinion: ModelOpinion | None = None
    """What a model makes of the whole proof, where one was asked."""
