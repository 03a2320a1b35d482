"""What tests of the Lean room share: the engine, where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fidelean.errors import EngineUnavailable
from fidelean.lean.embedded import EmbeddedEngine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fidelean.policy import LeanPolicy


def embedded(*, policy: LeanPolicy | None = None, snippet_timeout_s: float = 60.0, use_cache: bool = False) -> EmbeddedEngine:
    """The embedded Lean, without stored answers; skips the test where it is not installed."""
    try:
        return EmbeddedEngine(policy=policy, snippet_timeout_s=snippet_timeout_s, use_cache=use_cache)
    except EngineUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def engine() -> Iterator[EmbeddedEngine]:
    """One embedded Lean for the whole run."""
    with embedded() as found:
        yield found
