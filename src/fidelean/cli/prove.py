"""``fidelean prove``: Lean signatures, decided by search, portfolio and kernel."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

if TYPE_CHECKING:
    from fidelean.cli.exit_codes import Outcomes
    from fidelean.proving.records import ProofAttempt, ProvingObligation

__all__ = ["register"]


class OutputFormat(StrEnum):
    """How attempts are written."""

    TEXT = "text"
    """For a reader."""
    JSON = "json"
    """One object a line."""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("prove")(prove)


def prove(
    signatures: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SIGNATURE]...", help='What stands between a theorem\'s name and ":=".', show_default=False),
    ] = None,
    from_file: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help='JSON lines with "signature" and, if given, "id"; - for standard input.'),
    ] = None,
    output_format: Annotated[OutputFormat, typer.Option("--format", help="How attempts are written.")] = OutputFormat.TEXT,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write attempts to FILE, all of them or nothing.")] = None,
    ledger: Annotated[Path | None, typer.Option(metavar="FILE", help="Append to FILE which entry closed what.")] = None,
    timeout: Annotated[float, typer.Option(min=1, max=3600, help="Lean's time on one script (seconds).")] = 20.0,
    use_cache: Annotated[bool, typer.Option("--cache/--no-cache", help="Use Lean's earlier answers to the same script.")] = True,
) -> None:
    """Prove or refute Lean statements: passed with a proof, refuted with a counterexample, or inconclusive with the reason.

    What is passed or refuted is kernel-checked; the script that does it is part of the answer.

    Exit code: 2 for an input that cannot be read, else 3 if Lean is missing, else 1 if a statement is refuted, else 0.
    """
    from fidelean.cli.exit_codes import Outcomes
    from fidelean.cli.output import open_output
    from fidelean.outcome import Refuted
    from fidelean.proving.ledger import append_to_ledger

    outcomes = Outcomes()
    obligations = _obligations(signatures or (), from_file, outcomes)
    with open_output(out) as stream:
        attempts = _attempts(obligations, timeout, use_cache=use_cache) if obligations else []
        for attempt in attempts:
            _write(attempt, output_format, stream)
            if isinstance(attempt.outcome, Refuted):
                outcomes.refuted()
    if ledger is not None:
        append_to_ledger(ledger, attempts)
    raise typer.Exit(outcomes.exit_code)


def _obligations(signatures: Sequence[str], from_file: str | None, outcomes: Outcomes) -> list[ProvingObligation]:
    from fidelean.cli.inputs import read_input
    from fidelean.errors import InputError, UsageError
    from fidelean.informal.reading.source import decode
    from fidelean.policy import ReadingPolicy
    from fidelean.proving.inputs import read_obligations
    from fidelean.proving.records import ProvingObligation

    if bool(signatures) == (from_file is not None):
        raise UsageError("give either signatures or --from FILE")
    if from_file is None:
        return [ProvingObligation(str(number), text) for number, text in enumerate(signatures, start=1)]
    max_bytes = ReadingPolicy().max_source_bytes
    source = decode(from_file, read_input(from_file, max_bytes=max_bytes), max_bytes=max_bytes)
    found: list[ProvingObligation] = []
    for item in read_obligations(source.text, from_file):
        if isinstance(item, InputError):
            outcomes.failed(item)
        else:
            found.append(item)
    return found


def _attempts(obligations: Sequence[ProvingObligation], timeout: float, *, use_cache: bool) -> list[ProofAttempt]:
    import asyncio

    from fidelean.lean.embedded import EmbeddedEngine
    from fidelean.proving.attempt import prove as prove_all

    async def run() -> list[ProofAttempt]:
        async with EmbeddedEngine(snippet_timeout_s=timeout, use_cache=use_cache) as engine:
            engine.prestart()
            return await prove_all(obligations, engine)

    return asyncio.run(run())


def _write(attempt: ProofAttempt, output_format: OutputFormat, stream: TextIO) -> None:
    import json

    from fidelean.cli.output import write_line
    from fidelean.proving.ledger import attempt_document
    from fidelean.report.escaping import one_line

    document = attempt_document(attempt)
    if output_format is OutputFormat.JSON:
        write_line(stream, json.dumps({"version": 1, **document}, ensure_ascii=False))
        return
    verdict = f"{document['outcome']} ({document['reason']})" if document["reason"] else str(document["outcome"])
    write_line(stream, f"{one_line(attempt.id)}: {verdict}: {one_line(attempt.outcome.detail)} [{attempt.seconds:.1f} s]")
    for line in attempt.script.splitlines():
        write_line(stream, f"    {one_line(line)}")
