"""How much of a set of olympiad-flavoured statements the proving room decides, what decides it, and how long that takes.

The statements were written for this repository (``proving_obligations.jsonl``; ``outcome`` is what they deserve). Lean's earlier answers
are not used. Exit code 1 if a statement gets the opposite of what it deserves, or passes where it deserves to stay open.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from fidelean.errors import EngineUnavailable
from fidelean.lean.embedded import EmbeddedEngine
from fidelean.outcome import Inconclusive
from fidelean.policy import ProvingPolicy
from fidelean.proving.attempt import prove
from fidelean.proving.problem import problem_of
from fidelean.proving.reading import read_signature
from fidelean.proving.records import ProofAttempt, ProvingObligation
from fidelean.proving.witness import find_counterexample

STATEMENTS = Path(__file__).with_name("proving_obligations.jsonl")


class Row(NamedTuple):
    id: str
    signature: str
    outcome: str
    reason: str | None


def rows() -> list[Row]:
    read = (json.loads(line) for line in STATEMENTS.read_text(encoding="utf-8").splitlines())
    return [Row(row["id"], row["signature"], row["outcome"], row.get("reason")) for row in read]


def search_speed(statements: Sequence[Row]) -> str:
    policy, times = ProvingPolicy(), list[float]()
    for row in statements:
        signature = read_signature(row.signature).signature
        problem = problem_of(signature) if signature else None
        if problem is not None:
            began = time.perf_counter()
            find_counterexample(problem, policy)
            times.append(time.perf_counter() - began)
    times.sort()
    return f"search alone: {1000 * sum(times) / len(times):.0f} ms a statement on average, median {1000 * times[len(times) // 2]:.1f} ms"


async def attempts(statements: Sequence[Row]) -> tuple[list[ProofAttempt], float]:
    async with EmbeddedEngine(snippet_timeout_s=20, use_cache=False) as engine:
        began = time.perf_counter()
        found = await prove([ProvingObligation(row.id, row.signature) for row in statements], engine)
        return found, time.perf_counter() - began


def outcome_of(attempt: ProofAttempt) -> tuple[str, str | None]:
    reason = attempt.outcome.reason.value if isinstance(attempt.outcome, Inconclusive) else None
    return type(attempt.outcome).__name__.lower(), reason


def report(statements: Sequence[Row], found: Sequence[ProofAttempt], seconds: float) -> int:
    pairs = [(row, attempt, *outcome_of(attempt)) for row, attempt in zip(statements, found, strict=True)]
    wrong = [row.id for row, _, outcome, _ in pairs if outcome not in (row.outcome, "inconclusive")]
    for deserved in ("passed", "refuted", "inconclusive"):
        those = [pair for pair in pairs if pair[0].outcome == deserved]
        right = [pair for pair in those if (pair[2], pair[3]) == (deserved, pair[0].reason)]
        print(f"deserve {deserved}: {len(those)}, so decided {len(right)} ({100 * len(right) / len(those):.0f} %)")
    entries = Counter(attempt.entry.partition("-")[0] for _, attempt, outcome, _ in pairs if outcome != "inconclusive")
    print("decided by:", ", ".join(f"{entry} {count}" for entry, count in entries.most_common()))
    for row, _, outcome, reason in pairs:
        if (outcome, reason) != (row.outcome, row.reason):
            print(f"  open: {row.id}: {outcome} {reason or ''}")
    own = sum(attempt.seconds for attempt in found)
    count = len(found)
    print(f"{seconds:.0f} s for {count} statements: {seconds / count:.2f} s each, of which {own / count:.2f} s in Lean and search")
    print("decided the wrong way:", ", ".join(wrong) or "none")
    return 1 if wrong else 0


def main() -> int:
    statements = rows()
    print(search_speed(statements))
    try:
        found, seconds = asyncio.run(attempts(statements))
    except EngineUnavailable as error:
        print(f"not run: {error}")
        return error.exit_code
    return report(statements, found, seconds)


if __name__ == "__main__":
    sys.exit(main())
