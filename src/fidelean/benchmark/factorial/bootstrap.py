"""Intervals of the effects: paired item bootstrap, all effects from the same resamples (formalize-statement, "Experiment")."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fidelean.benchmark.factorial.effects import contrasts, effects_of_counts
from fidelean.benchmark.factorial.items import Table, counts
from fidelean.benchmark.factorial.records import CONFIGURATIONS, Effect, Metric

__all__ = ["effects_of_items"]

_CHUNK = 2_000


def effects_of_items(table: Table, *, resamples: int = 10_000, seed: int = 0) -> list[Effect]:
    """Every effect on every metric with its 95 % percentile interval; the same seed gives the same intervals.

    Items are drawn with replacement, each with all eight of its results: configurations stay paired.
    """
    points = effects_of_counts(counts(table))
    low, high = np.percentile(_resampled(table, resamples, seed), (2.5, 97.5), axis=0)
    return [replace(effect, low=float(low[place]), high=float(high[place])) for place, effect in enumerate(points)]


def _resampled(table: Table, resamples: int, seed: int) -> NDArray[np.float64]:
    """Effects of every resample in percentage points; shape ``(resamples, metrics × effects)``, in the order of ``effects_of_counts``."""
    values = _contrast_of_items(table)
    draws = np.random.default_rng(seed)
    n = len(values)
    found = np.empty((resamples, values.shape[1]))
    for start in range(0, resamples, _CHUNK):
        size = min(_CHUNK, resamples - start)
        drawn = draws.multinomial(n, np.full(n, 1 / n), size=size)
        found[start : start + size] = drawn @ values * (100 / n)
    return found


def _contrast_of_items(table: Table) -> NDArray[np.float64]:
    """What each item adds to each effect; shape ``(items, metrics × effects)``. An effect is the mean over the items."""
    compiled = np.array([[item.compiles for item in table[code].values()] for code in CONFIGURATIONS], dtype=np.float64).T
    faithful = np.array([[item.faithful for item in table[code].values()] for code in CONFIGURATIONS], dtype=np.float64).T
    weights = np.array(list(contrasts().values())).T
    by_metric = {Metric.COMPILE: compiled, Metric.FAITHFUL: faithful, Metric.GAP: compiled - faithful}
    return np.hstack([by_metric[metric] @ weights for metric in Metric])
