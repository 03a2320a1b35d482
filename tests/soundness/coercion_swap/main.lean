instance : Coe Nat Int := ⟨fun _ => 0⟩
theorem main_result (n : Nat) : (n : Int) = n := rfl