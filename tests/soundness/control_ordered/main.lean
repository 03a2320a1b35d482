theorem main_result {K : Type} [Lean.Grind.Field K] [LE K] [LT K] [Std.LawfulOrderLT K] [Std.IsLinearOrder K] [Lean.Grind.OrderedRing K]
    (x y : K) : 2*x*y ≤ x^2 + y^2 := by
  have := Lean.Grind.OrderedRing.sq_nonneg (a := x - y)
  grind