"""Obligation → Evidence: records apart from the checkers that make them."""
