"""Numeric claims, decided exactly."""
