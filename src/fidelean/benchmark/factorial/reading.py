"""Reading the results of an experiment: counts of the eight configurations, or one row per item and configuration.

Counts are JSON, ``{"configs_TFS": {"000": {"n": 227, "compile": 54, "faithful": 45}, ...}}``, with or without the outer key. Rows are JSON
lines with ``id``, ``configuration``, ``compiles`` and either ``faithful`` or ``grades``; ``domain`` and ``steps`` where they are known.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from fidelean.benchmark.factorial.items import pass_at
from fidelean.benchmark.factorial.records import CONFIGURATIONS, Count, Item
from fidelean.errors import InputError

__all__ = ["FAITHFUL_FROM", "read_results"]

FAITHFUL_FROM = 9
"""The published threshold: both judges give at least this."""
_LARGEST = 200_000_000


class _Counts(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True)

    n: int = Field(gt=0)
    compile: int = Field(ge=0)
    faithful: int = Field(ge=0)


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True)

    id: str = Field(min_length=1)
    configuration: str = Field(pattern="^[01]{3}$")
    compiles: bool
    faithful: bool | None = None
    grades: tuple[Annotated[int, Field(ge=-1, le=10)] | None, ...] = Field(default=(), strict=False)
    domain: str = ""
    steps: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _is_graded(self) -> _Row:
        if self.faithful is None and not self.grades:
            raise ValueError("neither faithful nor grades are given")
        return self


_COUNTS = TypeAdapter(dict[str, _Counts])


def read_results(path: Path) -> dict[str, Count] | list[Item]:
    """Read counts or items, whichever the file holds.

    Raises:
        InputError: the file is unreadable, too large or neither; with the line where there is one.
    """
    text = _text(path)
    try:
        whole: object = json.loads(text)
    except ValueError:
        return _items(path, text)
    if isinstance(whole, dict) and not {"id", "configuration"} <= set(whole):  # pyright: ignore[reportUnknownArgumentType]
        return _counts(path, whole.get("configs_TFS", whole))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    return _items(path, text)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(f"{path}: over {_LARGEST} bytes")
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None


def _counts(path: Path, table: object) -> dict[str, Count]:
    try:
        read = _COUNTS.validate_python(table)
    except ValidationError as error:
        raise InputError(f"{path}: {_first(error)}") from None
    return {code: Count(read[code].n, read[code].compile, read[code].faithful) for code in CONFIGURATIONS if code in read}


def _items(path: Path, text: str) -> list[Item]:
    items: list[Item] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                items.append(_item(_Row.model_validate_json(line)))
            except ValidationError as error:
                raise InputError(f"{path}:{number}: {_first(error)}") from None
    if not items:
        raise InputError(f"{path}: holds no results")
    return items


def _item(row: _Row) -> Item:
    """In the released rows -1 is a judge's call that failed: no grade."""
    grades = tuple(None if grade == -1 else grade for grade in row.grades)
    item = Item(row.id, row.configuration, row.compiles, bool(row.faithful), row.domain, row.steps, grades)
    return item if row.faithful is not None else pass_at(item, FAITHFUL_FROM)


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else first["msg"]
