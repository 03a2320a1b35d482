namespace Example

/-- A helper. -/
def double (n : Nat) : Nat := n + n

private theorem double_eq (n : Nat) : double n = 2 * n := by
  unfold double; omega

end Example

open Example in
theorem main_result (n : Nat) : double n % 2 = 0 := by
  -- by the lemma
  unfold double; omega