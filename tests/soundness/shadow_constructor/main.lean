inductive T where
  | True
  | other
open T in
theorem main_result : True = True := rfl