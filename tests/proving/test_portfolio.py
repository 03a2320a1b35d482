from __future__ import annotations

import pytest

from fidelean.lean.guard import screen
from fidelean.proving.definedness import guards_of
from fidelean.proving.portfolio import PORTFOLIO, scripts_of
from fidelean.proving.reading import read_signature
from fidelean.proving.rendering import render_proposition
from fidelean.proving.signature import Signature
from fidelean.proving.statements import stated

FIELD = "{K : Type} [Lean.Grind.Field K] [Lean.Grind.IsCharP K 0]"
ORDERED = "{K : Type} [Lean.Grind.Field K] [LE K] [LT K] [Std.LawfulOrderLT K] [Std.IsLinearOrder K] [Lean.Grind.OrderedRing K]"

STATEMENTS = [
    ": ((List.range 36).filter (fun i => i % 5 = 0)).length = 8",
    ": 7^100 % 10 = 1",
    "(x y : Int) (h : 2*x + 3*y = 5) : x % 3 = 1",
    "(n : Int) : n^2 % 4 = 0 ∨ n^2 % 4 = 1",
    "(n : Nat) (h : 6 ∣ n) : 3 ∣ n^2",
    "(a b : Nat) (ha : 1 ≤ a ∧ a ≤ 9) (hb : b < 5) (h : a*b = 8) : a + b = 6",
    "(d n : Int) (hn : 0 < n) (h : d ∣ n) : d ≤ n",
    "(f : Int → Int) (hf : ∀ n, f (n+1) = f n + 3) (h3 : f 3 = 15) : f 9 = 33",
    f"{FIELD} (k B C b : K) (h : ∀ x : K, x^2+B*x-21 = k*(x^2+C*x+5*b)) : 1 = k ∧ B = k*C",
    f"{ORDERED} (x y : K) : 2*x*y ≤ x^2 + y^2",
    f"{ORDERED} (a b c d : K) : (a*c + b*d)^2 ≤ (a^2 + b^2)*(c^2 + d^2)",
    f"{ORDERED} (a b : K) (h : a + b = 10) : a*b ≤ 25",
    f"{ORDERED} (x : K) (h0 : 0 ≤ x) (h1 : x ≤ 1) : x^2 ≤ x",
    ": ∃ a b c : Nat, 0 < a ∧ 0 < b ∧ a^2 + b^2 = c^2",
    f"{FIELD} (a : K) : ∃ x : K, 2*x + a = 3",
    "(n : Nat) : n < 2^n",
    "(x : Int) : x = 1 ↔ 2*x = 2",
]


def read(text: str) -> Signature:
    reading = read_signature(text)
    assert reading.signature is not None, reading.reason
    return reading.signature


def entries(text: str) -> dict[str, str]:
    signature = read(text)
    return {script.entry: script.text for number in (1, 2, 3) for script in scripts_of(signature, number)}


@pytest.mark.parametrize("text", STATEMENTS)
def test_the_guard_lets_every_script_through(text: str) -> None:
    for entry, script in entries(text).items():
        assert screen(stated(text, heartbeats=1000).with_script(script)).refusals == (), entry


def test_every_entry_applies_to_something() -> None:
    found = {entry.partition("-")[0] for text in STATEMENTS for entry in entries(text)}
    assert found == {entry.name for entry in PORTFOLIO}


@pytest.mark.parametrize(
    ("text", "entry", "part"),
    [
        (STATEMENTS[2], "omega", "omega"),
        (STATEMENTS[3], "residues", "n % 4 = 0 ∨ n % 4 = 1 ∨ n % 4 = 2 ∨ n % 4 = 3"),
        (STATEMENTS[5], "intervals", "b = 0 ∨ b = 1 ∨ b = 2 ∨ b = 3 ∨ b = 4"),
        (STATEMENTS[6], "size_of_divisors", "Int.le_of_dvd (by first | omega | grind) h"),
        (STATEMENTS[7], "unrolling", "have := hf 8"),
        (STATEMENTS[8], "instances", "have := h (-1)"),
        (STATEMENTS[9], "squares", "(a := x - y)"),
        (STATEMENTS[10], "crossed_squares", "(a := a*d - b*c)"),
        (STATEMENTS[11], "substituted_squares", "have hs0 : a = (-1) * b + 10 := by grind\nsubst hs0"),
        (STATEMENTS[12], "products", "have hp1 : 0 ≤ 1 - x := by grind"),
        (STATEMENTS[13], "given_value", "exact ⟨"),
        (STATEMENTS[14], "given_value", "(-1/2) * a"),
    ],
)
def test_an_entry_says_what_the_statement_needs(text: str, entry: str, part: str) -> None:
    assert part in entries(text)[entry]


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("(x : Rat) : x + 1 = 1 + x", "omega"),
        ("(x y : Int) : x*y = y*x", "omega"),
        ("(f : Int → Int) (h : f 0 = 1) : f 0 = 1", "omega"),
        (f"{FIELD} (x y : K) : 2*x*y = x^2 + y^2", "squares"),
        ("(n : Int) (h : 0 ≤ n) : n^2 = 4", "intervals"),
        ("(n : Nat) (h : 3 ≤ n) : n^2 < 2^n", "induction"),
    ],
)
def test_an_entry_stays_away_where_it_cannot_help(text: str, entry: str) -> None:
    assert entry not in entries(text)


def test_an_unread_signature_gets_the_fixed_scripts_once() -> None:
    assert [script.entry for script in scripts_of(None, 1)] == ["decide", "omega", "grind", "assumption"]
    assert list(scripts_of(None, 2)) == []


@pytest.mark.parametrize(
    ("text", "guards"),
    [
        ("(x : Rat) : x/2 + 1/3 = 1", []),
        ("(x : Rat) (h : x ≠ 0) : 1/x = 1", []),
        ("(x : Rat) : x = 0 ∨ 1/x = 1", ["¬x = 0 → x ≠ 0"]),
        ("(x : Rat) (h : 1/(x - 1) = 2) : x = 3/2", ["x - 1 ≠ 0"]),
        ("(x : Rat) : x ≠ 0 → 1/(2*x) = 1", ["x ≠ 0 → 2 * x ≠ 0"]),
        ("(a b : Nat) : a - b + b = a", ["b ≤ a"]),
        ("(a b : Int) : a - b + b = a", []),
        ("(n : Int) : n / 2 = 3", ["2 ∣ n"]),
        ("(f : Nat → Int) (n : Nat) : f (n - 1) - 2 = 3", ["1 ≤ n"]),
        ("(f : Int → Nat) (n : Int) : f (n - 1) + 2 = 3", []),
        ("(n m : Int) : n % m = 0", ["m ≠ 0"]),
        ("(x : Rat) : ∀ y : Rat, x / y = 1", ["∀ y : Rat, y ≠ 0"]),
    ],
)
def test_every_conventional_value_has_its_guard(text: str, guards: list[str]) -> None:
    assert [render_proposition(guard.proposition) for guard in guards_of(read(text))] == guards
