"""Recorded replies: the ledger of a run, or a JSONL file that says who wrote it.

A file begins with a line ``{"recording": 1, "author": "..."}``: ``"written by hand for this repository"`` is an author like
``"gpt-5, 2026-11-30"``.
Every further line is a reply:

    {"stage": "review", "about": ["step 3"], "reply": {"verdict": "likely_wrong"}}
    {"key": "3f...", "stage": "review", "model": "openai:gpt-5", "role": "main", "reply": "...", "input_tokens": 812, ...}

One with a ``key`` answers the request with that key. One without (written by hand) answers the requests of its stage whose question
holds every text of ``about``, with the same ``sample`` (0) and ``attempt`` (1) and, where it says one, in the same ``role``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fidelean.errors import InputError, UsageError
from fidelean.llm.keys import request_key
from fidelean.llm.records import ModelRequest, ModelRole
from fidelean.runs.ledger import LEDGER_NAME, Ledger
from fidelean.runs.records import CallOutcome, CallRecord

__all__ = ["Recorded", "Recording", "read_recording", "write_recording"]

_Form = TypeVar("_Form", bound=BaseModel)

_MAX_BYTES = 1_000_000_000
_SQLITE = b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is known of one call, reduced to what a replay needs."""

    stage: str
    """The stage that asked."""
    outcome: CallOutcome
    """What became of the call."""
    reply: str | None
    """The reply as it came; None where none came."""
    detail: str = ""
    """Why, where none came."""
    key: str = ""
    """Key of the request; empty where the reply was written by hand."""
    role: str = ""
    """What the model was asked as; empty where that does not matter."""
    model: str = ""
    """Provider and model that was asked."""
    answered_by: str = ""
    """Who answered, as the provider names it."""
    about: tuple[str, ...] = ()
    """Texts that the question holds, for a reply without key."""
    sample: int = 0
    """Tells apart repeated askings, 0-based."""
    attempt: int = 1
    """1-based; above one, the reply before was malformed."""
    finish: Literal["stop", "length", "refused"] = "stop"
    """Why the model stopped writing."""
    input_tokens: int = 0
    """Tokens read."""
    output_tokens: int = 0
    """Tokens written."""
    price: Decimal = Decimal(0)
    """What it cost (US dollars)."""
    seconds: float = 0.0
    """Time from request to reply (seconds)."""


class Recording:
    """Replies by key and by what they are about."""

    def __init__(self, author: str, recorded: Iterable[Recorded]) -> None:
        self.author = author
        self._by_key: dict[str, Recorded] = {}
        self._by_hand: list[Recorded] = []
        self._models: dict[tuple[str, str], None] = {}
        for one in recorded:
            if not one.key:
                self._by_hand.append(one)
                continue
            self._models[one.role, one.model] = None
            # A call that failed is outdone by a later one; the first reply stays, as when it was recorded.
            if (known := self._by_key.get(one.key)) is None or known.reply is None:
                self._by_key[one.key] = one

    def models(self, role: ModelRole) -> list[str]:
        """Names of the models that were asked in a role, in the order in which they first were; all names where none was."""
        named = [model for asked_as, model in self._models if asked_as in (role.value, "")]
        return list(dict.fromkeys(named or [model for _, model in self._models]))

    def find(self, request: ModelRequest, role: ModelRole) -> Recorded | None:
        """Give what was recorded for a request. Raises ``UsageError`` where two replies written by hand answer it."""
        for model in self.models(role):
            if found := self._by_key.get(request_key(request, model)):
                return found
        fitting = [one for one in self._by_hand if _answers(one, request, role)]
        if len(fitting) > 1:
            raise UsageError(
                f"the recording has {len(fitting)} replies for one request of the stage {request.prompt.stage}: say more in about"
            )
        return fitting[0] if fitting else None


def read_recording(file: Path) -> Recording:
    """Read a recording: a JSONL file, a ledger, or the folder of a run. Raises ``InputError``."""
    if file.is_dir():
        file /= LEDGER_NAME
    try:
        with file.open("rb") as stream:
            head = stream.read(len(_SQLITE))
            if head != _SQLITE:
                return _read_lines(file, head + stream.read(_MAX_BYTES))
    except OSError as error:
        raise InputError(f"no recording can be read: {error.strerror}", source=str(file)) from None
    with Ledger.read(file) as ledger:
        return Recording(f"the run in {file.parent.name}", [_recorded(call) for call in ledger.calls()])


def write_recording(author: str, calls: Iterable[CallRecord]) -> Iterator[str]:
    """Give the lines of a recording of these calls, without line ends."""
    yield json.dumps({"recording": 1, "author": author}, ensure_ascii=False)
    defaults = asdict(Recorded("", CallOutcome.READ, None))
    for call in calls:
        document = {name: value for name, value in asdict(_recorded(call)).items() if value != defaults[name]}
        yield json.dumps(document | {"price": str(call.price)}, ensure_ascii=False)


def _recorded(call: CallRecord) -> Recorded:
    return Recorded(
        stage=call.stage,
        outcome=call.outcome,
        reply=call.reply,
        detail=call.detail,
        key=call.key,
        role=call.role,
        model=call.model,
        answered_by=call.answered_by,
        sample=call.sample,
        attempt=call.attempt,
        finish="length" if call.finish == "length" else "refused" if call.finish == "refused" else "stop",
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
        price=call.price,
        seconds=call.seconds,
    )


class _Head(BaseModel):
    model_config = ConfigDict(extra="forbid")
    recording: Literal[1]
    author: Annotated[str, Field(min_length=1)]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")
    stage: str
    outcome: CallOutcome = CallOutcome.READ
    reply: str | dict[str, object] | None = None
    detail: str = ""
    key: str = ""
    role: str = ""
    model: str = ""
    answered_by: str = ""
    about: tuple[str, ...] = ()
    sample: int = 0
    attempt: int = 1
    finish: Literal["stop", "length", "refused"] = "stop"
    input_tokens: int = 0
    output_tokens: int = 0
    price: Decimal = Decimal(0)
    seconds: float = 0.0


def _read_lines(file: Path, content: bytes) -> Recording:
    # Not splitlines: JSON may hold what only that takes for the end of a line.
    lines = content.decode("utf-8", "replace").split("\n")
    head = _read_line(_Head, file, 1, lines[0])
    recorded = [_from_line(_read_line(_Line, file, number, line)) for number, line in enumerate(lines[1:], 2) if line.strip()]
    return Recording(head.author, recorded)


def _read_line(form: type[_Form], file: Path, number: int, line: str) -> _Form:
    try:
        return form.model_validate_json(line)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, fault["loc"])) or "the line"
        raise InputError(f"is no line of a recording: {place}: {fault['msg']}", source=str(file), line=number) from None


def _from_line(line: _Line) -> Recorded:
    fields = line.model_dump()
    if isinstance(line.reply, dict):
        fields["reply"] = json.dumps(line.reply, ensure_ascii=False)
    return Recorded(**fields)


def _answers(one: Recorded, request: ModelRequest, role: ModelRole) -> bool:
    return (
        (one.stage, one.sample, one.attempt) == (request.prompt.stage, request.sample, request.attempt)
        and one.role in ("", role.value)
        and all(text in request.prompt.user for text in one.about)
    )
