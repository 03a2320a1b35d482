"""The two protocols of this room: who answers a request, and whom a stage asks."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel

from fidelean.llm.records import ModelReply, ModelRequest, Prompt
from fidelean.outcome import Inconclusive

__all__ = ["Asker", "LanguageModel"]

T = TypeVar("T", bound=BaseModel)


@runtime_checkable
class LanguageModel(Protocol):
    """Something that answers requests: a provider, a script, a recording, a folder in which people answer."""

    @property
    def name(self) -> str:
        """Provider and model, ``openai:gpt-5``, as it stands in the ledger."""
        ...

    async def answer(self, request: ModelRequest) -> ModelReply:
        """Answer one request.

        Raises ``ModelError`` where no reply came: what a person or a retry has to mend, never a statement about mathematics.
        """
        ...

    async def aclose(self) -> None:
        """End every connection and give everything back."""
        ...


class Asker(Protocol):
    """Whom a stage asks: reads replies as records, retries malformed ones with their error, keeps the ledger and the budget."""

    async def ask(self, prompt: Prompt, reply: type[T], *, sample: int = 0) -> T | Inconclusive:
        """Put ``prompt`` to a model and read its reply as a ``reply``.

        Inconclusive with a reason where no reply could be had or read: malformed after every attempt, over the budget, refused, no model.
        A reply is never guessed.
        """
        ...
