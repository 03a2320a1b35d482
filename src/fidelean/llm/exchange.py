"""A model without any API: each request is a file, and the run goes on when the file with the reply appears.

For chat windows, for machines without a network, and for people. In the folder stand, for every request,

    KEY.request.json    the request with its schema, for programs
    KEY.request.md      the same to read, or to paste into a chat
    KEY.reply.json      the reply, as an object or as text with one in it (or KEY.reply.txt); written by whoever answers

A run that was interrupted finds the replies that have come meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from fidelean.errors import ModelError, UsageError
from fidelean.llm.conversation import ReplyMode, conversation
from fidelean.llm.keys import request_document, request_key
from fidelean.llm.records import ModelReply, ModelRequest, Usage

__all__ = ["ExchangeModel"]

_MAX_BYTES = 4_000_000
_WEEK_S = 7 * 24 * 3600.0


class ExchangeModel:
    """Writes requests into a folder and waits for replies there."""

    def __init__(
        self,
        folder: Path,
        *,
        patience_s: float = _WEEK_S,
        poll_s: float = 0.5,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Take a folder, which is made where it is missing; ``patience_s`` is the longest wait for one reply (seconds).

        Raises ``UsageError`` where the folder cannot be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"exchange:{folder}: {error.strerror}") from None
        self._folder = folder
        self.patience_s = patience_s
        self._poll_s = poll_s
        self._clock = clock
        self._sleep = sleep

    @property
    def name(self) -> str:
        """``exchange:`` and the folder's own name, so that a folder that was moved is the same model."""
        return f"exchange:{self._folder.resolve().name}"

    async def answer(self, request: ModelRequest) -> ModelReply:
        """Write a request and wait for its reply. Raises ``ModelError`` where none comes in time or it is too long."""
        key = request_key(request, self.name)[:32]
        started = self._clock()
        if self._reply_file(key) is None:
            self._write_request(key, request)
        seen: tuple[int, int] | None = None
        while True:
            if (file := self._reply_file(key)) is not None:
                state = _state(file)
                # Twice the same: nobody is writing it any more.
                if state is not None and state[0] > 0 and state == seen:
                    return ModelReply(self._read(file), self.name, Usage(), seconds=self._clock() - started)
                seen = state
            if self._clock() - started > self.patience_s:
                raise ModelError(f"{self.name}: no reply to {key} appeared within {self.patience_s:g} s")
            await self._sleep(self._poll_s)

    async def aclose(self) -> None:
        """Nothing is open; requests without a reply stay for the next run."""

    def _reply_file(self, key: str) -> Path | None:
        return next((file for ending in ("json", "txt") if (file := self._folder / f"{key}.reply.{ending}").is_file()), None)

    def _read(self, file: Path) -> str:
        try:
            with file.open("rb") as stream:
                content = stream.read(_MAX_BYTES + 1)
        except OSError as error:
            raise ModelError(f"{self.name}: {file.name} cannot be read: {error.strerror}") from None
        if len(content) > _MAX_BYTES:
            raise ModelError(f"{self.name}: {file.name} is longer than {_MAX_BYTES} bytes")
        return content.decode("utf-8-sig", "replace")

    def _write_request(self, key: str, request: ModelRequest) -> None:
        document = {"key": key, "reply_in": f"{key}.reply.json", **request_document(request)}
        try:
            _write(self._folder / f"{key}.request.md", _readable(key, request))
            _write(self._folder / f"{key}.request.json", json.dumps(document, ensure_ascii=False, indent=2) + "\n")
        except OSError as error:
            raise ModelError(f"{self.name}: the request cannot be written: {error.strerror}") from None


def _state(file: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        facts = file.stat()
        return facts.st_size, facts.st_mtime_ns
    return None


def _readable(key: str, request: ModelRequest) -> str:
    said = "\n\n".join(f"# {one.by.value}\n\n{one.text}" for one in conversation(request, ReplyMode.PROMPTED))
    ending = "json" if request.schema else "txt"
    return f"{said}\n\n---\n\nThe reply belongs into `{key}.reply.{ending}` beside this file.\n"


def _write(target: Path, text: str) -> None:
    """Let a file appear whole."""
    handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace", newline="\n") as stream:
            stream.write(text)
        Path(name).chmod(0o644)
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
