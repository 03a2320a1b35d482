"""The repair-prevention check without a model: what the substeps lost of their step, and what they added to it.

Everything here compares texts. It errs towards a finding: a finding takes trust away from evidence, and no finding gives trust to a step.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from fidelean.decomposition.roles import starts_case
from fidelean.decomposition.substeps.marks import Marks, formulas, holds, marks_of, signs
from fidelean.decomposition.substeps.records import RepairFinding, RepairKind, ScopeKind, Substep
from fidelean.informal.records import Proof, Step

__all__ = ["repair_findings"]

_CASE = re.compile(
    r"\b(?:sub)?case\s*\(?(?:\d|[ivxABC]+\b)|\b(?:in|under)\s+(?:this|the\s+(?:first|second|third|other|last))\s+case\b", re.IGNORECASE
)
_CONTRADICTION = re.compile(r"\bcontradict\w*|\breductio\b|\bto\s+the\s+contrary\b|\bon\s+the\s+contrary\b", re.IGNORECASE)
_INDUCTION = re.compile(r"\binducti(?:on|ve)\b|\bbase\s+case\b", re.IGNORECASE)
_BASE_CASE = re.compile(r"\bbase\s+case\b", re.IGNORECASE)
_SUPPOSES = re.compile(r"\b(?:if|when(?:ever)?|suppos\w*|assum\w*|case|for)\b", re.IGNORECASE)
_CONCLUDES = re.compile(
    r"\b(?:then|thus|hence|therefore|so|gives?|implies|follows|obtain|get|we\s+have)\b|\\(?:implies|therefore)|[⇒∴]", re.IGNORECASE
)
_MOST = 200


def repair_findings(proof: Proof, substeps: Sequence[Substep]) -> tuple[RepairFinding, ...]:
    """Every departure of substeps from their steps that shows without a model, in the order of the steps."""
    before = [proof.problem.text]
    found: list[RepairFinding] = []
    for step in proof.steps:
        own = [substep for substep in substeps if substep.step == step.index]
        before.append(step.text)
        found += _of_step(step, own, before)
    return tuple(dict.fromkeys(found))


def _quoted(text: str, anchors: Sequence[tuple[int, int]]) -> str:
    """The parts of a text that anchors name, in the order of the text."""
    return " … ".join(text[start:end] for start, end in sorted(anchors))


def _of_step(step: Step, substeps: Sequence[Substep], before: Sequence[str]) -> Iterator[RepairFinding]:
    known: set[tuple[str, ...]] = set()
    for substep in substeps:
        yield from _added(step, substep)
        yield from _scope_findings(step, substep, before)
        shape = signs(substep.text)
        if shape in known:
            yield _finding(RepairKind.REPEATED_SUBSTEP, substep, substep.text)
        known.add(shape)
    if substeps:
        yield from _lost(step, substeps)


def _added(step: Step, substep: Substep) -> Iterator[RepairFinding]:
    """What stands in a substep and not in the words of the step it quotes, nor in its own scope."""
    if not substep.anchors:
        yield _finding(RepairKind.INVENTED_INFERENCE, substep, substep.text)
        return
    source = _quoted(step.text, [(anchor.start, anchor.end) for anchor in substep.anchors])
    allowed, own = marks_of(f"{source}\n\n{_scope_text(substep)}"), marks_of(substep.text)
    for kind, mine, theirs in _pairs(own, allowed):
        for mark in mine:
            # a number more often than its words have it has taken another's place
            if mark not in theirs or (kind is RepairKind.CHANGED_CONSTANT and mine[mark] > theirs[mark]):
                yield _finding(kind, substep, mark)
    source_signs, scope_signs = signs(source), signs(_scope_text(substep))
    for formula in formulas(substep.text):
        shape = signs(formula)
        if not holds(source_signs, shape) and not holds(scope_signs, shape):
            yield _finding(RepairKind.CHANGED_FORMULA, substep, formula)
    if substep.is_motivation and formulas(substep.text) and _CONCLUDES.search(substep.text):
        yield _finding(RepairKind.HIDDEN_INFERENCE, substep, substep.text)


def _pairs(own: Marks, allowed: Marks) -> Iterator[tuple[RepairKind, Counter[str], Counter[str]]]:
    yield RepairKind.CHANGED_CONSTANT, own.numbers, allowed.numbers
    yield RepairKind.CHANGED_NAME, own.names, allowed.names
    yield RepairKind.CHANGED_RELATION, own.relations, allowed.relations
    yield RepairKind.ADDED_DECISIVE_WORD, own.words, allowed.words


def _lost(step: Step, substeps: Sequence[Substep]) -> Iterator[RepairFinding]:
    """What stands in a step and in none of its substeps; of decisive words, every one counts."""
    whole = marks_of(step.text)
    told = marks_of("\n\n".join(f"{substep.text}\n\n{_scope_text(substep)}" for substep in substeps))
    for kind, wanted, kept in (
        (RepairKind.DROPPED_CONSTANT, whole.numbers, told.numbers),
        (RepairKind.DROPPED_NAME, whole.names, told.names),
        (RepairKind.DROPPED_RELATION, whole.relations, told.relations),
    ):
        for mark in wanted:
            if mark not in kept:
                yield RepairFinding(kind, step.index, None, mark[:_MOST])
    for word, number in whole.words.items():
        if told.words[word] < number:
            yield RepairFinding(RepairKind.DROPPED_DECISIVE_WORD, step.index, None, word)
    shapes = [signs(part) for substep in substeps for part in (substep.text, *(scope.text for scope in substep.scopes))]
    for formula in formulas(step.text):
        if not any(holds(shape, signs(formula)) for shape in shapes):
            yield RepairFinding(RepairKind.DROPPED_FORMULA, step.index, None, formula[:_MOST])


def _scope_findings(step: Step, substep: Substep, before: Sequence[str]) -> Iterator[RepairFinding]:
    for scope in substep.scopes:
        wanted = signs(scope.text)
        if not wanted or not any(holds(signs(text), wanted) for text in reversed(before)):
            yield _finding(RepairKind.INVENTED_SCOPE, substep, scope.text)
    if substep.is_motivation:
        return
    missing = _missing_scope(step.text, substep)
    if missing:
        yield _finding(RepairKind.MISSING_SCOPE, substep, missing)


def _missing_scope(text: str, substep: Substep) -> str:
    """The words of the step that open a scope which the substep does not state; empty where there is none."""
    kinds = {scope.kind for scope in substep.scopes}
    for pattern, allowed in (
        (_INDUCTION, {ScopeKind.INDUCTION}),
        (_CASE, {ScopeKind.CASE, ScopeKind.INDUCTION}),
        (_CONTRADICTION, {ScopeKind.CONTRADICTION}),
    ):
        opened = pattern.search(text)
        if opened is not None and not kinds & allowed and pattern.search(substep.text) is None:
            return opened.group()
    if starts_case(text) and not kinds and _SUPPOSES.search(substep.text) is None and _BASE_CASE.search(text) is None:
        return text[:40]
    return ""


def _scope_text(substep: Substep) -> str:
    return "\n\n".join(scope.text for scope in substep.scopes)


def _finding(kind: RepairKind, substep: Substep, evidence: str) -> RepairFinding:
    return RepairFinding(kind, substep.step, substep.id, evidence[:_MOST])
