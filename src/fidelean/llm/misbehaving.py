"""A double that misbehaves the way servers and models do, for tests of what asks them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from enum import StrEnum

from fidelean.errors import ModelError
from fidelean.llm.model import LanguageModel
from fidelean.llm.records import Finish, ModelReply, ModelRequest, Usage

__all__ = ["Fault", "MisbehavingModel"]


class Fault(StrEnum):
    """What goes wrong with a call."""

    RATE_LIMIT = "rate_limit"
    """Too many requests; the server says how long to wait."""
    RATE_LIMIT_SILENT = "rate_limit_silent"
    """Too many requests; the server does not say how long to wait."""
    SERVER_ERROR = "server_error"
    """The server fails (500)."""
    HANG = "hang"
    """Nothing comes, ever."""
    DROPPED = "dropped"
    """The connection breaks off before a reply."""
    TRUNCATED = "truncated"
    """The reply is cut off in the middle of an object."""
    OVERSIZED = "oversized"
    """The reply does not end for half a million characters."""
    WRONG_SCHEMA = "wrong_schema"
    """The reply is an object of another form."""
    NO_OBJECT = "no_object"
    """The reply is prose."""
    EMPTY = "empty"
    """The reply is empty."""
    REFUSED = "refused"
    """The model declines."""


class MisbehavingModel:
    """A double: makes one fault a call, in order, and then lets another model answer; without one, it repeats the last fault for ever."""

    def __init__(self, faults: Fault | Sequence[Fault], then: LanguageModel | None = None) -> None:
        self._faults = [faults] if isinstance(faults, Fault) else list(faults)
        self._last = self._faults[-1]
        self._then = then
        self.requests: list[ModelRequest] = []

    @property
    def name(self) -> str:
        """``misbehaving:`` and the last fault."""
        return f"misbehaving:{self._last.value}"

    async def answer(self, request: ModelRequest) -> ModelReply:
        """Misbehave, or pass the request on."""
        self.requests.append(request)
        if not self._faults and self._then is not None:
            return await self._then.answer(request)
        fault = self._faults.pop(0) if self._faults else self._last
        if fault is Fault.HANG:
            await asyncio.Event().wait()
        if (error := _ERRORS.get(fault)) is not None:
            message, retry_after, billed = error
            raise ModelError(f"{self.name}: {message}", retry_after=retry_after, may_retry=True, may_be_billed=billed)
        text, finish = _REPLIES[fault]
        return ModelReply(text, self.name, Usage(100, 10), finish)

    async def aclose(self) -> None:
        """Close the model behind it."""
        if self._then is not None:
            await self._then.aclose()


_ERRORS: dict[Fault, tuple[str, float | None, bool]] = {
    Fault.RATE_LIMIT: ("the server answered 429: slow down", 2.0, False),
    Fault.RATE_LIMIT_SILENT: ("the server answered 429: slow down", None, False),
    Fault.SERVER_ERROR: ("the server answered 500: something broke", None, True),
    Fault.DROPPED: ("no answer: the connection was reset", None, True),
}

_REPLIES: dict[Fault, tuple[str, Finish]] = {
    Fault.TRUNCATED: ('{"steps": [{"text": "Let $x$ be', Finish.LENGTH),
    Fault.OVERSIZED: ("x" * 500_000, Finish.STOP),
    Fault.WRONG_SCHEMA: ('{"grade": "A", "downgrade": "I"}', Finish.STOP),
    Fault.NO_OBJECT: ("I think that it is correct.", Finish.STOP),
    Fault.EMPTY: ("", Finish.STOP),
    Fault.REFUSED: ("I cannot help with that.", Finish.REFUSED),
}
