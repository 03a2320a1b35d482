"""Numeric claims, decided exactly: a strict grammar, rationals, and real numbers with proved comparisons."""

from __future__ import annotations

from fidelean.exact.check import CheckedClaim, check_claim
from fidelean.exact.step import check_step

__all__ = ["CheckedClaim", "check_claim", "check_step"]
