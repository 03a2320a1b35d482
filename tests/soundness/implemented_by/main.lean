def lie (n : Nat) : Bool := false
@[implemented_by lie] def check (n : Nat) : Bool := true
theorem main_result : check 1 = false := by decide