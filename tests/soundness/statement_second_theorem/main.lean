theorem helper : True := trivial
theorem main_result (n : Nat) : n + 0 = n := by sorry