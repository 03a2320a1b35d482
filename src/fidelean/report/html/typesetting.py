"""TeX → markup, for all formulas of a page in one run of KaTeX, before the page exists: the page itself holds no program.

A formula that KaTeX does not read, that is too long, that could hide or move text, or whose markup is not on the allowlist stays as
its author wrote it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

from markupsafe import Markup

from fidelean.errors import SetupError
from fidelean.lean.installation import node_program
from fidelean.report.escaping import printable
from fidelean.report.html.allowlist import is_harmless
from fidelean.report.html.katex import Katex, find_katex

__all__ = ["MAX_FORMULAS", "Formula", "Typeset", "Typesetter", "untypeset"]

Formula = tuple[str, bool]
"""TeX, and whether it stands on a line of its own."""

Typeset = Callable[[str, bool], Markup | None]
"""Gives the markup of a formula, or None where it is to be shown as written."""

MAX_FORMULAS = 20_000
"""More formulas on one page stay as written: their markup would not load in a browser."""
_MAX_CHARS = 4_000
_MAX_MARKUP_CHARS = 400_000
_TIMEOUT_S = 120.0
_HOST = Path(__file__).parent / "static" / "typeset.cjs"


def untypeset(tex: str, display: bool) -> Markup | None:
    """Typeset nothing."""
    del tex, display
    return None


class Typesetter:
    """The formulas of one page. ``want`` collects them, ``run`` typesets them, ``get`` hands them out."""

    def __init__(self, katex: Katex | None = None) -> None:
        self.katex = katex or find_katex()
        self._wanted: dict[Formula, None] = {}
        self._markup: dict[Formula, Markup] = {}

    @property
    def is_complete(self) -> bool:
        """Whether formulas are typeset at all: KaTeX is there, works, and there are not too many."""
        return bool(self._markup) or (self.katex is not None and not self._wanted)

    @property
    def has_too_many(self) -> bool:
        """Whether formulas stay as written because of their number."""
        return len(self._wanted) > MAX_FORMULAS

    @property
    def markup(self) -> Iterable[Markup]:
        """Everything that was typeset."""
        return self._markup.values()

    def want(self, tex: str, display: bool) -> Markup | None:
        """Note a formula; as ``Typeset`` it typesets nothing yet."""
        if tex.strip() and len(tex) <= _MAX_CHARS and not _hides(tex):
            self._wanted[tex, display] = None
        return None

    def run(self) -> None:
        """Typeset what was noted; where KaTeX is missing or fails as a whole, everything stays as written."""
        if self.katex is None or not self._wanted or len(self._wanted) > MAX_FORMULAS:
            return
        formulas = list(self._wanted)
        for formula, markup in zip(formulas, _typeset(formulas, self.katex), strict=True):
            if markup is not None and len(markup) <= _MAX_MARKUP_CHARS and is_harmless(markup):
                self._markup[formula] = Markup(markup)  # noqa: S704 - on the allowlist

    def get(self, tex: str, display: bool) -> Markup | None:
        """Give the markup of a formula that was noted."""
        return self._markup.get((tex, display))


_VEILS = re.compile(
    r"\\(?:color|textcolor|f?colorbox|[hv]?phantom|(?:math)?[lrc]lap|smash|raisebox|mathchoice|def|gdef|edef|xdef|let|futurelet|newcommand|"
    r"renewcommand|providecommand|href|url|includegraphics|html[A-Z]\w*)(?![a-zA-Z])|\\(?:[hm]?kern|hspace|[hm]skip)\*?\s*\{?\s*-|(?:\\!\s*){4}"
)


def _hides(tex: str) -> bool:
    """Whether a formula could show something else than it says: hidden characters, colours, blanks, text moved over other text."""
    plain = tex.translate({ord("\n"): " ", ord("\t"): " ", ord("\r"): " "})
    return _VEILS.search(tex) is not None or printable(plain) != plain


def _typeset(formulas: list[Formula], katex: Katex) -> list[str | None]:
    """Run KaTeX in a Node that may read its two files and do nothing else."""
    nothing: list[str | None] = [None] * len(formulas)
    try:
        command = [
            str(node_program()),
            "--permission",
            f"--allow-fs-read={katex.script.resolve()}",
            f"--allow-fs-read={_HOST.resolve()}",
            "--max-old-space-size=1024",
            str(_HOST.resolve()),
            str(katex.script.resolve()),
        ]
        done = subprocess.run(
            command,
            input=json.dumps(formulas),
            capture_output=True,
            check=False,
            timeout=_TIMEOUT_S,
            encoding="utf-8",
            env={name: value for name, value in os.environ.items() if not name.startswith("NODE_")},
        )
        markup: object = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired, SetupError):
        return nothing
    read = cast("list[str | None]", markup) if isinstance(markup, list) else nothing
    return read if len(read) == len(formulas) else nothing
