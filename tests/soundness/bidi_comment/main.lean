/- ‮ harmless ‬ -/
theorem main_result : (1 : Nat) = 1 := rfl