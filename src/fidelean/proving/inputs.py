"""Obligations from JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import cast

from fidelean.errors import InputError
from fidelean.proving.records import ProvingObligation

__all__ = ["read_obligations"]


def read_obligations(text: str, source: str) -> Iterator[ProvingObligation | InputError]:
    """Each line as an obligation, or as the error it is: ``signature`` is needed, ``id`` is the line's number where it is missing."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _obligation(line, number, source)


def _obligation(line: str, number: int, source: str) -> ProvingObligation | InputError:
    try:
        row: object = json.loads(line)
    except (ValueError, RecursionError):
        return InputError("not a JSON object on one line", source=source, line=number)
    if not isinstance(row, dict):
        return InputError("not a JSON object", source=source, line=number)
    fields = cast("dict[str, object]", row)
    signature, name = fields.get("signature"), fields.get("id", str(number))
    if not isinstance(signature, str) or not signature.strip():
        return InputError('"signature" is missing or no text', source=source, line=number)
    if any("\ud800" <= character <= "\udfff" for character in signature):
        return InputError('"signature" is not UTF-8', source=source, line=number)
    return ProvingObligation(str(name), signature)
