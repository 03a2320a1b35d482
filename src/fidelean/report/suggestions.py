"""Repairs that a refutation itself shows: the right constant, the case that is missing, the hypothesis that would exclude a counterexample.

A suggestion is for the reader and changes no verdict. What it says was computed exactly or checked by the Lean kernel, and what was not
checked it says too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from fidelean.evidence.records import Evidence
from fidelean.exact import check_claim
from fidelean.informal.maths.cursor import NotRead
from fidelean.informal.maths.parser import parse_chain
from fidelean.informal.maths.tree import Chain, Expression, Name, Negate, Number, Relation
from fidelean.informal.records import Span
from fidelean.obligations.records import ObligationKind
from fidelean.outcome import Passed, Refuted
from fidelean.verdict.records import ProofVerdict

__all__ = ["Suggestion", "SuggestionKind", "suggestions"]

_WITNESS = re.compile(r"(\w+) = \(?(-?\d+(?:/\d+)?)\)?")
_LONGEST = 200
"""Longest value that is of any use in a suggestion (characters)."""


class SuggestionKind(StrEnum):
    """What is to be mended."""

    CONSTANT = "constant"
    """A number: the exact value stands beside it."""
    MISSING_CASE = "missing_case"
    """A case or a solution is left out: a point satisfies what is in force and falls under nothing that is claimed."""
    MISSING_HYPOTHESIS = "missing_hypothesis"
    """A point satisfies what is in force and breaks the claim: something has to exclude it."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One repair that is offered."""

    step: int
    """1-based index of the step."""
    obligation: str
    """Name of the obligation whose refutation shows it."""
    kind: SuggestionKind
    """What is to be mended."""
    text: str
    """The repair for a reader, in one line."""
    replacement: str
    """The number to be written instead, the case to be added, the hypothesis."""
    span: Span | None
    """What the number replaces, in the step's text; None where nothing is to be replaced, or its place is not known."""
    checked: str
    """What was checked, by whom, and what was not."""


def suggestions(verdict: ProofVerdict) -> tuple[Suggestion, ...]:
    """Every repair that the evidence of a verdict shows, in the order of the text, none twice. Pure."""
    found: dict[tuple[int, str], Suggestion] = {}
    for step in verdict.steps:
        for item in step.evidence:
            if isinstance(item.outcome, Refuted):
                for one in _constant(item) if item.checker == "arithmetic" else _from_counterexample(item):
                    found.setdefault((one.step, one.text), one)
    return tuple(found.values())


def _constant(item: Evidence) -> Iterator[Suggestion]:
    """The exact value in place of a numeral, where the corrected equation was decided in its turn."""
    claim = item.obligation.claim
    checked = check_claim(claim.text)
    if not isinstance(checked.outcome, Refuted) or checked.broken is None:
        return
    try:
        chain = parse_chain(claim.text)
    except NotRead:
        return
    left = next((place for place, span in enumerate(chain.spans) if span.start == checked.broken.start), None)
    if left is None or chain.relations[left] is not Relation.EQUAL:
        return
    sides = (left, left + 1)
    numerals = [place for place in sides if _is_numeral(chain.sides[place])]
    if len(numerals) != 1:
        return
    (wrong,) = numerals
    other = sides[0] if wrong == sides[1] else sides[1]
    value, computed, written = checked.values[other], _side(claim.text, chain, other), _side(claim.text, chain, wrong)
    if "…" in value or "?" in value or len(value) > _LONGEST or not isinstance(check_claim(f"{computed} = {value}").outcome, Passed):
        return
    yield Suggestion(
        item.obligation.step,
        item.obligation.id,
        SuggestionKind.CONSTANT,
        f"{value}, not {written}: {computed} = {value}",
        value,
        _moved(chain.spans[wrong], claim.span),
        "computed by exact arithmetic; what follows from it in later steps was not",
    )


def _side(text: str, chain: Chain, place: int) -> str:
    return text[chain.spans[place].start : chain.spans[place].end].strip()


