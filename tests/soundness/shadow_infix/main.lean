infix:50 " ≠ " => fun (a b : Nat) => a = b
theorem main_result : (1 : Nat) ≠ 1 := rfl