theorem other (n : Nat) (h : 2 ≤ n) : n < n ^ 2 := by
  rw [Nat.pow_two]; exact Nat.lt_mul_self_iff.mpr h