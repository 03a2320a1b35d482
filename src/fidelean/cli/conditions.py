"""The conditions that the rules read from a proof: shown to a reader, and corrected by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from fidelean.cli.inputs import read_input
from fidelean.decomposition.corrections import correction_notices, read_corrections
from fidelean.decomposition.records import Condition, ConditionKind
from fidelean.decomposition.rules import decompose
from fidelean.informal.reading.source import decode
from fidelean.informal.records import Proof
from fidelean.report.escaping import one_line

__all__ = ["with_corrections", "write_conditions"]

_LONGEST_FILE = 1_000_000
_ORIGINS = {
    ConditionKind.GIVEN: "given",
    ConditionKind.DEFINITION: "defined",
    ConditionKind.ASSUMPTION: "supposed",
    ConditionKind.DERIVED: "concluded",
}


def with_corrections(proofs: Sequence[Proof], file: Path) -> list[Proof]:
    """Give every proof the corrections of a file, and a notice of what they change. Raises ``InputError``."""
    name = str(file)
    text = decode(name, read_input(name, max_bytes=_LONGEST_FILE), max_bytes=_LONGEST_FILE).text
    corrections = read_corrections(text, source=name)
    changed: list[Proof] = []
    for proof in proofs:
        before, after = decompose(proof), replace(proof, corrections=corrections)
        known = {condition for state in before.states[:1] for condition in state.conditions}
        added = [condition for state in decompose(after).states[:1] for condition in state.conditions if condition not in known]
        changed.append(replace(after, notices=(*proof.notices, *correction_notices(before, corrections, added))))
    return changed


def write_conditions(stream: TextIO, proofs: Sequence[Proof]) -> None:
    """List the conditions of every proof with the step in which they stand, each once."""
    for number, proof in enumerate(proofs):
        stream.write("\n" if number else "")
        stream.write(f"{one_line(proof.id or 'proof')}: conditions as read\n")
        found = dict.fromkeys(condition for state in decompose(proof).states for condition in state.conditions)
        stream.writelines(f"  {_line(condition)}\n" for condition in sorted(found, key=lambda one: one.step))


def _line(condition: Condition) -> str:
    place = f"step {condition.step}" if condition.step else "problem"
    unread = "" if condition.was_read else "  (words, not read)"
    return f"{place:<9}{_ORIGINS[condition.kind]:<11}{one_line(condition.text)}{unread}"
