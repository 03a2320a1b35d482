"""ProcessBench (Zheng et al. 2024): solutions by language models, annotated by experts with their first wrong step."""

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
    label: int


def read(path: Path) -> Dataset:
    """Read one of its files; its label is 0-based and -1 for "all steps are correct". Raises ``InputError``."""
    samples = [sample(row.id, row.problem, row.steps, None if row.label == -1 else row.label + 1) for row in rows(path, _Row)]
    return Dataset(path.stem, "Apache-2.0", tuple(samples))
