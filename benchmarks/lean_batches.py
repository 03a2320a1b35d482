"""Small statements in one batch against one process each, start time and memory of the embedded Lean.

Prints measured figures and their ratio. The single runs are a sample (ten), extrapolated to the size of the batch in the same run.
Run: ``python benchmarks/lean_batches.py`` on an idle machine; about three minutes.
"""

from __future__ import annotations

import argparse
import time

from fidelean.lean.embedded import EmbeddedEngine
from fidelean.lean.installation import find_installation
from fidelean.lean.process import LeanProcess
from fidelean.lean.records import LeanSource, Status
from fidelean.policy import LeanPolicy


def statements(count: int) -> list[LeanSource]:
    """``count`` small statements of four kinds."""
    shapes = (
        "theorem t (n : Nat) : n + {k} = {k} + n := by omega",
        "theorem t (x : Rat) (h : x + {k} = 2 * x) : x = {k} := by grind",
        "theorem t : (List.range {k}).length = {k} := by simp",
        "theorem t (a b : Int) (h : a = b + {k}) : a - b = {k} := by omega",
    )
    return [LeanSource(shapes[k % 4].format(k=k + 1)) for k in range(count)]


def _start_seconds() -> float:
    installation = find_installation()
    if installation is None:
        raise SystemExit("the embedded Lean is not installed: run `fidelean lean install`")
    started = time.perf_counter()
    with LeanProcess(installation) as process:
        process.waiting.wait(timeout=120)
        return time.perf_counter() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="statements in the batch")
    parser.add_argument("--alone", type=int, default=10, help="statements run one by one")
    options = parser.parse_args()
    sources = statements(options.count)
    with EmbeddedEngine(policy=LeanPolicy(batch_size=options.count), use_cache=False) as engine:
        engine.elaborate_now(sources[:1])  # the disk's cache is warm for both
        started = time.perf_counter()
        answers = engine.elaborate_now(sources)
        together = time.perf_counter() - started
        started = time.perf_counter()
        singles = [engine.elaborate_now([source])[0] for source in sources[: options.alone]]
        alone = (time.perf_counter() - started) / options.alone
    start_s = _start_seconds()
    passed = sum(answer.status is Status.OK for answer in answers)
    print(f"statements in one batch      {options.count}, of which {passed} pass")
    print(f"same answers alone           {sum(a.status is b.status for a, b in zip(answers, singles, strict=False))} of {options.alone}")
    print(f"batch                        {together:.1f} s ({together / options.count * 1000:.0f} ms each)")
    print(f"alone                        {alone:.1f} s each, {alone * options.count:.0f} s extrapolated from {options.alone}")
    print(f"ratio                        {alone * options.count / together:.1f}")
    print(f"start, until it takes input  {start_s:.1f} s")
    print(f"peak memory                  {max(answer.peak_memory_mb or 0 for answer in answers):.0f} MiB")


if __name__ == "__main__":
    main()
