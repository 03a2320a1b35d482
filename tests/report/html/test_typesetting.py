"""Formulas → markup, by the real KaTeX."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fidelean.errors import SetupError
from fidelean.report.html import typesetting
from fidelean.report.html.katex import Katex, ensure_katex
from fidelean.report.html.style import page_style
from fidelean.report.html.typesetting import Typesetter

READ = ["a = \\frac{4}{3}", "\\sqrt{2} \\le x", "x \\in \\mathbb{R}", "\\binom{n}{k} \\text{ for <b>}", "\\overbrace{a+b}^{n} \\boxed{7}"]
AS_WRITTEN = [
    "\\frac{1",
    "x & y",
    "\\unknown",
    "\\href{javascript:alert(1)}{x}",
    "\\htmlStyle{position:fixed}{x}",
    "\\color{white}{x}",
    "\\phantom{x} = 1",
    "\\rlap{x}",
    "\\hspace{-3em}x",
    "\\def\\a{\\a\\a}\\a",
    "x\u202e = 1",
    "x" * 5_000,
]


@pytest.fixture(scope="module")
def katex() -> Katex:
    try:
        return ensure_katex()
    except SetupError as error:
        pytest.skip(f"KaTeX cannot be had here: {error}")


def typeset(katex: Katex, *formulas: str) -> list[str | None]:
    typesetter = Typesetter(katex)
    for tex in formulas:
        assert typesetter.want(tex, False) is None
    typesetter.run()
    return [typesetter.get(tex, False) for tex in formulas]


@pytest.mark.slow
def test_formulas_are_typeset_and_what_may_not_be_stays_as_written(katex: Katex) -> None:
    markup = typeset(katex, *READ, *AS_WRITTEN)
    assert all(text and text.startswith('<span class="katex">') for text in markup[: len(READ)])
    assert markup[len(READ) :] == [None] * len(AS_WRITTEN)
    assert "<b>" not in "".join(text or "" for text in markup)


@pytest.mark.slow
def test_a_macro_does_not_outlive_its_formula(katex: Katex) -> None:
    assert typeset(katex, "\\providecommand\\a{1}", "\\global\\let\\a=1 \\a", "\\a") == [None, None, None]


@pytest.mark.slow
def test_a_page_carries_only_the_fonts_that_its_formulas_use(katex: Katex) -> None:
    plain, blackboard = ([text or "" for text in typeset(katex, tex)] for tex in ("a = 1", "\\mathbb{R}"))
    assert page_style(katex, plain).count("@font-face") == 4
    assert "KaTeX_AMS" in page_style(katex, blackboard)
    assert "url(fonts" not in page_style(katex, blackboard)
    assert "@font-face" not in page_style(katex, [])


def test_a_katex_that_does_not_work_leaves_everything_as_written(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "katex.min.js").write_text("throw new Error('broken')")
    assert typeset(Katex(tmp_path), "a = 1") == [None]


def test_a_katex_that_does_more_than_it_should_is_held_back(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    script = f"require('fs').writeFileSync({str(tmp_path / 'x')!r}, 'x'); exports.renderToString = () => '<span>x</span>'"
    (tmp_path / "dist" / "katex.min.js").write_text(script)
    assert typeset(Katex(tmp_path), "a = 1") == [None]
    assert not (tmp_path / "x").exists()
    (tmp_path / "dist" / "katex.min.js").write_text("exports.renderToString = tex => `<script>${tex}</script>`")
    assert typeset(Katex(tmp_path), "a = 1") == [None]
    (tmp_path / "dist" / "katex.min.js").write_text("exports.renderToString = tex => `<span>${tex}</span>`")
    assert typeset(Katex(tmp_path), "a = 1") == ["<span>a = 1</span>"]


def test_too_many_formulas_stay_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typesetting, "MAX_FORMULAS", 2)
    typesetter = Typesetter(Katex(tmp_path))
    for tex in ("a", "b", "c"):
        typesetter.want(tex, False)
    typesetter.run()
    assert typesetter.has_too_many
    assert not typesetter.is_complete


def test_a_package_that_cannot_be_fetched_says_so_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"registry": "http://127.0.0.1:9", "fetch_retries": "0", "cache": str(tmp_path / "npm")}.items():
        monkeypatch.setenv(f"npm_config_{name}", value)
    monkeypatch.delenv("NPM_CONFIG_REGISTRY", raising=False)
    command = [sys.executable, "-m", "fidelean.report.html.katex", str(tmp_path / "made" / "katex")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("fidelean: could not fetch katex@")
    assert len(done.stderr.splitlines()) == 1
    assert list((tmp_path / "made").iterdir()) == []
