from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from fidelean.lean.records import Status
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.proving.attempt import prove
from fidelean.proving.equivalence import equivalent
from fidelean.proving.ledger import append_to_ledger, attempt_document
from fidelean.proving.records import ProofAttempt, ProvingObligation, Transfer
from proving.engines import ScriptedEngine

FIELD = "{K : Type} [Lean.Grind.Field K] [Lean.Grind.IsCharP K 0]"


def nothing(_text: str) -> bool:
    return False


def only(*parts: str) -> Callable[[str], bool]:
    return lambda text: all(part in text for part in parts)


async def attempt(signature: str, engine: ScriptedEngine) -> ProofAttempt:
    (found,) = await prove([ProvingObligation("one", signature)], engine)
    return found


def reason(outcome: Outcome) -> Reason | None:
    return outcome.reason if isinstance(outcome, Inconclusive) else None


async def test_a_closed_claim_passes_with_its_entry_and_script() -> None:
    found = await attempt(f"{FIELD} (x : K) (h : 2*x = 4) : x = 2", ScriptedEngine(only("theorem claim ", "grind")))
    assert isinstance(found.outcome, Passed)
    assert found.entry == "grind"
    assert found.script.endswith(": x = 2\n    := by\n  grind\n")
    assert found.transfer is Transfer.FIELDS


async def test_failing_to_prove_is_never_evidence_of_error() -> None:
    found = await attempt("(x y : Int) (h : x^3 + y^3 = 3) : x + y ≠ 17", ScriptedEngine(nothing))
    assert reason(found.outcome) is Reason.GAVE_UP
    assert not found.script


async def test_a_counterexample_counts_only_when_the_kernel_agrees() -> None:
    text = "(x : Rat) (h : x^2 = 4) : x = 2"
    agreed = await attempt(text, ScriptedEngine(only("claim_fails")))
    assert isinstance(agreed.outcome, Refuted)
    assert agreed.witness == {"x": "(-2)"}
    assert agreed.transfer is Transfer.UPWARDS
    denied = await attempt(text, ScriptedEngine(nothing))
    assert reason(denied.outcome) is Reason.GAVE_UP
    assert "claim/grind" in denied.tried


async def test_a_generic_claim_is_refuted_at_the_rationals() -> None:
    found = await attempt(f"{FIELD} (a b : K) (h : a^2 = b^2) : a = b", ScriptedEngine(only("¬ (∀ (a b : Rat) (h : a^2 = b^2), a = b)")))
    assert isinstance(found.outcome, Refuted)
    assert found.transfer is Transfer.UPWARDS


async def test_quantifiers_inside_keep_a_generic_refutation_an_instance() -> None:
    text = f"{FIELD} (a b : K) (h : ∀ x : K, a*x = b*x) : a ≠ b"
    found = await attempt(text, ScriptedEngine(only("claim_fails")))
    assert isinstance(found.outcome, Refuted)
    assert found.transfer is Transfer.INSTANCE


async def test_contradictory_conditions_are_vacuous_even_where_the_claim_closes() -> None:
    found = await attempt("(x : Int) (h1 : x = 1) (h2 : x = 2) : x = 77", ScriptedEngine(lambda _text: True))
    assert reason(found.outcome) is Reason.VACUOUS
    assert ": False" in found.script


async def test_a_denominator_that_may_vanish_is_junk() -> None:
    found = await attempt("(x : Rat) (h : x = 5) : 1/(x - 5) = 0", ScriptedEngine(only("theorem claim ")))
    assert reason(found.outcome) is Reason.JUNK_DIVISION
    assert isinstance(found.outcome, Inconclusive)
    assert found.outcome.detail == "x - 5 ≠ 0 fails at x = 5"


async def test_a_guard_among_the_hypotheses_is_enough() -> None:
    found = await attempt(f"{FIELD} (x : K) (h : x - 5 ≠ 0) : (x - 5)/(x - 5) = 1", ScriptedEngine(only("theorem claim ")))
    assert isinstance(found.outcome, Passed)


async def test_a_guard_that_the_kernel_derives_is_enough() -> None:
    found = await attempt("(n : Nat) (h : 3 ≤ n) : n - 3 + 3 = n", ScriptedEngine(lambda text: "claim_fails" not in text))
    assert isinstance(found.outcome, Passed)
    assert "guard-0/omega" not in found.tried


async def test_a_truncated_difference_is_junk() -> None:
    found = await attempt("(n : Nat) (h : n = 2) : n - 3 + 3 = 3", ScriptedEngine(only("theorem claim ")))
    assert reason(found.outcome) is Reason.JUNK_SUBTRACTION


