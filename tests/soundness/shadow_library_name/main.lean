def Thunk (n : Nat) : Prop := n = n
theorem main_result : Thunk 1 := rfl