def bound : Nat := sorry
theorem main_result : bound < 10 := by sorry