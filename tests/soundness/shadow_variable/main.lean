variable (Rat : Type) (h : ∀ x y : Rat, x = y)
include h in
theorem main_result (x y : Rat) : x = y := h x y