@[simp] theorem helper (n : Nat) : n * 1 + 0 = n := by omega
theorem main_result (n : Nat) : n * 1 + 0 + 0 = n := by simp