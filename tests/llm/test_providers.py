"""Providers over real HTTP: what is sent, what is read, and what becomes of every fault."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from fidelean.errors import ModelError, UsageError
from fidelean.llm.conversation import ReplyMode
from fidelean.llm.desk import Desk
from fidelean.llm.prices import PriceTable
from fidelean.llm.providers import Connection, ProviderModel, connect
from fidelean.llm.records import Finish, ModelRequest, Prompt
from fidelean.llm.replies import read_reply
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import AskingPolicy
from fidelean.runs.records import CallOutcome
from fidelean.settings import Price
from llm.clock import Clock
from llm.faulty_server import FaultyServer, Handling, completion, dropped, hanging, oversized, said, status, truncated

PROMPT = Prompt("review", "v1", "You review.", "Is 1 = 1?")
SCHEMA = {"type": "object", "properties": {"verdict": {"type": "string"}}, "required": ["verdict"], "additionalProperties": False}
GOOD = '{"verdict": "fine"}'


class Review(BaseModel):
    """A reply for these tests."""

    verdict: str


def model_at(url: str, mode: ReplyMode = ReplyMode.NATIVE, **options: Any) -> ProviderModel:  # noqa: ANN401
    return connect("openai-compatible", "tiny", Connection(url, reply_mode=mode, **options))


async def ask_once(server: FaultyServer, mode: ReplyMode = ReplyMode.NATIVE, request: ModelRequest | None = None) -> Any:  # noqa: ANN401
    model = model_at(server.url, mode)
    try:
        return await model.answer(request or ModelRequest(PROMPT, SCHEMA, max_output_tokens=50, temperature=0.25))
    finally:
        await model.aclose()


async def test_the_provider_holds_the_model_to_the_schema() -> None:
    with FaultyServer.running(said(GOOD)) as server:
        reply = await ask_once(server)
    (body,) = server.bodies
    assert (reply.text, reply.model, reply.finish) == (GOOD, "tiny", Finish.STOP)
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (11, 7)
    assert reply.seconds > 0
    assert body["response_format"]["json_schema"]["schema"]["required"] == ["verdict"]
    assert (body["max_tokens"], body["temperature"]) == (50, 0.25)
    assert [(message["role"]) for message in body["messages"]] == ["system", "user"]
    assert body["messages"][0]["content"].startswith("You review.")
    assert body["messages"][1]["content"] == "Is 1 = 1?"
    assert "tools" not in body


@pytest.mark.parametrize(("mode", "form"), [(ReplyMode.PROMPTED, "fit this JSON schema"), (ReplyMode.ACTION, '{"action": "reply"')])
async def test_the_schema_stands_in_the_prompt(mode: ReplyMode, form: str) -> None:
    with FaultyServer.running(said(GOOD)) as server:
        assert (await ask_once(server, mode)).text == GOOD
    (body,) = server.bodies
    assert form in body["messages"][0]["content"]
    assert '"required": ["verdict"]' in body["messages"][0]["content"]
    assert "response_format" not in body


async def test_the_reply_is_a_call() -> None:
    call = {"id": "t1", "type": "function", "function": {"name": "reply", "arguments": r'{"verdict": "\nu \frac12"}'}}
    with FaultyServer.running(said("", finish="tool_calls", tool_calls=[call])) as server:
        reply = await ask_once(server, ReplyMode.TOOL)
    assert reply.text == r'{"verdict": "\nu \frac12"}'
    assert server.bodies[0]["tools"][0]["function"]["parameters"]["required"] == ["verdict"]


async def test_a_model_that_calls_no_tool_may_say_it() -> None:
    with FaultyServer.running(said(GOOD)) as server:
        assert (await ask_once(server, ReplyMode.TOOL)).text == GOOD


async def test_a_complaint_is_said_after_the_reply_it_is_about() -> None:
    request = ModelRequest(PROMPT, SCHEMA, attempt=2, complaint="the reply is empty", previous="")
    with FaultyServer.running(said(GOOD)) as server:
        await ask_once(server, request=request)
    roles = [(message["role"], message["content"]) for message in server.bodies[0]["messages"]]
    assert roles[2] == ("assistant", "(nothing)")
    assert roles[3][0] == "user"
    assert "the reply is empty" in roles[3][1]


async def test_plain_text_is_asked_without_a_schema() -> None:
    with FaultyServer.running(said("step 4")) as server:
        assert (await ask_once(server, request=ModelRequest(PROMPT, {}))).text == "step 4"
    assert "response_format" not in server.bodies[0]
    assert "JSON" not in server.bodies[0]["messages"][0]["content"]


async def test_no_key_of_another_provider_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-another-provider")
    with FaultyServer.running(said(GOOD)) as server:
        await ask_once(server)
    assert "secret" not in str(server.headers)


@pytest.mark.parametrize(("finish", "expected"), [("length", Finish.LENGTH), ("content_filter", Finish.REFUSED)])
async def test_why_the_model_stopped(finish: str, expected: Finish) -> None:
    with FaultyServer.running(said('{"verd', finish=finish)) as server:
        assert (await ask_once(server)).finish is expected


FAULTS: list[tuple[str, Handling, str, bool, bool]] = [
    ("400", status(400, "no such parameter"), "the server answered 400: no such parameter", False, False),
    ("401", status(401, "bad key"), "the server answered 401: bad key", False, False),
    ("404", status(404, "no such model"), "the server answered 404: no such model", False, False),
    ("429", status(429, "slow down"), "the server answered 429: slow down", True, False),
    ("500", status(500, "sorry"), "the server answered 500: sorry", True, True),
    ("503", status(503, "overloaded"), "the server answered 503: overloaded", True, True),
    ("dropped", dropped, "no answer", True, True),
    ("truncated", truncated, "no answer", True, True),
    ("oversized", oversized(17_000_000), "longer than 16000000 bytes", False, True),
    ("not JSON", lambda handler: handler.send(200, b"<html>hello"), "cannot be read", True, True),
    ("empty", lambda handler: handler.send(200, b""), "", True, True),
    ("no choices", lambda handler: handler.send(200, b'{"id": "c", "choices": []}'), "", True, True),
    ("other JSON", lambda handler: handler.send(200, b"[1, 2]"), "", True, True),
]


@pytest.mark.parametrize(("handling", "message", "may_retry", "billed"), [one[1:] for one in FAULTS], ids=[fault[0] for fault in FAULTS])
async def test_every_fault_is_one_line_and_says_what_may_be_done(handling: Handling, message: str, may_retry: bool, billed: bool) -> None:
    with FaultyServer.running(handling) as server:
        with pytest.raises(ModelError) as caught:
            await ask_once(server)
        assert len(server.bodies) == 1, "nothing is tried again behind our back"
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    assert (caught.value.may_retry, caught.value.may_be_billed) == (may_retry, billed)


async def test_how_long_the_server_asks_to_wait() -> None:
    with FaultyServer.running(status(429, retry_after="7")) as server, pytest.raises(ModelError) as caught:
        await ask_once(server)
    assert caught.value.retry_after == 7.0


async def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    model = model_at(f"http://127.0.0.1:{port}/v1")
    with pytest.raises(ModelError, match="no answer") as caught:
        await model.answer(ModelRequest(PROMPT, SCHEMA))
    await model.aclose()
    assert (caught.value.may_retry, caught.value.may_be_billed) == (True, False)


class TestAtTheDesk:
    """The same faults, seen from the stage that asks, with the ledger's account."""

    async def ask(self, *script: Handling, **policy: Any) -> tuple[Any, list[tuple[CallOutcome, str]], list[float]]:  # noqa: ANN401
        clock = Clock()
        with FaultyServer.running(*script) as server:
            model = model_at(server.url)
            prices = PriceTable({model.name: Price(Decimal(1), Decimal(2))})
            async with Desk(model, prices=prices, policy=AskingPolicy(**policy), sleep=clock.sleep, clock=clock) as desk:
                answer = await desk.asker(proof="p").ask(PROMPT, Review)
                return answer, [(call.outcome, call.detail) for call in desk.ledger.calls()], clock.slept

    async def test_too_many_requests_with_a_time_to_wait(self) -> None:
        answer, calls, slept = await self.ask(status(429, retry_after="3"), said(GOOD), max_wait_s=60.0)
        assert answer == Review(verdict="fine")
        assert [outcome for outcome, _ in calls] == [CallOutcome.FAILED, CallOutcome.READ]
        assert slept[0] == 3.0

    async def test_too_many_requests_without_a_time_to_wait(self) -> None:
        answer, calls, slept = await self.ask(status(429), status(429), said(GOOD))
        assert answer == Review(verdict="fine")
        assert slept == [1.0, 2.0]
        assert "429" in calls[0][1]

    async def test_a_server_that_stays_broken(self) -> None:
        answer, calls, _ = await self.ask(status(500, "sorry"), turns=3)
        assert isinstance(answer, Inconclusive)
        assert answer.reason is Reason.NO_REPLY
        assert "500: sorry" in answer.detail
        assert [outcome for outcome, _ in calls] == [CallOutcome.FAILED, CallOutcome.FAILED, CallOutcome.GIVEN_UP]

    async def test_a_server_that_hangs(self) -> None:
        answer, calls, _ = await self.ask(hanging(), said(GOOD), call_timeout_s=0.3)
        assert answer == Review(verdict="fine")
        assert "no reply within 0.3 s" in calls[0][1]

    async def test_a_connection_that_drops(self) -> None:
        answer, calls, _ = await self.ask(dropped, said(GOOD))
        assert answer == Review(verdict="fine")
        assert calls[0][0] is CallOutcome.FAILED

    async def test_a_body_that_ends_too_early(self) -> None:
        answer, calls, _ = await self.ask(truncated, said(GOOD))
        assert answer == Review(verdict="fine")
        assert calls[0][0] is CallOutcome.FAILED

    async def test_a_body_without_end_is_not_asked_for_again(self) -> None:
        answer, calls, _ = await self.ask(oversized(17_000_000))
        assert isinstance(answer, Inconclusive)
        assert calls == [(CallOutcome.GIVEN_UP, answer.detail)]

    async def test_a_reply_that_is_cut_off_is_asked_for_again(self) -> None:
        answer, calls, _ = await self.ask(said('{"verdict": "fi', finish="length"), said(GOOD))
        assert answer == Review(verdict="fine")
        assert calls[0][0] is CallOutcome.MALFORMED
        assert "cut off" in calls[0][1]

    async def test_a_reply_of_another_form(self) -> None:
        answer, calls, _ = await self.ask(said('{"grade": 3}'), said("I think it is fine"), said('{"verdict": 1}'))
        assert isinstance(answer, Inconclusive)
        assert answer.reason is Reason.MALFORMED_REPLY
        assert [outcome for outcome, _ in calls] == [CallOutcome.MALFORMED] * 3


