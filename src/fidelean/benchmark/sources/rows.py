"""Rows of a published file: a JSON array, or JSON lines."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from fidelean.errors import InputError

__all__ = ["rows"]

Row = TypeVar("Row", bound=BaseModel)
_ARRAY = TypeAdapter(list[dict[str, object]])


def rows(path: Path, row: type[Row]) -> list[Row]:
    """Read every row of a ``.json`` array or ``.jsonl`` file; keys that ``row`` does not name are left out.

    Raises ``InputError`` with the place of the fault where a row does not have the published form, or the file cannot be read.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", source=str(path)) from error
    try:
        if path.suffix == ".json":
            return [row.model_validate(value) for value in _ARRAY.validate_json(text)]
        return [row.model_validate_json(line) for line in text.splitlines() if line.strip()]
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{place}: {first['msg']}", source=str(path)) from error
