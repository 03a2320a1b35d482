"""BIG-Bench Mistake (Tyen et al. 2023), multistep arithmetic: calculations by a language model with their first mistake."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel

from fidelean.benchmark.records import Dataset, sample
from fidelean.benchmark.sources.rows import rows

__all__ = ["read"]


class _Row(BaseModel):
    input: str
    steps: list[str]
    mistake_index: int | None


def read(path: Path) -> Dataset:
    """Read the file; its label is 0-based, and null where there is no mistake. Its rows have no names: theirs count from 0.

    Raises ``InputError``.
    """
    samples = [
        sample(f"{path.stem}-{number}", row.input, row.steps, None if row.mistake_index is None else row.mistake_index + 1)
        for number, row in enumerate(rows(path, _Row))
    ]
    return Dataset(path.stem, "Apache-2.0", tuple(samples))
