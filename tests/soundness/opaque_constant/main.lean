opaque witness : { p : Prop // p } := ⟨True, trivial⟩
theorem main_result : witness.val := witness.property