namespace Nat

/-- Above every number there is a prime. -/
theorem exists_larger_prime (n : Nat) : ∃ p, n ≤ p ∧ Prime p := by
  sorry

end Nat
