"""Setting up: from nothing, again, and when something is in the way."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

import source_tree
from source_tree import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

CLOSED_PORT = "http://someone:secret@127.0.0.1:9/simple"
PASSED_ON = ("PATH", "PIP_CERT", "SSL_CERT_FILE", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "HTTPS_PROXY", "https_proxy")


@pytest.fixture(scope="module")
def set_up() -> ModuleType:
    spec = importlib.util.spec_from_file_location("set_up", PROJECT / "scripts" / "set_up.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the tracked files, in a folder whose name holds a space."""
    folder = tmp_path / "a checkout"
    for path in source_tree.tracked_files():
        copy = folder / path.relative_to(PROJECT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    return folder


def make(checkout: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run make as somebody whose home folder is empty."""
    home = checkout.parent / "home"
    home.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return subprocess.run(
        ["make", *arguments], cwd=checkout, check=False, capture_output=True, text=True, env={**kept, "HOME": str(home), **settings}
    )


def complaints(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What was said on standard error, less make's own word that a command failed."""
    return [line for line in done.stderr.splitlines() if not line.startswith("make")]


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (
            """2026-01-01T00:00:00,000 WARNING: Retrying after 'NewConnectionError(... [Errno 111] Connection refused')': /simple/rich/
2026-01-01T00:00:00,000 ERROR: No matching distribution found for rich==15.0.0
""",
            "the package index refused the connection — No matching distribution found for rich==15.0.0",
        ),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n", "the disk is full"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.\n", "does not have the hash in the lock"),
        ("ERROR: Could not fetch URL https://me:secret@host/simple\n", "https://...@host/simple"),
        ("something else\n", "pip failed"),
    ],
)
def test_a_failed_pip_is_explained_in_one_line(set_up: ModuleType, output: str, said: str) -> None:
    line = set_up.explain(output)
    assert said in line
    assert "\n" not in line
    assert "secret" not in line


def test_progress_is_a_line_now_and_then_where_nobody_watches(set_up: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    progress = set_up.Progress(12)
    for number in range(1, 11):
        progress.read(f"Collecting package-{number}==1.0 (from -r requirements.lock (line {number}))\n")
    progress.read("  Downloading package_10-1.0-py3-none-any.whl (61.1 MB)\n")
    progress.read("  Downloading package_10-1.0-py3-none-any.whl (0.1 MB)\n")
    progress.read("Installing collected packages: package-1, package-2\n")
    progress.end()
    assert capsys.readouterr().out.splitlines() == ["set-up: 10/12 package-10", "set-up: 10/12 package_10, 61.1 MB"]


def test_without_a_python_one_line_says_so(checkout: Path) -> None:
    done = make(checkout, "install", "PYTHON=nonesuch")
    assert done.returncode != 0
    (line,) = complaints(done)
    assert "no Python 3.11 or later found" in line
    assert not (checkout / ".venv").exists()


@pytest.mark.slow
def test_without_a_package_index_one_line_says_so_and_nothing_counts_as_done(checkout: Path) -> None:
    done = make(checkout, "install", PIP_INDEX_URL=CLOSED_PORT, PIP_RETRIES="0", PIP_CONFIG_FILE=os.devnull)
    assert done.returncode != 0
    (line,) = complaints(done)
    assert "refused the connection" in line
    assert "secret" not in line
    assert not (checkout / ".venv" / "set-up.json").exists()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_set_up_from_nothing_works_once_and_again_where_the_checkout_was_moved(checkout: Path) -> None:
    python = f"PYTHON={sys.executable}"
    first = make(checkout, "install", "LEAN=no", python)
    assert first.returncode == 0, first.stdout + first.stderr
    assert complaints(first) == []
    assert version(checkout).startswith("fidelean ")

    again = make(checkout, "install", "LEAN=no", python, PIP_INDEX_URL=CLOSED_PORT)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")

    moved = checkout.rename(checkout.with_name("moved"))
    anew = make(moved, "install", "LEAN=no", python)
    assert "making .venv" in anew.stdout
    assert version(moved).startswith("fidelean ")


def version(checkout: Path) -> str:
    return subprocess.run([checkout / ".venv" / "bin" / "fidelean", "--version"], check=True, capture_output=True, text=True).stdout
