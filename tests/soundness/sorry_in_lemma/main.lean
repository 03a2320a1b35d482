theorem helper : (1 : Nat) = 2 := by sorry
theorem main_result : (1 : Nat) = 2 := helper