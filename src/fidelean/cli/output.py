"""Where results go: standard output, or a file that is whole or not there."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from fidelean.errors import UsageError

__all__ = ["open_output", "write_line"]


@contextmanager
def open_output(out: Path | None) -> Generator[TextIO, None, None]:
    """Open standard output (None, ``-``), or ``out``: a regular file appears under its name when the block has ended without an exception.

    Raises ``UsageError`` where ``out`` cannot be written, before anything is computed.
    """
    if out is None or str(out) == "-":
        yield _standard_output()
        return
    target = Path(os.path.realpath(out))
    try:
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8", newline="\n") as stream:
                yield stream
            return
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(_mode(target))
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def write_line(stream: TextIO, line: str) -> None:
    """Write one line and hand it on at once, so that a reader behind a pipe sees every result as it comes."""
    stream.write(line + "\n")
    stream.flush()


def _standard_output() -> TextIO:
    """Give standard output in a state in which no character can break it."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if callable(reconfigure):
        reconfigure(errors="backslashreplace")
    return sys.stdout


def _mode(target: Path) -> int:
    """Give the permissions the file has, or those a new file gets."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
