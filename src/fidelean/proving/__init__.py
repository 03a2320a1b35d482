"""Proving: from a Lean statement to an attempt that closes it or its negation, statement frozen."""
