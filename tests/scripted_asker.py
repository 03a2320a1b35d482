"""A double of an asker for tests of stages: it gives its replies in order, by stage, and keeps the prompts. No model is behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from fidelean.outcome import Inconclusive

if TYPE_CHECKING:
    from fidelean.llm.records import Prompt

T = TypeVar("T", bound=BaseModel)


class ScriptedAsker:
    def __init__(self, **replies: list[BaseModel | Inconclusive]) -> None:
        self._replies = {stage: list(said) for stage, said in replies.items()}
        self.prompts: list[Prompt] = []
        self.samples: list[int] = []

    async def ask(self, prompt: Prompt, reply: type[T], *, sample: int = 0) -> T | Inconclusive:
        self.prompts.append(prompt)
        self.samples.append(sample)
        said = self._replies[prompt.stage].pop(0)
        assert isinstance(said, (reply, Inconclusive)), "the script answers another question"
        return said

    @property
    def stages(self) -> list[str]:
        return [prompt.stage for prompt in self.prompts]
