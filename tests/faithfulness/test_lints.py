from __future__ import annotations

import json
from pathlib import Path

import pytest

from fidelean.faithfulness.lints import lint, lint_words, plain
from fidelean.faithfulness.records import LintSeverity
from fidelean.informal.records import Claim
from fidelean.lean.records import LeanStatement


def statement(signature: str) -> LeanStatement:
    return LeanStatement(f"theorem t {signature} := by sorry\n", "t", signature)


def found(signature: str, claim: Claim | None = None) -> dict[str, str]:
    return {str(item.kind): str(item.severity) for item in lint(statement(signature), claim)}


@pytest.mark.parametrize(("signature", "kind"), [
    ("(x : Rat) (h : x = 2) : x = 2", "conclusion_assumed"),
    ("(x : Rat) (h : x = 2) : 2 = x", "conclusion_assumed"),
    ("(x : Rat) (h : False) : x = 2", "false_premise"),
    ("(x : Rat) (h : x ≠ x) : x = 2", "false_premise"),
    ("(x : Rat) (h : (1 : Rat) = 2) : x = 2", "false_premise"),
    ("(x : Rat) : x < x → x = 2", "false_premise"),
    ("(x : Rat) : True", "self_answering"),
    ("(x : Rat) : x = x", "self_answering"),
    (": ∃ n : Nat, n = 37", "self_answering"),
])  # fmt: skip
def test_what_makes_a_proof_worthless_is_critical(signature: str, kind: str) -> None:
    assert found(signature)[kind] == LintSeverity.CRITICAL


@pytest.mark.parametrize(("signature", "kind"), [
    ("(x y : Rat) (h : x = 2) : x^2 = 4", "unused_variable"),
    ("(a b : Nat) : a - b + b = a", "nat_subtraction"),
    ("(a b : Nat) : a / 2 * 2 = a", "truncated_division"),
    ("(a b : Rat) : a / b * b = a", "denominator"),
    ("(a b : ℕ) (h : Foo a b) : a - b = 0", "nat_subtraction"),
])  # fmt: skip
def test_hints_decide_nothing(signature: str, kind: str) -> None:
    assert found(signature)[kind] == LintSeverity.WARNING


@pytest.mark.parametrize("signature", [
    "(x : Rat) (h : x = 2) : x^2 = 4",
    "(a b : Rat) (hb : b ≠ 0) : a / b * b = a",
    "(n : Int) (h : n % 2 = 1) : ∃ k : Int, n = 2*k + 1",
    "(x : Rat) (h : x^2 = 4) : x = 2 ∨ x = -2",
    ": ∃ n : Nat, n = 3 ∧ n < 2",
    "(x : Rat) : x = x ∧ x = 1",
])  # fmt: skip
def test_ordinary_statements_have_none(signature: str) -> None:
    assert found(signature) == {}


@pytest.mark.parametrize("claim", [
    Claim("$x^2 = 4$", ("$x = 2$",)),
    Claim("If $x = 2$, then $x^{2} = 4$."),
])  # fmt: skip
def test_the_converse_is_seen_without_a_judge(claim: Claim) -> None:
    assert found("(x : Rat) (h : x^2 = 4) : x = 2", claim)["converse"] == LintSeverity.CRITICAL
    assert "converse" not in found("(x : Rat) (h : x = 2) : x^2 = 4", claim)


def test_an_equivalence_in_the_text_is_no_converse() -> None:
    claim = Claim("$x = 2$", ("$x = 2$", "$2x = 4$"))
    assert "converse" not in found("(x : Rat) (h : 2*x = 4) : x = 2", claim)


@pytest.mark.parametrize("condition", ["$x = 2$", "as we saw, $x=2$ here"])
def test_a_text_that_states_its_conclusion_may_assume_it(condition: str) -> None:
    assert found("(x : Rat) (h : x = 2) : x = 2", Claim("so $x = 2$", (condition,)))["conclusion_assumed"] == LintSeverity.WARNING


def test_a_number_that_got_lost_is_named() -> None:
    assert "literal_missing" in found("(x : Rat) (h : x = 2) : x^2 = 4", Claim("$x^2 = 5$"))
    assert "literal_missing" not in found("(x : Rat) (h : x = 2) : x^2 = 4", Claim("$x^2 = 4$"))


def test_formulas_are_compared_without_what_notation_adds() -> None:
    assert plain(r"$2\cdot x^{2} \leq \frac{a}{b}$") == plain("2 * x^2 ≤ a / b")


def test_the_drafter_reads_them_line_by_line() -> None:
    words = lint_words(lint(statement("(x y : Rat) (h : False) : x = 2")))
    assert words.splitlines() == [
        "- false_premise: everything follows from it ((h : False))",
        "- unused_variable: nothing is said about y ((x y : Rat))",
    ]


def signatures(path: Path) -> dict[str, dict[str, str]]:
    return {row["id"]: row for row in map(json.loads, path.read_text(encoding="utf8").splitlines())}


def test_no_statement_of_our_own_is_held_back(project: Path) -> None:
    rows = signatures(project / "benchmarks" / "proving_obligations.jsonl")
    assert len(rows) > 80
    assert [name for name, row in rows.items() if LintSeverity.CRITICAL in found(row["signature"]).values()] == []


def test_hints_name_the_junk_of_the_acceptance_obligations(shared: Path) -> None:
    rows = signatures(shared / "acceptance" / "obligations.jsonl")
    hints = {name: set(found(row["signature"])) for name, row in rows.items()}
    assert [name for name, row in rows.items() if LintSeverity.CRITICAL in found(row["signature"]).values()] == []
    junk = {name for name, row in rows.items() if str(row.get("reason")).startswith("junk")}
    assert junk
    assert all(hints[name] & {"denominator", "nat_subtraction", "truncated_division"} for name in junk)
