def zero_is_one : Prop := have : OfNat Nat 0 := ⟨1⟩; (0 : Nat) = 1
theorem main_result : zero_is_one := rfl