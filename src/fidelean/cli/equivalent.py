"""``fidelean equivalent``: whether two Lean statements say the same."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from fidelean.lean.records import LeanStatement
    from fidelean.proving.statement_equivalence import Comparison

__all__ = ["register"]

_ALONE = "each is proved by itself, so each implies the other whatever they say"
_WHOLES = "they bind different variables, so they were compared as wholes and not at each value"


class OutputFormat(StrEnum):
    """How the answer is written."""

    TEXT = "text"
    """For a reader."""
    JSON = "json"
    """One object."""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("equivalent")(equivalent)


def equivalent(
    first: Annotated[str, typer.Argument(metavar="A.lean", help="A statement: one theorem that ends in sorry; - for standard input.")],
    second: Annotated[str, typer.Argument(metavar="B.lean", help="The other one.")],
    output_format: Annotated[OutputFormat, typer.Option("--format", help="How the answer is written.")] = OutputFormat.TEXT,
    seconds: Annotated[float, typer.Option(min=1, max=3600, help="Lean's time on one script (seconds).")] = 20.0,
) -> None:
    """Compare two Lean statements: certified where each is proved from the other, refuted with values, or inconclusive with the reason.

    Exit code: 2 for a file that is not a statement, else 3 if Lean is missing, else 1 if refuted, else 0, inconclusive ones included.
    """
    from fidelean.outcome import Refuted

    pair = _read(first), _read(second)
    found = _compared(*pair, seconds)
    _write(found, first, second, output_format)
    raise typer.Exit(1 if isinstance(found.outcome, Refuted) else 0)


def _read(name: str) -> LeanStatement:
    from fidelean.cli.inputs import read_input
    from fidelean.errors import InputError
    from fidelean.informal.reading.source import decode
    from fidelean.lean.contracts import accept_statement
    from fidelean.lean.declarations import statement_of
    from fidelean.lean.guard import normalise
    from fidelean.lean.records import Elaboration, Status
    from fidelean.policy import LeanPolicy

    most = LeanPolicy().max_snippet_bytes
    text = normalise(decode(name, read_input(name, max_bytes=most), max_bytes=most).text)
    # What Lean says comes later; this is the part of the contract that the text alone meets or not.
    acceptance = accept_statement(text, Elaboration(Status.OK))
    statement = statement_of(text) if acceptance.accepted else None
    if statement is None:
        raise InputError(str(acceptance.objections[0]) if acceptance.objections else "is not a statement", source=name)
    return statement


def _compared(first: LeanStatement, second: LeanStatement, seconds: float) -> Comparison:
    import asyncio

    from fidelean.lean.embedded import EmbeddedEngine
    from fidelean.proving.statement_equivalence import compare

    async def run() -> Comparison:
        async with EmbeddedEngine(snippet_timeout_s=seconds) as engine:
            engine.prestart()
            return await compare(first, second, engine)

    return asyncio.run(run())


def _write(found: Comparison, first: str, second: str, output_format: OutputFormat) -> None:
    import json
    import sys

    from fidelean.cli.output import write_line
    from fidelean.report.escaping import one_line

    document = _document(found)
    if output_format is OutputFormat.JSON:
        write_line(sys.stdout, json.dumps({"version": 1, "first": first, "second": second, **document}, ensure_ascii=False))
        return
    verdict = f"{document['outcome']} ({document['reason']})" if document["reason"] else document["outcome"]
    write_line(sys.stdout, f"{verdict}: {one_line(found.outcome.detail)}")
    for note in _notes(found):
        write_line(sys.stdout, f"  note: {note}")


def _notes(found: Comparison) -> list[str]:
    is_whole = found.directions is not None and not found.directions.is_pointwise
    return [*([_WHOLES] if is_whole else []), *([_ALONE] if found.hold_alone else [])]


def _document(found: Comparison) -> dict[str, object]:
    from fidelean.outcome import Inconclusive, Passed
    from fidelean.proving.ledger import attempt_document

    outcome = found.outcome
    word = "certified" if isinstance(outcome, Passed) else "inconclusive" if isinstance(outcome, Inconclusive) else "refuted"
    pair = (found.directions.forward, found.directions.backward) if found.directions else ()
    return {
        "outcome": word,
        "reason": outcome.reason.value if isinstance(outcome, Inconclusive) else None,
        "detail": outcome.detail,
        "identical": found.is_identical,
        "hold_alone": found.hold_alone,
        "pointwise": found.directions.is_pointwise if found.directions else None,
        "directions": [attempt_document(attempt) for attempt in pair],
    }
