"""Which markup may enter a page as markup: what KaTeX writes, and nothing else, whoever wrote it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

__all__ = ["is_harmless"]

_TAGS = frozenset(
    "span svg path line math semantics annotation mrow mi mo mn ms mtext mspace mfrac msqrt mroot msup msub msubsup mover munder "
    "munderover mtable mtr mtd mlabeledtr mstyle mpadded mphantom menclose mglyph merror".split()
)
_ATTRIBUTES = frozenset(
    "class style aria-hidden xmlns encoding display mathvariant stretchy fence separator accent accentunder linethickness lspace rspace "
    "width height depth voffset minsize maxsize symmetric movablelimits columnalign columnspacing rowspacing columnlines rowlines "
    "scriptlevel displaystyle notation mathcolor mathbackground mathsize side minlabelspacing viewbox preserveaspectratio d x1 x2 y1 y2 "
    "stroke-width largeop form title rowalign framespacing frame".split()
)
_STYLE = re.compile(r"(?:[a-z-]+:[ ]?[#a-zA-Z0-9.% -]+;?)*")


def is_harmless(markup: str) -> bool:
    """Whether markup consists of the known elements and attributes, with styles that name lengths and colours only."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return reader.harmless and not reader.open


class _Reader(HTMLParser):
    """Looks at every tag and attribute; elements must nest."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.harmless = True
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = tag in _TAGS and all(name in _ATTRIBUTES for name, _ in attrs)
        self.harmless &= known and all(_STYLE.fullmatch(value or "") is not None for name, value in attrs if name == "style")

    def handle_endtag(self, tag: str) -> None:
        self.harmless &= bool(self.open) and self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        del data
        self.harmless = False

    def handle_decl(self, decl: str) -> None:
        del decl
        self.harmless = False

    def handle_pi(self, data: str) -> None:
        del data
        self.harmless = False

    def unknown_decl(self, data: str) -> None:
        del data
        self.harmless = False
