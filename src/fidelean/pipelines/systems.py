"""Systems: what is exchanged between baselines, ablations and the full method (FaithSieve, baselines and ablations)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from fidelean.evidence.records import Evidence
from fidelean.exact import CheckedClaim, check_step
from fidelean.informal.records import Proof
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Inconclusive, Outcome, Reason
from fidelean.policy import Policy
from fidelean.verdict.fusion import NO_CHECKER

if TYPE_CHECKING:
    from fidelean.lean.engine import Engine

__all__ = ["Checker", "System", "rules"]


class Checker(Protocol):
    """Answers those obligations of a proof that it applies to."""

    async def check(self, proof: Proof, obligations: Sequence[Obligation]) -> Sequence[Evidence]:
        """Answer in any order; an obligation that the checker does not apply to is left out."""
        ...


@dataclass(frozen=True, slots=True)
class System:
    """Rules that say what must hold, and checkers that look whether it does."""

    derive: Callable[[Proof], Sequence[Obligation]]
    """Gives the obligations of a proof, in the order of its text."""
    checkers: tuple[Checker, ...]
    """Every checker sees every obligation."""


def rules(engine: Engine | None, policy: Policy) -> System:
    """Give the system ``rules``: no model, no key. ``engine`` is asked for what exact arithmetic does not reach; None asks nobody."""
    del engine
    return System(_numeric_obligations, (_ArithmeticChecker(policy),))


_OUT_OF_REACH = frozenset(
    {
        Reason.NO_RELATION,
        Reason.NOT_READ,
        Reason.FRAGMENT,
        Reason.HAS_VARIABLE,
        Reason.HAS_WORDS,
        Reason.HAS_ELLIPSIS,
        Reason.QUANTIFIED,
        Reason.NOT_ASSERTED,
    }
)


def _checked(proof: Proof, policy: Policy) -> list[tuple[Obligation, CheckedClaim]]:
    found: list[tuple[Obligation, CheckedClaim]] = []
    for step in proof.steps:
        checked = check_step(step.text, context=proof.problem.text, step=step.index, policy=policy.arithmetic)
        for number, item in enumerate(checked, start=1):
            found.append((Obligation(f"{step.index}.{number}", step.index, ObligationKind.DERIVED_FACT, item.claim), item))
    return found


def _numeric_obligations(proof: Proof) -> list[Obligation]:
    return [obligation for obligation, _ in _checked(proof, Policy())]


class _ArithmeticChecker:
    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    async def check(self, proof: Proof, obligations: Sequence[Obligation]) -> list[Evidence]:
        wanted = set(obligations)
        return [_evidence(obligation, item) for obligation, item in _checked(proof, self._policy) if obligation in wanted]


def _evidence(obligation: Obligation, checked: CheckedClaim) -> Evidence:
    applies = not _is_out_of_reach(checked.outcome)
    return Evidence(
        obligation,
        checked.outcome,
        checker="arithmetic" if applies else NO_CHECKER,
        values=checked.values,
        rests_on="exact arithmetic" if applies else "",
    )


def _is_out_of_reach(outcome: Outcome) -> bool:
    return isinstance(outcome, Inconclusive) and outcome.reason in _OUT_OF_REACH
