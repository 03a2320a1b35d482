"""Where KaTeX lies, and how it gets there: in the wheel, else in the cache, fetched once by package name and checked.

``python -m fidelean.report.html.katex`` puts it into the cache; with a folder, into that (the wheel's).
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fidelean.errors import FideleanError, SetupError
from fidelean.lean.installation import cache_folder, node_program
from fidelean.lean.npm import pack

__all__ = ["KATEX_VERSION", "Katex", "ensure_katex", "find_katex"]

KATEX_VERSION = "0.19.1"
TARBALL_SHA512 = "jG8uKntjSEcm2EpQOh0XturpPuuC9r3Sq5HLHdsFdWZT27E672SF19QEi+of0/YeOy15lDgRhKvr5614uRrEfA=="
_SHIPPED = Path(__file__).with_name("katex")
_PREFIX = "package/"
_KEPT = ("package/dist/katex.min.js", "package/dist/katex.min.css", "package/LICENSE")


@dataclass(frozen=True, slots=True)
class Katex:
    """A complete KaTeX on disk."""

    folder: Path
    """The folder with everything below."""

    @property
    def script(self) -> Path:
        """The program that typesets, for Node."""
        return self.folder / "dist" / "katex.min.js"

    @property
    def style(self) -> str:
        """Its style sheet, which names its fonts by relative addresses."""
        return (self.folder / "dist" / "katex.min.css").read_text(encoding="utf-8")

    def font(self, name: str) -> bytes:
        """A font by its file's name, such as ``KaTeX_Main-Regular``."""
        return (self.folder / "dist" / "fonts" / f"{name}.woff2").read_bytes()


def find_katex() -> Katex | None:
    """The KaTeX of the wheel or of the cache, or None where there is neither; takes no time and changes nothing."""
    places = (_SHIPPED, _cached())
    return next((Katex(place) for place in places if (place / "dist" / "katex.min.js").is_file()), None)


def ensure_katex(say: Callable[[str], None] | None = None, folder: Path | None = None) -> Katex:
    """Return KaTeX, and fetch it first where there is none (1.5 MB): into ``folder``, else into the cache.

    Raises ``SetupError`` where a step failed; nothing half-made is left in place.
    """
    found = find_katex() if folder is None else None
    if found is not None:
        return found
    target = folder.absolute() if folder else _cached()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".katex-", dir=target.parent) as work:
            tarball = pack(f"katex@{KATEX_VERSION}", Path(work), node_program(), say or _silent)
            _unpack(tarball, Path(work) / "katex")
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)  # of another version, perhaps
            _put(Path(work) / "katex", target)
    except OSError as error:
        raise SetupError(f"installing KaTeX failed: {error}; nothing was left in place, run it again") from error
    return Katex(target)


def _cached() -> Path:
    return cache_folder() / f"katex-{KATEX_VERSION}"


def _silent(_line: str) -> None:
    """Progress for nobody."""


def _unpack(tarball: Path, place: Path) -> None:
    """Keep the program, its style, the licence and the fonts that every browser of today reads."""
    if base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode() != TARBALL_SHA512:
        raise SetupError(f"the fetched katex@{KATEX_VERSION} has another sha512 than expected: it was thrown away")
    with tarfile.open(tarball) as archive:
        for member in archive:
            if member.isfile() and (member.name in _KEPT or member.name.endswith(".woff2")):
                member.name = member.name.removeprefix(_PREFIX)
                archive.extract(member, place, filter="data")


def _put(made: Path, target: Path) -> None:
    """Rename into place; whoever came first is as good."""
    try:
        made.rename(target)
    except OSError:
        if not (target / "dist" / "katex.min.js").is_file():
            shutil.rmtree(target, ignore_errors=True)
            made.rename(target)


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{ensure_katex(folder=Path(sys.argv[1]) if len(sys.argv) > 1 else None).folder}\n")
    except FideleanError as problem:
        sys.exit(f"fidelean: {problem}")
