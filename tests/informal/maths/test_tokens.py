"""Tokens stand where they say, and a bracket keeps its size."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.informal.maths.tokens import tokenize


@given(st.text(alphabet=st.sampled_from(list("01.,{}()[]|$\\+-=<>!^_%&~ \n\tabfracleftrightmodtext²⁻½π−×…")), max_size=80))
def test_tokens_are_in_order_and_do_not_overlap(text: str) -> None:
    tokens = tokenize(text)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))


@pytest.mark.parametrize("space", [r"\,", r"\;", r"\ ", " ", r"\!", r"\displaystyle ", r"\left", r"\big"])
def test_spacing_commands_are_no_tokens(space: str) -> None:
    assert [token.text for token in tokenize(f"1+{space} 2")] == ["1", "+", "2"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (r"\left( \right)", ["open", "close"]),
        (r"\bigl[ \bigr]", ["open", "close"]),
        (r"\left| \right|", ["open", "close"]),
        (r"\left\lfloor \right\rfloor", ["open", "close"]),
        (r"\left. \right|", ["close"]),
        (r"\left\{ \right\}", ["open", "close"]),
        (r"\big| \big|", ["bar", "bar"]),
    ],
)
def test_a_bracket_and_its_size_are_one_token(text: str, kinds: list[str]) -> None:
    assert [token.kind for token in tokenize(text)] == kinds


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,234", "1234"), (r"1{,}234", "1234"), (r"12\,345.5", "12345.5"), (".5", ".5"), ("1,2345", "1"), ("1.5.2", "1.5")],
)
def test_numerals_lose_their_separators_only(text: str, number: str) -> None:
    assert tokenize(text)[0].text == number
