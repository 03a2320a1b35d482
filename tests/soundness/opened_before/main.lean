namespace Other
theorem good : True := trivial
end Other
def good (n : Nat) : Prop := n % 7 = 3
theorem main_result : ∃ n, good n ∧ 100 < n := ⟨101, rfl, by decide⟩