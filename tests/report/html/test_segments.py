"""Where mathematics stands in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.report.html.segments import is_negligible, segments

PIECES = st.lists(
    st.sampled_from(["$", "$$", "\\(", "\\)", "\\[", "\\]", "\\$", "x", " ", "\n\n", "12", "\\begin{align}", "\\end{align}", "and"])
)


def formulas(text: str) -> list[tuple[str, bool]]:
    return [(text[slice(*piece.formula)], piece.display) for piece in segments(text) if piece.formula]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("so $x = 1$.", [("x = 1", False)]),
        ("so $$x = 1$$ and \\[y\\]", [("x = 1", True), ("y", True)]),
        ("\\(a\\) and $ b $", [("a", False), (" b ", False)]),
        ("it costs $5 and $6 more", []),
        ("from \\$5 to \\$6", []),
        ("between $5-$6", []),
        ("a\n\\begin{align*}x &= y\\end{align*}\nb", [("\\begin{align*}x &= y\\end{align*}", True)]),
        ("an open $x = 1\n\nnew paragraph$", []),
        ("$\\text{if } x$", [("\\text{if } x", False)]),
    ],
)
def test_formulas_are_found_by_their_delimiters(text: str, expected: list[tuple[str, bool]]) -> None:
    assert formulas(text) == expected


@given(PIECES.map("".join))
def test_segments_are_the_whole_text(text: str) -> None:
    position = 0
    for piece in segments(text):
        assert piece.start == position < piece.end
        if piece.formula:
            assert piece.start < piece.formula[0] + 1 <= piece.formula[1] + 1 <= piece.end + 1
        position = piece.end
    assert position == len(text)


@pytest.mark.parametrize(
    ("tex", "expected"), [(" , \\quad", True), ("\\label{eq:1}.", True), ("\\begin{aligned}", True), ("+", False), ("\\implies", False)]
)
def test_punctuation_and_frames_carry_no_meaning(tex: str, expected: bool) -> None:
    assert is_negligible(tex) is expected
