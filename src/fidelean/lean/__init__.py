"""Lean sources and statements, the guard before them, the engines behind one protocol."""
