inductive T where
  | a
  | b
  deriving Lean.ToExpr
theorem main_result : T.a = T.a := rfl