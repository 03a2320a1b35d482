"""Providers of language models, behind the client classes of pydantic-ai: ours says a request and reads what comes back."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from fidelean.errors import ModelError, UsageError
from fidelean.llm.conversation import ReplyMode, Said, SpokenBy, conversation
from fidelean.llm.records import Finish, ModelReply, ModelRequest, Usage

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

__all__ = ["PROVIDERS", "Connection", "ProviderModel", "connect"]

PROVIDERS = ("openai", "anthropic", "google", "openai-compatible")
"""Kinds of providers, as they stand in a model's name."""

_KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "google": "GOOGLE_API_KEY"}
_MAX_BODY_BYTES = 16_000_000
_MESSAGE_CHARS = 400
_BOUNDS = frozenset(("maxLength", "maxItems"))


@dataclass(frozen=True, slots=True)
class Connection:
    """How a provider is reached."""

    base_url: str | None = None
    """Where the server is; needed for ``openai-compatible``, elsewhere for a proxy."""
    api_key: str | None = None
    """The key; None reads the environment variable that the provider's own programs read."""
    reply_mode: ReplyMode | None = None
    """How the model is brought to reply with an object; None takes what suits the provider."""
    timeout_s: float = 600.0
    """Longest wait of the connection for something to come (seconds)."""


def connect(kind: str, model: str, connection: Connection | None = None, *, name: str | None = None) -> ProviderModel:
    """Give a model of a provider, under ``name`` or its usual one. Nothing is sent yet.

    Raises ``UsageError`` where the key or the address is missing.
    """
    from pydantic_ai.exceptions import UserError

    connection = connection or Connection()
    name = name or (f"{kind}:{model}" if kind != "openai-compatible" else f"{kind}:{model}@{connection.base_url}")
    try:
        return ProviderModel(name, *_client(kind, model, connection), connection.reply_mode or _usual_mode(kind), connection.timeout_s)
    except (UserError, ValueError) as error:
        if kind in _KEYS and connection.api_key is None and not os.environ.get(_KEYS[kind]):
            raise UsageError(f"{name}: its key is missing: set the environment variable {_KEYS[kind]}") from None
        raise UsageError(f"{name}: {_one_line(error)}") from None


def _usual_mode(kind: str) -> ReplyMode:
    return ReplyMode.TOOL if kind == "anthropic" else ReplyMode.NATIVE


def _client(kind: str, model: str, connection: Connection) -> tuple[Model, Any]:
    """Make pydantic-ai's model on an HTTP client of ours, which bounds what it takes in and tries nothing twice."""
    from fidelean.llm.transport import bounded_client

    http = bounded_client(_MAX_BODY_BYTES, connection.timeout_s)
    key, url = connection.api_key, connection.base_url
    match kind:
        case "openai":
            from pydantic_ai.models.openai import OpenAIResponsesModel
            from pydantic_ai.providers.openai import OpenAIProvider

            return OpenAIResponsesModel(model, provider=OpenAIProvider(base_url=url, api_key=key, http_client=http)), http
        case "anthropic":
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            return AnthropicModel(model, provider=AnthropicProvider(api_key=key, base_url=url, http_client=http)), http
        case "google":
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            return GoogleModel(model, provider=GoogleProvider(api_key=key, base_url=url, http_client=http)), http
        case "openai-compatible":
            from pydantic_ai.models.openai import OpenAIChatModel
            from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

            if not url:
                raise UsageError(
                    f"openai-compatible:{model} needs the address of its server: openai-compatible:{model}@http://HOST:PORT/v1"
                )
            provider = OpenAICompatibleProvider("server", base_url=url, api_key=key, http_client=http, profile=_COMPATIBLE)
            return OpenAIChatModel(model, provider=provider), http
        case _:
            raise UsageError(f"there is no provider {kind}: {', '.join(PROVIDERS)}")


_COMPATIBLE: Any = {
    "supports_json_schema_output": True,
    "openai_supports_strict_tool_definition": False,
    "openai_chat_supports_max_completion_tokens": False,
}


class ProviderModel:
    """A language model behind HTTP."""

    def __init__(self, name: str, model: Model, http: Any, mode: ReplyMode, timeout_s: float) -> None:  # noqa: ANN401
        self._name = name
        self._model = model
        self._http = http
        self._timeout_s = timeout_s
        self.mode = mode

    @property
    def name(self) -> str:
        """Provider and model, with the address where the provider is anybody's."""
        return self._name

    async def answer(self, request: ModelRequest) -> ModelReply:
        """Put a request to the provider once. Raises ``ModelError``; waiting and trying again is up to who asks."""
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import ContentFilterError

        started = time.monotonic()
        settings: Any = {"max_tokens": request.max_output_tokens, "timeout": self._timeout_s, "max_retries": 0}
        if request.temperature is not None:
            settings["temperature"] = request.temperature
        messages = _messages(conversation(request, self.mode))
        try:
            response = await model_request(
                self._model, messages, model_settings=settings, model_request_parameters=_parameters(request, self.mode)
            )
        except ContentFilterError as error:
            return ModelReply(_one_line(error), self._name, finish=Finish.REFUSED, seconds=time.monotonic() - started)
        except Exception as error:
            raise model_error(self._name, error) from error
        return _reply(response, self._name, time.monotonic() - started)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()


