"""Lean's own words about a text, for whoever has to mend it."""

from __future__ import annotations

from fidelean.lean.records import Elaboration, Severity

__all__ = ["errors_as_text"]


def errors_as_text(elaboration: Elaboration, *, limit: int = 8, max_chars: int = 4_000) -> str:
    """The first errors in Lean's order, each with its place; unsolved goals are part of Lean's words. Untrusted text."""
    errors = [item for item in elaboration.diagnostics if item.severity is Severity.ERROR]
    lines = [f"line {item.position.line}, column {item.position.column}: {item.message.strip()}" for item in errors[:limit]]
    if len(errors) > limit:
        lines.append(f"... and {len(errors) - limit} more")
    return "\n".join(lines)[:max_chars]
