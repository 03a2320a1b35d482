/-/- -/ axiom free_lunch : False
theorem main_result : (1 : Nat) = 2 := free_lunch.elim
/- -/ -/
theorem harmless : True := trivial