"""A Lean engine whose answers a run keeps, so that the run replays without asking Lean again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from pydantic import TypeAdapter

from fidelean.lean.cache import ElaborationCache
from fidelean.lean.engine import LeanEngine
from fidelean.lean.records import Elaboration, LeanSource
from fidelean.runs.ledger import Ledger

__all__ = ["KeptEngine"]


@cache
def _adapter() -> TypeAdapter[Elaboration]:
    return TypeAdapter(Elaboration)


class KeptEngine:
    """Gives the answer that the ledger of the run holds, and keeps every new one, time-outs included: a run has one history."""

    def __init__(self, engine: LeanEngine, ledger: Ledger) -> None:
        self._engine = engine
        self._ledger = ledger

    @property
    def name(self) -> str:
        """The engine's own name."""
        return self._engine.name

    async def elaborate(self, sources: Sequence[LeanSource]) -> list[Elaboration]:
        """Answer what is known, ask for the rest."""
        keys = [ElaborationCache.key([self.name, source.kind.value, source.name, source.text]) for source in sources]
        known = {key: _adapter().validate_json(kept) for key in set(keys) if (kept := self._ledger.elaboration(key)) is not None}
        missing = {key: source for key, source in zip(keys, sources, strict=True) if key not in known}
        if missing:
            answers = await self._engine.elaborate(list(missing.values()))
            for key, answer in zip(missing, answers, strict=True):
                self._ledger.store_elaboration(key, _adapter().dump_json(answer).decode())
                known[key] = answer
        return [known[key] for key in keys]

    async def aclose(self) -> None:
        """End the engine; the ledger stays its owner's to close."""
        await self._engine.aclose()
