"""The place in a text that a finding is about: one line of it with the span underlined, no wider than a terminal."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len, chop_cells

from fidelean.informal.records import Span
from fidelean.report.escaping import printable

__all__ = ["Excerpt", "crop", "excerpt"]

_CUT = "…"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One line of a text around a span, fit to show."""

    before: str
    """What stands in front of the span."""
    marked: str
    """The span, or as much of it as stands on its first line and fits."""
    after: str
    """What follows."""

    @property
    def underline(self) -> str:
        """Carets under the span, to be shown below ``before + marked + after``."""
        return " " * cell_len(self.before) + "^" * max(1, cell_len(self.marked))


def excerpt(text: str, span: Span, *, width: int) -> Excerpt:
    """Show the line of ``text`` on which ``span`` starts in at most ``width`` cells; wide characters take two."""
    start = text.rfind("\n", 0, span.start) + 1
    stop = text.find("\n", span.start)
    end = len(text) if stop < 0 else stop
    before = _shown(text[start : span.start]).lstrip()
    marked = crop(_shown(text[span.start : min(span.end, end)]), width)
    after = _shown(text[min(span.end, end) : end]).rstrip()
    room = width - cell_len(marked)
    before = _crop_left(before, max(room // 2, room - cell_len(after)))
    return Excerpt(before, marked, crop(after, room - cell_len(before)))


def crop(text: str, width: int) -> str:
    """Cut a text off at the right so that it takes at most ``width`` cells."""
    if cell_len(text) <= width:
        return text
    return chop_cells(text, width - 1)[0] + _CUT if width > 1 else ""


def _crop_left(text: str, width: int) -> str:
    if cell_len(text) <= width:
        return text
    start, room = len(text), width - 1
    while start and (room := room - cell_len(text[start - 1])) >= 0:
        start -= 1
    return _CUT + text[start:] if width > 1 else ""


def _shown(text: str) -> str:
    return printable(text.replace("\t", " "))
