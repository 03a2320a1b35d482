"""What the probes of a Lean statement find, where the right answers are known, and how long Lean takes over one statement.

The statements were written for this repository (``probe_statements.jsonl``; ``faults`` is what is wrong with them, everything else is not).
Lean's earlier answers are not used. Exit code 1 if one answer is wrong: a fault said to be there that is not, or said to be absent that is
there. What stays inconclusive is counted, and is not wrong.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from pathlib import Path

from fidelean.errors import EngineUnavailable
from fidelean.faithfulness.probe_records import Probe, ProbeKind
from fidelean.faithfulness.probes import probe
from fidelean.lean.declarations import statement_of
from fidelean.lean.embedded import EmbeddedEngine
from fidelean.outcome import Inconclusive, Refuted

STATEMENTS = Path(__file__).with_name("probe_statements.jsonl")


def judged(found: Probe, *, is_there: bool) -> str:
    if isinstance(found.outcome, Inconclusive):
        return "missed" if is_there else "open"
    if isinstance(found.outcome, Refuted):
        return "found" if is_there else "FALSE ALARM"
    return "WRONGLY ABSENT" if is_there else "absent"


async def run() -> int:
    counts: dict[ProbeKind, Counter[str]] = {kind: Counter() for kind in ProbeKind}
    lean: list[float] = []
    clock: list[float] = []
    wrong = 0
    async with EmbeddedEngine(snippet_timeout_s=20, use_cache=False) as engine:
        for line in STATEMENTS.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            statement = statement_of(row["text"])
            if statement is None:
                sys.exit(f"probes: {row['id']} is not a statement")
            began = time.perf_counter()
            probes = await probe(statement, engine)
            clock.append(time.perf_counter() - began)
            lean.append(sum(found.seconds for found in probes))
            for found in probes:
                word = judged(found, is_there=found.kind.value in row["faults"])
                counts[found.kind][word] += 1
                wrong += word.isupper()
                if word not in ("found", "absent"):
                    print(f"{word}: {row['id']} {found.kind}: {found.outcome}")
    print(f"{'probe':28} found missed absent open false-alarm wrongly-absent")
    for kind, words in counts.items():
        columns = ("found", "missed", "absent", "open", "FALSE ALARM", "WRONGLY ABSENT")
        print(f"{kind.value:28} " + " ".join(f"{words[column]:5}" for column in columns))
    for name, times in (("Lean's own time and the search", sorted(lean)), ("by the clock, with a start of Lean each", sorted(clock))):
        print(f"{name}: median {times[len(times) // 2]:.2f} s, longest {times[-1]:.2f} s, {len(times)} statements")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(asyncio.run(run()))
    except EngineUnavailable as error:
        sys.exit(f"probes: {error}")
