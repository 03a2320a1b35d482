namespace Hidden
theorem main_result : (1 : Nat) = 2 := rfl