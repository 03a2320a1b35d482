"""What must survive when a text is retold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.decomposition.substeps.marks import formulas, holds, letters, marks_of, signs


def test_marks_of_a_sentence() -> None:
    marks = marks_of(r"Hence $x_1 = \frac{2}{3}$ and $n \geq 12.5$ is at most one of all numbers; $AB = CD$")
    assert set(marks.numbers) == {"1", "2", "3", "12.5"}
    assert set(marks.names) == {"x", "n", "AB", "CD"}
    assert marks.relations == {"=": 2, "≥": 1}
    assert marks.words == {"at most": 1, "one": 1, "all": 1}


def test_spelling_makes_no_difference() -> None:
    assert marks_of(r"$m \le b \iff c$") == marks_of("m ≤ b if and only if c")
    assert signs(r"\(x \times 2\)") == signs("$x · 2$")


def test_an_article_is_no_name_and_a_letter_of_a_formula_is() -> None:
    assert letters("a number $a$ and a point A with $b$") == {"a", "b"}
    assert letters("a number") == frozenset()


def test_a_chain_is_its_links() -> None:
    assert formulas("So $x = y + 1 = 3$.") == ("x = y + 1", "y + 1 = 3")


def test_a_term_between_delimiters_is_a_formula_and_prose_is_none() -> None:
    assert formulas(r"Expanding $rs + r$ by hand, where \(x\) is $AB$, gives $p(x)$.") == ("rs + r", "p(x)")


@pytest.mark.parametrize(("part", "expected"), [(("b", "c"), True), (("a", "c"), False), ((), True), (("c", "d"), False)])
def test_holds_means_side_by_side(part: tuple[str, ...], *, expected: bool) -> None:
    assert holds(("a", "b", "c"), part) is expected


@given(st.text(max_size=200))
def test_no_text_is_too_strange(text: str) -> None:
    marks = marks_of(text)
    assert set(marks.names) == letters(text)
    assert holds(signs(text), signs(text))
