def Compact : (Nat → Prop) → Prop := fun _ => (True : Prop)
theorem main_result (s : Nat → Prop) : Compact s := by sorry