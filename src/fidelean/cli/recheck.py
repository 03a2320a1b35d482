"""``fidelean recheck``: run the Lean files of earlier verdicts again."""

from __future__ import annotations

from typing import Annotated

import typer

from fidelean.cli.elaborate import Contract, OutputFormat, run_files

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("recheck")(recheck)


def recheck(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Lean files that `evaluate --artefacts` or `prove` wrote.")],
    output: Annotated[OutputFormat, typer.Option("--format", help="How to print.")] = OutputFormat.TEXT,
    timeout: Annotated[float, typer.Option(min=0.1, help="Lean's own time per file (seconds).")] = 60.0,
) -> None:
    """Check again, with no stored answer, that Lean accepts the proofs in FILEs.

    What a file shows about its claim stands in its first lines. Exit code: 0 all accepted, 1 one is not, 2 bad input, 3 no Lean to ask.
    """
    raise typer.Exit(run_files(files, Contract.PROOF, None, output, timeout_s=timeout, use_cache=False))
