"""A request as it is said to a model: what the system is told, the question, and what was wrong with the reply before."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

from fidelean.llm.records import ModelRequest

__all__ = ["ReplyMode", "Said", "SpokenBy", "conversation"]


class ReplyMode(StrEnum):
    """How a model is brought to reply with an object."""

    NATIVE = "native"
    """The provider holds the model to the schema."""
    PROMPTED = "prompted"
    """The schema stands in the prompt."""
    TOOL = "tool"
    """The reply is the call of a tool."""
    ACTION = "action"
    """The schema stands in the prompt, and the reply names an action with its arguments: for models that call no tools dependably."""


class SpokenBy(StrEnum):
    """Who says something in a conversation."""

    SYSTEM = "system"
    """Whoever sets the task."""
    USER = "user"
    """Whoever asks."""
    MODEL = "model"
    """The model."""


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that is said."""

    by: SpokenBy
    """Who says it."""
    text: str
    """What."""


_OBJECT = (
    "Reply with one JSON object and nothing else. JSON reads a backslash as the beginning of an escape: "
    "inside of strings write every backslash of LaTeX or Lean twice."
)


def conversation(request: ModelRequest, mode: ReplyMode) -> list[Said]:
    """Say a request. Without a schema the reply is plain text and ``mode`` does not matter."""
    system = "\n\n".join(part for part in (request.prompt.system, _form(request, mode)) if part)
    said = [Said(SpokenBy.SYSTEM, system), Said(SpokenBy.USER, request.prompt.user)]
    if request.complaint:
        # An empty turn is refused by some servers.
        said.append(Said(SpokenBy.MODEL, request.previous.strip() or "(nothing)"))
        said.append(Said(SpokenBy.USER, f"That reply cannot be used: {request.complaint}. Give the whole reply again, mended."))
    return said


def _form(request: ModelRequest, mode: ReplyMode) -> str:
    if not request.schema:
        return ""
    schema = json.dumps(dict(request.schema), ensure_ascii=False)
    match mode:
        case ReplyMode.NATIVE:
            return _OBJECT
        case ReplyMode.TOOL:
            return "Give your reply by calling the tool."
        case ReplyMode.PROMPTED:
            return f"{_OBJECT} It has to fit this JSON schema:\n{schema}"
        case ReplyMode.ACTION:
            return f'{_OBJECT} It has the form {{"action": "reply", "arguments": ...}} with arguments that fit this JSON schema:\n{schema}'
