"""``fidelean lean``: install the embedded Lean, and say where it is."""

from __future__ import annotations

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the ``lean`` commands to ``app``."""
    group = typer.Typer(no_args_is_help=True, help="The embedded Lean: install it, find it.")

    @group.command()
    def install() -> None:
        """Fetch (122 MB, once), check and prepare the embedded Lean in the cache folder."""
        from fidelean.lean.installation import ensure_installed, find_installation

        if (found := find_installation()) is not None:
            typer.echo(f"Lean is already there: {found.folder}", err=True)
            return
        ensure_installed(lambda line: typer.echo(line, err=True))

    @group.command()
    def path() -> None:
        """Print the folder of the embedded Lean; exit code 3 where there is none."""
        from fidelean.errors import EngineUnavailable
        from fidelean.lean.installation import find_installation

        if (found := find_installation()) is None:
            raise EngineUnavailable("the embedded Lean is not installed: run `fidelean lean install`")
        typer.echo(str(found.folder))

    app.add_typer(group, name="lean")
    _ = install, path
