"""An HTTP client that takes in no more than it was told to, so that no server can fill the memory."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

__all__ = ["bounded_client", "oversized"]


class _Oversized(Exception):
    """A body was longer than allowed."""


def oversized(error: BaseException) -> str:
    """Say so where an error arose because a body was too long; otherwise empty."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, _Oversized):
            return str(seen)
        seen = seen.__cause__ or seen.__context__
    return ""


def bounded_client(max_bytes: int, timeout_s: float) -> httpx2.AsyncClient:
    """Give a client that breaks off bodies of more than ``max_bytes``; it asks for them uncompressed, so these are all the bytes there are.

    The user's own settings for proxies and certificates count.
    """

    async def bound(response: httpx2.Response) -> None:
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedStream(response.stream, max_bytes)

    async def ask_plainly(request: httpx2.Request) -> None:
        request.headers["accept-encoding"] = "identity"

    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(timeout_s, connect=10.0),
        follow_redirects=False,
        event_hooks={"request": [ask_plainly], "response": [bound]},
    )


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, max_bytes: int) -> None:
        self._stream = stream
        self._max_bytes = max_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        taken = 0
        async for chunk in self._stream:
            taken += len(chunk)
            if taken > self._max_bytes:
                raise _Oversized(f"the server's answer is longer than {self._max_bytes} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
