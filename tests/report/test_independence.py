"""Errors behind the first one that would stand without it."""

from __future__ import annotations

from fidelean.decomposition.records import Condition, ConditionKind
from fidelean.evidence.records import Evidence
from fidelean.informal.records import Claim
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Outcome, Passed, Refuted
from fidelean.report.independence import independent_errors
from fidelean.verdict.fusion import decide


def found(step: int, text: str, outcome: Outcome, *, used: tuple[tuple[str, str], ...] = (), load_bearing: bool = True) -> Evidence:
    """``used``: conditions with the obligation that concluded them."""
    conditions = tuple(Condition(ConditionKind.DERIVED, 1, condition, transition=origin) for condition, origin in used)
    claim = Claim(text, tuple(condition for condition, _ in used), step=step)
    obligation = Obligation(f"{step}.1", step, ObligationKind.DERIVED_FACT, claim, load_bearing, conditions=conditions)
    return Evidence(obligation, outcome, "algebra" if used else "arithmetic")


def later(*evidence: Evidence) -> tuple[int, ...]:
    return independent_errors(decide(4, evidence))


def test_a_false_calculation_is_false_whatever_stands_in_front() -> None:
    assert later(found(1, "2+2=5", Refuted()), found(2, "1+1=2", Passed()), found(3, "3+3=7", Refuted())) == (3,)


def test_a_repetition_is_no_error_of_its_own() -> None:
    assert later(found(1, "2+2=5", Refuted()), found(3, "2 + 2 = 5", Refuted())) == ()


def test_what_is_drawn_from_the_broken_step_is_not_independent() -> None:
    drawn = found(2, "b=3", Passed(), used=(("a=5", "1.1"),))
    assert later(found(1, "a=5", Refuted()), found(3, "c=1", Refuted(), used=(("a=5", "1.1"),))) == ()
    assert later(found(1, "a=5", Refuted()), drawn, found(3, "c=1", Refuted(), used=(("b=3", "2.1"),))) == ()


def test_what_is_drawn_from_sound_steps_is() -> None:
    sound = found(2, "b=3", Passed())
    assert later(found(1, "a=5", Refuted()), sound, found(3, "c=1", Refuted(), used=(("b=3", "2.1"),))) == (3,)


def test_remarks_and_sound_proofs_have_none() -> None:
    assert later(found(1, "2+2=5", Refuted()), found(3, "3+3=7", Refuted(), load_bearing=False)) == ()
    assert later(found(1, "2+2=4", Passed())) == ()
