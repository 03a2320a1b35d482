"""Bytes to text: encodings, line ends, and what is no text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.errors import InputError
from fidelean.informal.reading.source import Format, decode, format_of, sniff

LIMIT = 10_000


def test_line_ends_and_byte_order_mark_are_put_in_one_form() -> None:
    source = decode("a.md", b"\xef\xbb\xbfone\r\ntwo\rthree\n", max_bytes=LIMIT)
    assert source.text == "one\ntwo\nthree\n"
    assert [source.line_number(offset) for offset in (0, 3, 4, 8)] == [1, 1, 2, 3]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\r\nb\r\nc\xff", "a.md:3: is not UTF-8: byte 0xff"),
        (b"a\rb\xe9", "a.md:2: is not UTF-8: byte 0xe9"),
        ("a\n\ud800", "a.md:2: holds half of a surrogate pair, which is no character"),
        (b"a\n\0", "a.md:2: holds a NUL character, so it is not text"),
        (b"", "a.md: is empty"),
        ("\ufeff \n\t", "a.md: is empty"),
        (b"x" * (LIMIT + 1), "a.md: larger than 10,000 bytes; split it"),
    ],
)
def test_what_is_no_text_is_said_with_its_line(data: str | bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        decode("a.md", data, max_bytes=LIMIT)
    assert str(caught.value) == message


@given(st.binary(max_size=60))
def test_any_bytes_are_text_or_an_input_error(data: bytes) -> None:
    try:
        source = decode("a.md", data, max_bytes=LIMIT)
    except InputError:
        return
    assert "\r" not in source.text
    assert "\0" not in source.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Problem", Format.MARKDOWN),
        ("[a link](b) starts this", Format.MARKDOWN),
        ('{"problem":\n"p"}', Format.JSON),
        ('  {"problem": "p"}', Format.JSON),
        ('{"problem": "p"}\n{"problem": "q"}', Format.JSONL),
        ('{"problem": "p"}\nno json', Format.JSONL),
        ('[\n{"problem": "p"}]', Format.JSON),
        ("\\documentclass{article}", Format.TEX),
    ],
)
def test_standard_input_tells_its_format_by_its_start(text: str, expected: Format) -> None:
    assert sniff(text) is expected


def test_the_suffix_tells_the_format_of_a_file() -> None:
    assert format_of(decode("dir.d/A.TEX", "{", max_bytes=LIMIT)) is Format.TEX
    with pytest.raises(InputError, match=r"cannot tell how to read \.docx"):
        format_of(decode("a.docx", "x", max_bytes=LIMIT))
