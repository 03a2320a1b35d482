"""The two contracts, on what the guard read and on what Lean is made to say."""

from __future__ import annotations

import pytest

from fidelean.lean.contracts import accept, accept_proof, accept_statement
from fidelean.lean.records import AcceptanceReason, Diagnostic, Elaboration, LeanSource, Position, Severity, SourceKind, Status

CLEAN = Elaboration(Status.OK)
SORRY = Elaboration(Status.OK, sorries=(Position(1, 8),))
STATEMENT = "theorem t (n : Nat) : n + 0 = n := by sorry"
PROOF = "theorem t (n : Nat) : n + 0 = n := rfl"


def reasons(text: str, elaboration: Elaboration = CLEAN, *, frozen: str | None = None, kind: SourceKind = SourceKind.PROOF) -> set[str]:
    return {str(objection.reason) for objection in accept(LeanSource(text, kind), elaboration, frozen=frozen).objections}


def test_a_statement_and_a_proof() -> None:
    assert accept_statement(STATEMENT, SORRY).accepted
    assert accept_proof(PROOF, CLEAN).accepted
    assert accept_proof(PROOF, CLEAN, frozen=STATEMENT).accepted


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.OK])
def test_nothing_but_ok_is_accepted(status: Status) -> None:
    elaboration = Elaboration(status)
    assert reasons(PROOF, elaboration)
    assert reasons(STATEMENT, elaboration, kind=SourceKind.STATEMENT)


@pytest.mark.parametrize("status", [Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.CRASHED, Status.UNAVAILABLE])
def test_a_limit_is_named_and_is_no_finding_about_the_text(status: Status) -> None:
    assert reasons(PROOF, Elaboration(status)) == {status.value}


def test_an_error_is_quoted_in_one_line() -> None:
    said = Diagnostic(Severity.ERROR, Position(3, 2), None, "unsolved goals\nand more")
    (objection,) = accept_proof(PROOF, Elaboration(Status.ERRORS, (said,))).objections
    assert str(objection) == "does_not_elaborate: line 3: unsolved goals"


def test_a_missing_module_is_named() -> None:
    (objection,) = accept_proof("import No.Such\n" + PROOF, Elaboration(Status.ERRORS, missing_modules=("No.Such",))).objections
    assert "No.Such" in str(objection)


def test_sorry_counts_whoever_reports_it() -> None:
    assert reasons(STATEMENT) == {AcceptanceReason.SORRY}
    assert reasons(PROOF, SORRY) == {AcceptanceReason.SORRY}


def test_axioms_count_where_the_engine_tells() -> None:
    assert not reasons(PROOF, Elaboration(Status.OK, axioms=("propext", "Quot.sound")))
    assert reasons(PROOF, Elaboration(Status.OK, axioms=("propext", "Lean.ofReduceBool"))) == {AcceptanceReason.AXIOM}


def test_what_is_not_guarded_is_not_accepted_even_if_lean_says_ok() -> None:
    assert reasons("axiom a : False\n" + PROOF) == {AcceptanceReason.REFUSED}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (PROOF, AcceptanceReason.PROOF_GIVEN),
        ("def a : Nat := 3", AcceptanceReason.NO_THEOREM),
        (STATEMENT + "\ndef a : Nat := 3", AcceptanceReason.NO_THEOREM),
        ("theorem u : True := by sorry\n" + STATEMENT, AcceptanceReason.SECOND_THEOREM),
        ("example : True := trivial\n" + STATEMENT, AcceptanceReason.SECOND_THEOREM),
        ("def a : Prop := True\n" + STATEMENT, AcceptanceReason.PLACEHOLDER),
        ("def a (n : Nat) : Option Nat := (none)\n" + STATEMENT, AcceptanceReason.PLACEHOLDER),
        ("abbrev a : Nat → Nat := fun n => 0\n" + STATEMENT, AcceptanceReason.PLACEHOLDER),
        ("def a : Nat := by exact 0\n" + STATEMENT, AcceptanceReason.PLACEHOLDER),
        ("def a : Nat := sorry\n" + STATEMENT, AcceptanceReason.SORRY),
        ("theorem t (h : sorry) : True := sorry", AcceptanceReason.SORRY),
        ("theorem t : True := by\n  skip; sorry", AcceptanceReason.PROOF_GIVEN),
        ("", AcceptanceReason.NO_THEOREM),
    ],
)
def test_what_is_no_statement(text: str, reason: AcceptanceReason) -> None:
    assert reason in reasons(text, SORRY, kind=SourceKind.STATEMENT)


def test_a_helper_that_encodes_is_allowed() -> None:
    text = "/-- Even. -/\ndef even (n : Nat) : Prop := ∃ k, n = 2 * k\nstructure P where\n  x : Int\n" + STATEMENT
    assert not reasons(text, SORRY, kind=SourceKind.STATEMENT)


@pytest.mark.parametrize(
    "proof",
    [
        "theorem t (m : Nat) : m + 0 = m := rfl",
        "theorem t (n : Nat) : 0 + n = n := by simp",
        "lemma t (n : Nat) : n + 0 = n := rfl",
        "theorem t' (n : Nat) : n + 0 = n := rfl",
        "open Nat in theorem t (n : Nat) : n + 0 = n := rfl",
        "theorem t (n : Nat) (h : n = 1) : n + 0 = n := rfl",
        PROOF + "\ntheorem u : True := trivial",
    ],
)
def test_the_frozen_statement_stands_token_for_token(proof: str) -> None:
    assert AcceptanceReason.STATEMENT_CHANGED in reasons(proof, frozen=STATEMENT)


def test_layout_and_comments_do_not_change_a_statement() -> None:
    assert not reasons("-- new\ntheorem t\n    (n : Nat) : /- same -/ n + 0 = n :=\n  rfl", frozen=STATEMENT)


@pytest.mark.parametrize(
    "before",
    [
        "def n : Nat := 1\n",
        "open Nat\n",
        "variable (n : Nat)\n",
        "theorem n : True := trivial\n",
        "@[simp] theorem u : 1 = 1 := rfl\n",
        "import Std\n",
    ],
)
def test_what_could_change_the_meaning_may_not_slip_in(before: str) -> None:
    assert AcceptanceReason.CONTEXT_CHANGED in reasons(before + PROOF, frozen=STATEMENT)


def test_lemmas_may_come_in_between_and_helpers_must_stay() -> None:
    helper = "def good (n : Nat) : Prop := n % 7 = 3\n"
    frozen = helper + "theorem t : good 3 := by sorry"
    assert not reasons(helper + "theorem u : 3 % 7 = 3 := rfl\ntheorem t : good 3 := u", frozen=frozen)
    assert reasons("theorem t : good 3 := rfl", frozen=frozen) == {AcceptanceReason.CONTEXT_CHANGED}
    assert reasons("def good (n : Nat) : Prop := n = n\ntheorem t : good 3 := rfl", frozen=frozen) == {AcceptanceReason.CONTEXT_CHANGED}
