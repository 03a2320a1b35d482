"""Main, interaction and conditional effects, as contrasts over the eight configurations (formalize-statement, "Experiment").

An effect is a weighted sum of the eight rates, so one vector of weights serves the point estimate and every resample alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, permutations

from fidelean.benchmark.factorial.records import CONFIGURATIONS, Count, Effect, Metric, Tool
from fidelean.errors import InputError

__all__ = ["contrasts", "effects_of_counts", "rate"]


def contrasts() -> dict[str, tuple[float, ...]]:
    """Weights over ``CONFIGURATIONS`` by the effect's name: three main, three interaction, twelve conditional effects.

    ``F``: mean over the other tools of with minus without. ``FxS``: how much larger S is with F than without it. ``S|F=0``: S among the
    configurations without F.
    """
    return dict(_contrasts())


def _contrasts() -> Iterator[tuple[str, tuple[float, ...]]]:
    for tool in Tool:
        yield tool.value, tuple(_sign(code, tool) / 4 for code in CONFIGURATIONS)
    for first, second in _pairs():
        yield f"{first}x{second}", tuple(_sign(code, first) * _sign(code, second) / 2 for code in CONFIGURATIONS)
    for tool, given in permutations(Tool, 2):
        for value in (0, 1):
            weights = (_sign(code, tool) / 2 if code[given.place] == str(value) else 0.0 for code in CONFIGURATIONS)
            yield f"{tool}|{given}={value}", tuple(weights)


def _pairs() -> Iterator[tuple[Tool, Tool]]:
    """In the published order of letters: F before S and T, S before T."""
    yield from combinations((Tool.FEEDBACK, Tool.SEARCH, Tool.DRAFT), 2)


def _sign(code: str, tool: Tool) -> int:
    return 1 if code[tool.place] == "1" else -1


def rate(count: Count, metric: Metric) -> float:
    """Share of the items, 0 to 1."""
    counted = {Metric.COMPILE: count.compile, Metric.FAITHFUL: count.faithful, Metric.GAP: count.compile - count.faithful}
    return counted[metric] / count.n


def effects_of_counts(counts: Mapping[str, Count]) -> list[Effect]:
    """Every effect on every metric, without intervals: those need the items.

    Raises:
        InputError: a configuration is missing or empty, or has more faithful than compiled items.
    """
    for code in CONFIGURATIONS:
        count = counts.get(code)
        if count is None:
            raise InputError(f"the counts of configuration {code} are missing: all eight are needed")
        if not 0 <= count.faithful <= count.compile <= count.n or count.n == 0:
            raise InputError(
                f"configuration {code} has impossible counts: {count.faithful} faithful, {count.compile} compile, of {count.n}"
            )
    rates = {metric: [rate(counts[code], metric) for code in CONFIGURATIONS] for metric in Metric}
    return [
        Effect(name, metric, 100 * sum(weight * value for weight, value in zip(weights, rates[metric], strict=True)))
        for metric in Metric
        for name, weights in contrasts().items()
    ]