ANTHROPIC = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "claude-x",
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "content": [{"type": "tool_use", "id": "t", "name": "reply", "input": {"verdict": "\\nu"}}],
    "usage": {"input_tokens": 5, "output_tokens": 3},
}
OPENAI = {
    "id": "r",
    "object": "response",
    "created_at": 1,
    "model": "gpt-x",
    "status": "completed",
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "output": [
        {
            "type": "message",
            "id": "m",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": r'{"verdict": "\\nu"}', "annotations": []}],
        }
    ],
    "usage": {
        "input_tokens": 5,
        "output_tokens": 3,
        "total_tokens": 8,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    },
}
GOOGLE = {
    "candidates": [{"content": {"role": "model", "parts": [{"text": r'{"verdict": "\\nu"}'}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 5, "candidatesTokenCount": 3, "totalTokenCount": 8},
    "modelVersion": "gemini-x",
}


@pytest.mark.parametrize(
    ("kind", "answer", "asked"),
    [
        ("anthropic", ANTHROPIC, lambda body: body["tools"][0]["input_schema"]["required"]),
        ("openai", OPENAI, lambda body: body["text"]["format"]["schema"]["required"]),
        ("google", GOOGLE, lambda body: body["generationConfig"]["responseJsonSchema"]["required"]),
    ],
)
async def test_each_provider_speaks_its_own_protocol(kind: str, answer: dict[str, Any], asked: Callable[[Any], object]) -> None:
    with FaultyServer.running(lambda handler: handler.send(200, json.dumps(answer).encode())) as server:
        model = connect(kind, "m", Connection(server.url.removesuffix("/v1"), api_key="k"))
        reply = await model.answer(ModelRequest(PROMPT, SCHEMA))
        await model.aclose()
    assert read_reply(reply.text, Review) == Review(verdict="\\nu")
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.finish) == (5, 3, Finish.STOP)
    assert asked(server.bodies[0]) == ["verdict"]
    assert "You review." in json.dumps(server.bodies[0])


ANSWERS = [(status(429, retry_after="9"), True, 9.0), (status(401), False, None), (status(503), True, None)]


@pytest.mark.parametrize("kind", ["anthropic", "openai", "google"])
@pytest.mark.parametrize(
    ("handling", "may_retry", "retry_after"),
    [(status(429, retry_after="9"), True, 9.0), (status(401), False, None), (status(503), True, None)],
)
async def test_each_provider_says_what_may_be_done(kind: str, handling: Handling, may_retry: bool, retry_after: float | None) -> None:
    with FaultyServer.running(handling) as server:
        model = connect(kind, "m", Connection(server.url.removesuffix("/v1"), api_key="k"))
        with pytest.raises(ModelError) as caught:
            await model.answer(ModelRequest(PROMPT, SCHEMA))
        await model.aclose()
        assert len(server.bodies) == 1
    assert (caught.value.may_retry, caught.value.retry_after) == (may_retry, retry_after)


class TestConnecting:
    def test_a_missing_key_is_a_usage_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
            monkeypatch.delenv(name, raising=False)
        for kind in ("openai", "anthropic", "google"):
            with pytest.raises(UsageError, match=rf"^{kind}:m: .*_API_KEY"):
                connect(kind, "m")

    @pytest.mark.parametrize(("kind", "model"), [("openai", "gpt-5"), ("anthropic", "claude-sonnet-4-5"), ("google", "gemini-2.5-flash")])
    async def test_every_provider_connects_with_a_key(self, kind: str, model: str) -> None:
        connected = connect(kind, model, Connection(api_key="k"))
        assert connected.name == f"{kind}:{model}"
        await connected.aclose()

    async def test_requests_can_be_forbidden(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from pydantic_ai import models

        monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", False)
        model = connect("openai", "gpt-5", Connection(api_key="k"))
        with pytest.raises(ModelError, match="ALLOW_MODEL_REQUESTS"):
            await model.answer(ModelRequest(PROMPT, SCHEMA))
        await model.aclose()

    def test_an_address_is_needed(self) -> None:
        with pytest.raises(UsageError, match="needs the address of its server"):
            connect("openai-compatible", "m")


def test_the_double_of_a_server_speaks_the_protocol() -> None:
    assert completion("x")["choices"][0]["message"]["content"] == "x"
