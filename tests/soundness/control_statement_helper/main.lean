/-- Divisible by seven. -/
def good (n : Nat) : Prop := ∃ k, n = 7 * k

theorem main_result (a b : Nat) (ha : good a) (hb : good b) : good (a + b) :=
  sorry