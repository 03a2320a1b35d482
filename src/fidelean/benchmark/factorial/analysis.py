"""The whole experiment in one record: effects with intervals where there are items, and all that only items tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fidelean.benchmark.factorial.effects import effects_of_counts
from fidelean.benchmark.factorial.items import by_configuration, by_domain, counts, oracle, pass_at, trajectory_bins, transitions
from fidelean.benchmark.factorial.records import Count, Effect, Item, Oracle, TrajectoryBin, Transition

__all__ = ["THRESHOLDS", "Factorial", "analyse_counts", "analyse_items"]

THRESHOLDS: tuple[int, ...] = (7, 8, 9, 10)
"""Judges' thresholds of the sweep."""


@dataclass(frozen=True, slots=True)
class Factorial:
    """What a 2³ experiment says."""

    counts: Mapping[str, Count]
    """The eight configurations in counts."""
    effects: tuple[Effect, ...]
    """Every effect on every metric; with intervals where items were given."""
    resamples: int = 0
    """Resamples behind the intervals; 0 where there are none."""
    transitions: tuple[Transition, ...] = ()
    """Items gained and lost by adding one tool; empty without items, like all that follows."""
    oracle: Oracle | None = None
    """What a choice for each item could reach."""
    domains: Mapping[str, tuple[Effect, ...]] | None = None
    """Effects for each field of mathematics, without intervals."""
    thresholds: Mapping[int, Mapping[str, int]] | None = None
    """Faithful items by threshold and configuration; None where any item came without grades."""
    bins: Mapping[str, tuple[TrajectoryBin, ...]] | None = None
    """By ``F=0`` and ``F=1``, faithful items by the length of the trajectory; None where any length is unknown."""


def analyse_counts(table: Mapping[str, Count]) -> Factorial:
    """Effects alone: counts tell no more. Raises ``InputError`` where a configuration is missing or impossible."""
    return Factorial(dict(table), tuple(effects_of_counts(table)))


def analyse_items(items: Sequence[Item], *, resamples: int = 10_000, seed: int = 0) -> Factorial:
    """Everything. Raises ``InputError`` where the items are not the same under all eight configurations."""
    from fidelean.benchmark.factorial.bootstrap import effects_of_items

    table = by_configuration(items)
    return Factorial(
        counts(table),
        tuple(effects_of_items(table, resamples=resamples, seed=seed)),
        resamples,
        tuple(transitions(table)),
        oracle(table),
        {domain: tuple(effects_of_counts(counts(part))) for domain, part in by_domain(table).items()},
        _sweep(items) if all(item.grades for item in items if item.compiles) else None,
        _bins(items) if all(item.steps is not None for item in items) else None,
    )


def _sweep(items: Sequence[Item]) -> dict[int, dict[str, int]]:
    swept = {threshold: by_configuration(pass_at(item, threshold) for item in items) for threshold in THRESHOLDS}
    return {threshold: {code: count.faithful for code, count in counts(table).items()} for threshold, table in swept.items()}


def _bins(items: Sequence[Item]) -> dict[str, tuple[TrajectoryBin, ...]]:
    return {f"F={value}": tuple(trajectory_bins(item for item in items if item.configuration[1] == str(value))) for value in (0, 1)}
