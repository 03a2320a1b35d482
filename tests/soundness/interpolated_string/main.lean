def text := s!"a{1}b" ++ "}"
theorem main_result : text = text := rfl