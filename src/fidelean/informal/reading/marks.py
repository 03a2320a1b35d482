r"""Marks: where the author says that a step starts.

Three kinds, looked for in this order; the first kind that occurs cuts the proof:

1. headings that say Step with a number: ``Step 3.``, ``**Step 3:**``, ``### Step 3``, ``\paragraph{Step 3.}``;
2. in LaTeX, the ``\item`` of an outermost ``enumerate``;
3. numbered lines: ``3.``, ``3)``, ``(3)``, bold or as a heading too; two of them, or one that opens the proof.

Nothing inside a display or code is a mark. A numbered line that is indented under another one belongs to it. A line directly under a
line of text is a mark only where it counts on or where the line above is short or ends a sentence, since wrapped text may start with
``12.`` as well. Markdown lets every item be ``1.``; that counts on too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fidelean.informal.reading.page import Line, Page
from fidelean.informal.records import Span

__all__ = ["Mark", "Marks", "find_marks"]

_MACRO = r"\\(?:textbf|textit|textsc|emph|underline|paragraph|subparagraph|subsubsection|subsection|section)\*?\{[ ]*"
_LEAD = rf"[ \t]*(?:\\noindent[ \t]*)?(?:\#{{1,6}}[ \t]+)?(?P<open>[*_]{{1,3}}|{_MACRO})?"
_STEP = re.compile(
    rf"""{_LEAD}(?i:step)[ \t]*\#?(?P<number>\d{{1,4}})
    (?: (?P<close>[*_]{{1,3}}|\}})[ \t]*[.:)]?
      | [ \t]*(?:[.:)](?!\d)|[-–—](?!\d))[ \t]*(?P<close2>[*_]{{1,3}}|\}})?
      | (?=[ \t]*\() | (?=[ \t]*$) )""",
    re.VERBOSE,
)
_NUMBERED = re.compile(
    rf"""{_LEAD}(?:(?P<number>\d{{1,3}})[.)]|\((?P<inner>\d{{1,3}})\))
    (?P<close>[*_]{{1,3}}|\}})?(?:[ \t]+|$)""",
    re.VERBOSE,
)
_ITEM = re.compile(
    r"\\begin\{(?P<begin>enumerate|itemize|description)\}(?P<options>[ \t]*\[[^\[\]\n]*\])?"
    r"|\\end\{(?P<end>enumerate|itemize|description)\}|\\item(?![A-Za-z])[ \t]*(?:\[[^\[\]\n]*\])?"
)
_SENTENCE_END = re.compile(r"[.!?:;][)\]$*_\"'”’]*\s*$")
# Text that an editor wrapped fills its lines up to here at least.
_WRAP_COLUMN = 56


@dataclass(frozen=True, slots=True)
class Mark:
    """The start of a step."""

    span: Span
    """The mark itself; the step's text starts where it ends."""
    number: int | None = None
    """The number its author gave; None where the author did not count."""
    litter: tuple[Span, ...] = ()
    """Remains of the mark inside the step's text, such as the end of bold type around a title."""


@dataclass(frozen=True, slots=True)
class Marks:
    """All marks of a proof, of one kind."""

    marks: tuple[Mark, ...]
    """In the order of the text; empty where the author marked nothing."""
    end: int
    """Where the last marked step ends; what follows are paragraphs of their own."""
    litter: tuple[Span, ...] = ()
    """What belongs to the list rather than to a step, such as the start of ``enumerate``."""


def find_marks(page: Page, region: Span) -> Marks:
    """Find where the steps of the proof in ``region`` start."""
    lines = list(page.lines(region))
    if steps := tuple(_step_headings(lines)):
        return Marks(steps, region.end)
    if page.tex and (items := _items(page, region)).marks:
        return items
    return _numbered_lines(lines, region)


