"""A step's text with its claims marked in place: as written, to the character, and typeset, where the formulas allow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from fidelean.report.html.escaped import shown
from fidelean.report.html.segments import Segment, is_negligible, segments
from fidelean.report.html.typesetting import Typeset

__all__ = ["Highlight", "TypesetText", "marked_source", "typeset_text"]


@dataclass(frozen=True, slots=True)
class Highlight:
    """A claim to be marked."""

    start: int
    """First code point in the step's text."""
    end: int
    """One past the last code point."""
    tone: str
    """The class of its outcome: ``passed``, ``refuted``, ``tried``, ``untried``, ``conflict``."""
    symbol: str
    """The sign of its outcome."""
    label: str
    """Its name and outcome in words, for those who do not see the sign."""
    anchor: str
    """Id of what is said about it."""
    inside: tuple[Highlight, ...] = ()
    """Claims that stand within it."""

    @property
    def reference(self) -> Markup:
        """The sign behind the claim, which leads to what is said about it; those within come first."""
        link = Markup('<a class="ref {}" href="#{}" aria-label="{}">{}</a>').format(self.tone, self.anchor, self.label, self.symbol)
        return Markup("").join([*(inner.reference for inner in self.inside), link])

    def mark(self, content: Markup) -> Markup:
        """Wrap what the claim consists of."""
        return Markup('<mark class="{}">{}</mark>').format(self.tone, content)


@dataclass(frozen=True, slots=True)
class TypesetText:
    """A text to be read."""

    markup: Markup
    """The text."""
    is_exact: bool
    """Whether every claim is marked where it stands; if not, a formula with several claims is marked as a whole."""


def marked_source(text: str, highlights: Sequence[Highlight]) -> Markup:
    """Mark the claims in the text as written; marks nest as the claims do."""
    return _marked(text, 0, len(text), nested(highlights))


def _marked(text: str, start: int, end: int, highlights: Sequence[Highlight]) -> Markup:
    parts: list[Markup] = []
    for highlight in highlights:
        parts += [shown(text[start : highlight.start]), highlight.mark(_marked(text, highlight.start, highlight.end, highlight.inside))]
        start = highlight.end
    return Markup("").join([*parts, shown(text[start:end])])


def nested(highlights: Sequence[Highlight]) -> tuple[Highlight, ...]:
    """Put claims into those that hold them, in the order of the text; what reaches out of another starts where that one ends."""
    outer: list[Highlight] = []
    waiting: list[Highlight] = []
    for item in sorted(highlights, key=lambda each: (each.start, -each.end)):
        if outer and item.end <= outer[-1].end:
            waiting.append(item)
            continue
        _close(outer, waiting)
        start = max(item.start, outer[-1].end) if outer else item.start
        outer.append(Highlight(start, item.end, item.tone, item.symbol, item.label, item.anchor))
        waiting = []
    _close(outer, waiting)
    return tuple(outer)


