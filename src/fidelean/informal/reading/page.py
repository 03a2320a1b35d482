"""A page: a source with its comments blanked out and its displays and code fenced off, so that line rules do not look inside them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from fidelean.informal.reading.source import Source
from fidelean.informal.records import Span

__all__ = ["Line", "Page", "blank_out", "open_page"]

DISPLAY_ENVIRONMENTS = (
    "align alignat aligned array bmatrix cases displaymath eqnarray equation flalign gather gathered lstlisting math matrix multline "
    "pmatrix split verbatim vmatrix"
)
_ENVIRONMENT = "|".join(DISPLAY_ENVIRONMENTS.split())
_OPENING = re.compile(
    rf"""\\\\ | \\\$ | (?P<dollars>\$\$) | (?P<bracket>\\\[) | \\begin\{{(?P<environment>(?:{_ENVIRONMENT})\*?)\}}"""
    r"""| ^[ \t]*(?P<fence>`{3,}|~{3,}) """,
    re.VERBOSE | re.MULTILINE,
)
_TEX_COMMENT = re.compile(r"\\[^\n]|(?P<comment>%[^\n]*)")
_LABEL = re.compile(r"\\label\{[^{}\n]*\}")
# Two dollars open and close alike, so a stray pair could swallow steps: a display in dollars never runs across one of these.
_BARRIER = re.compile(r"^[ ]{0,3}(?:#{1,6}[ \t]|[*_]{0,3}Step[ ]\d)|\\(?:begin|end)\{(?:proof|enumerate)\}", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page."""

    start: int
    """Offset of its first character."""
    end: int
    """Offset of its line end."""
    text: str
    """What stands on it, comments blanked out."""
    blank: bool
    """Whether the source has nothing on it; a line with only a comment is not blank."""
    shielded: bool
    """Whether it starts inside a display or code."""
    display: bool
    """Whether a display starts with its first visible character."""
    after_display: bool
    """Whether a display ends with its last visible character, punctuation aside."""

    @property
    def indent(self) -> int:
        """Columns of white space it starts with, a tab reaching to the next multiple of four."""
        return len(self.text.expandtabs(4)) - len(self.text.expandtabs(4).lstrip())


@dataclass(frozen=True, slots=True)
class Page:
    """A source, ready to be cut."""

    source: Source
    """Where it comes from."""
    text: str
    """The source's text, as long as it, with blanks in place of comments and labels."""
    tex: bool
    """Whether it is LaTeX rather than Markdown."""
    shields: tuple[Span, ...]
    """Displays and code, in order, disjoint."""

    def shielded(self, offset: int) -> bool:
        """Tell whether ``offset`` lies strictly inside a display or code."""
        shield = self._shield_at(offset)
        return shield is not None and shield.start < offset

    def _shield_at(self, offset: int) -> Span | None:
        place = bisect_right(self.shields, offset, key=_start) - 1
        return self.shields[place] if place >= 0 and offset < self.shields[place].end else None

    def lines(self, region: Span) -> Iterator[Line]:
        """Give the lines of a region; the first and the last may be parts of a line."""
        start = region.start
        while start < region.end:
            stop = self.text.find("\n", start, region.end)
            end = region.end if stop < 0 else stop
            yield self._line(start, end)
            start = end + 1

    def _line(self, start: int, end: int) -> Line:
        text = self.text[start:end]
        first = start + len(text) - len(text.lstrip())
        last = start + len(text.rstrip(" \t.,;")) - 1
        shield = self._shield_at(first)
        return Line(
            start=start,
            end=end,
            text=text,
            blank=not self.source.text[start:end].strip(),
            shielded=self.shielded(start),
            display=shield is not None and shield.start == first,
            after_display=last >= start and self._shield_at(last) is not None,
        )


def _start(span: Span) -> int:
    return span.start


def open_page(source: Source, *, tex: bool) -> Page:
    """Blank out comments (and, in LaTeX, labels) and find displays and code."""
    hidden = [*_tex_comments(source.text)] if tex else [*_html_comments(source.text)]
    text = blank_out(source.text, hidden)
    if tex:
        text = blank_out(text, [Span(*match.span()) for match in _LABEL.finditer(text)])
    return Page(source, text, tex, tuple(_shields(text)))


def blank_out(text: str, spans: list[Span]) -> str:
    """Replace what stands in ``spans`` (ascending, disjoint) by blanks; line ends and the length stay."""
    parts: list[str] = []
    position = 0
    for span in spans:
        parts += [text[position : span.start], re.sub(r"[^\n]", " ", text[span.start : span.end])]
        position = span.end
    return "".join([*parts, text[position:]])


def _tex_comments(text: str) -> Iterator[Span]:
    for match in _TEX_COMMENT.finditer(text):
        if match.group("comment"):
            yield Span(*match.span())


def _html_comments(text: str) -> Iterator[Span]:
    position = 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        position = end + 3
        yield Span(start, position)


class _Closings:
    """Finds closing marks; remembers the last answer for each kind, so that a page of opening marks costs no more than its length."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[str, tuple[int, int] | None] = {}

    def after(self, pattern: str, position: int) -> tuple[int, int] | None:
        known = self._found.get(pattern, (-1, -1))
        if known is not None and known[0] < position:
            match = re.compile(pattern, re.MULTILINE).search(self._text, position)
            known = self._found[pattern] = match.span() if match else None
        return known


def _shields(text: str) -> Iterator[Span]:
    closings = _Closings(text)
    position = 0
    while (opening := _OPENING.search(text, position)) is not None:
        position = opening.end()
        closing = closings.after(_closing_pattern(opening), position) if opening.lastgroup else None
        if closing is None:
            continue
        barrier = closings.after(_BARRIER.pattern, position) if opening.group("dollars") else None
        if barrier is None or barrier[0] > closing[0]:
            position = closing[1]
            yield Span(opening.start(), position)


def _closing_pattern(opening: re.Match[str]) -> str:
    if opening.group("dollars"):
        return r"(?<!\\)\$\$"
    if opening.group("bracket"):
        return r"(?<!\\)\\\]"
    if fence := opening.group("fence"):
        return rf"^[ \t]*{fence}{fence[0]}*[ \t]*$"
    return rf"\\end\{{{re.escape(opening.group('environment'))}\}}"
