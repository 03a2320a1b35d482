"""The public sets of proofs with their first wrong step, as they lie in one folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from fidelean.benchmark.records import Dataset
from fidelean.benchmark.sources import bigbench, mrben, processbench, proofloc

__all__ = ["FIRST_ERROR_SETS", "read_first_error_set"]

FIRST_ERROR_SETS: Mapping[str, Callable[[Path], Dataset]] = {
    "bigbench_multistep_arithmetic.jsonl": bigbench.read,
    "processbench_gsm8k.json": processbench.read,
    "processbench_math.json": processbench.read,
    "mrben_college_math.jsonl": mrben.read,
    "proofloc_olympiad.jsonl": proofloc.read,
}
"""File name → how its rows are read."""


def read_first_error_set(path: Path) -> Dataset:
    """Read a file by its name; raises ``InputError`` where it is none of the sets, or has not their form."""
    return FIRST_ERROR_SETS[path.name](path)
