namespace Hidden
scoped instance (priority := high) : LE Nat := ⟨fun _ _ => True⟩
end Hidden
open Hidden in
theorem main_result : (2 : Nat) ≤ 1 := trivial