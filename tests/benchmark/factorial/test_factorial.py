"""The 2³ experiment: published effects out of published counts, intervals against an oracle of its own, what is refused."""

from __future__ import annotations

import json
import math
import random
import statistics
from pathlib import Path

import pytest

from fidelean.benchmark.factorial.analysis import analyse_counts, analyse_items
from fidelean.benchmark.factorial.bootstrap import effects_of_items
from fidelean.benchmark.factorial.items import by_configuration, counts, pass_at
from fidelean.benchmark.factorial.reading import read_results
from fidelean.benchmark.factorial.records import CONFIGURATIONS, Count, Item, Metric, Oracle, TrajectoryBin
from fidelean.errors import InputError


@pytest.fixture
def golden(shared: Path) -> Path:
    return shared / "data" / "beyond_compilation" / "golden_results_subset.json"


def test_published_effects_follow_from_published_counts(golden: Path) -> None:
    published = json.loads(golden.read_text(encoding="utf-8"))
    read = read_results(golden)
    assert isinstance(read, dict)
    found = {(effect.metric, effect.name): effect.points for effect in analyse_counts(read).effects}
    wanted = {(metric, name): values[0] for metric in Metric for name, values in published[f"effects_{metric.value}_pts"].items()} | {
        (Metric.FAITHFUL, name): value for name, value in published["conditional_faithful"].items()
    }
    assert len(wanted) >= 18
    assert {key: round(found[key], 1) for key in wanted} == wanted


def test_an_effect_of_one_tool_is_found_and_no_other() -> None:
    table = {code: Count(100, 80 if code[1] == "1" else 30, 40 if code[1] == "1" else 20) for code in CONFIGURATIONS}
    points = {(effect.metric, effect.name): effect.points for effect in analyse_counts(table).effects}
    assert points[Metric.COMPILE, "F"] == pytest.approx(50)
    assert points[Metric.GAP, "F"] == pytest.approx(30)
    others = {key: value for key, value in points.items() if not key[1].startswith("F") or "x" in key[1]}
    assert others == pytest.approx(dict.fromkeys(others, 0.0))


def _items(count: int, seed: int) -> list[Item]:
    """Made up for this test: items of unequal difficulty, so that configurations are correlated."""
    chance, found = random.Random(seed), list[Item]()
    for number in range(count):
        ease = chance.random()
        for code in CONFIGURATIONS:
            compiles = chance.random() < min(1.0, ease * (0.6 + 0.6 * (code[1] == "1")))
            faithful = compiles and chance.random() < 0.4 + 0.5 * ease
            found.append(Item(f"i{number}", code, compiles, faithful, steps=chance.randint(1, 24)))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_intervals_agree_with_the_normal_ones_of_the_items_contrasts(seed: int) -> None:
    """An independent way: an effect is the mean of one number per item, whose standard error is known in closed form."""
    table = by_configuration(_items(227, seed))
    found = {(effect.metric, effect.name): effect for effect in effects_of_items(table, seed=seed)}
    per_item = [
        100 * statistics.mean((1 if code[1] == "1" else -1) * 2 * table[code][name].faithful for code in CONFIGURATIONS)
        for name in table["000"]
    ]
    effect, error = found[Metric.FAITHFUL, "F"], 1.96 * statistics.pstdev(per_item) / math.sqrt(len(per_item))
    assert effect.points == pytest.approx(statistics.mean(per_item))
    assert effect.low == pytest.approx(effect.points - error, abs=0.4)
    assert effect.high == pytest.approx(effect.points + error, abs=0.4)


def test_the_same_seed_gives_the_same_intervals_in_any_order_of_the_items() -> None:
    items = _items(40, 1)
    turned = list(reversed(items))
    first = analyse_items(items, resamples=500, seed=3)
    assert analyse_items(turned, resamples=500, seed=3).effects == first.effects
    assert analyse_items(items, resamples=500, seed=4).effects != first.effects


def test_what_only_items_tell() -> None:
    faithful = {"a": CONFIGURATIONS, "b": ("010", "011"), "c": ()}
    items = [
        Item(name, code, compiles=True, faithful=code in codes, domain=name.upper(), steps=4, grades=(9, 10 if code in codes else 8))
        for name, codes in faithful.items()
        for code in CONFIGURATIONS
    ]
    found = analyse_items(items, resamples=100)
    assert found.oracle == Oracle(any=2, all=1, never=1)
    gained = {(each.before, each.after): (each.gained, each.lost) for each in found.transitions}
    assert gained["000", "010"] == (1, 0)
    assert gained["010", "110"] == (0, 1)
    assert len(gained) == 12
    assert found.bins is not None
    assert TrajectoryBin("3-5", 6, 12) in found.bins["F=1"]
    assert found.thresholds is not None
    assert found.thresholds[8]["000"] == 3
    assert found.thresholds[9]["010"] == 2
    assert found.domains is not None
    assert set(found.domains) == {"A", "B", "C"}


def test_an_item_without_a_grade_is_not_faithful_at_any_threshold() -> None:
    item = Item("a", "111", compiles=True, faithful=True, grades=(10, None))
    assert not pass_at(item, 7).faithful


def _rows(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def test_rows_are_read_and_a_failed_call_is_no_grade(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"id": "x", "configuration": code, "compiles": True, "grades": [9, -1]} for code in CONFIGURATIONS]
    read = read_results(_rows(tmp_path / "rows.jsonl", rows))
    assert isinstance(read, list)
    assert read[0].grades == (9, None)
    assert counts(by_configuration(read))["000"] == Count(1, 1, 0)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"configuration": "012"}, "rows.jsonl:3: configuration"),
        ({"compiles": "yes"}, "rows.jsonl:3: compiles"),
        ({"faithful": None}, "rows.jsonl:3: .*neither faithful nor grades"),
        ({"grades": [11]}, "rows.jsonl:3: grades"),
    ],
)
def test_a_bad_row_is_named_by_its_line(tmp_path: Path, change: dict[str, object], says: str) -> None:
    rows: list[dict[str, object]] = [{"id": "x", "configuration": code, "compiles": True, "faithful": False} for code in CONFIGURATIONS]
    rows[2] |= change
    with pytest.raises(InputError, match=says):
        read_results(_rows(tmp_path / "rows.jsonl", rows))


def test_unpaired_doubled_and_impossible_results_are_refused() -> None:
    items = _items(3, 0)
    with pytest.raises(InputError, match="1 of 3 items are missing under 000"):
        by_configuration(items[1:])
    with pytest.raises(InputError, match="stands twice under 000"):
        by_configuration([*items, items[0]])
    with pytest.raises(InputError, match="does not compile"):
        by_configuration([Item("a", "000", compiles=False, faithful=True)])
    table = dict.fromkeys(CONFIGURATIONS, Count(10, 5, 6))
    with pytest.raises(InputError, match="impossible counts"):
        analyse_counts(table)
    with pytest.raises(InputError, match="111 are missing"):
        analyse_counts({code: Count(10, 5, 4) for code in CONFIGURATIONS[:-1]})
