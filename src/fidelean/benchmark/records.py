"""Labelled proofs: the records that every data set is read into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fidelean.errors import InputError
from fidelean.informal.records import Problem, Proof, Step

__all__ = ["Dataset", "Sample", "sample"]


@dataclass(frozen=True, slots=True)
class Sample:
    """A proof with its human annotation."""

    proof: Proof
    """The proof; ``proof.id`` is unique within its data set."""
    label: int | None
    """1-based index of the first wrong step; None where the annotators found none."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Labelled proofs of one public set."""

    name: str
    """The set's short name."""
    licence: str
    """Under which licence it was published (SPDX)."""
    samples: tuple[Sample, ...]
    """The samples, in the order of the file."""


def sample(id: str, problem: str, steps: Sequence[str], label: int | None) -> Sample:  # noqa: A002 - the record's own word
    """Make a sample of plain texts; raises ``InputError`` where the label names no step of the proof."""
    if not steps:
        raise InputError(f"{id}: a proof without a step")
    if label is not None and not 1 <= label <= len(steps):
        raise InputError(f"{id}: the label {label} names none of the {len(steps)} steps")
    return Sample(Proof(Problem(problem), tuple(Step(index, text) for index, text in enumerate(steps, start=1)), id=id), label)