def _is_numeral(side: Expression) -> bool:
    return isinstance(side.operand if isinstance(side, Negate) else side, Number)


def _moved(span: Span, claim: Span | None) -> Span | None:
    return None if claim is None else Span(claim.start + span.start, claim.start + span.end)


def _from_counterexample(item: Evidence) -> Iterator[Suggestion]:
    """What a point that the kernel checked leaves out or has to be kept out by."""
    point = _point(item)
    if not point or item.obligation.kind in (ObligationKind.WITNESS, ObligationKind.CONTESTED_CLAIM):
        return
    where = ", ".join(f"{name} = {value}" for name, value in point.items())
    if item.outcome.detail.endswith((f" gives {where}", f" give {where}")):
        yield _forced(item, where)
    elif item.obligation.kind is ObligationKind.CASE_SPLIT:
        words = f"a case is missing: {where} falls under none"
        yield _suggestion(item, SuggestionKind.MISSING_CASE, words, where, "whether one more case is enough was not")
    elif set(point) <= _pinned(item):
        words = f"{where} satisfies what is in force, and the claim leaves it out"
        yield _suggestion(item, SuggestionKind.MISSING_CASE, words, where, "whether there are more such values was not")
    elif (hypothesis := _excluding(point)) is not None:
        words = f"{where} breaks the claim, excluded if {hypothesis}"
        yield _suggestion(item, SuggestionKind.MISSING_HYPOTHESIS, words, hypothesis, "whether the claim holds then was not")


def _forced(item: Evidence, where: str) -> Suggestion:
    """The value that the conditions in force leave, computed exactly where the kernel found the claim to contradict them."""
    claim, value = item.obligation.claim, where.partition(" = ")[2]
    place = [_moved(chain.spans[-1], claim.span) for chain in _read(claim.text)]
    return Suggestion(
        item.obligation.step,
        item.obligation.id,
        SuggestionKind.CONSTANT,
        item.outcome.detail,
        value,
        place[0] if len(place) == 1 else None,
        "computed exactly from conditions in force; that the claim contradicts them was checked by the Lean kernel",
    )


def _suggestion(item: Evidence, kind: SuggestionKind, words: str, replacement: str, unchecked: str) -> Suggestion:
    checked = f"the counterexample was checked by the Lean kernel; {unchecked}"
    return Suggestion(item.obligation.step, item.obligation.id, kind, words, replacement, None, checked)


def _point(item: Evidence) -> dict[str, str]:
    """The counterexample's values by variable; empty where there is none that can be read."""
    if item.artefact is None or item.artefact.kind != "lean":
        return {}
    named = [value for value in item.values if " = " in value]  # behind them may stand the values of the two sides
    found = [_WITNESS.fullmatch(value) for value in named]
    return {} if None in found else {match[1]: match[2] for match in found if match is not None and len(match[0]) <= _LONGEST}


def _pinned(item: Evidence) -> set[str]:
    """The variables to which the claim gives values: "x = 2 or x = 3"; empty for any other claim."""
    fact = item.obligation.fact
    chains = fact.alternatives if fact is not None else _read(item.obligation.claim.text)
    sides = [chain.sides[0] for chain in chains if chain.relations == (Relation.EQUAL,)]
    names = {side.name for side in sides if isinstance(side, Name)}
    return names if len(sides) == len(chains) and all(isinstance(side, Name) for side in sides) else set()


def _read(text: str) -> tuple[Chain, ...]:
    try:
        return tuple(parse_chain(part.strip().strip("$")) for part in text.split(" or "))
    except NotRead:
        return ()


def _excluding(point: Mapping[str, str]) -> str | None:
    """A usual hypothesis that the point fails; None where its failing tells too little of what is missing."""
    zeros = [name for name, value in point.items() if value == "0"]
    if len(zeros) == 1:
        return f"{zeros[0]} ≠ 0"
    if len(point) == 1:
        ((name, value),) = point.items()
        return f"{name} ≥ 0" if value.startswith("-") else None
    return None
