def good (n : Nat) : Prop := n % 7 = 3
theorem bigger : (100 : Nat) < 101 := by decide
theorem main_result : ∃ n, good n ∧ 100 < n := ⟨101, rfl, bigger⟩