def _step_headings(lines: list[Line]) -> list[Mark]:
    marks: list[Mark] = []
    above: Line | None = None
    for line in lines:
        match = None if line.shielded else _STEP.match(line.text)
        if match:
            closed = match.group("close") or match.group("close2")
            span = Span(line.start, line.start + match.end())
            mark = Mark(span, int(match.group("number")), _litter(line, match, closed=bool(closed)))
            if match.group("open") or line.text.lstrip().startswith("#") or _stands_free(mark, above, marks):
                marks.append(mark)
        above = line
    return marks


def _litter(line: Line, match: re.Match[str], *, closed: bool) -> tuple[Span, ...]:
    """Find the end of the bold type or the macro that the mark opened and did not close."""
    opened = match.group("open")
    if not opened or closed:
        return ()
    close = "}" if opened.startswith("\\") else opened
    place = _closing_brace(line.text, match.end()) if close == "}" else line.text.find(close, match.end())
    return () if place < 0 else (Span(line.start + place, line.start + place + len(close)),)


def _closing_brace(text: str, position: int) -> int:
    depth = 0
    for place in range(position, len(text)):
        if text[place] == "}" and depth == 0:
            return place
        depth += (text[place] == "{") - (text[place] == "}")
    return -1


def _items(page: Page, region: Span) -> Marks:
    marks: list[Mark] = []
    litter: list[Span] = []
    nesting: list[str] = []
    end = region.end
    for match in _ITEM.finditer(page.text, region.start, region.end):
        if page.shielded(match.start()):
            continue
        span = Span(*match.span())
        if begin := match.group("begin"):
            nesting.append(begin)
            litter += [span] if nesting == ["enumerate"] else []
        elif match.group("end"):
            if nesting == ["enumerate"]:
                litter.append(span)
                end = span.end
            del nesting[-1:]
        elif nesting == ["enumerate"]:
            marks.append(Mark(span))
            end = region.end
    return Marks(tuple(marks), end, tuple(litter))


def _numbered_lines(lines: list[Line], region: Span) -> Marks:
    marks: list[Mark] = []
    content_column = 4
    above: Line | None = None
    for line in lines:
        mark = None if line.shielded or line.indent >= content_column else _numbered_mark(line)
        if mark and _stands_free(mark, above, marks):
            marks.append(mark)
            content_column = max(2, line.indent + len(line.text[: mark.span.end - line.start].strip()) + 1)
        above = line
    opens = bool(marks) and not any(line.text.strip() for line in lines if line.start < marks[0].span.start)
    if len(marks) < 2 and not opens:
        return Marks((), region.start)
    return Marks(tuple(marks), _end_of_list(lines, marks[-1]) or region.end)


def _numbered_mark(line: Line) -> Mark | None:
    match = _NUMBERED.match(line.text)
    if not match:
        return None
    number = int(match.group("number") or match.group("inner"))
    return Mark(Span(line.start, line.start + match.end()), number, _litter(line, match, closed=bool(match.group("close"))))


def _stands_free(mark: Mark, above: Line | None, marks: list[Mark]) -> bool:
    if above is None or not above.text.strip():
        return True
    before = marks[-1].number or 0 if marks else 0
    counts_on = bool(marks) and (mark.number == before + 1 or mark.number == before == 1)
    broken_off = len(above.text) < _WRAP_COLUMN or _SENTENCE_END.search(above.text) is not None
    return counts_on or (not above.shielded and broken_off)


def _end_of_list(lines: list[Line], last: Mark) -> int | None:
    """Find the first paragraph behind the last item that is not indented; a display, and a sentence that goes on behind one, stay."""
    above_blank = after_display = False
    for line in lines:
        if line.start < last.span.end:
            continue
        visible = line.text.strip()
        if (
            above_blank
            and visible
            and not line.shielded
            and not line.display
            and line.indent < 2
            and not (after_display and visible[0].islower())
        ):
            return line.start
        if visible:
            after_display = line.after_display
        above_blank = line.blank
    return None
