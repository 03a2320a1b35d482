"""``fidelean check``: numeric claims, decided by exact arithmetic."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

if TYPE_CHECKING:
    from fidelean.cli.exit_codes import Outcomes

__all__ = ["register"]

_OPTION = re.compile(r"--?[A-Za-z][\w-]*(?:=\S*)?")


class OutputFormat(StrEnum):
    """How outcomes are written."""

    TEXT = "text"
    """For a reader."""
    JSON = "json"
    """One object a line (docs/json.md)."""


def register(app: typer.Typer) -> None:
    """Add the command to the command line. A claim may start with a minus sign, so what is no option is a claim."""
    app.command("check", context_settings={"ignore_unknown_options": True})(check)


def check(
    claims: Annotated[
        list[str] | None, typer.Argument(metavar="[CLAIM]...", help="Claims in LaTeX, Unicode or plain text.", show_default=False)
    ] = None,
    from_file: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help='JSON lines with the key "claim" ("step" with --steps); - for standard input.'),
    ] = None,
    steps: Annotated[bool, typer.Option("--steps", help="Each input is a step of a proof: find the claims in it.")] = False,
    output_format: Annotated[OutputFormat, typer.Option("--format", help="How outcomes are written.")] = OutputFormat.TEXT,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write outcomes to FILE, all of them or nothing.")] = None,
) -> None:
    """Decide numeric claims by exact arithmetic.

    A claim is passed, refuted, or inconclusive with the reason.

    Exit code: 2 for an input that cannot be read, else 1 if a claim is refuted, else 0.
    """
    from fidelean.cli.exit_codes import Outcomes
    from fidelean.cli.output import open_output

    given = _given(claims or (), from_file)
    outcomes = Outcomes()
    with open_output(out) as stream:
        write = _step_writer(output_format, stream) if steps else _claim_writer(output_format, stream)
        for text in _texts(given, from_file, "step" if steps else "claim", outcomes):
            if write(text):
                outcomes.refuted()
    raise typer.Exit(outcomes.exit_code)


def _given(claims: Sequence[str], from_file: str | None) -> Sequence[str]:
    from fidelean.errors import UsageError

    if unknown := next((claim for claim in claims if _OPTION.fullmatch(claim)), None):
        raise UsageError(f"there is no option {unknown}; see fidelean check --help")
    if bool(claims) == (from_file is not None):
        raise UsageError("give either claims or --from FILE")
    if any("\ud800" <= character <= "\udfff" for claim in claims for character in claim):
        raise UsageError("a claim is not UTF-8")
    return claims


def _texts(given: Sequence[str], from_file: str | None, key: str, outcomes: Outcomes) -> Iterator[str]:
    if from_file is None:
        yield from given
        return
    from fidelean.cli.inputs import read_input
    from fidelean.errors import InputError
    from fidelean.informal.reading.json_records import json_texts
    from fidelean.informal.reading.source import decode
    from fidelean.policy import ReadingPolicy

    max_bytes = ReadingPolicy().max_source_bytes
    source = decode(from_file, read_input(from_file, max_bytes=max_bytes), max_bytes=max_bytes)
    for text in json_texts(source, key):
        if isinstance(text, InputError):
            outcomes.failed(text)
        else:
            yield text


def _claim_writer(output_format: OutputFormat, stream: TextIO) -> Callable[[str], bool]:
    """Give what checks one claim, writes its outcome and tells whether it is refuted."""
    from fidelean.cli.output import write_line
    from fidelean.exact import check_claim
    from fidelean.outcome import Refuted
    from fidelean.report.claim_documents import claim_document
    from fidelean.report.document_parts import json_line
    from fidelean.report.text import open_console, print_claim

    console = open_console(stream)

    def write(text: str) -> bool:
        checked = check_claim(text)
        if output_format is OutputFormat.JSON:
            write_line(stream, json_line(claim_document(text, checked)))
        else:
            print_claim(console, text, checked)
        return isinstance(checked.outcome, Refuted)

    return write


def _step_writer(output_format: OutputFormat, stream: TextIO) -> Callable[[str], bool]:
    """Give what checks the claims found in one step, writes their outcomes and tells whether one is refuted."""
    from fidelean.cli.output import write_line
    from fidelean.exact import check_step
    from fidelean.outcome import Refuted
    from fidelean.report.claim_documents import step_claims_document
    from fidelean.report.document_parts import json_line
    from fidelean.report.text import open_console, print_step_claims

    console = open_console(stream)

    def write(text: str) -> bool:
        checked = check_step(text)
        if output_format is OutputFormat.JSON:
            write_line(stream, json_line(step_claims_document(text, checked)))
        else:
            print_step_claims(console, text, checked)
        return any(isinstance(item.outcome, Refuted) for item in checked)

    return write
