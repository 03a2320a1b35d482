"""The desk at which the stages ask: it puts questions to models, reads replies as records, keeps the ledger and the budget.

    async with Desk(model, ledger=ledger) as desk:
        asker = desk.asker(ModelRole.JUDGE, proof=proof.id)
        reply = await asker.ask(prompt, SomeReply)

A question whose answer the ledger holds is not asked again, so a run that was interrupted goes on where it was.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Self, TypeVar

from pydantic import BaseModel

from fidelean.errors import UsageError
from fidelean.llm.budget import Accounts
from fidelean.llm.calls import Answer, Calls, Question, Surroundings
from fidelean.llm.keys import request_key
from fidelean.llm.model import LanguageModel
from fidelean.llm.prices import PriceTable
from fidelean.llm.records import Finish, ModelReply, ModelRequest, ModelRole, Prompt
from fidelean.llm.replay import ReplayModel
from fidelean.llm.replies import MalformedReply, read_reply, reply_schema
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import AskingPolicy
from fidelean.runs.ledger import Ledger
from fidelean.runs.records import CallRecord, Spending

__all__ = ["Desk", "RoleAsker"]

T = TypeVar("T")
R = TypeVar("R", bound=BaseModel)

_SHOWN_AGAIN = 8_000


class RoleAsker:
    """Asks in one role and for one proof: the ``Asker`` that a stage is given."""

    def __init__(self, desk: Desk, role: ModelRole, proof: str) -> None:
        self._desk = desk
        self.role = role
        self.proof = proof

    async def ask(self, prompt: Prompt, reply: type[R], *, sample: int = 0) -> R | Inconclusive:
        """Put ``prompt`` to the model of the role and read its reply as a ``reply``; see ``Asker``."""
        return await self._desk.put(
            prompt, reply_schema(reply), lambda text: read_reply(text, reply), role=self.role, proof=self.proof, sample=sample
        )

    async def ask_text(self, prompt: Prompt, read: Callable[[str], T | MalformedReply], *, sample: int = 0) -> T | Inconclusive:
        """Put ``prompt`` to the model without a schema and read its plain text with ``read``."""
        return await self._desk.put(prompt, {}, read, role=self.role, proof=self.proof, sample=sample)


class Desk:
    """Puts the questions of a run to its models. Used from one event loop; close it with ``async with`` or ``aclose``."""

    def __init__(
        self,
        models: LanguageModel | Mapping[ModelRole, LanguageModel],
        *,
        ledger: Ledger | None = None,
        policy: AskingPolicy | None = None,
        prices: PriceTable | None = None,
        on_call: Callable[[CallRecord], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Take one model for every role, or a model by role; a role without one is played by the main model.

        ``ledger`` stays the caller's to close; None keeps one in memory. ``on_call`` hears of every call when it has ended.
        Raises ``UsageError`` where the price of a model is not known, or a bound lets nothing be asked.
        """
        self._models = dict(models) if isinstance(models, Mapping) else {ModelRole.MAIN: models}
        self._prices = prices or PriceTable()
        for model in self._models.values():
            if not isinstance(model, ReplayModel):
                self._prices.require(model.name)
        self.policy = _usable(policy or AskingPolicy())
        self._own_ledger = ledger is None
        self.ledger = ledger or Ledger.in_memory()
        self._accounts = Accounts(self.policy.run, self.policy.proof, self.ledger.spending(), clock)
        self._calls = Calls(Surroundings(self.ledger, self.policy, self._prices, self._accounts, on_call, clock, sleep))
        self._asking: dict[str, asyncio.Lock] = {}
        self._used: dict[str, dict[str, None]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *ending: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the models, and the ledger where it is the desk's own."""
        for model in {id(model): model for model in self._models.values()}.values():
            await model.aclose()
        if self._own_ledger:
            self.ledger.close()

    def asker(self, role: ModelRole = ModelRole.MAIN, *, proof: str = "") -> RoleAsker:
        """Give whom a stage asks in this role; the budget's time for the proof begins with the first asker for it."""
        self._accounts.open(proof)
        return RoleAsker(self, role, proof)

    def model(self, role: ModelRole) -> LanguageModel:
        """Give who plays a role."""
        return self._models.get(role) or self._models[ModelRole.MAIN]

    def spending(self, proof: str = "") -> Spending:
        """What the run has consumed, earlier parts of it included, or one proof of it."""
        return self._accounts.spent(proof)

    def spent_on_replies(self, proof: str = "") -> Spending:
        """What the replies took that were given for a proof here, whoever had asked for them first.

        Calls that brought no reply are not in it, so that it is the same for a run in one go, one that was interrupted, and a replay.
        """
        replies = [call for key in self._used.get(proof, ()) if (call := self.ledger.reply_to(key)) is not None]
        return sum((Spending(1, call.input_tokens + call.output_tokens, call.price) for call in replies), Spending())

    async def put(
        self,
        prompt: Prompt,
        schema: Mapping[str, object],
        read: Callable[[str], T | MalformedReply],
        *,
        role: ModelRole = ModelRole.MAIN,
        proof: str = "",
        sample: int = 0,
    ) -> T | Inconclusive:
        """Ask, and ask again with what was wrong while the reply cannot be read; the last complaint becomes the reason."""
        policy = self.policy
        question = Question(role, proof, self.model(role), read)
        request = ModelRequest(prompt, schema, sample, max_output_tokens=policy.max_output_tokens, temperature=policy.temperature)
        before = ""
        while True:
            answer = await self._answer(question, request)
            fault = answer.content
            if not isinstance(fault, MalformedReply):
                return fault
            if request.attempt >= policy.attempts:
                return Inconclusive(Reason.MALFORMED_REPLY, fault.detail)
            if request.attempt > 1 and answer.text == before:
                return Inconclusive(Reason.MALFORMED_REPLY, f"the model repeats the same reply: {fault.detail}")
            before = answer.text
            request = replace(request, attempt=request.attempt + 1, complaint=fault.detail, previous=before[:_SHOWN_AGAIN])

    async def _answer(self, question: Question[T], request: ModelRequest) -> Answer[T]:
        """Give the answer that is known, or ask for it; equal requests at the same time are asked once."""
        key = request_key(request, question.model.name)
        self._used.setdefault(question.proof, {})[key] = None
        async with self._asking.setdefault(key, asyncio.Lock()):
            try:
                if (known := self.ledger.reply_to(key)) is not None:
                    reply = ModelReply(known.reply or "", known.answered_by, finish=Finish(known.finish))
                    return Answer(reply.text, self._calls.read(question, reply))
                return await self._calls.answer(question, request, key)
            finally:
                # Who still waits finds the answer in the ledger, or asks as after any failure.
                self._asking.pop(key, None)


def _usable(policy: AskingPolicy) -> AskingPolicy:
    for name in ("attempts", "turns", "concurrency", "max_output_tokens"):
        if getattr(policy, name) < 1:
            raise UsageError(f"asking.{name} has to be at least 1")
    return policy
