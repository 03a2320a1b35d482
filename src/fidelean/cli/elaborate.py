"""``fidelean elaborate``: run Lean files behind the guard and say which contract they meet."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from fidelean.lean.records import Acceptance, Elaboration, LeanSource

__all__ = ["Contract", "OutputFormat", "register", "run_files"]


class OutputFormat(StrEnum):
    """How results are printed."""

    TEXT = "text"
    """A few lines per file, for reading."""
    JSON = "json"
    """One JSON object per file and line."""


class Contract(StrEnum):
    """What a file is taken as."""

    STATEMENT = "statement"
    """One theorem that ends in ``sorry``."""
    PROOF = "proof"
    """A theorem with its proof."""


class EngineName(StrEnum):
    """Which Lean runs the files."""

    EMBEDDED = "embedded"
    """The one ``fidelean lean install`` installs."""


def register(app: typer.Typer) -> None:
    """Add the ``elaborate`` command to ``app``."""

    @app.command()
    def elaborate(
        files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Lean files, or - for standard input.")],
        contract: Annotated[Contract, typer.Option("--as", help="The contract a file must meet.")] = Contract.PROOF,
        statement: Annotated[Path | None, typer.Option(help="The frozen statement that proofs must prove, token for token.")] = None,
        output: Annotated[OutputFormat, typer.Option("--format", help="How to print.")] = OutputFormat.TEXT,
        engine: Annotated[EngineName, typer.Option(help="Which Lean.")] = EngineName.EMBEDDED,
        timeout: Annotated[float, typer.Option(min=0.1, help="Lean's own time per file (seconds).")] = 60.0,
        cache: Annotated[bool, typer.Option(help="Use stored answers of unchanged files.")] = True,
    ) -> None:
        """Run Lean FILEs behind the source guard. Exit code: 0 all accepted, 1 one is not, 2 bad input, 3 no Lean to ask."""
        _ = engine
        raise typer.Exit(run_files(files, contract, statement, output, timeout_s=timeout, use_cache=cache))

    _ = elaborate


def run_files(
    files: Sequence[str], contract: Contract, statement: Path | None, output: OutputFormat, *, timeout_s: float, use_cache: bool
) -> int:
    """Run Lean files, print one result each, and give the exit code: 0 all accepted, 1 one is not, 3 no Lean to ask."""
    from fidelean.lean.embedded import EmbeddedEngine
    from fidelean.lean.records import LeanSource, SourceKind, Status

    kind = SourceKind(contract.value)
    frozen = None if statement is None else _read(str(statement))
    sources = [LeanSource(_read(file), kind, file) for file in files]
    with EmbeddedEngine(snippet_timeout_s=timeout_s, use_cache=use_cache) as lean:
        elaborations = lean.elaborate_now(sources)
    code = 0
    for source, elaboration in zip(sources, elaborations, strict=True):
        printed = _print(source, elaboration, frozen, output)
        code = max(code, 3 if elaboration.status is Status.UNAVAILABLE else printed)
    return code


def _read(file: str) -> str:
    from fidelean.errors import InputError

    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", source=file) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text", source=file) from None


def _print(source: LeanSource, elaboration: Elaboration, frozen: str | None, output: OutputFormat) -> int:
    """Print one result; returns the exit code it asks for."""
    from fidelean.lean.contracts import accept

    acceptance = accept(source, elaboration, frozen=frozen)
    if output is OutputFormat.JSON:
        typer.echo(json.dumps(_record(source, elaboration, acceptance), ensure_ascii=False))
    else:
        typer.echo(_text(source, elaboration, acceptance))
    return 0 if acceptance.accepted else 1


def _record(source: LeanSource, elaboration: Elaboration, acceptance: Acceptance) -> dict[str, object]:
    return {
        "file": source.name,
        "as": source.kind.value,
        "status": elaboration.status.value,
        "elaborates": elaboration.elaborates,
        "sorry_free": elaboration.sorry_free,
        "axioms": None if elaboration.axioms is None else list(elaboration.axioms),
        "accepted": acceptance.accepted,
        "reasons": [str(objection) for objection in acceptance.objections],
        "diagnostics": [
            {
                "severity": diagnostic.severity.value,
                "line": diagnostic.position.line,
                "column": diagnostic.position.column,
                "message": diagnostic.message,
                "kind": diagnostic.kind,
            }
            for diagnostic in elaboration.diagnostics
        ],
        "seconds": elaboration.seconds,
        "peak_memory_mb": elaboration.peak_memory_mb,
        "engine": elaboration.engine,
        "detail": elaboration.detail,
    }


def _text(source: LeanSource, elaboration: Elaboration, acceptance: Acceptance) -> str:
    word = "accepted" if acceptance.accepted else "not accepted"
    lines = [f"{source.name}: {word} as {source.kind.value} ({elaboration.status.value}, {elaboration.seconds:.2f} s)"]
    lines += [f"  {_one_line(str(objection))}" for objection in acceptance.objections]
    if acceptance.accepted and elaboration.axioms is None and source.kind.value == "proof":
        lines.append("  axioms: this engine cannot list them; the source guard stands in for that audit")
    return "\n".join(lines)


def _one_line(text: str) -> str:
    """Untrusted text on one line, without control characters."""
    return "".join(char if char.isprintable() else " " for char in text)
