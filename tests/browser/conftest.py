"""A real browser, which may reach nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser_runs import OpenedReport, OpenReport, Scheme
from fidelean.errors import SetupError
from fidelean.report.html.katex import ensure_katex
from fidelean.report.html.page import render_page
from fidelean.report.html.proof_view import ProofResult

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For one module: its driver keeps an event loop running, beside which no asynchronous test can run."""
    program = os.environ.get("FIDELEAN_CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"no browser is installed (looked for {', '.join(NAMES)}; FIDELEAN_CHROMIUM names another)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        # Without its sandbox, since root may not use one; the pages are our own and may ask for nothing.
        opened = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def katex() -> None:
    try:
        ensure_katex()
    except SetupError as error:
        pytest.skip(f"KaTeX cannot be had here: {error}")


@pytest.fixture
def open_report(browser: Browser, tmp_path: Path) -> OpenReport:
    """Write a report and open it, as a file and without a network."""

    def opened(*results: ProofResult, scheme: Scheme = "light", width: int = 1280, scripts: bool = True) -> OpenedReport:
        path = tmp_path / "report.html"
        path.write_text("".join(render_page(results)), encoding="utf-8")
        context = browser.new_context(
            offline=True,
            reduced_motion="reduce",
            color_scheme=scheme,
            viewport={"width": width, "height": 900},
            java_script_enabled=scripts,
        )
        report = OpenedReport(context.new_page())
        report.listen()
        report.page.goto(path.as_uri())
        return report

    return opened
