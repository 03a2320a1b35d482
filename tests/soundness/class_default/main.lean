class Magic where
  proof : False
theorem main_result [Magic] : (1 : Nat) = 2 := Magic.proof.elim