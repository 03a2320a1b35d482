def dvd_gcd_iff_no (n : Nat) : Nat := n
def absurd (n : Nat) : n = n := rfl
theorem main_result : (1 : Nat) = 1 := absurd 1