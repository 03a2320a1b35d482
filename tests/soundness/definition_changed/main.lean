def good (n : Nat) : Prop := n = n
theorem main_result : ∃ n, good n ∧ 100 < n := ⟨101, rfl, by decide⟩