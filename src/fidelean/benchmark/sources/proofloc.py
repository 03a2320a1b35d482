"""ProofLoc (FaithSieve, 2026): competition and university proofs with their first wrong step."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from fidelean.benchmark.records import Dataset, sample
from fidelean.benchmark.sources.rows import rows

__all__ = ["read"]


class _Row(BaseModel):
    id: str
    problem: str
    steps: list[str]
    first_error_step: int | Literal["correct"]


def read(path: Path) -> Dataset:
    """Read one of its files; its label is 1-based, or the word "correct". Raises ``InputError``."""
    samples = [
        sample(row.id, row.problem, row.steps, None if row.first_error_step == "correct" else row.first_error_step)
        for row in rows(path, _Row)
    ]
    return Dataset(path.stem, "Apache-2.0", tuple(samples))
