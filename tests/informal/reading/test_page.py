"""A page costs no more than its length, whatever it holds."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.errors import InputError
from fidelean.informal.reading import read_source
from fidelean.informal.reading.page import blank_out, open_page
from fidelean.informal.reading.source import decode
from fidelean.informal.records import Span

HOSTILE = [
    "\\[ ",
    "$$ ",
    "\\begin{align} ",
    "\\begin{enumerate} ",
    "\\item ",
    "\\begin{proof} ",
    "<!-- ",
    "```\n",
    "% ",
    "1. \n",
    "Step 1.\n",
    "**",
    "(",
    "{",
    "# ",
    "**Problem (",
    "\\label{",
    "\\textbf{Step 1: {",
    "\n\n",
    "\\\\",
    "\\[\n# \n",
    " ",
    "\t",
    "Proof of ",
]


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("name", ["a.md", "a.tex"])
def test_hostile_pages_are_read_in_linear_time(piece: str, name: str) -> None:
    text = "a" + piece * (60_000 // len(piece)) + "\\] \\end{align} $$"
    started = time.process_time()
    reading = read_source(name, text, problem="")
    assert time.process_time() - started < 2
    assert all(re.search(r"steps; the limit is|closed|empty", str(fault)) for fault in reading.faults)


@given(st.text(max_size=80))
def test_a_page_is_as_long_as_its_source(text: str) -> None:
    try:
        source = decode("a.md", text, max_bytes=1_000)
    except InputError:
        return
    for tex in (False, True):
        page = open_page(source, tex=tex)
        assert len(page.text) == len(source.text)
        assert [at for at, character in enumerate(page.text) if character == "\n"] == [
            at for at, character in enumerate(source.text) if character == "\n"
        ]
        assert all(before.end <= after.start for before, after in zip(page.shields, page.shields[1:], strict=False))


def test_blanks_keep_line_ends() -> None:
    assert blank_out("a%b\nc", [Span(1, 4)]) == "a  \nc"
