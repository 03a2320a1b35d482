"""From text to obligations: what is asked, of which kind, and whether the proof rests on it."""

from __future__ import annotations

import pytest

from fidelean import Problem, Proof, Step
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.obligations.rules import derive


def obligations(*steps: str) -> tuple[Obligation, ...]:
    return derive(Proof(Problem(""), tuple(Step(index, text) for index, text in enumerate(steps, start=1))))


def test_kinds() -> None:
    found = obligations("We get $3 + 4 = 7 = 49/7$ and $2 < 3 + 1$.", "Case 1: $x = 0$.", "Case 2: $x = 1$.")
    assert [o.kind for o in found] == [ObligationKind.REWRITE, ObligationKind.DERIVED_FACT, ObligationKind.CASE_SPLIT]
    assert len({o.id for o in found}) == len(found)


@pytest.mark.parametrize(
    ("steps", "rests"),
    [
        (["We have $2^7 = 124$.", "Done."], True),
        (["(Incidentally, $2^7 = 124$.)", "Done."], False),
        (["(Incidentally, $2^7 = 124$.)", "So we need $124$ games."], True),
        (["(Incidentally, $2^7 = 124$.) Hence $1240$ games."], False),
        (["By the way, $2^7 = 1{,}240$.", "The answer is 1240."], True),
        (["For comparison, $6 \\cdot 7 = 43$.", "There are 1.43 of them."], False),
        (["Incidentally nothing. We have $6 \\cdot 7 = 43$.", "Done."], True),
    ],
)
def test_a_marked_remark_whose_value_never_returns_carries_nothing(steps: list[str], *, rests: bool) -> None:
    assert obligations(*steps)[0].load_bearing is rests


def test_what_is_supposed_or_denied_asks_for_nothing() -> None:
    assert obligations("Suppose for contradiction that $3 + 4 = 8$.", "It is not the case that $2 + 2 = 5$.") == ()
