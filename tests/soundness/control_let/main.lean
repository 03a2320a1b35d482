theorem main_result (n : Nat) : let m : Nat := 2 * n; m % 2 = 0 := by
  intro m; omega