"""How often a step of each status is the labelled first error, and what coverage says: the figures of ``RewardPolicy``.

System ``rules`` with exact arithmetic alone, on ProcessBench gsm8k and math. Counted is each step up to and with the labelled first error,
and every step of a proof that is labelled correct. Below the table: proofs without an error found, and how many of them are labelled
correct, by coverage; then the Brier score of the proofs' probabilities, beside that of the share of correct proofs for all alike. The same
follows for sets from which no figure of the policy comes.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from pathlib import Path

from fidelean.benchmark.records import Sample
from fidelean.benchmark.sources.first_error import read_first_error_set
from fidelean.pipelines.reward_stream import evaluate_many_async
from fidelean.pipelines.rewards import Reward
from fidelean.policy import Policy, RewardPolicy

SHARED = Path(os.environ.get("FIDELEAN_SHARED") or Path(__file__).resolve().parents[2] / "shared")
SETS = ("processbench_gsm8k.json", "processbench_math.json")
HELD_OUT = ("mrben_college_math.jsonl", "proofloc_olympiad.jsonl", "bigbench_multistep_arithmetic.jsonl")
BANDS = ((0.0, 0.1), (0.1, 0.25), (0.25, 1.01))


def print_frequencies(found: list[tuple[Sample, Reward]]) -> None:
    steps: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    for sample, reward in found:
        for step in reward.steps[: sample.label]:
            steps[step.status] += 1
            errors[step.status] += step.index == sample.label
    for status, number in sorted(steps.items()):
        print(f"  {status:15}{number:6} steps{errors[status]:6} first errors")


def print_coverage(found: list[tuple[Sample, Reward]]) -> None:
    for low, high in BANDS:
        band = [sample.label is None for sample, reward in found if reward.first_error is None and low <= reward.coverage < high]
        print(f"  coverage {low:4} to {high:4}: {len(band):5} proofs without an error found{sum(band):5} labelled correct")


def print_scores(found: list[tuple[Sample, Reward]]) -> None:
    judged = [(sample.label is None, reward.probability) for sample, reward in found if reward.probability is not None]
    share = sum(label for label, _ in judged) / len(judged)
    mean = sum(probability for _, probability in judged) / len(judged)
    brier = sum((label - probability) ** 2 for label, probability in judged) / len(judged)
    alike = share * (1 - share)
    print(f"  {len(judged)} judged, {share:.3f} labelled correct, mean probability {mean:.3f}, Brier {brier:.3f} (alike: {alike:.3f})")


def rewarded(names: tuple[str, ...], policy: Policy) -> list[tuple[Sample, Reward]]:
    found: list[tuple[Sample, Reward]] = []
    for name in names:
        samples = read_first_error_set(SHARED / "data" / "first_error" / name).samples
        found += zip(samples, asyncio.run(evaluate_many_async((sample.proof for sample in samples), policy=policy)), strict=True)
    return found


def main() -> int:
    if not (SHARED / "data" / "first_error").is_dir():
        print(f"skipped: there is no folder {SHARED / 'data' / 'first_error'} (FIDELEAN_SHARED)", file=sys.stderr)
        return 0
    no_bar = Policy(rewards=RewardPolicy(min_coverage=0.0))
    for names in (SETS, *((name,) for name in HELD_OUT)):
        found = rewarded(names, no_bar)
        print(f"{', '.join(names)}: {len(found)} proofs, {sum(sample.label is None for sample, _ in found)} labelled correct")
        print_frequencies(found)
        print_coverage(found)
        print_scores(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
