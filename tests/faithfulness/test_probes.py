from __future__ import annotations

import pytest

from fidelean.faithfulness.probe_binders import binders_of, leading_steps
from fidelean.faithfulness.probe_records import Probe, ProbeKind
from fidelean.faithfulness.probes import probe
from fidelean.lean.declarations import statement_of
from fidelean.lean.framing import frame_of
from fidelean.lean.records import LeanStatement, Status
from fidelean.outcome import Inconclusive, Passed, Reason, Refuted
from lean_room import embedded
from proving.engines import ScriptedEngine


def statement(text: str) -> LeanStatement:
    found = statement_of(text)
    assert found is not None
    return found


def by_kind(probes: tuple[Probe, ...]) -> dict[ProbeKind, Probe]:
    assert [found.kind for found in probes] == list(ProbeKind)
    return {found.kind: found for found in probes}


def only(*parts: str) -> ScriptedEngine:
    """Lean as a test wants it: the statement elaborates, and of the scripts those with every part are proofs."""
    return ScriptedEngine(lambda text: text.rstrip().endswith("sorry") or all(part in text for part in parts))


@pytest.mark.parametrize(
    ("conclusion", "steps", "rest"),
    [
        ("x < 9", 0, "x < 9"),
        ("∀ x y : Int, x < y → y < 10 → x < 9", 4, "x < 9"),
        ("∀ (x : Nat) (h : x < 3), x < 4", 2, "x < 4"),
        ("∀ x > 0, x < 4", 0, "∀ x > 0, x < 4"),
        ("a → b ↔ c", 0, "a → b ↔ c"),
        ("a → ∀ x, b ↔ c", 2, "b ↔ c"),
        ("(a → b) ∧ c", 0, "(a → b) ∧ c"),
        ("∃ x : Nat, x = 1 → x = 2", 0, "∃ x : Nat, x = 1 → x = 2"),
        ("¬ a → False", 1, "False"),
    ],
)
def test_only_what_is_surely_a_leading_step_is_one(conclusion: str, steps: int, rest: str) -> None:
    assert leading_steps(conclusion) == (steps, rest)


def test_binders_are_cut_at_their_brackets() -> None:
    found = binders_of("{K : Type} [Field K] [inst : LE K] ⦃x y : K⦄ (h : ∀ z, (z : K) = x)")
    assert found is not None
    assert [(binder.bracket, binder.names) for binder in found] == [
        ("{", ("K",)),
        ("[", ()),
        ("[", ("inst",)),
        ("⦃", ("x", "y")),
        ("(", ("h",)),
    ]
    assert binders_of("(x : Nat) y") is None


def test_a_statement_keeps_its_surroundings() -> None:
    frame = frame_of(
        statement(
            "import Init\n\nnamespace A\n/-- two -/\ndef two : Nat := 2\n\ntheorem a (n : Nat) -- why\n : n = two := by sorry\n\nend A\n"
        )
    )
    assert frame is not None
    assert not frame.is_bare
    assert frame.imports == ("Init",)
    text = frame.with_script(frame.head("other", ": True", heartbeats=5), "trivial")
    assert text.endswith("set_option maxHeartbeats 5 in\ntheorem other : True\n    := by\n  trivial\n\n\nend A\n")
    assert "--" not in frame.signature


async def test_every_probe_of_a_statement_goes_in_one_batch() -> None:
    engine = only("exfalso")
    found = by_kind(await probe(statement("theorem a (x : Int) (xs : List Int) (h : xs = []) : x = 1 := by sorry"), engine))
    assert len(engine.batches) == 1
    fault = found[ProbeKind.CONTRADICTORY_HYPOTHESES]
    assert isinstance(fault.outcome, Refuted)
    assert "exfalso" in fault.artefact
    assert fault.engine == "scripted"


async def test_what_lean_does_not_prove_stays_open() -> None:
    found = await probe(statement("theorem a (xs : List Int) (h : xs = []) : xs.length = 0 := by sorry"), only("nothing of the kind"))
    assert {type(one.outcome) for one in found} == {Inconclusive}
    assert {one.artefact for one in found} == {""}


async def test_a_statement_that_does_not_elaborate_is_not_probed() -> None:
    for status, reason in ((Status.ERRORS, Reason.DID_NOT_ELABORATE), (Status.UNAVAILABLE, Reason.UNAVAILABLE)):
        found = await probe(statement("theorem a (x : Int) : x = 1 := by sorry"), ScriptedEngine(lambda _: True, status=status))
        assert {one.outcome.reason for one in found if isinstance(one.outcome, Inconclusive)} == {reason}
        assert len(found) == len(ProbeKind)


async def test_a_theorem_that_concludes_false_claims_its_contradiction() -> None:
    found = by_kind(await probe(statement("theorem a (x : Int) (h : 2 * x = 7) : False := by sorry"), only("omega")))
    assert isinstance(found[ProbeKind.CONTRADICTORY_HYPOTHESES].outcome, Passed)


async def test_variables_in_force_are_not_negated_over() -> None:
    engine = only("¬")
    text = "variable (n : Nat) (h : n < 0)\n\ntheorem a (m : Nat) : m = n := by sorry"
    found = by_kind(await probe(statement(text), engine))
    assert isinstance(found[ProbeKind.NEGATION_PROVABLE].outcome, Inconclusive)
    assert not any("¬" in sent for sent in engine.batches[0])


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.timeout(500)
@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("theorem a (x : Int) (h1 : x = 1) (h2 : x = 2) : x = 77 := by sorry", {ProbeKind.CONTRADICTORY_HYPOTHESES}),
        ("theorem a (n : Nat) (h : 5 < n) : n + 0 = n := by sorry", {ProbeKind.CLOSED_WITHOUT_HYPOTHESES}),
        ("theorem a (x : Rat) (h : x ^ 2 = 4) : x = 2 := by sorry", {ProbeKind.NEGATION_PROVABLE, ProbeKind.COUNTEREXAMPLE}),
        ("theorem a (x : Int) (h : ¬ x = 3) : x ≠ 3 := by sorry", {ProbeKind.CONCLUSION_ASSUMED}),
        ("theorem a (x : Rat) (h : 2 * x = 4) : x = 2 := by sorry", set[ProbeKind]()),
    ],
)
async def test_the_kernel_finds_the_fault_and_no_other(text: str, faults: set[ProbeKind]) -> None:
    async with embedded(snippet_timeout_s=20) as engine:
        found = await probe(statement(text), engine)
    assert {one.kind for one in found if isinstance(one.outcome, Refuted)} == faults
    assert all(isinstance(one.outcome, Passed) for one in found if one.kind not in faults)
