/-! A file with /- nested -/ comments, "quotes and 'primes'. -/

theorem helper' : 'a' ≠ 'b' := by decide -- done

theorem main_result (s : String) : s ++ "" = s := by simp