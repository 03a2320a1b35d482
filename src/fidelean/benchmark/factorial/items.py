"""What only the items can tell: who was gained and lost between configurations, oracles, thresholds, lengths of trajectories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from fidelean.benchmark.factorial.records import CONFIGURATIONS, Count, Item, Oracle, TrajectoryBin, Transition
from fidelean.errors import InputError

__all__ = ["BINS", "by_configuration", "by_domain", "counts", "oracle", "pass_at", "trajectory_bins", "transitions"]

BINS: tuple[tuple[int, int], ...] = ((1, 2), (3, 5), (6, 9), (10, 12), (13, 18), (19, 24))
"""The published ranges of trajectory lengths, in steps, both ends included."""

Table = Mapping[str, Mapping[str, Item]]
"""Items by configuration and name."""


def by_configuration(items: Iterable[Item]) -> Table:
    """Sort items into the eight configurations, names in the same order in each.

    Raises:
        InputError: an item stands twice or not at all under a configuration, or one is faithful without compiling.
    """
    table: dict[str, dict[str, Item]] = {code: {} for code in CONFIGURATIONS}
    for item in items:
        if item.configuration not in table:
            raise InputError(f"{item.id}: {item.configuration!r} is no configuration; they are 000 to 111")
        if item.id in table[item.configuration]:
            raise InputError(f"{item.id} stands twice under {item.configuration}")
        if item.faithful and not item.compiles:
            raise InputError(f"{item.id} under {item.configuration} is called faithful and does not compile")
        table[item.configuration][item.id] = item
    names = sorted({name for row in table.values() for name in row})
    for code, row in table.items():
        missing = [name for name in names if name not in row]
        if missing:
            raise InputError(
                f"{len(missing)} of {len(names)} items are missing under {code}, {missing[0]} among them: effects are paired by item"
            )
    return {code: {name: row[name] for name in names} for code, row in table.items()}


def counts(table: Table) -> dict[str, Count]:
    """The eight configurations in counts."""
    return {code: _count(row.values()) for code, row in table.items()}


def _count(items: Iterable[Item]) -> Count:
    rows = list(items)
    return Count(len(rows), sum(item.compiles for item in rows), sum(item.faithful for item in rows))


def by_domain(table: Table) -> dict[str, Table]:
    """The same table for each field of mathematics; items without one stand under the empty name."""
    domains = {name: item.domain for name, item in table[CONFIGURATIONS[0]].items()}
    return {
        domain: {code: {name: item for name, item in row.items() if domains[name] == domain} for code, row in table.items()}
        for domain in sorted(set(domains.values()))
    }


def transitions(table: Table, pairs: Sequence[tuple[str, str]] | None = None) -> list[Transition]:
    """Items gained and lost between configurations; without ``pairs`` between all that differ by one tool, which is added."""
    return [
        Transition(
            before,
            after,
            gained=sum(table[after][name].faithful and not item.faithful for name, item in table[before].items()),
            lost=sum(item.faithful and not table[after][name].faithful for name, item in table[before].items()),
        )
        for before, after in pairs or _one_tool_added()
    ]


def _one_tool_added() -> list[tuple[str, str]]:
    return [(before, f"{before[:place]}1{before[place + 1 :]}") for place in range(3) for before in CONFIGURATIONS if before[place] == "0"]


def oracle(table: Table) -> Oracle:
    """Items faithful under any, all and none of the configurations."""
    held = [[row[name].faithful for row in table.values()] for name in table[CONFIGURATIONS[0]]]
    return Oracle(sum(map(any, held)), sum(map(all, held)), sum(not any(row) for row in held))


def pass_at(item: Item, threshold: int) -> Item:
    """The same item judged at another threshold: every judge gave at least ``threshold``; without all grades it is not faithful."""
    passes = bool(item.grades) and all(grade is not None and grade >= threshold for grade in item.grades)
    return replace(item, faithful=item.compiles and passes)


def trajectory_bins(items: Iterable[Item]) -> list[TrajectoryBin]:
    """Faithful items by the length of their trajectories; lengths outside the published ranges, and unknown ones, are in no bin."""
    rows = list(items)
    found: dict[tuple[int, int], list[Item]] = defaultdict(list)
    for item in rows:
        place = next((bounds for bounds in BINS if item.steps is not None and bounds[0] <= item.steps <= bounds[1]), None)
        if place:
            found[place].append(item)
    return [TrajectoryBin(f"{low}-{high}", sum(item.faithful for item in found[low, high]), len(found[low, high])) for low, high in BINS]
