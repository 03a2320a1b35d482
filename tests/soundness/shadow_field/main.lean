structure S where
  Nat : Type
  elem : Nat
  same : ∀ a b : Nat, a = b
theorem main_result (s : S) : ∀ a b : s.Nat, a = b := s.same