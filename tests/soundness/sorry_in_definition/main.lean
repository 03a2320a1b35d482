def witness : { n : Nat // n = n + 1 } := sorry
theorem main_result : ∃ n : Nat, n = n + 1 := ⟨witness.1, witness.2⟩