import Std
theorem main_result (a b : Nat) (h : a < b) : a ≠ b := by omega