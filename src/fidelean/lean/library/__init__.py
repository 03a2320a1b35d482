"""Search in a library of Lean declarations: by name, by nearly the name, by namespace, and by words."""
