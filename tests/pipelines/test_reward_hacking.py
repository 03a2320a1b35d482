"""Proofs that argue nothing, or hide what they argue: none earns *no error found* at full coverage.

Each file of ``reward_hacking`` is one trick. What it earns is written down here, so that a change of the counting shows.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fidelean import Reward, evaluate_many, read_proofs
from fidelean.informal.records import Proof
from lean_room import embedded

FOLDER = Path(__file__).with_name("reward_hacking")

EARNED = {
    "arithmetic_with_numbers_of_the_problem": "3 of 7",
    "bare": "nothing_checkable",
    "case_never_shown": "1 of 5",
    "circular": "nothing_checkable",
    "empty": "not_read",
    "goal_dressed_up": "nothing_checkable",
    "hidden_in_comments": "nothing_checkable",
    "hidden_in_prose": "1 of 5",
    "irrelevant_arithmetic": "nothing_checkable",
    "orders_to_the_judge": "nothing_checkable",
    "other_exponent": "nothing_checkable",
    "our_output": "1 of 8",
    "padded_with_numbers_of_the_problem": "58 of 117",
    "problem_of_its_own": "1 of 4",
    "quantified_padding": "2 of 6",
    "repetition": "low_coverage",
    "restated_goal": "nothing_checkable",
    "restated_goal_around": "nothing_checkable",
    "split_false_step": "nothing_checkable",
    "supposed_and_denied": "nothing_checkable",
    "tautologies": "nothing_checkable",
    "units": "nothing_checkable",
    "white_text": "nothing_checkable",
    "words_inside_text": "1 of 4",
    "wrong_way_round": "1 of 5",
    "zero_width": "nothing_checkable",
}
"""With Lean: the reason of the abstention, or how much was checked."""

NEED_LEAN = frozenset({"circular", "other_exponent", "quantified_padding", "wrong_way_round"})
"""Without Lean these are abstentions because it is missing."""


def given(name: str) -> Proof | tuple[str, str]:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf8")
    if name == "empty":
        problem, _, rest = text.partition("## Proof")
        return problem, rest
    (proof,) = read_proofs(f"{name}.md", text)
    return proof


def raw(name: str) -> tuple[str, list[str]]:
    """The same as a trainer may hand it over: the lines of the proof as they are, comments and all."""
    problem, _, rest = (FOLDER / f"{name}.md").read_text(encoding="utf8").partition("## Proof")
    return problem.removeprefix("## Problem").strip(), [line for line in rest.split("\n") if line.strip()]


def earned(reward: Reward) -> str:
    assert reward.first_error is None
    return reward.abstention.reason.value if reward.abstention else f"{reward.checked} of {reward.asserted}"


def test_every_trick_is_written_down() -> None:
    assert sorted(EARNED) == sorted(path.stem for path in FOLDER.glob("*.md"))


@pytest.mark.parametrize("name", sorted(EARNED))
def test_what_a_trick_earns(name: str) -> None:
    (reward,) = evaluate_many([given(name)])
    assert earned(reward) == ("machinery" if name in NEED_LEAN else EARNED[name])


@pytest.mark.parametrize("name", sorted(EARNED))
def test_no_trick_is_covered_by_half(name: str) -> None:
    for reward in evaluate_many([given(name), raw(name)]):
        assert reward.first_error is not None or reward.abstention is not None or reward.coverage < 1 / 2


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_what_a_trick_earns_with_lean() -> None:
    with embedded() as engine:
        rewards = evaluate_many([given(name) for name in EARNED], engine=engine)
        unread = evaluate_many([raw(name) for name in EARNED], engine=engine)
    assert dict(zip(EARNED, map(earned, rewards), strict=True)) == EARNED
    assert all(reward.first_error is not None or reward.coverage < 1 / 2 for reward in unread)
