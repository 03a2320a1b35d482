structure Point where
  x : Int
  y : Int
  deriving DecidableEq, Repr

def Point.swap (p : Point) : Point := ⟨p.y, p.x⟩

theorem main_result (p : Point) : p.swap.swap = p := rfl