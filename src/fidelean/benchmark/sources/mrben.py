"""Mr-Ben (Zeng et al. 2024), re-keyed: solutions by language models with their first wrong step."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel

from fidelean.benchmark.records import Dataset, sample
from fidelean.benchmark.sources.rows import rows

__all__ = ["read"]


class _Row(BaseModel):
    id: str
    problem: str
    steps: list[str]
    first_error: int


def read(path: Path) -> Dataset:
    """Read the file; its label is 1-based, and 0 where no step is wrong. Raises ``InputError``."""
    samples = [sample(row.id, row.problem, row.steps, row.first_error or None) for row in rows(path, _Row)]
    return Dataset(path.stem, "MIT", tuple(samples))
