set_option autoImplicit true in
theorem main_result (x : ℝ) : x = x := rfl