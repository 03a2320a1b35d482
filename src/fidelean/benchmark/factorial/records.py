"""What the 2³ experiment counts and what it concludes.

A configuration is written as three bits, draft, feedback and search: ``"010"`` has feedback alone (formalize-statement, "Experiment").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["CONFIGURATIONS", "Count", "Effect", "Item", "Metric", "Oracle", "Tool", "TrajectoryBin", "Transition"]

CONFIGURATIONS: tuple[str, ...] = tuple(f"{number:03b}" for number in range(8))
"""The eight configurations, ``"000"`` to ``"111"``."""


class Tool(StrEnum):
    """One factor of the experiment; its value is the letter of the published tables."""

    DRAFT = "T"
    """The translation prior."""
    FEEDBACK = "F"
    """What Lean says of a candidate."""
    SEARCH = "S"
    """Search in the library."""

    @property
    def place(self) -> int:
        """Which of the three bits it is, from 0."""
        return "TFS".index(self.value)


class Metric(StrEnum):
    """What is counted of an item under a configuration."""

    COMPILE = "compile"
    """The statement elaborates."""
    FAITHFUL = "faithful"
    """It elaborates and the judges agree that it says the same."""
    GAP = "gap"
    """It elaborates and is not faithful."""


@dataclass(frozen=True, slots=True)
class Count:
    """One configuration in counts."""

    n: int
    """Items tried."""
    compile: int
    """Items whose statement elaborates."""
    faithful: int
    """Items whose statement is faithful."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item under one configuration."""

    id: str
    """The item's name, the same under all configurations."""
    configuration: str
    """Three bits."""
    compiles: bool
    """Whether the statement elaborates."""
    faithful: bool
    """Whether it also says the same, by the rule of the run."""
    domain: str = ""
    """The field of mathematics; empty where the source names none."""
    steps: int | None = None
    """Length of the trajectory in steps; None where it was not recorded."""
    grades: tuple[int | None, ...] = ()
    """One score 0-10 per judge, in the order of the judges; None where a judge gave none."""


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect on a metric, in percentage points."""

    name: str
    """``F``, ``FxS`` or ``S|F=0``."""
    metric: Metric
    """What it is an effect on."""
    points: float
    """The point estimate (percentage points)."""
    low: float | None = None
    """Lower end of the 95 % interval (percentage points); None where there are counts only."""
    high: float | None = None
    """Upper end of it."""


@dataclass(frozen=True, slots=True)
class Transition:
    """What becomes of the items when one configuration is changed into another."""

    before: str
    """Three bits."""
    after: str
    """Three bits."""
    gained: int
    """Items faithful after and not before."""
    lost: int
    """Items faithful before and not after."""


@dataclass(frozen=True, slots=True)
class Oracle:
    """What a choice of the configuration for each item could reach."""

    any: int
    """Items faithful under at least one configuration."""
    all: int
    """Items faithful under every configuration."""
    never: int
    """Items faithful under none."""


@dataclass(frozen=True, slots=True)
class TrajectoryBin:
    """Trajectories of a range of lengths."""

    name: str
    """The range, ``"3-5"``."""
    faithful: int
    """Items among them that are faithful."""
    n: int
    """Items among them."""


CountTable = Mapping[str, Count]
"""Counts by configuration; all eight."""
