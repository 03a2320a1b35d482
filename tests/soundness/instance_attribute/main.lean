def one : OfNat Nat 0 := ⟨1⟩
attribute [local instance] one
theorem main_result : (0 : Nat) = 1 := rfl