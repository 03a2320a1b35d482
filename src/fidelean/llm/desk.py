"""The desk at which the stages ask: it puts questions to models, reads replies as records, keeps the ledger and the budget.

    async with Desk(model, ledger=ledger) as desk:
        asker = desk.asker(ModelRole.JUDGE, proof=proof.id)
        reply = await asker.ask(prompt, SomeReply)

A question whose answer the ledger holds is not asked again, so a run that was interrupted goes on where it was.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Generic, Self, TypeVar

from pydantic import BaseModel

from fidelean.errors import ModelError
from fidelean.llm.budget import Accounts, Hold
from fidelean.llm.exchange import ExchangeModel
from fidelean.llm.keys import request_document, request_key, request_size
from fidelean.llm.model import LanguageModel
from fidelean.llm.prices import PriceTable
from fidelean.llm.records import Finish, ModelReply, ModelRequest, ModelRole, Prompt, Usage
from fidelean.llm.replay import NotAnswered, ReplayModel
from fidelean.llm.replies import MalformedReply, read_reply, reply_schema
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import AskingPolicy
from fidelean.runs.ledger import Ledger
from fidelean.runs.records import CallOutcome, CallRecord, Spending

__all__ = ["Desk", "RoleAsker"]

T = TypeVar("T")
R = TypeVar("R", bound=BaseModel)

_SHOWN_AGAIN = 8_000


@dataclass(frozen=True, slots=True)
class _Question(Generic[T]):
    """What stays the same over all attempts at one question."""

    role: ModelRole
    """What the model is asked as."""
    proof: str
    """Id of the proof that pays."""
    model: LanguageModel
    """Who is asked."""
    read: Callable[[str], T | MalformedReply]
    """How a reply is read."""


@dataclass(frozen=True, slots=True)
class _Answer(Generic[T]):
    """A reply with what was read from it."""

    text: str
    """The reply as it came."""
    content: T | MalformedReply | Inconclusive
    """What it says."""


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
        Raises ``UsageError`` where the price of a model is not known.
        """
        self._models = dict(models) if isinstance(models, Mapping) else {ModelRole.MAIN: models}
        self._prices = prices or PriceTable()
        for model in self._models.values():
            if not isinstance(model, ReplayModel):
                self._prices.require(model.name)
        self.policy = policy or AskingPolicy()
        self._own_ledger = ledger is None
        self.ledger = ledger or Ledger.in_memory()
        self._on_call = on_call
        self._clock = clock
        self._sleep = sleep
        self._accounts = Accounts(self.policy.run, self.policy.proof, self.ledger.spending(), clock)
        self._gates: dict[str, asyncio.Semaphore] = {}
        self._asking: dict[str, asyncio.Lock] = {}
        self._resume_at: dict[str, float] = {}

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
        question = _Question(role, proof, self.model(role), read)
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

    async def _answer(self, question: _Question[T], request: ModelRequest) -> _Answer[T]:
        """Give the answer that is known, or ask for it; equal requests at the same time are asked once."""
        key = request_key(request, question.model.name)
        async with self._asking.setdefault(key, asyncio.Lock()):
            if (known := self.ledger.reply_to(key)) is not None:
                reply = ModelReply(known.reply or "", known.answered_by, finish=Finish(known.finish))
                return _Answer(reply.text, self._read(question, reply))
            return await self._call_until_answered(question, request, key)

    async def _call_until_answered(self, question: _Question[T], request: ModelRequest, key: str) -> _Answer[T]:
        call = _blank_call(question, request, key)
        for turn in range(1, self.policy.turns + 1):
            call = replace(call, turn=turn)
            try:
                return await self._call(question, request, call)
            except ModelError as error:
                reason = error.reason if isinstance(error, NotAnswered) else Reason.NO_REPLY
                said = Inconclusive(reason, " ".join(str(error).split()))
                wait = self._wait(error, turn)
                if wait is None:
                    return _Answer("", said)
            left = self._accounts.seconds_left(question.proof)
            if left is not None and wait >= left:
                return self._refuse(call, self._accounts.time_is_up(question.proof))
            await self._sleep(wait)
        raise AssertionError("the last turn never waits")

    def _wait(self, error: ModelError, turn: int) -> float | None:
        """How long to wait before the call is tried again (seconds); None where it is not."""
        if turn >= self.policy.turns or not (error.may_retry or error.retry_after is not None):
            return None
        wait = self.policy.backoff_s * 2 ** (turn - 1) if error.retry_after is None else max(error.retry_after, 0.0)
        if error.retry_after is not None and wait > self.policy.max_wait_s:
            return None
        return min(wait, self.policy.max_wait_s)

    async def _call(self, question: _Question[T], request: ModelRequest, call: CallRecord) -> _Answer[T]:
        """Make one call when its turn has come, within the budget, and keep it in the ledger. Raises ``ModelError``."""
        name = question.model.name
        async with self._gates.setdefault(name, asyncio.Semaphore(self.policy.concurrency)):
            while (pause := self._resume_at.get(name, 0.0) - self._clock()) > 0:
                await self._sleep(pause)
            hold = self._reserve(question, request)
            if isinstance(hold, str):
                return self._refuse(call, hold)
            started = self._clock()
            try:
                reply = await self._within_time(question, request)
            except ModelError as error:
                self._failed(call, hold, error, name, self._clock() - started)
                raise
            except TimeoutError:
                self._lost(call, hold, "the time was over", self._clock() - started)
                return self._refuse(call, self._accounts.time_is_up(question.proof))
            except BaseException:
                self._lost(call, hold, "interrupted", self._clock() - started)
                raise
            return self._keep(question, replace(reply, seconds=reply.seconds or self._clock() - started), call, hold)

    def _reserve(self, question: _Question[T], request: ModelRequest) -> Hold | str:
        if isinstance(question.model, ReplayModel):
            return Hold(question.proof, 0, Decimal(0))
        worst = Usage(request_size(request), request.max_output_tokens)
        price = self._prices.cost(question.model.name, worst)
        return self._accounts.reserve(question.proof, worst.input_tokens + worst.output_tokens, price)

    async def _within_time(self, question: _Question[T], request: ModelRequest) -> ModelReply:
        """Wait for a reply. Raises ``TimeoutError`` where the budget's time is over, ``ModelError`` where the call's own is."""
        limit = question.model.patience_s if isinstance(question.model, ExchangeModel) else self.policy.call_timeout_s
        left = self._accounts.seconds_left(question.proof)
        if isinstance(question.model, ReplayModel):
            return await question.model.answer(request)
        if left is not None and left < limit:
            async with asyncio.timeout(left):
                return await question.model.answer(request)
        try:
            async with asyncio.timeout(limit):
                return await question.model.answer(request)
        except TimeoutError:
            raise ModelError(f"{question.model.name}: no reply within {limit:g} s", may_retry=True, may_be_billed=True) from None

    def _keep(self, question: _Question[T], reply: ModelReply, call: CallRecord, hold: Hold) -> _Answer[T]:
        """Settle the account, read the reply and write it down."""
        text = reply.text[: self.policy.max_reply_chars + 1].encode("utf-8", "replace").decode()
        reply = replace(reply, text=text)
        silent = not (reply.usage.input_tokens or reply.usage.output_tokens) and reply.price is None and hold.tokens > 0
        presumed = silent and call.model.partition(":")[0] not in ("scripted", "misbehaving", "exchange")
        tokens = hold.tokens if presumed else reply.usage.input_tokens + reply.usage.output_tokens
        price = hold.price if presumed else self._price(call.model, reply)
        self._accounts.settle(hold, tokens, price)
        content = self._read(question, reply)
        self._write(
            replace(
                call,
                outcome=_outcome(content),
                detail=content.detail if isinstance(content, (MalformedReply, Inconclusive)) else "",
                reply=text,
                finish=reply.finish.value,
                answered_by=reply.model,
                input_tokens=tokens - reply.usage.output_tokens,
                output_tokens=reply.usage.output_tokens,
                price=price,
                presumed=presumed,
                seconds=reply.seconds,
            )
        )
        return _Answer(text, content)

    def _price(self, model: str, reply: ModelReply) -> Decimal:
        return self._prices.cost(model, reply.usage) if reply.price is None else reply.price

    def _read(self, question: _Question[T], reply: ModelReply) -> T | MalformedReply | Inconclusive:
        if reply.finish is Finish.REFUSED:
            return Inconclusive(Reason.DECLINED, " ".join(reply.text.split())[:300] or "the model declined to answer")
        if len(reply.text) > self.policy.max_reply_chars:
            return MalformedReply(f"the reply is longer than {self.policy.max_reply_chars} characters")
        if reply.finish is Finish.LENGTH:
            return MalformedReply("the reply was cut off at the longest length that is allowed: say it more briefly")
        if not reply.text.strip():
            return MalformedReply("the reply is empty")
        return question.read(reply.text)

    def _failed(self, call: CallRecord, hold: Hold, error: ModelError, name: str, seconds: float) -> None:
        if error.retry_after is not None and error.retry_after <= self.policy.max_wait_s:
            self._resume_at[name] = max(self._resume_at.get(name, 0.0), self._clock() + error.retry_after)
        final = self._wait(error, call.turn) is None
        made = CallOutcome.GIVEN_UP if final else CallOutcome.FAILED
        outcome = error.outcome if isinstance(error, NotAnswered) else made
        self._end(replace(call, outcome=outcome, detail=" ".join(str(error).split()), seconds=seconds), hold, billed=error.may_be_billed)

    def _lost(self, call: CallRecord, hold: Hold, detail: str, seconds: float) -> None:
        self._end(replace(call, outcome=CallOutcome.FAILED, detail=detail, seconds=seconds), hold, billed=True)

    def _end(self, call: CallRecord, hold: Hold, *, billed: bool) -> None:
        """Settle a call without a reply; where it may have been worked on, the most it can have cost is gone."""
        tokens, price = (hold.tokens, hold.price) if billed else (0, Decimal(0))
        self._accounts.settle(hold, tokens, price)
        self._write(replace(call, input_tokens=tokens, price=price, presumed=billed))

    def _refuse(self, call: CallRecord, why: str) -> _Answer[T]:
        self._write(replace(call, outcome=CallOutcome.NOT_MADE, detail=why))
        return _Answer("", Inconclusive(Reason.BUDGET_SPENT, why))

    def _write(self, call: CallRecord) -> None:
        ended = replace(call, ended=datetime.now(UTC).isoformat(timespec="milliseconds"))
        self.ledger.record_call(ended)
        if self._on_call is not None:
            self._on_call(ended)


def _blank_call(question: _Question[T], request: ModelRequest, key: str) -> CallRecord:
    return CallRecord(
        key=key,
        stage=request.prompt.stage,
        prompt_version=request.prompt.version,
        prompt_digest=request.prompt.digest,
        role=question.role.value,
        model=question.model.name,
        proof=question.proof,
        sample=request.sample,
        attempt=request.attempt,
        turn=1,
        request=json.dumps(request_document(request)),
        outcome=CallOutcome.FAILED,
    )


def _outcome(content: object) -> CallOutcome:
    if isinstance(content, MalformedReply):
        return CallOutcome.MALFORMED
    return CallOutcome.DECLINED if isinstance(content, Inconclusive) else CallOutcome.READ
