"""What a request is, as a document, and the key under which its answer is kept."""

from __future__ import annotations

import hashlib
import json

from fidelean.llm.records import ModelRequest

__all__ = ["request_document", "request_key", "request_size"]

_OVERHEAD_TOKENS = 1_000


def request_document(request: ModelRequest) -> dict[str, object]:
    """Give everything that an answer may depend on, but for who answers; no times and no ids."""
    return {
        "stage": request.prompt.stage,
        "version": request.prompt.version,
        "system": request.prompt.system,
        "user": request.prompt.user,
        "schema": dict(request.schema),
        "sample": request.sample,
        "attempt": request.attempt,
        "complaint": request.complaint,
        "previous": request.previous,
        "max_output_tokens": request.max_output_tokens,
        "temperature": request.temperature,
    }


def request_key(request: ModelRequest, model: str) -> str:
    """Hash a request together with the model's name (hex, SHA-256)."""
    return hashlib.sha256(json.dumps([model, request_document(request)], sort_keys=True).encode()).hexdigest()


def request_size(request: ModelRequest) -> int:
    """Give the most tokens that a request can be (a token is at least a byte), its schema told twice and wrapped generously."""
    told = (request.prompt.system, request.prompt.user, request.complaint, request.previous)
    schema = len(json.dumps(dict(request.schema)))
    return sum(len(text.encode("utf-8", "replace")) for text in told) + 2 * schema + _OVERHEAD_TOKENS