def _close(outer: list[Highlight], waiting: list[Highlight]) -> None:
    if waiting:
        last = outer[-1]
        within = tuple(item for item in nested([item for item in waiting if item.start >= last.start]))
        outer[-1] = Highlight(last.start, last.end, last.tone, last.symbol, last.label, last.anchor, within)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of the text that belongs to one claim or to none."""

    markup: Markup
    """The part."""
    claim: Highlight | None
    """The claim it belongs to."""
    display: bool = False
    """Whether it stands on lines of its own."""


def typeset_text(text: str, highlights: Sequence[Highlight], typeset: Typeset) -> TypesetText:
    """Set a text for reading; formulas that cannot be typeset are shown as written."""
    outer = nested(highlights)
    pieces: list[_Piece] = []
    is_exact = True
    for segment in segments(text):
        if segment.formula is None:
            pieces += _prose(text, segment.start, segment.end, outer)
            continue
        found, exact = _formula(text, segment, outer, typeset)
        pieces += found
        is_exact &= exact
    return TypesetText(Markup("").join(_joined(pieces)), is_exact)


def _prose(text: str, start: int, end: int, highlights: Sequence[Highlight]) -> Iterator[_Piece]:
    for first, last, claim in _parts(start, end, highlights):
        yield _Piece(_paragraphs(text[first:last]), claim)


def _paragraphs(text: str) -> Markup:
    return Markup('<span class="paragraph"></span>').join(shown(part) for part in re.split(r"\n[ \t]*\n\s*", text))


def _parts(start: int, end: int, highlights: Sequence[Highlight]) -> Iterator[tuple[int, int, Highlight | None]]:
    """Cut a range at the borders of claims."""
    for claim in highlights:
        first, last = max(start, claim.start), min(end, claim.end)
        if first >= last:
            continue
        if first > start:
            yield start, first, None
        yield first, last, claim
        start = last
    if start < end:
        yield start, end, None


def _formula(text: str, segment: Segment, highlights: Sequence[Highlight], typeset: Typeset) -> tuple[list[_Piece], bool]:
    start, end = segment.formula or (segment.start, segment.end)
    parts = list(_parts(start, end, highlights))
    telling = [part for part in parts if part[2] is not None or not is_negligible(text[part[0] : part[1]])]
    whole = _set(text[start:end], segment, typeset)
    if len(telling) <= 1:
        claim = telling[0][2] if telling else None
        if whole is not None:
            return [_Piece(whole, claim, segment.display)], True
        return list(_written(text, segment, parts)), True
    cut = [(_part(text[first:last], segment, typeset, claim), claim) for first, last, claim in parts]
    pieces = [_Piece(markup, claim) for markup, claim in cut if markup is not None]
    if whole is not None and len(pieces) == len(cut):
        return [_display(pieces)] if segment.display else pieces, True
    if whole is not None:
        claims = [claim for _, _, claim in telling if claim is not None]
        return [_Piece(whole + Markup("").join(claim.reference for claim in claims), None, segment.display)], False
    return list(_written(text, segment, parts)), True


def _written(text: str, segment: Segment, parts: Sequence[tuple[int, int, Highlight | None]]) -> Iterator[_Piece]:
    """Show a formula as its author wrote it, without its delimiters."""
    for first, last, claim in parts:
        yield _Piece(Markup('<span class="written">{}</span>').format(shown(text[first:last])), claim, segment.display)


def _part(tex: str, segment: Segment, typeset: Typeset, claim: Highlight | None) -> Markup | None:
    """Typeset a part of a formula; of what carries no meaning between two claims, the punctuation stays."""
    if claim is None and is_negligible(tex):
        return shown("".join(re.findall(r"[.,;:!]", re.sub(r"\\[^a-zA-Z]|\{[^{}]*\}", "", tex))) + " ")
    return _set(tex, segment, typeset, part=True)


def _display(pieces: list[_Piece]) -> _Piece:
    return _Piece(Markup('<span class="display-row">{}</span>').format(Markup(" ").join(_joined(pieces))), None, display=True)


def _set(tex: str, segment: Segment, typeset: Typeset, *, part: bool = False) -> Markup | None:
    """Typeset TeX; a label is for references that a page does not have. A part of a display keeps the display's size of signs."""
    plain = re.sub(r"\\label\s*\{[^{}]*\}", "", tex).strip()
    markup = typeset(f"\\displaystyle {plain}" if part and segment.display else plain, segment.display and not part)
    return None if markup is None else Markup('<span class="formula">{}</span>').format(markup)


def _joined(pieces: Sequence[_Piece]) -> Iterator[Markup]:
    """Draw the pieces of one claim together into one mark."""
    position = 0
    while position < len(pieces):
        claim, last = pieces[position].claim, position + 1
        while claim is not None and last < len(pieces) and pieces[last].claim is claim:
            last += 1
        content = Markup("").join(piece.markup for piece in pieces[position:last])
        shown_piece = content if claim is None else claim.mark(content) + claim.reference
        display = any(piece.display for piece in pieces[position:last])
        yield Markup('<span class="display">{}</span>').format(shown_piece) if display else shown_piece
        position = last
