def steps : Nat → Nat
  | 0 => 0
  | n + 1 => steps n + 2

theorem main_result (n : Nat) : steps n = 2 * n := by
  induction n with
  | zero => rfl
  | succ n ih => simp [steps, ih]; omega