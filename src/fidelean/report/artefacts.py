"""A verdict's Lean files, each with the claim it speaks of in its first lines, so that anyone can recheck them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fidelean.evidence.records import Evidence
from fidelean.informal.records import Proof
from fidelean.outcome import Inconclusive, Passed
from fidelean.verdict.records import ProofVerdict

__all__ = ["artefact_files", "kernel_checked"]


def artefact_files(proof: Proof, verdict: ProofVerdict) -> Iterator[tuple[str, str]]:
    """File name and content of every piece of kernel-checked evidence, in the order of the text; names are unique within a proof."""
    for item in kernel_checked(verdict):
        if item.artefact is not None:
            yield f"{_file_name(proof.id)}-{_file_name(item.obligation.id)}.lean", _content(proof, item, item.artefact.text)


def kernel_checked(verdict: ProofVerdict) -> Iterator[Evidence]:
    """The evidence that a Lean file carries: what the gate holds back keeps its Lean text, and carries nothing."""
    for step in verdict.steps:
        for item in step.evidence:
            if not isinstance(item.outcome, Inconclusive) and item.artefact is not None and item.artefact.kind == "lean":
                yield item


def _file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._]+", "_", text).strip("._")[:80] or "proof"


def _content(proof: Proof, item: Evidence, script: str) -> str:
    word = "supported" if isinstance(item.outcome, Passed) else "refuted"
    header = [
        f"proof {proof.id}, step {item.obligation.step}, claim {item.obligation.id}: {word}",
        f"claim: {item.obligation.claim.text}",
        *(f"condition: {condition}" for condition in item.obligation.claim.conditions),
        f"finding: {item.outcome.detail}",
        f"rests on: {item.rests_on}",
    ]
    return "\n".join([*(f"-- {_plain(line)}" for line in header), "", script.rstrip(), ""])


def _plain(text: str) -> str:
    """One line of ASCII: text of an author must not be read as Lean, nor be refused for a character."""
    return " ".join(text.split()).encode("ascii", "backslashreplace").decode("ascii")
