"""Untrusted text on a terminal: nothing steers it, and carets stand under what they mean."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from fidelean.informal.records import Span
from fidelean.report.escaping import one_line, printable
from fidelean.report.excerpt import crop, excerpt


def test_what_could_steer_a_terminal_is_spelled_out() -> None:
    assert printable("\x1b[31mred\x07\u202eevil\u2028\x9b") == "\\x1b[31mred\\x07\\u202eevil\\u2028\\x9b"
    assert printable("9·25 ≠ 235 ∎ 数 é") == "9·25 ≠ 235 ∎ 数 é"
    assert one_line("a\n  b\tc\x00") == "a b c\\x00"


@given(st.text())
def test_printable_text_holds_nothing_hidden(text: str) -> None:
    assert {unicodedata.category(character)[0] for character in printable(text)}.isdisjoint({"C"})
    assert not {"\u2028", "\u2029"} & set(printable(text))


def test_the_caret_stands_under_wide_characters() -> None:
    shown = excerpt("数学 2+2=5 終\nnext", Span(3, 8), width=60)
    assert shown.before + shown.marked + shown.after == "数学 2+2=5 終"
    assert shown.underline == "     ^^^^^"


def test_a_span_over_two_lines_is_shown_by_its_first() -> None:
    shown = excerpt("x\na = 1\n= 2 b", Span(2, 11), width=60)
    assert (shown.before, shown.marked, shown.after) == ("", "a = 1", "")


@pytest.mark.parametrize("width", [1, 2, 10, 40])
@given(text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80), data=st.data())
def test_an_excerpt_never_exceeds_its_width(width: int, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, data.draw(st.integers(start, len(text))))
    shown = excerpt(text, span, width=width)
    assert cell_len(shown.before + shown.marked + shown.after) <= width
    assert "\n" not in shown.before + shown.marked + shown.after


@given(st.text(), st.integers(1, 30))
def test_cropped_text_fits(text: str, width: int) -> None:
    assert cell_len(crop(text, width)) <= width
