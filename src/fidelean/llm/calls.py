"""Calls of models: each when its turn has come, within the budget, tried again where that may help, and kept in the ledger."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Generic, TypeVar

from fidelean.errors import ModelError
from fidelean.llm.budget import Accounts, Hold
from fidelean.llm.exchange import ExchangeModel
from fidelean.llm.keys import request_document, request_size
from fidelean.llm.model import LanguageModel
from fidelean.llm.prices import PriceTable
from fidelean.llm.records import Finish, ModelReply, ModelRequest, ModelRole, Usage
from fidelean.llm.replay import NotAnswered, ReplayModel
from fidelean.llm.replies import MalformedReply
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import AskingPolicy
from fidelean.runs.ledger import Ledger
from fidelean.runs.records import CallOutcome, CallRecord

__all__ = ["Answer", "Calls", "Question", "Surroundings"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
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
class Answer(Generic[T]):
    """A reply with what was read from it."""

    text: str
    """The reply as it came."""
    content: T | MalformedReply | Inconclusive
    """What it says."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What calls share."""

    ledger: Ledger
    """Where every call is kept."""
    policy: AskingPolicy
    """Bounds of asking."""
    prices: PriceTable
    """What calls cost."""
    accounts: Accounts
    """What may still be spent."""
    on_call: Callable[[CallRecord], None] | None
    """Hears of every call when it has ended."""
    clock: Callable[[], float]
    """The time (seconds)."""
    sleep: Callable[[float], Awaitable[None]]
    """Lets time pass (seconds)."""


class Calls:
    """Makes the calls of a run."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._around = surroundings
        self._policy = surroundings.policy
        self._accounts = surroundings.accounts
        self._clock = surroundings.clock
        self._gates: dict[str, asyncio.Semaphore] = {}
        self._resume_at: dict[str, float] = {}

    async def answer(self, question: Question[T], request: ModelRequest, key: str) -> Answer[T]:
        """Call until a reply has come, or until calling again would not help."""
        call = _blank_call(question, request, key)
        for turn in range(1, self._policy.turns + 1):
            call = replace(call, turn=turn)
            try:
                return await self._call(question, request, call)
            except ModelError as error:
                reason = error.reason if isinstance(error, NotAnswered) else Reason.NO_REPLY
                said = Inconclusive(reason, " ".join(str(error).split()))
                wait = self._wait(error, turn)
                if wait is None:
                    return Answer("", said)
            if self._outlasts(wait, question.proof):
                return self._refuse(call, self._accounts.time_is_up(question.proof))
            await self._around.sleep(wait)
        raise AssertionError("the last turn never waits")

    def _wait(self, error: ModelError, turn: int) -> float | None:
        """How long to wait before the call is tried again (seconds); None where it is not."""
        if turn >= self._policy.turns or not (error.may_retry or error.retry_after is not None):
            return None
        backoff = self._policy.backoff_s * 2 ** (turn - 1)
        if error.retry_after is not None and error.retry_after > self._policy.max_wait_s:
            return None
        # A server that asks for no wait at all has not said how long to wait.
        return min(error.retry_after or backoff, self._policy.max_wait_s)

    def _outlasts(self, wait: float, proof: str) -> bool:
        """Whether a wait (seconds) is longer than the budget lets it be."""
        left = self._accounts.seconds_left(proof)
        return left is not None and wait >= left

    async def _call(self, question: Question[T], request: ModelRequest, call: CallRecord) -> Answer[T]:
        """Make one call when its turn has come, within the budget, and keep it in the ledger. Raises ``ModelError``."""
        name = question.model.name
        async with self._gates.setdefault(name, asyncio.Semaphore(self._policy.concurrency)):
            while (pause := self._resume_at.get(name, 0.0) - self._clock()) > 0:
                if self._outlasts(pause, question.proof):
                    return self._refuse(call, self._accounts.time_is_up(question.proof))
                await self._around.sleep(pause)
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
            except BaseException as error:
                detail = f"{type(error).__name__}: {error}" if isinstance(error, Exception) else "interrupted"
                self._lost(call, hold, " ".join(detail.split()), self._clock() - started)
                raise
            return self._keep(question, replace(reply, seconds=reply.seconds or self._clock() - started), call, hold)

    def _reserve(self, question: Question[T], request: ModelRequest) -> Hold | str:
        if isinstance(question.model, ReplayModel):
            return Hold(question.proof, 0, Decimal(0))
        worst = Usage(request_size(request), request.max_output_tokens)
        price = self._around.prices.cost(question.model.name, worst)
        return self._accounts.reserve(question.proof, worst.input_tokens + worst.output_tokens, price)

    async def _within_time(self, question: Question[T], request: ModelRequest) -> ModelReply:
        """Wait for a reply. Raises ``TimeoutError`` where the budget's time is over, ``ModelError`` where the call's own is."""
        limit = question.model.patience_s if isinstance(question.model, ExchangeModel) else self._policy.call_timeout_s
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

    def _keep(self, question: Question[T], reply: ModelReply, call: CallRecord, hold: Hold) -> Answer[T]:
        """Settle the account, read the reply and write it down."""
        text = reply.text[: self._policy.max_reply_chars + 1].encode("utf-8", "replace").decode()
        reply = replace(reply, text=text)
        silent = not (reply.usage.input_tokens or reply.usage.output_tokens) and reply.price is None and hold.tokens > 0
        presumed = silent and call.model.partition(":")[0] not in ("scripted", "misbehaving", "exchange")
        tokens = hold.tokens if presumed else reply.usage.input_tokens + reply.usage.output_tokens
        price = hold.price if presumed else self._price(call.model, reply)
        self._accounts.settle(hold, tokens, price)
        content = self.read(question, reply)
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
        return Answer(text, content)

    def _price(self, model: str, reply: ModelReply) -> Decimal:
        return self._around.prices.cost(model, reply.usage) if reply.price is None else reply.price

    def read(self, question: Question[T], reply: ModelReply) -> T | MalformedReply | Inconclusive:
        """Read a reply, unless the model declined, was cut off or said far too much."""
        if reply.finish is Finish.REFUSED:
            return Inconclusive(Reason.DECLINED, " ".join(reply.text.split())[:300] or "the model declined to answer")
        if len(reply.text) > self._policy.max_reply_chars:
            return MalformedReply(f"the reply is longer than {self._policy.max_reply_chars} characters")
        if reply.finish is Finish.LENGTH:
            return MalformedReply("the reply was cut off at the longest length that is allowed: say it more briefly")
        if not reply.text.strip():
            return MalformedReply("the reply is empty")
        return question.read(reply.text)

    def _failed(self, call: CallRecord, hold: Hold, error: ModelError, name: str, seconds: float) -> None:
        if error.retry_after is not None and error.retry_after <= self._policy.max_wait_s:
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

    def _refuse(self, call: CallRecord, why: str) -> Answer[T]:
        self._write(replace(call, outcome=CallOutcome.NOT_MADE, detail=why))
        return Answer("", Inconclusive(Reason.BUDGET_SPENT, why))

    def _write(self, call: CallRecord) -> None:
        ended = replace(call, ended=datetime.now(UTC).isoformat(timespec="milliseconds"))
        self._around.ledger.record_call(ended)
        if self._around.on_call is not None:
            self._around.on_call(ended)


def _blank_call(question: Question[T], request: ModelRequest, key: str) -> CallRecord:
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
