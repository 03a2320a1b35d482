"""Budgets that hold: a call is allowed only where the most it can cost still fits beside what all calls in flight can cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from fidelean.policy import Budget
from fidelean.runs.records import Spending

__all__ = ["Accounts", "Hold"]


@dataclass(frozen=True, slots=True)
class Hold:
    """What is set aside for one call until it has ended."""

    proof: str
    """Id of the proof that pays, together with the run."""
    tokens: int
    """Most tokens that the call can be."""
    price: Decimal
    """Most that the call can cost (US dollars)."""


class _Account:
    def __init__(self, name: str, limit: Budget, spent: Spending, opened: float) -> None:
        self.name = name
        self.limit = limit
        self.spent = spent
        self.opened = opened
        self.held_tokens = 0
        self.held_price = Decimal(0)

    def refusal(self, tokens: int, price: Decimal, now: float) -> str | None:
        limit = self.limit
        if limit.tokens is not None and self.spent.tokens + self.held_tokens + tokens > limit.tokens:
            return f"the budget of {limit.tokens} tokens for {self.name} has no room for another call"
        if limit.usd is not None and self.spent.price + self.held_price + price > limit.usd:
            return f"the budget of {limit.usd} US dollars for {self.name} has no room for another call"
        if (left := self.seconds_left(now)) is not None and left <= 0:
            return self.time_is_up()
        return None

    def time_is_up(self) -> str:
        return f"the {self.limit.seconds:g} seconds for {self.name} are over"

    def seconds_left(self, now: float) -> float | None:
        return None if self.limit.seconds is None else self.opened + self.limit.seconds - now


class Accounts:
    """The budgets of a run and of each of its proofs, with what was spent before the run was taken up again."""

    def __init__(self, run: Budget, proof: Budget, spent: Mapping[str, Spending], clock: Callable[[], float]) -> None:
        self._clock = clock
        self._proof_limit = proof
        self._spent = dict(spent)
        self._run = _Account("the run", run, sum(spent.values(), Spending()), clock())
        self._proofs: dict[str, _Account] = {}

    def open(self, proof: str) -> None:
        """Let the time of a proof begin, if it has not begun."""
        if proof and proof not in self._proofs:
            self._proofs[proof] = _Account("this proof", self._proof_limit, self._spent.get(proof, Spending()), self._clock())

    def reserve(self, proof: str, tokens: int, price: Decimal) -> Hold | str:
        """Set aside the most that a call can cost; where that does not fit, say which budget is spent."""
        accounts = self._accounts(proof)
        now = self._clock()
        if refusal := next((said for account in accounts if (said := account.refusal(tokens, price, now))), None):
            return refusal
        for account in accounts:
            account.held_tokens += tokens
            account.held_price += price
        return Hold(proof, tokens, price)

    def settle(self, hold: Hold, tokens: int, price: Decimal) -> None:
        """Replace what was set aside by what the call cost."""
        for account in self._accounts(hold.proof):
            account.held_tokens -= hold.tokens
            account.held_price -= hold.price
            account.spent += Spending(1, tokens, price)

    def seconds_left(self, proof: str) -> float | None:
        """Give the time until the first of the budgets is over (seconds); None where none of them bounds it."""
        now = self._clock()
        return min((left for account in self._accounts(proof) if (left := account.seconds_left(now)) is not None), default=None)

    def time_is_up(self, proof: str) -> str:
        """Say whose time is over, or will be first."""
        now = self._clock()
        bounded = [(left, account) for account in self._accounts(proof) if (left := account.seconds_left(now)) is not None]
        return min(bounded, key=lambda pair: pair[0])[1].time_is_up()

    def spent(self, proof: str = "") -> Spending:
        """What the run has consumed, or one proof of it."""
        if not proof:
            return self._run.spent
        account = self._proofs.get(proof)
        return account.spent if account else self._spent.get(proof, Spending())

    def _accounts(self, proof: str) -> list[_Account]:
        self.open(proof)
        return [self._proofs[proof], self._run] if proof else [self._run]
