theorem main_result {K : Type} [Lean.Grind.Field K] [Lean.Grind.IsCharP K 0] (a b : K)
    (h1 : a + 2*b = 2) (h2 : 2*a - b = 0) : a = 2/5 := by grind