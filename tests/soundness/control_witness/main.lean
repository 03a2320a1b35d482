theorem main_result : ¬ ∀ x y : Rat, (x+y)^2 = x^2+y^2 := by
  intro h
  have := h 1 1
  revert this
  decide +kernel