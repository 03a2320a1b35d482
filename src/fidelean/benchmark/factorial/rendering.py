"""A 2³ experiment as lines of text and as one JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from fidelean.benchmark.factorial.analysis import Factorial
from fidelean.benchmark.factorial.effects import rate
from fidelean.benchmark.factorial.records import Effect, Metric, Tool
from fidelean.report.escaping import one_line

__all__ = ["FORMAT_VERSION", "factorial_document", "factorial_lines"]

FORMAT_VERSION = 1
"""Version of the JSON object."""
_MAIN = tuple(tool.value for tool in Tool)


def factorial_document(found: Factorial) -> dict[str, Any]:
    """Everything as one object; points are percentage points, not rounded."""
    return {"format_version": FORMAT_VERSION, **asdict(found)}


def factorial_lines(found: Factorial) -> Iterator[str]:
    """Tables for the terminal: counts, effects, and what the items tell."""
    yield "configuration (draft, feedback, search)      n   compile  faithful       gap  faithful per compiled"
    for code, count in found.counts.items():
        share = f"{100 * count.faithful / count.compile:.1f} %" if count.compile else "none compiles"
        shares = "".join(f"{100 * rate(count, metric):8.1f} %" for metric in Metric)
        yield f"{code:40}{count.n:6}{shares}  {share}"
    yield ""
    yield from _effects(found.effects)
    yield from _basis(found)
    yield from _items(found)


def _effects(effects: Sequence[Effect]) -> Iterator[str]:
    yield f"{'effect, in points':20}" + "".join(f"{metric.value:>24}" for metric in Metric)
    for name in dict.fromkeys(effect.name for effect in effects):
        row = {effect.metric: effect for effect in effects if effect.name == name}
        yield f"{name:20}" + "".join(f"{_points(row[metric]):>24}" for metric in Metric)


def _points(effect: Effect) -> str:
    interval = f" [{effect.low:+.1f}, {effect.high:+.1f}]" if effect.low is not None and effect.high is not None else ""
    return f"{effect.points + 0.0:+.1f}{interval}"


def _basis(found: Factorial) -> Iterator[str]:
    yield ""
    if found.resamples:
        yield f"In brackets: 95 % intervals, paired item bootstrap, {found.resamples} resamples."
    else:
        yield "No intervals: they need the items, and these are counts."


def _items(found: Factorial) -> Iterator[str]:
    if found.oracle is not None:
        yield ""
        yield f"faithful under any configuration: {found.oracle.any}, under all: {found.oracle.all}, under none: {found.oracle.never}"
    for change in found.transitions:
        yield f"{change.before} → {change.after}: {change.gained} newly faithful, {change.lost} lost"
    for threshold, row in (found.thresholds or {}).items():
        yield f"faithful at threshold {threshold}: " + ", ".join(f"{code} {faithful}" for code, faithful in row.items())
    for name, bins in (found.bins or {}).items():
        told = ", ".join(f"{each.name} steps {each.faithful} of {each.n}" for each in bins)
        yield f"faithful by length, {name}: {told}"
    for domain, effects in (found.domains or {}).items():
        main = ", ".join(f"{each.name} {each.points:+.1f}" for each in effects if each.metric is Metric.FAITHFUL and each.name in _MAIN)
        yield f"main effects on faithful in {one_line(domain) or 'items without a domain'}: {main}"
