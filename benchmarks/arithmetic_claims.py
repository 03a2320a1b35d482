"""Exact arithmetic beside Math-Verify, claim by claim.

What is compared: single equalities. Math-Verify decides whether two expressions are equal, so each claim is given to it as its two sides,
parsed as LaTeX and as a plain expression, and its answer counts as "passed" or "refuted"; ours is given the claim as a whole.

- *Wrong verdicts*: equalities of ``acceptance/arithmetic_claims.jsonl`` whose outcome there is passed or refuted. A verdict is wrong where
  it is the opposite, or where a side that has a value is not read. Ours may also be inconclusive, which is counted apart.
- *Claims per second* (CPU time): numeric equalities that the steps of ProcessBench math state, one after the other in one process, each for
  the first time (SymPy remembers answers), no time limit for either. Ours are timed on all; Math-Verify on every n-th: it takes minutes.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import sys
import time
from collections import Counter
from pathlib import Path

from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse
from math_verify import verify as equal_by_math_verify

from fidelean.benchmark.sources import processbench
from fidelean.exact import check_claim
from fidelean.informal.claims import find_claims
from fidelean.informal.maths.parser import NotRead, parse_chain
from fidelean.informal.maths.tree import Chain, Relation
from fidelean.outcome import Inconclusive, Outcome, Passed

SHARED = Path(os.environ.get("FIDELEAN_SHARED") or Path(__file__).resolve().parents[2] / "shared")
SAMPLE = 400
"""Claims that Math-Verify is timed on, about."""
PORTIONS = 40
"""The two take turns so many times, so that a machine that is busy for a while slows down both."""


def sides(text: str, chain: Chain) -> tuple[str, str] | None:
    """The two sides of an equality as written; None for a chain or another relation."""
    if chain.relations != (Relation.EQUAL,) or chain.modulus is not None:
        return None
    left, right = (text[span.start : span.end] for span in chain.spans)
    return left, right


def by_math_verify(left: str, right: str) -> str:
    """Math-Verify's answer, ``unread`` where it reads nothing in a side."""
    configs = [LatexExtractionConfig(), ExprExtractionConfig()]
    read = [parse(f"${side}$", extraction_config=configs, parsing_timeout=0, raise_on_error=False) for side in (left, right)]
    if not all(read):
        return "unread"
    return "passed" if equal_by_math_verify(read[0], read[1], timeout_seconds=0, raise_on_error=False) else "refuted"


def by_ours(claim: str) -> str:
    return word(check_claim(claim).outcome)


def word(outcome: Outcome) -> str:
    if isinstance(outcome, Inconclusive):
        return "inconclusive"
    return "passed" if isinstance(outcome, Passed) else "refuted"


def acceptance_equalities() -> list[tuple[str, str, str, str]]:
    """Claim, its sides and its outcome, for every decided equality of the acceptance file."""
    found: list[tuple[str, str, str, str]] = []
    for line in (SHARED / "acceptance" / "arithmetic_claims.jsonl").read_text(encoding="utf8").splitlines():
        row = json.loads(line)
        if row["outcome"] not in ("passed", "refuted"):
            continue
        try:
            pair = sides(row["claim"], parse_chain(row["claim"]))
        except NotRead:
            pair = None
        if pair is not None:
            found.append((row["claim"], *pair, row["outcome"]))
    return found


def public_equalities() -> list[tuple[str, str, str]]:
    """Claim and its sides, for every equality of ProcessBench math whose sides are numbers."""
    dataset = processbench.read(SHARED / "data" / "first_error" / "processbench_math.json")
    found: list[tuple[str, str, str]] = []
    for text in (step.text for sample in dataset.samples for step in sample.proof.steps):
        for claim in find_claims(text):
            pair = sides(text, claim.chain) if claim.chain is not None and claim.unread is None else None
            if pair is not None:
                found.append((claim.claim.text, *pair))
    return found


def rate(count: int, seconds: float) -> str:
    return f"{count / seconds:,.0f}"


def main() -> int:
    if not SHARED.is_dir():
        print(f"skipped: there is no folder {SHARED} (FIDELEAN_SHARED)", file=sys.stderr)
        return 0
    logging.disable(logging.CRITICAL)
    accepted = acceptance_equalities()
    ours = [by_ours(claim) for claim, *_ in accepted]
    theirs = [by_math_verify(left, right) for _, left, right, _ in accepted]
    wrong_ours = [row[0] for row, answer in zip(accepted, ours, strict=True) if answer not in (row[3], "inconclusive")]
    wrong_theirs = [f"{row[0]}  ({answer})" for row, answer in zip(accepted, theirs, strict=True) if answer != row[3]]

    public = public_equalities()
    sample = public[:: max(1, len(public) // SAMPLE)]
    gc.collect()
    gc.freeze()  # what both libraries keep loaded is looked through by neither's garbage collection
    verdicts: Counter[str] = Counter()
    their_verdicts: Counter[str] = Counter()
    seconds_ours = seconds_theirs = 0.0
    for portion in range(PORTIONS):
        started = time.process_time()
        verdicts.update(by_ours(claim) for claim, *_ in share(public, portion))
        seconds_ours += time.process_time() - started
        started = time.process_time()
        their_verdicts.update(by_math_verify(left, right) for _, left, right in share(sample, portion))
        seconds_theirs += time.process_time() - started

    ratio = (len(public) / seconds_ours) / (len(sample) / seconds_theirs)
    print(f"{'':34}{'ours':>24}{'Math-Verify':>24}")
    print(f"{f'wrong of {len(accepted)} acceptance equalities':34}{len(wrong_ours):>24}{len(wrong_theirs):>24}")
    print(f"{'left inconclusive or unread':34}{ours.count('inconclusive'):>24}{theirs.count('unread'):>24}")
    print(f"{'ProcessBench math, equalities':34}{len(public):>24}{f'{len(sample)} (every {max(1, len(public) // SAMPLE)}th)':>24}")
    print(f"{'passed / refuted / open':34}{shares(verdicts):>24}{shares(their_verdicts):>24}")
    print(f"{'claims per second':34}{rate(len(public), seconds_ours):>24}{rate(len(sample), seconds_theirs):>24}")
    print(f"{'times as fast':34}{ratio:>24.0f}")
    for claim in wrong_ours:
        print(f"ours wrong: {claim}")
    for claim in wrong_theirs:
        print(f"Math-Verify wrong: {claim}")
    return 1 if wrong_ours else 0


def share(claims: list[tuple[str, str, str]], portion: int) -> list[tuple[str, str, str]]:
    return claims[len(claims) * portion // PORTIONS : len(claims) * (portion + 1) // PORTIONS]


def shares(verdicts: Counter[str]) -> str:
    return f"{verdicts['passed']} / {verdicts['refuted']} / {verdicts['inconclusive'] + verdicts['unread']}"


if __name__ == "__main__":
    sys.exit(main())
