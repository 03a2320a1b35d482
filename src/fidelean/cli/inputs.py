"""Files and standard input as the commands take them."""

from __future__ import annotations

import sys
from pathlib import Path

from fidelean.errors import InputError

__all__ = ["read_input"]


def read_input(name: str, *, max_bytes: int) -> bytes:
    """Read a file, or standard input for ``-``, but no more than ``max_bytes`` and one byte. Raises ``InputError``."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(max_bytes + 1)
        with Path(name).open("rb") as stream:
            return stream.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be read: {reason}", source=name) from None
