partial def loop (n : Nat) : Nat := loop (n + 1)
theorem main_result : loop 0 = loop 0 := rfl