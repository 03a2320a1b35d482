open Lean.Grind Std in
/-- The roots of a quadratic. -/
theorem main_result (x : Rat) (h : x^2 - 5*x + 6 = 0) : x = 2 ∨ x = 3 := by grind