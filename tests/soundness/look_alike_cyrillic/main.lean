def а := 1
theorem main_result : а = 1 := rfl