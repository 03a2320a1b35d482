r"""Where the problem stands in a page, and where the proof.

Both may be headings (``# Problem``, ``**Proof.**``, ``Solution:``, ``\section{Problem}``) or LaTeX environments. The problem reaches from
its heading to the proof. A page without any of them is a proof whose problem comes from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fidelean.errors import InputError
from fidelean.informal.reading.marks import find_marks
from fidelean.informal.reading.page import Line, Page
from fidelean.informal.records import Span

__all__ = ["Sections", "find_sections"]

_ASKING = ("problem", "question", "exercise", "task")
_STATING = ("statement", "theorem", "lemma", "proposition", "corollary", "claim")
_PROVING = ("proof", "solution")
_ENDING = ("remark", "remarks", "note", "notes", "comment", "comments", "reference", "references", "bibliography", "acknowledgements")
_WORDS = "|".join((*_ASKING, *_STATING, *_PROVING, *_ENDING))
_HEADING = re.compile(
    rf"""[ ]{{0,3}}(?P<hash>\#{{1,6}}[ \t]+|\\(?:sub)*section\*?\{{[ ]*|\\(?:sub)?paragraph\*?\{{[ ]*)?
    (?P<open>[*_]{{1,3}}|\\(?:textbf|textit|textsc|emph|underline)\{{[ ]*)?
    (?P<word>(?i:{_WORDS}))(?![A-Za-z0-9])
    (?P<number>[ \t]+\d+(?:\.\d+)*[a-z]?\b)?
    (?P<more>[ \t]+(?:of|by|that)\b[^.:\n*_{{}}]*)?
    (?P<title>[ \t]*\([^()\n]{{0,200}}\))?
    (?P<stop>[ \t]*[.:])?
    (?P<rest>.*)""",
    re.VERBOSE,
)
_ENVIRONMENT_WORDS = {
    "problem": (*_ASKING, *_STATING, "prob", "quest", "exer", "ex", "thm", "lem", "prop", "cor"),
    "proof": (*_PROVING, "pf", "sol"),
}
_ENVIRONMENT = re.compile(
    r"\\(?P<which>begin|end)\{(?P<name>"
    + "|".join(word for words in _ENVIRONMENT_WORDS.values() for word in words)
    + r")\*?\}(?:[ \t]*\[[^\[\]\n]*\])?"
)
_DOCUMENT = re.compile(r"\\begin\{document\}(?P<body>.*?)(?:\\end\{document\}|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sections:
    """Where to read what."""

    problem: Span | None
    """The problem's text; None where the page does not hold it."""
    proof: Span
    """The proof's text."""
    notices: tuple[str, ...] = ()
    """What a reader must know, one line each."""


@dataclass(frozen=True, slots=True)
class _Heading:
    """A line that names what follows."""

    word: str
    """The word, in lower case."""
    start: int
    """Offset of the line."""
    content: int
    """Offset of what follows."""
    strong: bool
    """Whether it is set off as a heading or in bold type, rather than a plain word with a stop."""
    level: int
    """Its depth, 1 for the outermost."""


@dataclass(frozen=True, slots=True)
class _Environment:
    """An outermost environment."""

    name: str
    """Its name, without a star."""
    start: int
    """Offset of its start."""
    content: Span
    """What stands between its start and its end."""


def find_sections(page: Page) -> Sections:
    """Find the problem and the proof.

    Raises ``InputError``, with its line: a problem without a proof, a second problem or proof, an environment that is not closed.
    """
    whole = Span(0, len(page.text))
    if page.tex and (document := _DOCUMENT.search(page.text)):
        whole = Span(*document.span("body"))
    if page.tex and (environments := list(_environments(page, whole))):
        return _by_environments(page, whole, environments)
    return _by_headings(page, whole)


def _by_headings(page: Page, whole: Span) -> Sections:
    headings = [heading for line in page.lines(whole) if (heading := _heading(line)) is not None]
    proof = next((heading for heading in headings if heading.word in _PROVING), None)
    asked = [heading for heading in headings if heading.word in (*_ASKING, *_STATING) and (proof is None or heading.start < proof.start)]
    if proof is None:
        return _without_proof_heading(page, whole, asked[0] if asked and asked[0].strong else None)
    end, notices = whole.end, ()
    for heading in headings:
        if heading.start > proof.start and heading.strong and heading.word in _ASKING and heading.level <= proof.level:
            raise _error(page, "a second problem; a file holds one problem and its proof (JSON holds many)", heading.start)
        if heading.start > proof.start and heading.strong and heading.word in _ENDING and heading.level <= proof.level:
            end = heading.start
            notices = (f"what follows line {page.source.line_number(end)} ({heading.word}) was not read as part of the proof",)
            break
    return Sections(Span(asked[0].content, proof.start) if asked else None, Span(proof.content, end), notices)


def _without_proof_heading(page: Page, whole: Span, problem: _Heading | None) -> Sections:
    if problem is None:
        return Sections(None, whole)
    rest = Span(problem.content, whole.end)
    steps = [mark for mark in find_marks(page, rest).marks if "step" in page.text[mark.span.start : mark.span.end].lower()]
    if not steps:
        raise _error(page, f'a {problem.word} without a proof: put the proof under a heading "Proof"', problem.start)
    return Sections(Span(problem.content, steps[0].span.start), Span(steps[0].span.start, whole.end))


def _heading(line: Line) -> _Heading | None:
    match = None if line.shielded else _HEADING.match(line.text)
    if match is None:
        return None
    opened, rest = match.group("hash") or match.group("open"), match.group("rest")
    content = match.start("rest")
    closing = re.match(r"[*_]{1,3}[.:]?|\}[.:]?", rest) if opened else None
    if closing:
        content += closing.end()
    elif not match.group("hash") and (opened or not (match.group("stop") or not rest.strip()) or not match.group("word")[0].isupper()):
        return None
    word = match.group("word").lower()
    if word in _PROVING and match.group("hash") and not (match.group("stop") or closing):
        content = len(line.text)
    return _Heading(word, line.start, line.start + content, strong=opened is not None, level=_level(match))


def _level(match: re.Match[str]) -> int:
    """Give a heading's depth; bold words stand below every heading proper."""
    opened = (match.group("hash") or "").strip()
    if opened.startswith("#"):
        return len(opened)
    if "section" in opened:
        return 1 + opened.count("sub")
    return 5 if opened else 7


def _environments(page: Page, whole: Span) -> Iterator[_Environment]:
    """Give the outermost problem and proof environments, in order."""
    opened: list[re.Match[str]] = []
    for match in _ENVIRONMENT.finditer(page.text, whole.start, whole.end):
        if page.shielded(match.start()):
            continue
        if match.group("which") == "begin":
            opened.append(match)
        elif opened and opened[-1].group("name") == match.group("name"):
            begin = opened.pop()
            if not opened:
                yield _Environment(begin.group("name"), begin.start(), Span(begin.end(), match.start()))
        else:
            raise _error(page, f"\\end{{{match.group('name')}}} does not close what is open", match.start())
    if opened:
        raise _error(page, f"\\begin{{{opened[0].group('name')}}} is never closed", opened[0].start())


def _by_environments(page: Page, whole: Span, environments: list[_Environment]) -> Sections:
    problems = [environment for environment in environments if environment.name in _ENVIRONMENT_WORDS["problem"]]
    proofs = [environment for environment in environments if environment.name in _ENVIRONMENT_WORDS["proof"]]
    if len(proofs) > 1:
        raise _error(page, "a second proof; a file holds one problem and its proof (JSON holds many)", proofs[1].start)
    before = [problem for problem in problems if not proofs or problem.start < proofs[0].start]
    if proofs:
        return Sections(before[-1].content if before else None, proofs[0].content)
    found = _by_headings(page, Span(problems[0].content.end, whole.end))
    return Sections(problems[0].content, found.proof, found.notices)


def _error(page: Page, message: str, offset: int) -> InputError:
    return InputError(message, source=page.source.name, line=page.source.line_number(offset))
