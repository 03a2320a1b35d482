"""Searchers elsewhere, asked over HTTP: replies shaped like those of Loogle and of LeanSearch. Nothing here is asked unless configured."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from fidelean.errors import MachineryError
from fidelean.lean.library.records import Declaration, Hit

__all__ = ["HttpSearch", "RemoteSettings"]

_LARGEST_REPLY = 4_000_000


@dataclass(frozen=True, slots=True)
class RemoteSettings:
    """How a searcher elsewhere is reached."""

    url: str
    """Address asked with GET; the query is added as a parameter."""
    parameter: str = "q"
    """Name of the parameter that holds the query."""
    timeout_s: float = 10.0
    """Longest wait for the reply (seconds)."""


class HttpSearch:
    """A ``LibrarySearch`` over HTTP; ``show`` and ``resolve`` search and keep the hits of exactly the name."""

    def __init__(self, settings: RemoteSettings) -> None:
        if urllib.parse.urlsplit(settings.url).scheme not in {"http", "https"}:
            raise MachineryError(f"{settings.url} is no address of a searcher: it has to begin with http:// or https://")
        self._settings = settings

    def search(self, query: str, limit: int = 10) -> list[Hit]:
        """See ``LibrarySearch``."""
        return [Hit(_declaration(row), "remote") for row in _rows(self._ask(query))[:limit]]

    def show(self, name: str) -> list[Declaration]:
        """See ``LibrarySearch``."""
        return [hit.declaration for hit in self.search(name, 100) if hit.declaration.name == name]

    def resolve(self, name: str, opened: Sequence[str] = ()) -> list[Declaration]:
        """See ``LibrarySearch``."""
        return [one for full in dict.fromkeys([name, *(f"{space}.{name}" for space in opened)]) for one in self.show(full)]

    def _ask(self, query: str) -> object:
        joint = "&" if "?" in self._settings.url else "?"
        address = f"{self._settings.url}{joint}{urllib.parse.urlencode({self._settings.parameter: query})}"
        try:
            with urllib.request.urlopen(address, timeout=self._settings.timeout_s) as reply:  # noqa: S310
                content = reply.read(_LARGEST_REPLY + 1)
            if len(content) > _LARGEST_REPLY:
                raise MachineryError(f"{self._settings.url}: the reply is over {_LARGEST_REPLY} bytes")
            return json.loads(content)
        except (OSError, ValueError, urllib.error.URLError) as error:
            raise MachineryError(f"{self._settings.url}: no answer that can be read: {error}") from None


def _rows(reply: object) -> list[Mapping[str, Any]]:
    if isinstance(reply, dict):
        table = cast("dict[str, Any]", reply)
        if "error" in table:
            raise MachineryError(f"the searcher refused the query: {str(table['error'])[:200]}")
        reply = table.get("hits", table.get("results"))
    if not isinstance(reply, list):
        raise MachineryError("the searcher's reply holds no list of hits")
    listed = [row for one in cast("list[object]", reply) for row in (cast("list[object]", one) if isinstance(one, list) else [one])]
    rows = [cast("dict[str, Any]", row.get("result", row)) for row in cast("list[dict[str, Any]]", listed) if isinstance(row, dict)]  # pyright: ignore[reportUnnecessaryIsInstance]
    return [row for row in rows if isinstance(row, dict) and _text(row, "name")]  # pyright: ignore[reportUnnecessaryIsInstance]


def _declaration(row: Mapping[str, Any]) -> Declaration:
    doc = _text(row, "doc", "docstring", "informal_description") or None
    return Declaration(_text(row, "name"), _text(row, "kind"), _text(row, "module", "module_name"), 0, _text(row, "type", "signature"), doc)


def _text(row: Mapping[str, Any], *keys: str) -> str:
    """The first of the fields that holds a text; a list of names is a name in parts."""
    for key in keys:
        value = row.get(key)
        if isinstance(value, list):
            return ".".join(str(part) for part in cast("list[object]", value))
        if isinstance(value, str):
            return value
    return ""
