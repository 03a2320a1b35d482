theorem helper (a b : Nat) (h : a < b) : a ≤ b := Nat.le_of_lt h
theorem main_result (n : Nat) (h : 2 ≤ n) : n < n ^ 2 := by
  rw [Nat.pow_two]; exact Nat.lt_mul_self_iff.mpr h