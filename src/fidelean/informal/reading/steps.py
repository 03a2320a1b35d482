"""A proof's text, cut into steps.

A step is counted by its position, whatever number its author gave it; where the two differ, a notice says so. Nothing is dropped: text in
front of the first mark belongs to the first step (so that the author's numbers keep), text between two marks to the step before it, and
what follows a finished list, paragraph by paragraph, makes steps of its own. Where the author marked nothing, every paragraph is a step;
a display, and a sentence that goes on behind one, stay with the paragraph they belong to, and a heading with the one that follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fidelean.errors import InputError
from fidelean.informal.reading.marks import Mark, Marks, find_marks
from fidelean.informal.reading.page import Line, Page, blank_out
from fidelean.informal.records import Span, Step

__all__ = ["Cut", "cut_steps"]

_NOTHING = re.compile(
    r"\s*(?:[-*_ ]{3,}|∎|□|■|\*{0,2}Q\.?\s?E\.?\s?D\.?\*{0,2}|\$?\\(?:blacksquare|square|Box|qed)\$?"
    r"|(?:\\(?:(?:small|med|big)skip|par|noindent|newpage|clearpage|hfill|qed|qedhere|[vh]space\*?\{[^{}]*\})(?![A-Za-z])\s*)+)?\s*"
)
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t]+\S")


@dataclass(frozen=True, slots=True)
class Cut:
    """A proof, cut."""

    steps: tuple[Step, ...]
    """The steps, in order."""
    notices: tuple[str, ...] = ()
    """What a reader must know about the cutting, one line each."""


def cut_steps(page: Page, region: Span, *, max_steps: int) -> Cut:
    """Cut the proof in ``region`` into steps. Raises ``InputError`` where there is no text or there are more than ``max_steps`` steps."""
    found = find_marks(page, region)
    pieces = [*_marked(page, region, found), *_paragraphs(page, Span(found.end, region.end) if found.marks else region)]
    name = page.source.name
    if not pieces:
        raise InputError("the proof is empty", source=name, line=page.source.line_number(region.start))
    if len(pieces) > max_steps:
        raise InputError(f"has {len(pieces):,} steps; the limit is {max_steps:,}", source=name)
    steps = tuple(_step(page, index, piece) for index, piece in enumerate(pieces, start=1))
    return Cut(steps, tuple(_numbering_notices(found.marks)))


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the page that makes one step."""

    span: Span
    """Where it stands."""
    litter: tuple[Span, ...] = ()
    """What of it is not the step's text."""


def _marked(page: Page, region: Span, found: Marks) -> Iterator[_Piece]:
    for position, mark in enumerate(found.marks):
        start, litter = mark.span.end, (*mark.litter, *found.litter)
        if position == 0 and _preface(page, region, found).strip():
            start, litter = region.start, (mark.span, *litter)
        end = found.marks[position + 1].span.start if position + 1 < len(found.marks) else found.end
        yield _Piece(Span(start, end), litter)


def _preface(page: Page, region: Span, found: Marks) -> str:
    span = Span(region.start, found.marks[0].span.start)
    return _text_of(page, _Piece(span, found.litter))


def _text_of(page: Page, piece: _Piece) -> str:
    start, end = piece.span.start, piece.span.end
    inside = sorted((span.start - start, span.end - start) for span in piece.litter if start <= span.start and span.end <= end)
    return blank_out(page.text[start:end], [Span(*pair) for pair in inside])


def _step(page: Page, index: int, piece: _Piece) -> Step:
    raw = _text_of(page, piece)
    text = raw.strip()
    offset = piece.span.start + (len(raw) - len(raw.lstrip()) if text else 0)
    as_written = page.source.text[offset : offset + len(text)] == text
    return Step(index, text, line=page.source.line_number(offset), offset=offset if as_written else None)


def _numbering_notices(marks: tuple[Mark, ...]) -> Iterator[str]:
    if all(mark.number == 1 for mark in marks):
        return
    for position, mark in enumerate(marks, start=1):
        if mark.number not in (None, position):
            yield f"step {position} carries the number {mark.number} in the text; steps are counted by their position"
            return


def _paragraphs(page: Page, region: Span) -> Iterator[_Piece]:
    blocks: list[Span] = []
    joins = after_display = False
    for block in _blocks(page, region):
        first, last = block[0], block[-1]
        text = page.text[first.start : last.end]
        if _NOTHING.fullmatch(text) and not joins:
            continue
        goes_on = first.display or (after_display and text.lstrip()[:1].islower())
        if blocks and (joins or goes_on):
            blocks[-1] = Span(blocks[-1].start, last.end)
        else:
            blocks.append(Span(first.start, last.end))
        joins = len(block) == 1 and _HEADING.match(first.text) is not None
        after_display = last.after_display
    yield from (_Piece(block) for block in blocks)


def _blocks(page: Page, region: Span) -> Iterator[list[Line]]:
    """Give runs of lines between blank lines; a heading is a run of its own."""
    block: list[Line] = []
    for line in page.lines(region):
        heading = not line.shielded and not page.tex and _HEADING.match(line.text) is not None
        if block and (heading or (line.blank and not line.shielded)):
            yield block
            block = []
        if heading:
            yield [line]
        elif block or not line.blank:
            block.append(line)
    if block:
        yield block
