def Compact (s : Nat → Prop) : Prop := True
theorem main_result (s : Nat → Prop) : Compact s := by sorry