def text := include_str "/lean/lib/lean/Init.olean"
theorem main_result : text = text := rfl