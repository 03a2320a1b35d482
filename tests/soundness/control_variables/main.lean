variable {K : Type} [Lean.Grind.Field K] [Lean.Grind.IsCharP K 0]

theorem main_result (x : K) (h : 2*x = 4) : x = 2 := by grind