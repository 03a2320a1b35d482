macro_rules | `(0) => `(1)
theorem main_result : (0 : Nat) = 1 := rfl