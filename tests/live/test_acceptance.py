"""Every row of the acceptance file, on the embedded Lean, and the promise that each text is on its own."""

from __future__ import annotations

import json
import random
import time
from typing import TYPE_CHECKING

import pytest

from fidelean.lean.contracts import accept_proof, accept_statement
from fidelean.lean.records import Elaboration, LeanSource, Status
from lean_room import embedded

if TYPE_CHECKING:
    from pathlib import Path

    from fidelean.lean.embedded import EmbeddedEngine

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(400)]


def test_every_row_of_the_acceptance_file(shared: Path, engine: EmbeddedEngine) -> None:
    folder = shared / "acceptance" / "lean"
    rows = [json.loads(line) for line in (folder / "expected.jsonl").read_text(encoding="utf-8").splitlines()]
    sources = [LeanSource((folder / row["file"]).read_text(encoding="utf-8"), name=row["file"]) for row in rows]
    for row, source, elaboration in zip(rows, sources, engine.elaborate_now(sources), strict=True):
        proof, statement = accept_proof(source.text, elaboration), accept_statement(source.text, elaboration)
        found = {
            "file": row["file"],
            "elaborates": elaboration.elaborates,
            "sorry_free": elaboration.sorry_free,
            "accepted_as_proof": proof.accepted,
            "accepted_as_statement": statement.accepted,
        }
        assert {key: row[key] for key in found if key in row} == {key: found[key] for key in found if key in row}
        assert elaboration.status in row.get("status_any", list(Status))
        if row["file"] == "missing_import.lean":
            assert any("No.Such.Module" in str(objection) for objection in proof.objections)


def test_a_kernel_that_runs_away_ends_in_time_and_the_next_check_works(shared: Path, engine: EmbeddedEngine) -> None:
    started = time.monotonic()
    slow = LeanSource((shared / "acceptance" / "lean" / "slow_kernel.lean").read_text(encoding="utf-8"))
    (elaboration,) = engine.elaborate_now([slow])
    assert time.monotonic() - started < 90
    assert elaboration.status in (Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.CRASHED)
    (after,) = engine.elaborate_now([LeanSource("theorem t : 1 + 1 = 2 := rfl")])
    assert after.status is Status.OK


COMPANY = [
    "theorem t (a b : Nat) (h : a < b) : a + 1 ≤ b := by omega",
    "theorem t : 2 + 2 = 5 := by decide",
    "theorem t (n : Nat) : n = n := by sorry",
    "theorem t : 1 = 1 :=",
    "theorem t : True := by",
    "theorem t (x : ℝ) : x = x := rfl",
    "def f (n : Nat) : Nat := n + 1\ntheorem t : f 1 = 2 := rfl",
    "def f (n : Nat) : Nat := n + 2\ntheorem t : f 1 = 2 := rfl",
    "open Nat\nvariable (n : Nat)\ntheorem t : n + 0 = n := by simp\ntheorem u : succ n = n + 1 := rfl",
    "theorem u : succ 1 = 2 := rfl",
    "section A\nset_option maxRecDepth 50\ntheorem t : (List.range 100).length = 100 := by decide\nend A",
    "theorem t : (List.range 100).length = 100 := by simp",
    "namespace Inner\ntheorem t : 1 = 1 := rfl\nend Inner\ntheorem u : 1 = 1 := Inner.t",
    "theorem u : 1 = 1 := Inner.t",
    "theorem t : 1 = 2 := by\n  trace \"T:0:end\"\n  exact t",
    "@[simp] theorem loop (a b : Nat) : a + b = b + a := Nat.add_comm a b\ntheorem t : 1 + 1 = 2 := rfl",
    "theorem t (a b : Nat) : a + b + 0 = a + b := by simp",
    "theorem u : foo = 1 := rfl\ntheorem 2 : 1 = 1 := rfl",
    "inductive T where\n  | a\n  | b\n  deriving DecidableEq\ntheorem t : T.a ≠ T.b := by decide",
    "universe u\ntheorem t {α : Type u} (x : α) : x = x := rfl",
    "theorem t : (1 : Nat) = 1 := by\n  first\n  | omega\n  | rfl\n\n\n",
    ")",
    "theorem t : 1 = 1 := rfl theorem u : 2 = 2 := rfl",
    "set_option maxHeartbeats 50 in\ntheorem t (a b c : Int) (h : a * b = c) : b * a = c := by grind",
    "/-- Doc. -/ private theorem t : 1 = 1 := rfl",
    "theorem t : p ∧ q → q := fun h => h.2",
    "",
]  # fmt: skip


