"""What every test may ask for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

PROJECT = Path(__file__).resolve().parent.parent

# No deadlines: a busy machine is not a fault of the code. In CI the examples are the same each time, so a red run can be repeated.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the checkout."""
    return PROJECT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of acceptance inputs and public data (``FIDELEAN_SHARED``, default ``../shared`` from the project's root)."""
    folder = Path(os.environ.get("FIDELEAN_SHARED") or PROJECT / ".." / "shared").resolve()
    if not folder.is_dir():
        pytest.skip(f"FIDELEAN_SHARED: there is no folder {folder}")
    return folder
