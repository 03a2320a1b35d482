"""Decisions: the records, apart from the rules that make them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fidelean.evidence.records import Evidence

__all__ = ["ProofVerdict", "StepStatus", "StepVerdict"]


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


@dataclass(frozen=True, slots=True)
class ProofVerdict:
    """The decision on a proof. *No error found* is not *proved*."""

    first_error: int | None
    """1-based index of the first step that the evidence breaks; None where no error was found."""
    unresolved_steps: tuple[int, ...]
    """1-based indices of the steps that stayed uncertain or unchecked, ascending."""
    steps: tuple[StepVerdict, ...]
    """One decision per step, in order."""
    notices: tuple[str, ...] = ()
    """What a reader must know about the run, one line each: a checker that was missing, a budget that ended."""