def said(elaboration: Elaboration) -> tuple[object, ...]:
    return elaboration.status, elaboration.diagnostics, elaboration.sorries, elaboration.refusals


def test_the_answer_is_the_same_in_any_company_and_any_order(engine: EmbeddedEngine) -> None:
    sources = [LeanSource(text) for text in COMPANY]
    together = engine.elaborate_now(sources)
    assert {elaboration.status for elaboration in together} >= {Status.OK, Status.ERRORS, Status.REFUSED}
    order = list(range(len(sources)))
    random.Random(1).shuffle(order)
    again = engine.elaborate_now([sources[index] for index in order])
    for place, index in enumerate(order):
        assert said(again[place]) == said(together[index]), COMPANY[index]


@pytest.mark.parametrize("index", [1, 2, 3, 10])
def test_the_answer_is_the_same_alone(engine: EmbeddedEngine, index: int) -> None:
    source = LeanSource(COMPANY[index])
    neighbours = [LeanSource("theorem t : 1 = 2 := by"), source, LeanSource("theorem u : 1 = 1 := rfl")]
    assert said(engine.elaborate_now([source])[0]) == said(engine.elaborate_now(neighbours)[1])


def test_lines_are_the_snippet_s_own(engine: EmbeddedEngine) -> None:
    text = "import Std\n\n-- ℝ 𝔸 before\ntheorem t : 1 = 1 := rfl\n\n  theorem u : 𝔸 = 2 := rfl"
    (_, elaboration) = engine.elaborate_now([LeanSource("theorem t : 1 = 1 := rfl"), LeanSource(text)])
    (diagnostic,) = elaboration.diagnostics
    assert (diagnostic.position.line, diagnostic.position.column) == (6, 14)


def test_a_crash_takes_no_neighbour_along(engine: EmbeddedEngine) -> None:
    good = [LeanSource(f"theorem t : {n} + 1 = {n + 1} := rfl") for n in range(3)]
    deep = (
        "set_option maxRecDepth 1000000 in\nset_option maxHeartbeats 0 in\ntheorem t : (List.range 200000).foldl (· + ·) 0 = 1 := by decide"
    )
    with embedded(snippet_timeout_s=25) as own:
        answers = own.elaborate_now([good[0], LeanSource(deep), *good[1:]])
    assert [answers[index].status for index in (0, 2, 3)] == [Status.OK] * 3
    assert answers[1].status not in (Status.OK, Status.REFUSED)
    del engine


def test_fifty_small_theorems_at_once(engine: EmbeddedEngine) -> None:
    sources = [LeanSource(f"theorem t (n : Nat) : n + {k} = {k + (k % 5 == 0)} + n := by omega") for k in range(50)]
    statuses = [elaboration.status for elaboration in engine.elaborate_now(sources)]
    assert statuses == [Status.ERRORS if k % 5 == 0 else Status.OK for k in range(50)]


def test_stored_answers_are_the_same_and_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from fidelean.lean.installation import find_installation

    found = find_installation()
    if found is None:
        pytest.skip("the embedded Lean is not installed")
    from fidelean.lean.embedded import EmbeddedEngine

    monkeypatch.setenv("FIDELEAN_CACHE", str(tmp_path))
    sources = [LeanSource("theorem t : 1 = 1 := rfl"), LeanSource("theorem t : 1 = 2 := rfl")]
    with EmbeddedEngine(installation=found) as first:
        answers = first.elaborate_now(sources)
    with EmbeddedEngine(installation=found) as second:
        started = time.monotonic()
        assert second.elaborate_now(sources) == answers
        assert time.monotonic() - started < 1
    store = next(tmp_path.glob("elaborations-*"))
    store.write_bytes(b"not a database" * 100)
    with EmbeddedEngine(installation=found) as third:
        assert [said(answer) for answer in third.elaborate_now(sources)] == [said(answer) for answer in answers]
