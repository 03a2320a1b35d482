"""The command line: one module per command, each imports what is heavy only when its command runs."""

from __future__ import annotations

import traceback
from importlib import import_module
from typing import Annotated

import typer

# Help in plain type: the library that frames it takes half of the half second that help may take.
app = typer.Typer(no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode=None)

COMMANDS: tuple[str, ...] = (
    "evaluate",
    "check",
    "elaborate",
    "prove",
    "equivalent",
    "recheck",
    "doctor",
    "lean",
    "library",
    "formalize",
    "bench",
)
"""Modules of this package with a function ``register(app)``, in the order in which ``--help`` shows their commands."""


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"fidelean {version('fidelean')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")] = False,
) -> None:  # pyright: ignore[reportUnusedFunction]
    """Where is the first step of this proof that does not hold, and does this Lean statement say what the sentence said?"""


for _command in COMMANDS:
    import_module(f"fidelean.cli.{_command}").register(app)


def main() -> None:
    """Run the command line; a ``FideleanError`` becomes one line on standard error and its exit code.

    Anything else that escapes is a fault of the machinery: exit 3 with its traceback, since exit 1 says that a proof has an error.
    """
    from fidelean.cli.exit_codes import READER_GONE, drop_output, end_on_signals, ended_by_signal, report_error
    from fidelean.errors import FideleanError

    end_on_signals()
    try:
        app()
    except FideleanError as error:
        report_error(error)
        raise SystemExit(error.exit_code) from None
    except SystemExit as ending:
        if (code := ended_by_signal()) is not None:
            raise SystemExit(code) from None
        if not isinstance(ending.__context__, BrokenPipeError):
            raise
        drop_output()
        raise SystemExit(READER_GONE) from None
    except Exception:  # noqa: BLE001
        traceback.print_exc()
        raise SystemExit(3) from None
