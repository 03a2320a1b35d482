set_option maxHeartbeats 400000 in
set_option maxRecDepth 2000 in
theorem main_result (a b c : Int) (h : a + b = c) : c - b = a := by omega