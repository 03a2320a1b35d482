"""Markup that may enter a page as markup."""

from __future__ import annotations

import pytest

from fidelean.report.html.allowlist import is_harmless


@pytest.mark.parametrize(
    "markup",
    [
        '<span class="katex"><span class="strut" style="height:0.6444em;vertical-align:-0.25em;"></span></span>',
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi mathvariant="normal">x</mi></math>',
        "<span>&lt;script&gt;</span>",
    ],
)
def test_what_katex_writes_may(markup: str) -> None:
    assert is_harmless(markup)


@pytest.mark.parametrize(
    "markup",
    [
        "<script>x</script>",
        '<a href="x">y</a>',
        '<span onclick="x">y</span>',
        '<span style="background:url(http://a.example)">y</span>',
        '<span style="position:fixed;top:calc(1px)">y</span>',
        "<img src=x>",
        "</span>",
        "<span>",
        "<span></mi>",
        "<!-- x -->",
        "<?x?>",
        "<!doctype html>",
        '<span href="x"></span>',
        '<path d="M0" onload="x"/>',
    ],
)
def test_anything_else_may_not(markup: str) -> None:
    assert not is_harmless(markup)
