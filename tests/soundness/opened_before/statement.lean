def good (n : Nat) : Prop := n % 7 = 3
theorem main_result : ∃ n, good n ∧ 100 < n := by sorry
