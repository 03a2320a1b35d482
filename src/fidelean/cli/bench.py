"""``fidelean bench``: what experiments say."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["register"]


class OutputFormat(StrEnum):
    """How results are printed."""

    TEXT = "text"
    """Tables."""
    JSON = "json"
    """One JSON object."""


def register(app: typer.Typer) -> None:
    """Add the ``bench`` commands to ``app``."""
    group = typer.Typer(no_args_is_help=True, help="Compare systems: the analysis of experiments.")
    group.command()(factorial)
    group.callback()(_bench)
    app.add_typer(group, name="bench")


def _bench() -> None:
    """Without a second command the group would take the place of its only one."""


def factorial(
    results: Annotated[Path, typer.Argument(metavar="FILE", help="Counts by configuration (JSON), or a row per item (JSON lines).")],
    output: Annotated[OutputFormat, typer.Option("--format", help="How to print.")] = OutputFormat.TEXT,
    resamples: Annotated[int, typer.Option(min=100, max=1_000_000, help="Bootstrap resamples behind each interval.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resamples.")] = 0,
) -> None:
    """Effects of the tools draft, feedback and search in a 2³ experiment, on what compiles, what is faithful and the gap between.

    Exit code: 0, or 2 where FILE cannot be read or lacks a configuration.
    """
    from fidelean.benchmark.factorial.analysis import analyse_counts, analyse_items
    from fidelean.benchmark.factorial.reading import read_results
    from fidelean.benchmark.factorial.rendering import factorial_document, factorial_lines

    read = read_results(results)
    found = analyse_counts(read) if isinstance(read, dict) else analyse_items(read, resamples=resamples, seed=seed)
    if output is OutputFormat.JSON:
        typer.echo(json.dumps(factorial_document(found), ensure_ascii=False))
    else:
        typer.echo("\n".join(factorial_lines(found)))