@pytest.mark.parametrize(
    "text",
    [
        "(x : Nat) : x = x := by rfl\ntheorem claim (y : Nat) : y = y",
        "(x : Nat)",
        "(x : Nat) : x = x -- and",
        '(x : Nat) : x = "',
        "",
    ],
)
async def test_a_text_that_is_more_or_less_than_a_signature_is_never_run(text: str) -> None:
    engine = ScriptedEngine(lambda _text: True)
    found = await attempt(text, engine)
    assert reason(found.outcome) is Reason.NOT_READ
    assert engine.batches == []


async def test_a_text_that_the_guard_refuses_is_never_run() -> None:
    engine = ScriptedEngine(lambda _text: True)
    found = await attempt("(x : Nat) : x = x\naxiom bad : False", engine)
    assert reason(found.outcome) is Reason.REFUSED
    assert engine.batches == []


async def test_an_error_in_the_statement_is_said() -> None:
    found = await attempt("(x : Real) : x = x", ScriptedEngine(nothing, error_line=2))
    assert reason(found.outcome) is Reason.DID_NOT_ELABORATE


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (Status.TIMEOUT, Reason.TIMEOUT),
        (Status.REFUSED, Reason.REFUSED),
        (Status.CRASHED, Reason.CRASHED),
        (Status.UNAVAILABLE, Reason.UNAVAILABLE),
    ],
)
async def test_faults_of_the_machinery_are_reasons(status: Status, expected: Reason) -> None:
    found = await attempt(f"{FIELD} (x : K) : x + 1 = 1 + x", ScriptedEngine(nothing, status=status))
    assert reason(found.outcome) is expected


async def test_an_unread_signature_with_divisions_never_passes() -> None:
    found = await attempt("(x : Real) : x / x = 1", ScriptedEngine(only("theorem claim ")))
    assert reason(found.outcome) is Reason.JUNK_DIVISION


async def test_one_batch_serves_all_claims_of_a_round() -> None:
    engine = ScriptedEngine(only("theorem claim ", "\n  grind\n"))
    obligations = [ProvingObligation(str(n), f"{FIELD} (x : K) (h : {n + 2}*x = {n + 2}) : x = 1") for n in range(20)]
    found = await prove(obligations, engine)
    assert [attempt.id for attempt in found] == [obligation.id for obligation in obligations]
    assert all(isinstance(attempt.outcome, Passed) for attempt in found)
    assert len(engine.batches) == 1


async def test_few_claims_get_two_rounds_in_one_batch_and_a_counterexample_gets_its_own() -> None:
    engine = ScriptedEngine(only("theorem claim ", "sq_nonneg"))
    ordered = "{K : Type} [Lean.Grind.Field K] [LE K] [LT K] [Std.LawfulOrderLT K] [Std.IsLinearOrder K] [Lean.Grind.OrderedRing K]"
    found = await attempt(f"{ordered} (x y : K) : 2*x*y ≤ x^2 + y^2", engine)
    assert found.entry == "squares"
    assert len(engine.batches) == 1
    refuting = ScriptedEngine(only("claim_fails"))
    await attempt("(x : Rat) : x = 1", refuting)
    assert [len(batch) for batch in refuting.batches] == [1]


async def test_statements_about_the_same_variables_are_compared_at_each_value() -> None:
    everything = ScriptedEngine(lambda text: "claim_fails" not in text)
    same = await equivalent("(x : Rat) (h : x = 1) : x + 1 = 2", "(y : Rat) : y = 1 → y + 1 = 2", everything)
    assert same.is_pointwise
    assert isinstance(same.outcome, Passed)
    assert "theorem claim (x : Rat) (given : x = 1 → x + 1 = 2) : x = 1 → x + 1 = 2" in everything.batches[0][0]
    weaker = await equivalent("(x : Rat) : x^2 = 4", "(x : Rat) : x = 2", ScriptedEngine(only("claim_fails")))
    assert isinstance(weaker.outcome, Refuted)
    assert "x = (-2)" in weaker.outcome.detail


async def test_statements_about_other_variables_are_compared_as_wholes() -> None:
    engine = ScriptedEngine(only("theorem claim "))
    found = await equivalent("(x : Int) : 0 ≤ x^2", "(x y : Int) : 0 ≤ (x + y)^2", engine)
    assert not found.is_pointwise
    assert "(given : ∀ (x : Int), 0 ≤ x^2) : ∀ (x y : Int), 0 ≤ (x + y)^2" in engine.batches[0][0]


async def test_the_ledger_keeps_which_entry_closed_what(tmp_path: Path) -> None:
    found = await attempt("(x : Int) (h : 2*x = 4) : x = 2", ScriptedEngine(only("theorem claim ", "omega")))
    append_to_ledger(tmp_path / "ledger.jsonl", [found])
    append_to_ledger(tmp_path / "ledger.jsonl", [found])
    rows = [json.loads(line) for line in (tmp_path / "ledger.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 2
    assert rows[0]["entry"] == "omega"
    assert "script" not in rows[0]
    assert attempt_document(found)["script"] == found.script
