theorem main_result (n : Nat) (h : 2 ≤ n) : n < n ^ 2 := by sorry
