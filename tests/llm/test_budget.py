"""Budgets hold, in whatever order calls begin and end."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from fidelean.llm.budget import Accounts, Hold
from fidelean.policy import Budget
from fidelean.runs.records import Spending

RUN = Budget(tokens=1_000, usd=Decimal(10))
PROOF = Budget(tokens=300, usd=Decimal(4))

EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("begin"), st.sampled_from(["p", "q", "r", ""]), st.integers(0, 200), st.decimals(0, 3, places=2)),
        st.tuples(st.just("end"), st.integers(0, 9), st.integers(0, 200), st.decimals(0, 3, places=2)),
    ),
    max_size=60,
)


@given(EVENTS)
def test_no_order_of_calls_overruns(events: list[tuple[str, str | int, int, Decimal]]) -> None:
    accounts = Accounts(RUN, PROOF, {}, lambda: 0.0)
    running: list[Hold] = []
    for _, which, tokens, price in events:
        if isinstance(which, str):
            hold = accounts.reserve(which, tokens, price)
            if isinstance(hold, Hold):
                running.append(hold)
        elif running:
            hold = running.pop(which % len(running))
            accounts.settle(hold, min(tokens, hold.tokens), min(price, hold.price))
        for proof, limit in (("", RUN), ("p", PROOF), ("q", PROOF), ("r", PROOF)):
            held = [hold for hold in running if proof in ("", hold.proof)]
            spent = accounts.spent(proof)
            assert limit.tokens is not None
            assert limit.usd is not None
            assert spent.tokens + sum(hold.tokens for hold in held) <= limit.tokens
            assert spent.price + sum(hold.price for hold in held) <= limit.usd


def test_what_is_set_aside_comes_back() -> None:
    accounts = Accounts(RUN, PROOF, {"p": Spending(1, 50, Decimal(1))}, lambda: 0.0)
    hold = accounts.reserve("p", 250, Decimal(3))
    assert isinstance(hold, Hold)
    assert isinstance(accounts.reserve("p", 1, Decimal(0)), str)
    accounts.settle(hold, 10, Decimal("0.5"))
    assert isinstance(accounts.reserve("p", 240, Decimal(2)), Hold)
    assert accounts.spent("p") == Spending(2, 60, Decimal("1.5"))
    assert accounts.spent() == Spending(2, 60, Decimal("1.5"))


def test_nothing_set_is_no_bound() -> None:
    accounts = Accounts(Budget(), Budget(), {}, lambda: 1e12)
    assert isinstance(accounts.reserve("p", 10**9, Decimal(10**9)), Hold)
    assert accounts.seconds_left("p") is None
