"""Fixtures of the live tests."""

from __future__ import annotations

from lean_room import engine

__all__ = ["engine"]
