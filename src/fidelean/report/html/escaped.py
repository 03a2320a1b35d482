"""Text of authors as markup: every character that means something to HTML is escaped, and what hides is spelled out."""

from __future__ import annotations

from markupsafe import Markup, escape

from fidelean.report.escaping import printable

__all__ = ["shown"]

_LAYOUT = "\n\t"


def shown(text: str) -> Markup:
    r"""Escape a text; control, format and unassigned characters are shown as ``\u202e`` and the like, line ends and tabs stay."""
    parts: list[Markup] = []
    start = 0
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for position, character in enumerate(text):
        if character in _LAYOUT or (spelled := printable(character)) == character:
            continue
        parts += [escape(text[start:position]), Markup('<span class="spelled">{}</span>').format(spelled)]
        start = position + 1
    return Markup("").join([*parts, escape(text[start:])])
