"""``fidelean library``: build an index of Lean declarations and search in it."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from fidelean.lean.library.index import LibraryIndex
    from fidelean.lean.library.records import Declaration

__all__ = ["register"]


class OutputFormat(StrEnum):
    """How results are printed."""

    TEXT = "text"
    """Two lines per declaration."""
    JSON = "json"
    """One JSON object per declaration and line."""


_Format = Annotated[OutputFormat, typer.Option("--format", help="How to print.")]
_Index = Annotated[Path | None, typer.Option("--index", metavar="FILE", help="The index, instead of the one in the cache folder.")]


def register(app: typer.Typer) -> None:
    """Add the ``library`` commands to ``app``."""
    group = typer.Typer(no_args_is_help=True, help="Search in a library of Lean declarations, such as Mathlib.")
    group.command()(build)
    group.command()(search)
    group.command()(show)
    group.command()(resolve)
    app.add_typer(group, name="library")


def build(
    source: Annotated[Path, typer.Argument(help="A file of JSON lines (.gz or not), or the folder of a checkout.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where the index goes, instead of the cache folder.")] = None,
    output: _Format = OutputFormat.TEXT,
) -> None:
    """Build the index; what was there before stays until the new one is whole."""
    from fidelean.lean.library.building import build_index
    from fidelean.lean.library.index import default_index
    from fidelean.lean.library.sources import read_declarations

    target = out or default_index()
    count = build_index(read_declarations(source), target, _tell)
    if output is OutputFormat.JSON:
        typer.echo(json.dumps({"declarations": count, "index": str(target)}, ensure_ascii=False))
    else:
        typer.echo(f"{count} declarations in {target}")


def search(
    query: Annotated[str, typer.Argument(help="Words, a name, or nearly a name.")],
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many at most.")] = 10,
    index: _Index = None,
    output: _Format = OutputFormat.TEXT,
) -> None:
    """Print what fits best, best first. Exit code 0, also where nothing is found; 3 where there is no index."""
    with _opened(index) as library:
        for hit in library.search(query, limit):
            _print(hit.declaration, output, hit.how)


def show(name: Annotated[str, typer.Argument(help="A full name.")], index: _Index = None, output: _Format = OutputFormat.TEXT) -> None:
    """Print the declaration of exactly this name. Exit code 2 where there is none."""
    with _opened(index) as library:
        _print_all(library, name, library.show(name), output)


def resolve(
    name: Annotated[str, typer.Argument(help="A name as it is written in a file.")],
    opened: Annotated[list[str] | None, typer.Option("--open", metavar="NS", help="An open namespace; may be repeated.")] = None,
    index: _Index = None,
    output: _Format = OutputFormat.TEXT,
) -> None:
    """Print every declaration that the name can mean. Exit code 2 where there is none."""
    with _opened(index) as library:
        _print_all(library, name, library.resolve(name, opened or ()), output)


@contextmanager
def _opened(file: Path | None) -> Generator[LibraryIndex, None, None]:
    from fidelean.lean.library.index import LibraryIndex, default_index

    library = LibraryIndex(file or default_index())
    try:
        yield library
    finally:
        library.close()


def _print_all(library: LibraryIndex, name: str, found: Sequence[Declaration], output: OutputFormat) -> None:
    from fidelean.errors import UsageError

    if not found:
        near = ", ".join(hit.declaration.name for hit in library.search(name, 3))
        raise UsageError(f"no declaration is named {name}" + (f"; near: {near}" if near else ""))
    for one in found:
        _print(one, output)


def _print(one: Declaration, output: OutputFormat, how: str | None = None) -> None:
    from dataclasses import asdict

    from fidelean.report.escaping import one_line

    if output is OutputFormat.JSON:
        typer.echo(json.dumps({**asdict(one), **({"how": how} if how else {})}, ensure_ascii=False))
        return
    typer.echo(one_line(f"{one.kind} {one.name} {one.signature}"))
    typer.echo("    " + one_line(f"{one.module}:{one.line}" + (f"  {one.doc}" if one.doc else "")))


def _tell(count: int) -> None:
    if sys.stderr.isatty():
        typer.echo(f"{count} declarations", err=True)
