open Lean in
theorem main_result : (2 ^ 10 == 1024) = true := ofReduceBool _ true rfl