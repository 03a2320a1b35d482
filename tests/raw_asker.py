"""A double of an asker for tests of stages: it reads raw replies, well-formed or not, the way a desk does. No model is behind it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from fidelean.outcome import Inconclusive, Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from fidelean.llm.records import Prompt

T = TypeVar("T", bound=BaseModel)


class RawAsker:
    """Answers the prompts of a stage with the same object, with the next of a list, or with what a function makes of the prompt."""

    def __init__(self, **scripts: Callable[[Prompt], object] | object) -> None:
        self._scripts = scripts
        self.prompts: list[Prompt] = []
        self.samples: list[int] = []

    async def ask(self, prompt: Prompt, reply: type[T], *, sample: int = 0) -> T | Inconclusive:
        self.prompts.append(prompt)
        self.samples.append(sample)
        said = self._scripts[prompt.stage]
        if callable(said):
            said = said(prompt)
        elif isinstance(said, list):
            said = said.pop(0)
        if isinstance(said, Inconclusive):
            return said
        try:
            return reply.model_validate_json(json.dumps(said), strict=True)
        except ValidationError as error:
            return Inconclusive(Reason.MALFORMED_REPLY, str(error)[:200])
