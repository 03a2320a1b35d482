"""Typed replies: a model's text becomes a record, or it is said why not. Nothing is evaluated, nothing is guessed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from fidelean.llm.objects import Json, UnreadableObject, read_objects

__all__ = ["MAX_REPLY_CHARS", "MalformedReply", "read_reply", "reply_schema"]

T = TypeVar("T", bound=BaseModel)

MAX_REPLY_CHARS = 400_000
"""Longer replies are not read (code points)."""

_MAX_COMPLAINTS = 8
_ENVELOPES = ({"action", "arguments"}, {"name", "arguments"}, {"name", "parameters"}, {"tool", "arguments"})


@dataclass(frozen=True, slots=True)
class MalformedReply:
    """A reply that cannot be read as what was asked for."""

    detail: str
    """What is wrong with it, in words that help its author to mend it; one line."""


def reply_schema(reply: type[BaseModel]) -> dict[str, object]:
    """Give the JSON schema of a reply, as the model is shown it."""
    return reply.model_json_schema()


def read_reply(text: str, reply: type[T]) -> T | MalformedReply:
    """Read the one object of ``text`` that is a ``reply``.

    Of several objects the one that fits counts; two that fit and differ are no answer. A number in quotation marks is a text, not a
    number. Where the model imitates a call, ``{"action": ..., "arguments": {...}}``, the arguments are read.
    """
    if not text.strip():
        return MalformedReply("the reply is empty")
    if len(text) > MAX_REPLY_CHARS:
        return MalformedReply(f"the reply is longer than {MAX_REPLY_CHARS} characters")
    try:
        objects = read_objects(text)
    except UnreadableObject as fault:
        return MalformedReply(str(fault))
    if not objects:
        return MalformedReply("the reply holds no JSON object")
    return _the_one_that_fits(objects, reply)


def _the_one_that_fits(objects: list[dict[str, Json]], reply: type[T]) -> T | MalformedReply:
    fitting: list[T] = []
    complaints: list[str] = []
    for found in objects:
        read = _fit(found, reply)
        if isinstance(read, str):
            complaints.append(read)
        elif read not in fitting:
            fitting.append(read)
    if len(fitting) > 1:
        return MalformedReply(f"the reply holds {len(fitting)} different objects that fit the schema: give one")
    return fitting[0] if fitting else MalformedReply(complaints[0])


def _fit(found: dict[str, Json], reply: type[T]) -> T | str:
    read = _read(found, reply)
    if isinstance(read, str) and found.keys() in _ENVELOPES:
        inner = found.get("arguments", found.get("parameters"))
        if isinstance(inner, dict):
            return _read(inner, reply)
    return read


def _read(found: dict[str, Json], reply: type[T]) -> T | str:
    try:
        return reply.model_validate_json(json.dumps(found), strict=True)
    except ValidationError as error:
        return _complaint(error)
    except ValueError as error:
        return str(error)


def _complaint(error: ValidationError) -> str:
    """Say field by field what does not fit, without repeating what the model wrote."""
    faults = [
        f"{_place(fault['loc'])}: {fault['msg']}" for fault in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    more = f"; and {len(faults) - _MAX_COMPLAINTS} more" if len(faults) > _MAX_COMPLAINTS else ""
    return " ".join(f"{'; '.join(faults[:_MAX_COMPLAINTS])}{more}".split())


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part)[:80] for part in location) or "the object"
