"""Results → a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from fidelean.report.escaping import printable
from fidelean.report.html.proof_view import ProofResult, proof_view
from fidelean.report.html.style import page_style
from fidelean.report.html.typesetting import MAX_FORMULAS, Typesetter
from fidelean.report.html.words import LEGEND, OUTCOME_LEGEND

if TYPE_CHECKING:
    import jinja2

__all__ = ["render_page"]

NO_KATEX = "Formulas are shown as written: KaTeX is not installed (python -m fidelean.report.html.katex fetches it, once)."
TOO_MANY = f"Formulas are shown as written: there are more than {MAX_FORMULAS:,} on this page."
FAILED = "Formulas are shown as written: KaTeX could not be run."


def render_page(results: Sequence[ProofResult], *, failures: Sequence[str] = (), typesetter: Typesetter | None = None) -> Iterator[str]:
    """Write the page on ``results`` piece by piece; it is a function of them and of KaTeX's version alone.

    Args:
        results: what was decided, in the order in which it is shown.
        failures: what could not be evaluated, one line each.
        typesetter: one that has typeset nothing yet; None for the installed KaTeX.

    Raises ``ValueError`` where a proof and its verdict have different numbers of steps.
    """
    typesetter = typesetter or Typesetter()
    numbers = [None] if len(results) == 1 else list(range(1, len(results) + 1))
    for result, number in zip(results, numbers, strict=True):
        proof_view(result, number, typesetter.want)
    typesetter.run()
    views = (proof_view(result, number, typesetter.get) for result, number in zip(results, numbers, strict=True))
    yield from _template().generate(
        proofs=list(views),
        failures=failures,
        style=Markup(page_style(typesetter.katex, typesetter.markup)),  # noqa: S704 - holds nothing of an author's
        legend=LEGEND,
        outcome_legend=OUTCOME_LEGEND,
        note=_note(typesetter),
    )


def _note(typesetter: Typesetter) -> str:
    if typesetter.is_complete:
        return ""
    if typesetter.katex is None:
        return NO_KATEX
    return TOO_MANY if typesetter.has_too_many else FAILED


def _template() -> jinja2.Template:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("fidelean.report.html"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_finalize,
    )
    return environment.get_template("page.html.jinja")


def _finalize(value: object) -> object:
    """Spell out what hides in any text that a template inserts; markup has been through that."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return "".join(character if character in "\n\t" else printable(character) for character in value)
    return value
