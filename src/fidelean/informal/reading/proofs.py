"""From a source to its proofs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from fidelean.errors import InputError
from fidelean.informal.reading.json_records import PlacedText, ProofRecord, json_records
from fidelean.informal.reading.page import open_page
from fidelean.informal.reading.sections import find_sections
from fidelean.informal.reading.source import Format, Source, decode, format_of
from fidelean.informal.reading.steps import cut_steps
from fidelean.informal.records import Problem, Proof, Span, Step
from fidelean.policy import ReadingPolicy

__all__ = ["Reading", "cut_proof", "read_proofs", "read_source"]

NO_PROBLEM = 'no problem: put it under a heading "Problem", or give it with --problem FILE (--problem "" for none)'
NO_PROBLEM_KEY = 'no problem: give it under the key "problem", or with --problem FILE (--problem "" for none)'


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything a source holds: what could be read, and what could not."""

    proofs: tuple[Proof, ...]
    """The proofs, in order."""
    faults: tuple[InputError, ...] = ()
    """What could not be read, in order; empty where the source is in order."""


def read_proofs(source: str, text: str | bytes, *, problem: str | None = None, policy: ReadingPolicy | None = None) -> list[Proof]:
    """Read all proofs of a source.

    ``source`` is a file name, whose suffix tells the format (.md .txt .tex .json .jsonl), or ``-``, where the text tells it. ``problem``
    stands in where the source holds no problem; the empty string says that there is none. Lines and offsets of steps are counted in the
    text with every line end as one line feed and no byte order mark. Raises ``InputError`` for the first thing that cannot be read.
    """
    reading = read_source(source, text, problem=problem, policy=policy)
    if reading.faults:
        raise reading.faults[0]
    return list(reading.proofs)


def read_source(source: str, text: str | bytes, *, problem: str | None = None, policy: ReadingPolicy | None = None) -> Reading:
    """Read all proofs of a source as ``read_proofs`` does; one record that cannot be read does not lose the others."""
    policy = policy or ReadingPolicy()
    try:
        decoded = decode(source, text, max_bytes=policy.max_source_bytes)
        form = format_of(decoded)
        if form in (Format.JSON, Format.JSONL):
            return _read_json(decoded, problem, policy, by_line=form is Format.JSONL)
        return Reading((_read_page(decoded, problem, policy, tex=form is Format.TEX),))
    except InputError as error:
        return Reading((), (error,))


def cut_proof(text: str, *, policy: ReadingPolicy | None = None) -> tuple[Step, ...]:
    """Cut a proof's text, without its problem, into steps, as in Markdown. Raises ``InputError`` where there is no text."""
    policy = policy or ReadingPolicy()
    page = open_page(decode("", text, max_bytes=policy.max_source_bytes), tex=False)
    return cut_steps(page, find_sections(page).proof, max_steps=policy.max_steps).steps


def _read_page(source: Source, problem: str | None, policy: ReadingPolicy, *, tex: bool) -> Proof:
    page = open_page(source, tex=tex)
    sections = find_sections(page)
    asked = problem if sections.problem is None else page.text[sections.problem.start : sections.problem.end].strip()
    if asked is None:
        raise InputError(NO_PROBLEM, source=source.name)
    cut = cut_steps(page, sections.proof, max_steps=policy.max_steps)
    return Proof(Problem(asked), cut.steps, id=source.stem, source=source.name, notices=(*sections.notices, *cut.notices))


def _read_json(source: Source, problem: str | None, policy: ReadingPolicy, *, by_line: bool) -> Reading:
    proofs: list[tuple[int, Proof]] = []
    faults: list[InputError] = []
    for record in json_records(source, by_line=by_line):
        try:
            if isinstance(record, InputError):
                raise record
            proofs.append((record.position, _proof(source, record, problem, policy)))
        except InputError as error:
            faults.append(error)
    return Reading(_name_doubles(proofs), tuple(faults))


def _proof(source: Source, record: ProofRecord, problem: str | None, policy: ReadingPolicy) -> Proof:
    asked = record.problem if record.problem is not None else problem
    if asked is None:
        raise InputError(f"record {record.position}: {NO_PROBLEM_KEY}", source=source.name, line=record.line)
    steps, notices = _steps(source, record, policy)
    if len(steps) > policy.max_steps:
        raise InputError(f"record {record.position}: more than {policy.max_steps:,} steps", source=source.name, line=record.line)
    name = record.id or f"{source.stem}:{record.position}"
    return Proof(Problem(str(asked)), steps, id=name, source=source.name, notices=(*record.notices, *notices))


def _steps(source: Source, record: ProofRecord, policy: ReadingPolicy) -> tuple[tuple[Step, ...], tuple[str, ...]]:
    if not isinstance(record.proof, PlacedText):
        return tuple(_step(source, index, text) for index, text in enumerate(record.proof, start=1)), ()
    if not record.proof.strip():
        raise InputError(f"record {record.position}: the proof is empty", source=source.name, line=record.line)
    inner = decode(source.name, record.proof, max_bytes=policy.max_source_bytes)
    page = open_page(inner, tex=False)
    cut = cut_steps(page, Span(0, len(page.text)), max_steps=policy.max_steps)
    line, escaped = source.line_number(record.proof.offset), _offset(source, record.proof) is None
    steps = (
        replace(step, line=line, offset=_moved(step.offset, record.proof.offset, escaped=escaped), same_lines=False) for step in cut.steps
    )
    return tuple(steps), cut.notices


def _moved(offset: int | None, base: int, *, escaped: bool) -> int | None:
    return None if offset is None or escaped else offset + base


def _step(source: Source, index: int, text: PlacedText) -> Step:
    return Step(index, str(text), line=source.line_number(text.offset), offset=_offset(source, text), same_lines=False)


def _offset(source: Source, text: PlacedText) -> int | None:
    return text.offset if source.text.startswith(text, text.offset) else None


def _name_doubles(proofs: list[tuple[int, Proof]]) -> tuple[Proof, ...]:
    times = Counter(proof.id for _, proof in proofs)
    return tuple(
        replace(proof, notices=(*proof.notices, f"the id occurs {times[proof.id]} times in the source; this is record {position}"))
        if times[proof.id] > 1
        else proof
        for position, proof in proofs
    )
