"""Library search: seconds to build, medians of look-ups, and recall at 10 on queries frozen before tuning, beside a floor.

The floor is plain full-text search (any of the words, bm25, no ranking of ours) over the same declarations in the same run.
Run: ``python benchmarks/library_search.py DECLS.jsonl.gz``; about two minutes.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import cast

from fidelean.lean.library.building import build_index
from fidelean.lean.library.index import LibraryIndex
from fidelean.lean.library.sources import read_declarations

QUERIES = Path(__file__).with_name("library_queries.jsonl")


def _floor(source: Path) -> Callable[[str], list[str]]:
    plain = sqlite3.connect(":memory:")
    plain.execute("CREATE VIRTUAL TABLE plain USING fts5(name, signature, doc)")
    plain.executemany("INSERT INTO plain VALUES (?, ?, ?)", ((d.name, d.signature, d.doc or "") for d in read_declarations(source)))

    def search(query: str) -> list[str]:
        wanted = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        return [row[0] for row in plain.execute("SELECT name FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10", (wanted,))]

    return search


def _measure(label: str, search: Callable[[str], list[str]], rows: list[dict[str, object]], *, misses: bool) -> None:
    found: dict[str, list[bool]] = defaultdict(list)
    seconds: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        query, kind, expected = str(row["query"]), str(row["kind"]), [str(name) for name in cast("list[object]", row["expected"])]
        start = time.perf_counter()
        names = search(query)
        seconds[kind].append(time.perf_counter() - start)
        found[kind].append(bool(set(names) & set(expected)))
        if misses and not found[kind][-1]:
            print(f"  missed: {query!r}: {expected} not in {names[:3]} ...")
    for kind, hits in found.items():
        print(f"{label} {kind}: recall at 10 {sum(hits)}/{len(hits)}, median {1000 * median(seconds[kind]):.2f} ms")
    whole = [hit for hits in found.values() for hit in hits]
    print(f"{label} all: recall at 10 {sum(whole)}/{len(whole)} = {sum(whole) / len(whole):.1%}")


def main() -> None:
    """Build, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--misses", action="store_true", help="Show what was not found.")
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in QUERIES.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        count = build_index(read_declarations(arguments.source), Path(folder) / "library.sqlite")
        print(f"built {count} declarations in {time.perf_counter() - start:.1f} s")
        index = LibraryIndex(Path(folder) / "library.sqlite")
        shown: list[float] = []
        for row in rows:
            for name in row["expected"]:
                start = time.perf_counter()
                if not index.show(name):
                    raise SystemExit(f"{name} is not in the index")
                shown.append(time.perf_counter() - start)
        print(f"exact look-up: median {1000 * median(shown):.3f} ms")
        _measure("ours", lambda query: [hit.declaration.name for hit in index.search(query)], rows, misses=arguments.misses)
        index.close()
    _measure("floor", _floor(arguments.source), rows, misses=False)


if __name__ == "__main__":
    main()
