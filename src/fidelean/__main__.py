"""``python -m fidelean`` is ``fidelean``."""

from __future__ import annotations

from fidelean.cli.app import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
