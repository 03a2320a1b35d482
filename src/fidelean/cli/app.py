"""The command line: one module per command, imported only when its command runs."""

from __future__ import annotations

import sys

import typer

app = typer.Typer(no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False)


def main() -> None:
    """Run the command line; a ``FideleanError`` becomes one line on standard error and its exit code."""
    from fidelean.errors import FideleanError

    try:
        app()
    except FideleanError as error:
        print(f"fidelean: {error}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None
