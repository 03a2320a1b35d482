"""Searchers elsewhere, played by a server on this machine."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from fidelean.errors import MachineryError
from fidelean.lean.library.remote import HttpSearch, RemoteSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

LOOGLE = {"count": 1, "hits": [{"name": "Nat.add_comm", "type": "(n m : ℕ) : n + m = m + n", "module": "Init.Nat", "doc": None}]}
LEANSEARCH = [
    [{"result": {"name": ["Nat", "add_comm"], "kind": "theorem", "module_name": ["Init", "Nat"], "signature": "x"}, "distance": 0.1}]
]
REPLIES: dict[str, bytes] = {
    "loogle": json.dumps(LOOGLE).encode(),
    "leansearch": json.dumps(LEANSEARCH).encode(),
    "error": b'{"error": "unknown identifier"}',
    "garbage": b"<html>",
    "odd": b'{"hits": 3}',
}


class _Stub(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        content = REPLIES.get(parse_qs(urlsplit(self.path).query)["q"][0])
        self.send_response(200 if content else 500)
        self.end_headers()
        self.wfile.write(content or b"")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def remote() -> Iterator[HttpSearch]:
    with HTTPServer(("127.0.0.1", 0), _Stub) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield HttpSearch(RemoteSettings(f"http://127.0.0.1:{server.server_port}/json", timeout_s=5))
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("query", ["loogle", "leansearch"])
def test_both_shapes_of_reply_are_read(remote: HttpSearch, query: str) -> None:
    (hit,) = remote.search(query)
    assert (hit.how, hit.declaration.name, hit.declaration.module) == ("remote", "Nat.add_comm", "Init.Nat")


@pytest.mark.parametrize("query", ["error", "garbage", "odd", "unknown to the stub"])
def test_what_is_no_answer_is_a_fault_of_the_machinery(remote: HttpSearch, query: str) -> None:
    with pytest.raises(MachineryError):
        remote.search(query)


def test_only_http_is_asked() -> None:
    with pytest.raises(MachineryError):
        HttpSearch(RemoteSettings("file:///etc/hostname"))
