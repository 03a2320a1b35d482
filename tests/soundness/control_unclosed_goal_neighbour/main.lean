theorem main_result (f : Int → Int) (hf : ∀ n, f (n+1) = f n + 3) (h3 : f 3 = 15) : f 5 = 21 := by
  have := hf 3; have := hf 4; grind