"""Claims marked in a step's text."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from fidelean.report.html.claim_view import formula_markup
from fidelean.report.html.highlighting import Highlight, marked_source, typeset_text
from fidelean.report.html.typesetting import untypeset


def bracketed(tex: str, display: bool) -> Markup | None:
    """Stands in for KaTeX: reads everything but what is not whole."""
    return None if "&" in tex and "\\begin" not in tex else Markup("[{}]").format(tex)


def claims(text: str, *parts: str) -> list[Highlight]:
    return [Highlight(text.index(part), text.index(part) + len(part), "passed", "✓", part, f"c{n}") for n, part in enumerate(parts)]


def plain(markup: str) -> str:
    return unescape(re.sub(r"<a .*?</a>", "", markup)).replace('<mark class="passed">', "{").replace("</mark>", "}")


def bare(markup: str) -> str:
    return re.sub(r"</?span[^>]*>", "", plain(markup))


def test_the_source_is_marked_to_the_character_and_marks_nest() -> None:
    text = "so $x = 2 + 2 = 4$ <b>"
    assert plain(marked_source(text, claims(text, "x = 2 + 2 = 4", "2 + 2 = 4"))) == "so ${x = {2 + 2 = 4}}$ <b>"


def test_a_formula_that_is_a_claim_is_marked_as_a_whole() -> None:
    text = "so $x = 2$, and\n\n\\[ y = 3. \\label{a} \\]"
    shown = typeset_text(text, claims(text, "x = 2", "y = 3"), bracketed)
    assert bare(shown.markup) == "so {[x = 2]}, and{[y = 3.]}"
    assert shown.is_exact


def test_claims_that_share_a_formula_are_marked_apart_and_keep_their_punctuation() -> None:
    text = "$3 = 3, \\quad 4 = 9 + x$"
    shown = typeset_text(text, claims(text, "3 = 3", "4 = 9"), bracketed)
    assert bare(shown.markup) == "{[3 = 3]}, {[4 = 9]}[+ x]"
    assert shown.is_exact


def test_where_they_cannot_be_cut_apart_the_reader_is_told() -> None:
    text = "\\begin{align} a &= b \\\\ c &= d \\end{align}"
    shown = typeset_text(text, claims(text, "a &= b", "c &= d"), bracketed)
    assert not shown.is_exact
    assert shown.markup.count('class="ref passed"') == 2
    assert "<mark" not in shown.markup


def test_a_claim_over_two_formulas_is_one_mark() -> None:
    text = "$2 + 3$ = $5$"
    assert bare(typeset_text(text, claims(text, "2 + 3$ = $5"), bracketed).markup) == "{[2 + 3] = [5]}"


def test_without_katex_the_text_stays_as_written() -> None:
    text = "so $x < 2$"
    assert bare(typeset_text(text, claims(text, "x < 2"), untypeset).markup) == "so {x < 2}"


def test_a_row_of_an_alignment_is_typeset_on_its_own_and_words_are_not() -> None:
    assert bare(formula_markup("4 \\cdot 5 &= 20", bracketed)) == "[4 \\cdot 5 = 20]"
    assert bare(formula_markup("x = 0 or x = 1", bracketed)) == "[x = 0] or [x = 1]"
    assert bare(formula_markup("let $n$ be the number", bracketed)) == "let [n] be the number"


SPANS = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 6)), max_size=5)


@given(st.text("ab$<&{ \\", min_size=20, max_size=20), SPANS)
def test_whatever_the_claims_the_source_stays_the_source(text: str, spans: list[tuple[int, int]]) -> None:
    marks = [Highlight(start, start + length, "passed", "✓", "l", "a") for start, length in spans]
    markup = marked_source(text, marks)
    assert re.sub(r"</?mark[^>]*>", "", markup) == escape(text)
    assert markup.count("<mark") == markup.count("</mark>")
