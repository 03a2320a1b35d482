"""Informal mathematics as trees: LaTeX, Unicode and plain text."""
