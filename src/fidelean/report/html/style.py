"""The style of a page: ours, and of KaTeX's only the fonts that its formulas use, as ``data:`` addresses."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from importlib.resources import files

from fidelean.report.html.katex import Katex

__all__ = ["page_style"]

_FONT_FACE = re.compile(r"@font-face\{[^}]*\}")
_FONT_FILE = re.compile(r"url\(fonts/(KaTeX_\w+-\w+)\.woff2\)")
_CLASS = re.compile(r'class="([^"]*)"')

_FONTS = {
    "KaTeX_Main-Regular": "katex",
    "KaTeX_Math-Italic": "katex",
    "KaTeX_Size1-Regular": "katex",
    "KaTeX_Size2-Regular": "katex",
    "KaTeX_Size3-Regular": "size3",
    "KaTeX_Size4-Regular": "size4 mult",
    "KaTeX_AMS-Regular": "amsrm mathbb textbb",
    "KaTeX_Main-Italic": "mathit textit",
    "KaTeX_Main-Bold": "mathbf textbf",
    "KaTeX_Main-BoldItalic": "textbf mathbf",
    "KaTeX_Math-BoldItalic": "boldsymbol",
    "KaTeX_Caligraphic-Regular": "mathcal",
    "KaTeX_Caligraphic-Bold": "mathcal",
    "KaTeX_Fraktur-Regular": "mathfrak textfrak",
    "KaTeX_Fraktur-Bold": "mathboldfrak textboldfrak",
    "KaTeX_SansSerif-Regular": "mathsf textsf",
    "KaTeX_SansSerif-Bold": "mathboldsf textboldsf",
    "KaTeX_SansSerif-Italic": "mathitsf mathsfit textitsf",
    "KaTeX_Script-Regular": "mathscr textscr",
    "KaTeX_Typewriter-Regular": "mathtt texttt",
}
"""Each font with the classes of formulas that need it."""


def page_style(katex: Katex | None, markup: Iterable[str]) -> str:
    """Give the style sheet of a page with the formulas ``markup``; it names no file and no other address."""
    own = files("fidelean.report.html").joinpath("static/page.css").read_text(encoding="utf-8")
    used = {name for text in markup for value in _CLASS.findall(text) for name in value.split()}
    return "\n".join([*(_formula_style(katex, used) if katex is not None and used else ()), own])


def _formula_style(katex: Katex, used: set[str]) -> Iterator[str]:
    style = katex.style
    for face in _FONT_FACE.findall(style):
        found = _FONT_FILE.search(face)
        if found is None or not used & set(_FONTS.get(found[1], "").split()):
            continue
        coded = base64.b64encode(katex.font(found[1])).decode("ascii")
        yield re.sub(r"src:.*", f'src:url(data:font/woff2;base64,{coded}) format("woff2")}}', face)
    yield _FONT_FACE.sub("", style)
