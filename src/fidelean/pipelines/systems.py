"""Systems: what is exchanged between baselines, ablations and the full method (FaithSieve, baselines and ablations)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from fidelean.evidence.algebra import AlgebraChecker
from fidelean.evidence.arithmetic import ArithmeticChecker
from fidelean.evidence.records import Evidence
from fidelean.informal.records import Proof
from fidelean.obligations.records import Obligation
from fidelean.obligations.rules import derive
from fidelean.policy import Policy

if TYPE_CHECKING:
    from fidelean.lean.engine import LeanEngine

__all__ = ["Checker", "System", "rules"]


class Checker(Protocol):
    """Answers those obligations of proofs that it applies to."""

    async def check(self, cases: Sequence[tuple[Proof, Sequence[Obligation]]]) -> Sequence[Sequence[Evidence]]:
        """Answer for each proof in any order; an obligation that the checker does not apply to is left out."""
        ...


@dataclass(frozen=True, slots=True)
class System:
    """Rules that say what must hold, and checkers that look whether it does."""

    derive: Callable[[Proof], Sequence[Obligation]]
    """Gives the obligations of a proof, in the order of its text."""
    checkers: tuple[Checker, ...]
    """Every checker sees every obligation."""


def rules(engine: LeanEngine, policy: Policy) -> System:
    """Give the system ``rules``: no model, no key. ``engine`` is asked what exact arithmetic does not reach."""
    # without an engine nobody asks for the conditions in force, and reading them takes a third of the time
    return System(partial(derive, conditions=engine.name != "none"), (ArithmeticChecker(policy.arithmetic), AlgebraChecker(engine, policy)))
