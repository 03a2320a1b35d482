"""System ``rules`` on the public sets of proofs with their first wrong step: what it finds, and what it flags wrongly.

Columns: proofs; those labelled wrong; claims found; claims decided; claims refuted; then, of the proofs labelled wrong, those whose first
flag is the labelled step (exact), a later or an earlier one, or that have none (silent); proofs labelled correct that have a flag
(``flagged``); proofs per second of one process (CPU time, reading of the files not counted).

``--list KINDS`` prints each first flag of these kinds with its claim and what breaks it, ``--refuted`` every refuted claim, as JSON lines.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fidelean.benchmark.records import Dataset, Sample
from fidelean.benchmark.sources.first_error import FIRST_ERROR_SETS, read_first_error_set
from fidelean.evidence.records import NO_CHECKER, Evidence
from fidelean.lean.engine import LeanEngine
from fidelean.outcome import Inconclusive, Refuted
from fidelean.pipelines.absent_engine import AbsentEngine
from fidelean.pipelines.evaluate_proof import evaluate_many
from fidelean.pipelines.systems import rules
from fidelean.policy import Policy, ProvingPolicy
from fidelean.verdict.records import ProofVerdict

SHARED = Path(os.environ.get("FIDELEAN_SHARED") or Path(__file__).resolve().parents[2] / "shared")
TOGETHER = 60
"""Proofs that share a batch of Lean."""
KINDS = ("exact", "late", "early", "flagged")


@dataclass(frozen=True, slots=True)
class Finding:
    """A sample with what the system says of it."""

    sample: Sample
    """The labelled proof."""
    verdict: ProofVerdict
    """The system's verdict."""

    @property
    def kind(self) -> str:
        found, label = self.verdict.first_error, self.sample.label
        if found is None:
            return "quiet" if label is None else "silent"
        if label is None:
            return "flagged"
        return "exact" if found == label else "late" if found > label else "early"

    def evidence(self) -> Iterator[Evidence]:
        return (item for step in self.verdict.steps for item in step.evidence)

    def first_flag(self) -> Evidence | None:
        step = self.verdict.first_error
        refuted = (item for item in self.evidence() if item.obligation.step == step and isinstance(item.outcome, Refuted))
        return next((item for item in refuted if item.obligation.load_bearing), None)


async def run(dataset: Dataset, engine: LeanEngine, policy: Policy) -> tuple[list[Finding], float]:
    """Evaluate every proof of a set, in portions that share a batch of Lean; the time is CPU seconds, with Lean wall time."""
    system = rules(engine, policy)
    clock = time.process_time if engine.name == "none" else time.perf_counter
    started = clock()
    found: list[Finding] = []
    for start in range(0, len(dataset.samples), TOGETHER):
        samples = dataset.samples[start : start + TOGETHER]
        verdicts = await evaluate_many([sample.proof for sample in samples], system, policy)
        found += map(Finding, samples, verdicts)
        if engine.name != "none":
            print(f"{dataset.name}: {len(found)} of {len(dataset.samples)}, {clock() - started:.0f} s", file=sys.stderr)
    return found, clock() - started


def open_engine(name: str) -> LeanEngine:
    if name == "none":
        return AbsentEngine("Lean was not asked")
    from fidelean.lean.embedded import EmbeddedEngine

    return EmbeddedEngine()


def figures(findings: list[Finding], seconds: float) -> list[str]:
    kinds = Counter(finding.kind for finding in findings)
    outcomes = [item for finding in findings for item in finding.evidence()]
    wrong = sum(finding.sample.label is not None for finding in findings)
    decided = [item for item in outcomes if item.checker != NO_CHECKER and not isinstance(item.outcome, Inconclusive)]
    refuted = sum(isinstance(item.outcome, Refuted) for item in decided)
    exact = f"{kinds['exact']} ({kinds['exact'] / wrong:.1%})"
    counts = (len(findings), wrong, len(outcomes), len(decided), refuted, exact, kinds["late"], kinds["early"], kinds["silent"])
    return [*map(str, counts), f"{kinds['flagged']} of {len(findings) - wrong}", f"{len(findings) / seconds:.0f}"]


def described(finding: Finding, item: Evidence) -> str:
    claim = item.obligation.claim
    return json.dumps(
        {
            "id": finding.sample.proof.id,
            "kind": finding.kind,
            "label": finding.sample.label,
            "step": claim.step,
            "claim": claim.text,
            "breaks": item.outcome.detail,
            "values": item.values,
            "checker": item.checker,
        },
        ensure_ascii=False,
    )


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument(
        "--list", nargs="+", choices=KINDS, default=[], metavar="KIND", help=f"kinds of flags to print: {', '.join(KINDS)}"
    )
    arguments.add_argument("--refuted", action="store_true", help="print every refuted claim")
    arguments.add_argument("--only", default="", help="only the sets whose name contains this")
    arguments.add_argument("--engine", choices=("none", "embedded"), default="none", help="which Lean is asked about claims with variables")
    arguments.add_argument(
        "--refutations-only", action="store_true", help="ask Lean only what can refute a claim: the same flags, in a tenth of the time"
    )
    options = arguments.parse_args()
    policy = Policy(proving=ProvingPolicy(refutations_only=options.refutations_only))
    engine = open_engine(options.engine)
    folder = SHARED / "data" / "first_error"
    if not folder.is_dir():
        print(f"skipped: there is no folder {folder} (FIDELEAN_SHARED)", file=sys.stderr)
        return 0
    columns = [str(name) for name in "set proofs wrong claims decided refuted exact late early silent flagged proofs/s".split()]
    table: list[list[str]] = [columns]
    everything: list[Finding] = []
    total_seconds = 0.0
    for name in FIRST_ERROR_SETS:
        if options.only not in name:
            continue
        dataset = read_first_error_set(folder / name)
        findings, seconds = asyncio.run(run(dataset, engine, policy))
        table.append([dataset.name, *figures(findings, seconds)])
        everything += findings
        total_seconds += seconds
        for finding in findings:
            flag = finding.first_flag()
            if options.refuted:
                for item in finding.evidence():
                    if isinstance(item.outcome, Refuted):
                        print(described(finding, item))
            elif finding.kind in options.list and flag is not None:
                print(described(finding, flag))
    if len(table) > 2:
        table.append(["together", *figures(everything, total_seconds)])
    widths = [max(len(row[column]) for row in table) for column in range(len(columns))]
    for row in table:
        print(
            "  ".join(
                cell.ljust(width) if index == 0 else cell.rjust(width) for index, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
