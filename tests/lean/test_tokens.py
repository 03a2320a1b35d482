"""The lexer is total and lossless, and stops where Lean could read something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.lean.records import Position, RefusalKind
from fidelean.lean.tokens import LexFault, TokenKind, meaningful, tokenize

PIECES = st.sampled_from(
    [
        "theorem",
        "x'",
        "n.succ",
        ":=",
        "by",
        " ",
        "\n",
        "/-",
        "-/",
        "/--",
        "--",
        '"',
        "\\",
        "'",
        "'a'",
        "r#",
        "#",
        "«",
        "»",
        "⟨",
        "ℝ",
        "x₁",
        "2.5",
        "0x1F",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "//",
        "|-",
        "⁻¹",
        "≤",
        ".",
        ",",
        "λ",
        "é",
        "\t",
        "\u200b",
        "end",
        "in",
        "sorry",
    ]
)


def kinds(text: str) -> list[tuple[TokenKind, str]]:
    return [(token.kind, token.text) for token in meaningful(tokenize(text))]


@given(st.one_of(st.text(), st.lists(PIECES).map("".join)))
def test_any_text_is_read_whole_or_refused_with_a_place(text: str) -> None:
    try:
        tokens = tokenize(text)
    except LexFault as fault:
        where = fault
    else:
        assert "".join(token.text for token in tokens) == text
        return
    assert where.kind in (RefusalKind.CHARACTER, RefusalKind.UNCLOSED)
    assert 1 <= where.position.line <= text.count("\n") + 1


@given(st.lists(PIECES).map("".join))
def test_positions_point_at_the_tokens(text: str) -> None:
    try:
        tokens = tokenize(text)
    except LexFault:
        return
    lines = text.split("\n")
    for token in tokens:
        start = token.position
        assert lines[start.line - 1][start.column :].startswith(token.text.split("\n")[0])


@given(st.lists(PIECES).map("".join))
def test_a_text_that_is_read_is_lexically_closed(text: str) -> None:
    """Whatever stands behind it reads the same as alone."""
    try:
        tokens = tokenize(text)
    except LexFault:
        return
    behind = tokenize(text + "\nend fidelean")
    assert "".join(token.text for token in meaningful(behind)[-2:]) == "endfidelean"
    assert meaningful(behind)[:-2] == meaningful(tokens)


def test_what_lean_has() -> None:
    text = "theorem t' (x₁ : ℝ) : x₁⁻¹ ≤ 2.5e3 := by\n  simp [Nat.succ, h.1] -- why\n"
    text += """  /- a /- b -/ c -/ exact ⟨r#""a"#, 'a', '\\n', "a\\"b"⟩"""
    found = kinds(text)
    assert (TokenKind.NAME, "t'") in found
    assert (TokenKind.NAME, "x₁") in found
    assert (TokenKind.NUMBER, "2.5e3") in found
    assert (TokenKind.NAME, "Nat.succ") in found
    assert (TokenKind.STRING, 'r#""a"#') in found
    assert (TokenKind.CHARACTER, "'\\n'") in found
    assert (TokenKind.STRING, '"a\\"b"') in found
    assert not any("why" in word or word == "b" for _, word in found)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("/- open", Position(1, 0)),
        ("a\n /- b /- c -/", Position(2, 1)),
        ("/--/ theorem", Position(1, 0)),
        ('x := "open', Position(1, 5)),
        ('r#"open"', Position(1, 0)),
        ("«open", Position(1, 0)),
        ("f 'open", Position(1, 2)),
    ],
)
def test_what_is_not_closed(text: str, place: Position) -> None:
    with pytest.raises(LexFault) as found:
        tokenize(text)
    assert (found.value.kind, found.value.position) == (RefusalKind.UNCLOSED, place)


@pytest.mark.parametrize(
    "text",
    [
        "а",
        "Νat",
        "a\u200bb",
        "/- \u202e -/",
        "-- \u2066",
        "a\tb",
        "a\rb",
        "x ∶ y",
        "x −1",
        "2x",
        's!"a"',
        '"{x}"',
        "/-/- -/ -/",
        "ﬁ",
        "Ａ",
        "\ud800",
        "\x00",
        "+-- y",
        "x =/- -/ y",
    ],
)
def test_what_two_readers_could_read_differently(text: str) -> None:
    with pytest.raises(LexFault) as found:
        tokenize(text)
    assert found.value.kind is RefusalKind.CHARACTER


def test_operators_are_cut_as_lean_cuts_them() -> None:
    assert [word for _, word in kinds("x //- y \\/- z <--w |-- v")] == [
        "x",
        "//",
        "-",
        "y",
        "\\/",
        "-",
        "z",
        "<-",
        "-",
        "w",
        "|-",
        "-",
        "v",
    ]