def _messages(said: list[Said]) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest as Asked
    from pydantic_ai.messages import ModelResponse as Answered
    from pydantic_ai.messages import SystemPromptPart, TextPart, UserPromptPart

    first, *others = said
    messages: list[ModelMessage] = [Asked(parts=[SystemPromptPart(first.text), UserPromptPart(others[0].text)])]
    for one in others[1:]:
        message: ModelMessage = Asked(parts=[UserPromptPart(one.text)])
        if one.by is SpokenBy.MODEL:
            message = Answered(parts=[TextPart(one.text)])
        messages.append(message)
    return messages


def _parameters(request: ModelRequest, mode: ReplyMode) -> ModelRequestParameters:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    schema = _plain(request.schema)
    if schema and mode is ReplyMode.NATIVE:
        held = _without_bounds(schema)
        return ModelRequestParameters(output_mode="native", output_object=OutputObjectDefinition(held, name=request.prompt.stage))
    if schema and mode is ReplyMode.TOOL:
        tool = ToolDefinition(name="reply", description="Gives the reply.", parameters_json_schema=schema, kind="output")
        return ModelRequestParameters(output_mode="tool", output_tools=[tool], allow_text_output=False)
    return ModelRequestParameters()


def _plain(schema: Mapping[str, object]) -> dict[str, Any]:
    """Copy a schema: the client may rewrite what it is given."""
    copy: dict[str, Any] = json.loads(json.dumps(dict(schema)))
    return copy


def _without_bounds(schema: Any) -> Any:  # noqa: ANN401
    """Drop the longest lengths, which are for whoever reads the reply: servers that make a grammar of a schema fail at large ones."""
    if isinstance(schema, list):
        return [_without_bounds(one) for one in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    table = cast("dict[str, object]", schema)
    return {key: _without_bounds(value) for key, value in table.items() if not (key in _BOUNDS and isinstance(value, int))}


def _reply(response: ModelResponse, name: str, seconds: float) -> ModelReply:
    finish = {"length": Finish.LENGTH, "content_filter": Finish.REFUSED}.get(response.finish_reason or "", Finish.STOP)
    usage = Usage(response.usage.input_tokens, response.usage.output_tokens)
    return ModelReply(_text(response), response.model_name or name, usage, finish, seconds)


def _text(response: ModelResponse) -> str:
    """Give the arguments of the call where the model called the tool, otherwise its text; what it thought is left out."""
    from pydantic_ai.messages import TextPart, ToolCallPart

    for part in response.parts:
        if isinstance(part, ToolCallPart):
            return part.args if isinstance(part.args, str) else json.dumps(part.args or {}, ensure_ascii=False)
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def model_error(name: str, error: Exception) -> ModelError:
    """Say what went wrong with a call, whether it may be tried again, and whether it may have been worked on."""
    from pydantic_ai import exceptions

    from fidelean.llm.transport import oversized

    if said := oversized(error):
        return ModelError(f"{name}: {said}", may_be_billed=True)
    retry_after = getattr(error, "retry_after", None)
    status = getattr(error, "status_code", None)
    what = f"the server answered {status}: {_told(error)}" if status else _one_line(error)
    busy = isinstance(error, exceptions.ModelRateLimitError) or status == 429
    if isinstance(error, exceptions.ModelQuotaExceededError):
        return ModelError(f"{name}: {what}")
    if busy:
        return ModelError(f"{name}: {what}", retry_after=retry_after, may_retry=True)
    failed = isinstance(error, (exceptions.ModelServerError, exceptions.ModelUnavailableError)) or (status or 0) >= 500
    if failed or isinstance(error, exceptions.ModelConnectionError):
        return ModelError(f"{name}: {_cause(error) or what}", retry_after=retry_after, may_retry=True, may_be_billed=_reached(error))
    if isinstance(error, exceptions.ModelRequestRejectedError) or status or isinstance(error, exceptions.UserError):
        return ModelError(f"{name}: {what}")
    return ModelError(f"{name}: the server's answer cannot be read: {_one_line(error)}", may_retry=True, may_be_billed=True)


def _told(error: Exception) -> str:
    """Give the server's own words, where they are to be found."""
    said: object = getattr(error, "body", None)
    for name in ("error", "message"):
        if isinstance(said, Mapping):
            said = cast("Mapping[str, object]", said).get(name, cast("object", said))
    return _short(str(said or "no explanation"))


def _cause(error: Exception) -> str:
    """Say of a connection what broke it: the client says only that it broke."""
    if getattr(error, "status_code", None):
        return ""
    first: BaseException = error
    while (deeper := first.__cause__ or first.__context__) is not None:
        first = deeper
    return f"no answer: {type(first).__name__}: {_short(str(first))}" if first is not error else ""


def _reached(error: Exception) -> bool:
    """Whether the server may have got the request: not where no connection was made."""
    names: list[str] = []
    first: BaseException | None = error
    while first is not None:
        names.append(type(first).__name__)
        first = first.__cause__ or first.__context__
    return not any(name in {"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "gaierror"} for name in names)


def _one_line(error: Exception) -> str:
    return _short(str(error) or type(error).__name__)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MESSAGE_CHARS else f"{line[:_MESSAGE_CHARS]}..."
