"""What every test may ask for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from real_model_server import missing_packages

PROJECT = Path(__file__).resolve().parent.parent

# No deadlines: a busy machine is not a fault of the code. In CI the examples are the same each time, so a red run can be repeated.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session", autouse=True)
def no_keys() -> Iterator[None]:
    """Take away every key, so that no test reaches a provider that bills somebody."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY", "FIDELEAN_MODEL"):
            patch.delenv(name, raising=False)
        yield


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


@pytest.fixture(scope="session")
def real_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a small real language model and give the address of its API: it is there to be talked to, its judgement is worth nothing."""
    if missing := missing_packages():
        pytest.skip(f"not installed: {', '.join(missing)} (make install-model)")
    log = tmp_path_factory.mktemp("model") / "server.log"
    command = [sys.executable, str(Path(__file__).with_name("real_model_server.py"))]
    with log.open("wb") as errors, subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        address = server.stdout.readline().decode().strip()
        assert address, log.read_text(errors="replace")[-2_000:]
        wait_until_healthy(address)
        yield f"{address}/v1"
        server.stdin.close()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()


def wait_until_healthy(address: str, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5) as answer:  # noqa: S310
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > until:
                raise
        time.sleep(0.1)
