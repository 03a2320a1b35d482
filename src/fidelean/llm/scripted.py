"""A double for tests and examples: it says what its script says, and is no language model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from pydantic import BaseModel

from fidelean.errors import ModelError
from fidelean.llm.records import ModelReply, ModelRequest, Usage

__all__ = ["Script", "ScriptedModel", "ScriptedReply", "Speaker"]

ScriptedReply = str | Mapping[str, object] | BaseModel | ModelReply | Exception
"""A text, an object or a record that becomes JSON, a whole reply, or what is raised instead of one."""

Speaker = Callable[[ModelRequest], ScriptedReply]
"""What makes an answer of a request."""

Script = Mapping[str, ScriptedReply | Sequence[ScriptedReply] | Speaker]
"""What is said by stage: always the same, one after the other, or what a function makes of the request."""


class ScriptedModel:
    """A double: answers by stage from a script; ``requests`` holds what it was asked, in order."""

    def __init__(self, script: Script, *, name: str = "scripted:double") -> None:
        self._script = {stage: _speaker(said) for stage, said in script.items()}
        self._name = name
        self.requests: list[ModelRequest] = []
        self.closed = False

    @property
    def name(self) -> str:
        """``scripted:double``, or what it was given."""
        return self._name

    async def answer(self, request: ModelRequest) -> ModelReply:
        """Say what the script says next. Raises ``ModelError`` where it says nothing, or whatever the script wants raised."""
        self.requests.append(request)
        stage = request.prompt.stage
        if (speaker := self._script.get(stage)) is None:
            raise ModelError(f"{self._name}: the script has nothing for the stage {stage}")
        try:
            said = speaker(request)
        except StopIteration:
            raise ModelError(f"{self._name}: the script for the stage {stage} has ended") from None
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, ModelReply) else self._reply(request, said)

    async def aclose(self) -> None:
        """Remember that it was closed."""
        self.closed = True

    def _reply(self, request: ModelRequest, said: str | Mapping[str, object] | BaseModel) -> ModelReply:
        text = said.model_dump_json() if isinstance(said, BaseModel) else said if isinstance(said, str) else json.dumps(said)
        # Words stand in for tokens, so that ledgers and budgets have something to count.
        read = len(request.prompt.system.split()) + len(request.prompt.user.split())
        return ModelReply(text, self._name, Usage(read, len(text.split())))


def _speaker(said: ScriptedReply | Sequence[ScriptedReply] | Speaker) -> Speaker:
    """Make a function of whatever a script says for a stage; the end of a sequence raises ``StopIteration``."""
    if isinstance(said, Sequence) and not isinstance(said, str):
        rest = iter(cast("Sequence[ScriptedReply]", said))
        return lambda _: next(rest)
    if isinstance(said, (str, Mapping, BaseModel, ModelReply, Exception)):
        reply = cast("ScriptedReply", said)
        return lambda _: reply
    return said
