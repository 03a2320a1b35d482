"""A tiny OpenAI-compatible server that does what a test tells it to, over real HTTP."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

__all__ = ["FaultyServer", "Handling", "completion", "dropped", "hanging", "oversized", "said", "status", "truncated"]

Handling = Callable[["_Handler"], None]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        server = cast("FaultyServer", self.server)
        body = self.rfile.read(int(self.headers["content-length"]))
        self.asked: dict[str, Any] = json.loads(body)
        server.bodies.append(self.asked)
        server.headers.append(dict(self.headers))
        with server.lock:
            handling = server.script.pop(0) if len(server.script) > 1 else server.script[0]
        handling(self)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""

    def send(self, code: int, body: bytes, **headers: str) -> None:
        self.send_response(code)
        for name, value in {"content-type": "application/json", "content-length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


class FaultyServer(ThreadingHTTPServer):
    """Handles each request as the script says; the last handling stays."""

    daemon_threads = True

    def __init__(self, script: Sequence[Handling]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = list(script)
        self.lock = threading.Lock()
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.ended = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @classmethod
    @contextmanager
    def running(cls, *script: Handling) -> Iterator[FaultyServer]:
        with cls(script) as server:
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            try:
                yield server
            finally:
                server.ended.set()
                server.shutdown()
                thread.join()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that has gone away is what some tests are about."""


def completion(text: str, *, finish: str = "stop", **message: object) -> dict[str, Any]:
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def said(text: str, **options: Any) -> Handling:  # noqa: ANN401
    return lambda handler: handler.send(200, json.dumps(completion(text, **options)).encode())


def status(code: int, message: str = "no", **headers: str) -> Handling:
    return lambda handler: handler.send(code, json.dumps({"error": {"message": message}}).encode(), **headers)


def hanging() -> Handling:
    return lambda handler: cast("None", cast("FaultyServer", handler.server).ended.wait(30))


def dropped(handler: _Handler) -> None:
    """Break the connection off with a reset, before a word is said."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True


def truncated(handler: _Handler) -> None:
    """Promise more than is sent."""
    body = json.dumps(completion("{}")).encode()
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(len(body) + 100))
    handler.end_headers()
    handler.wfile.write(body[:40])
    handler.close_connection = True


def oversized(size: int) -> Handling:
    return lambda handler: handler.send(200, json.dumps(completion("x" * size)).encode())
