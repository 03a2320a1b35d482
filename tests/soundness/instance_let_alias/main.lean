abbrev Zeroish := OfNat Nat 0
theorem main_result : let _ : Zeroish := ⟨1⟩; (0 : Nat) = 1 := rfl