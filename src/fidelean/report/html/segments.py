"""Where mathematics stands in a text: prose and formulas in turn, with the delimiters that LaTeX and Markdown know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Segment", "is_negligible", "segments"]

_MATHS = re.compile(
    r"""
      \\[\\$%]
    | \$\$ (?P<dollars> .+? ) \$\$
    | \\\[ (?P<brackets> .+? ) \\\]
    | \\\( (?P<parentheses> .+? ) \\\)
    | (?P<environment>
        \\begin\{ (?P<name> (?:equation|align|alignat|gather|multline|eqnarray|displaymath)\*? ) \} .+? \\end\{ (?P=name) \} )
    | \$ (?P<dollar> (?: \\. | [^$\\] )+? ) \$ (?!\d)
    """,
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_TEXT = re.compile(r"\\(?:text\w*|mathrm|operatorname|mbox|begin|end)\s*\{[^}]*\}")
_NEGLIGIBLE = re.compile(
    r"(?:\s|[.,;:!]|\\[,;:!> ]|~|\\q?quad(?![a-zA-Z])|\\(?:label|begin|end)\s*\{[^{}]*\}|\\displaystyle(?![a-zA-Z])|\\\\|&)*"
)


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of prose, or one formula."""

    start: int
    """First code point, delimiter included."""
    end: int
    """One past the last code point, delimiter included."""
    formula: tuple[int, int] | None = None
    """Where the TeX itself stands; None for prose."""
    display: bool = False
    """Whether the formula stands on lines of its own."""


def segments(text: str) -> Iterator[Segment]:
    """Cut a text into prose and formulas; together they are the whole text."""
    position = 0
    for match in _MATHS.finditer(text):
        kind = match.lastgroup and next((name for name in _KINDS if match[name] is not None), None)
        if kind is None or not _is_formula(match[kind], kind):
            continue
        if match.start() > position:
            yield Segment(position, match.start())
        yield Segment(match.start(), match.end(), match.span(kind), display=kind in ("dollars", "brackets", "environment"))
        position = match.end()
    if position < len(text):
        yield Segment(position, len(text))


_KINDS = ("dollars", "brackets", "parentheses", "environment", "dollar")


def is_negligible(tex: str) -> bool:
    """Whether a piece of TeX carries no meaning of its own: blanks, punctuation, a label, the frame of an environment."""
    return _NEGLIGIBLE.fullmatch(tex) is not None


def _is_formula(content: str, kind: str) -> bool:
    """Whether ``$...$`` encloses a formula: sums of money ("$5 and $6") stand in front of words and blanks."""
    if re.search(r"\n\s*\n", content) and kind != "environment":
        return False
    loose = content != content.strip()
    return kind != "dollar" or not (loose and _WORD.search(_TEXT.sub("", content)))
