"""``fidelean formalize``: state sentences in Lean with an agent."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from fidelean.cli.exit_codes import Outcomes
    from fidelean.cli.progress import Progress
    from fidelean.formalization.agent.records import AgentRun, ToolSet
    from fidelean.formalization.agent.released_format import TrajectoryRow
    from fidelean.informal.records import Statement
    from fidelean.lean.engine import LeanEngine
    from fidelean.pipelines.formalize import FormalizedStatement, Formalizer

__all__ = ["register"]

_MAX_BYTES = 10_000_000


class OutputFormat(StrEnum):
    """How results are printed."""

    TEXT = "text"
    """For reading."""
    JSON = "json"
    """One object a statement and line."""


class EngineName(StrEnum):
    """Which Lean runs the files."""

    EMBEDDED = "embedded"
    """The one that ``fidelean lean install`` installs; it has no Mathlib."""
    NONE = "none"
    """None: nothing is admitted."""


@dataclass(frozen=True, slots=True)
class _Options:
    """What the command line says."""

    tools: ToolSet
    """Which tools are on."""
    models: dict[str, object]
    """Keys of the settings."""
    config: Path | None
    """Settings instead of ``fidelean.toml``."""
    drafts: int
    """Runs of each statement."""
    max_steps: int
    """Most steps of a run."""
    engine: EngineName
    """Which Lean."""
    index: Path | None
    """The library index."""
    run_folder: Path | None
    """Where calls and Lean's answers are kept."""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("formalize")(formalize)


def formalize(  # noqa: PLR0913 - a command has an argument for every option
    statement: Annotated[
        str, typer.Argument(metavar="STATEMENT", help="The sentence, or a file with it; .jsonl: one a line, as nl_statement or statement.")
    ],
    tools: Annotated[str, typer.Option(metavar="TFS", help="Draft, feedback, search: three digits.")] = "111",
    model: Annotated[str | None, typer.Option(metavar="NAME", help="The agent's model: openai:gpt-5, replay:FOLDER, ...")] = None,
    drafter: Annotated[str | None, typer.Option(metavar="NAME", help="The translating model, such as openai-compatible:M@URL.")] = None,
    judge: Annotated[str | None, typer.Option(metavar="NAME", help="The model behind the gate; another one than the agent's.")] = None,
    drafts: Annotated[int, typer.Option(min=1, max=64, help="Runs of each statement; most of the admitted ones decide.")] = 1,
    max_steps: Annotated[int, typer.Option(min=1, max=24, help="Most steps of a run.")] = 24,
    engine: Annotated[EngineName, typer.Option(help="Which Lean.")] = EngineName.EMBEDDED,
    index: Annotated[Path | None, typer.Option(metavar="FILE", help="The library index, instead of the one in the cache folder.")] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings, instead of fidelean.toml in this folder.")] = None,
    run_folder: Annotated[Path | None, typer.Option("--run", metavar="DIR", help="Keep calls and Lean's answers; go on with them.")] = None,
    max_usd: Annotated[float | None, typer.Option(help="Most money that the models may cost (US dollars).")] = None,
    trajectory: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every event, a line a run, as the released files do.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write results to FILE, all of them or nothing.")] = None,
    output: Annotated[OutputFormat, typer.Option("--format", help="How to print.")] = OutputFormat.TEXT,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")] = False,
) -> None:
    """State a sentence in Lean with an agent, behind a gate that another model keeps.

    Exit code: 2 bad input, else 3 machinery that was needed failed, else 1 a statement was not admitted, else 0. That a file is
    admitted says that it elaborates and that no judge saw a difference.
    """
    from fidelean.cli.exit_codes import Outcomes
    from fidelean.cli.output import open_output, write_line
    from fidelean.cli.progress import progress
    from fidelean.errors import UsageError
    from fidelean.formalization.agent.records import ToolSet
    from fidelean.formalization.agent.released_format import trajectory_line
    from fidelean.pipelines.event_loops import run

    try:
        toolset = ToolSet.of(tools)
    except ValueError as error:
        raise UsageError(str(error)) from None
    flags: dict[str, object] = {"models.main": model, "models.drafter": drafter, "models.judge": judge, "budget.run.usd": max_usd}
    options = _Options(toolset, flags, config, drafts, max_steps, engine, index, run_folder)
    statements, outcomes = _statements(statement), Outcomes()
    with ExitStack() as opened:
        stream = opened.enter_context(open_output(out))
        events = opened.enter_context(open_output(trajectory)) if trajectory is not None else None
        shown = opened.enter_context(progress("formalizing", len(statements), quiet=quiet))

        def write(found: FormalizedStatement) -> None:
            with shown.aside():
                write_line(stream, json.dumps(_document(found), ensure_ascii=False) if output is OutputFormat.JSON else _text(found))
            if events is not None:
                for row in _trajectories(found):
                    write_line(events, trajectory_line(row))

        run(_formalize_all(statements, options, outcomes, write, shown))
    raise typer.Exit(outcomes.exit_code)


def _statements(given: str) -> list[Statement]:
    """Read the sentence, the file, or the lines. Raises ``InputError``."""
    from fidelean.cli.inputs import read_input
    from fidelean.errors import InputError
    from fidelean.informal.reading.source import decode
    from fidelean.informal.records import Statement

    is_file = given == "-" or (len(given) < 400 and "\n" not in given and Path(given).is_file())
    if not is_file:
        if given.endswith((".jsonl", ".md", ".txt", ".tex")):
            raise InputError("there is no such file", source=given)
        found = [Statement(given, id="statement")]
    else:
        text = decode(given, read_input(given, max_bytes=_MAX_BYTES), max_bytes=_MAX_BYTES).text
        name = Path(given).stem if given != "-" else "statement"
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        by_line = given.endswith(".jsonl")
        found = [_of_line(given, *each) for each in lines] if by_line else [Statement(text.strip(), name, source=given, line=1)]
    if not found or not all(each.text.strip() for each in found):
        raise InputError("a statement without a word", source=given if is_file else "")
    return found


def _of_line(source: str, number: int, line: str) -> Statement:
    from fidelean.errors import InputError
    from fidelean.informal.records import Statement

    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    row = cast("dict[str, object]", found) if isinstance(found, dict) else {}
    text = row.get("nl_statement") or row.get("statement")
    if not isinstance(text, str):
        raise InputError(f"line {number} is no object with nl_statement or statement", source=source)
    return Statement(text, str(row.get("id") or f"{Path(source).stem}-{number}"), str(row.get("domain") or ""), source, number)


async def _formalize_all(
    statements: Sequence[Statement], options: _Options, outcomes: Outcomes, write: Callable[[FormalizedStatement], None], shown: Progress
) -> None:
    async with _formalizer(options, shown) as formalizer:
        for statement in statements:
            found = await formalizer.formalize(statement)
            _judge_end(found, outcomes)
            write(found)
            shown.advance()


def _judge_end(found: FormalizedStatement, outcomes: Outcomes) -> None:
    """A statement that no model was there for is a failure of machinery; one that was not admitted is a finding."""
    from fidelean.errors import ModelError
    from fidelean.outcome import Reason

    if found.admitted:
        return
    outcomes.refuted()
    lost = next((run.fault for run in found.drafts if run.fault is not None and run.fault.reason is Reason.NO_REPLY), None)
    if lost is not None:
        outcomes.failed(ModelError(f"{found.statement.id}: a question got no reply: {lost.detail}"))


@asynccontextmanager
async def _formalizer(options: _Options, shown: Progress) -> AsyncGenerator[Formalizer, None]:
    """Open models, run folder, Lean and index. Raises as each of them does."""
    from fidelean.lean.library.index import LibraryIndex, default_index
    from fidelean.llm.desk import Desk
    from fidelean.llm.naming import models_from
    from fidelean.llm.prices import PriceTable
    from fidelean.pipelines.formalize import Formalizer
    from fidelean.pipelines.kept_engine import KeptEngine
    from fidelean.runs.ledger import Ledger
    from fidelean.settings import read_settings

    settings = read_settings(options.config, flags=options.models)
    models = models_from(settings)
    with ExitStack() as opened:
        ledger = opened.enter_context(Ledger.open(options.run_folder) if options.run_folder is not None else Ledger.in_memory())
        library = LibraryIndex(options.index or default_index()) if options.tools.search else None
        if library is not None:
            opened.callback(library.close)
        lean = _engine(options.engine)
        try:
            async with Desk(
                models, ledger=ledger, policy=settings.asking, prices=PriceTable(settings.prices), on_call=shown.called
            ) as desk:
                yield Formalizer(desk, KeptEngine(lean, ledger), library, options.tools, options.drafts, options.max_steps)
        finally:
            await lean.aclose()


def _engine(name: EngineName) -> LeanEngine:
    from fidelean.lean.embedded import EmbeddedEngine
    from fidelean.pipelines.absent_engine import AbsentEngine

    return AbsentEngine("Lean was not asked (--engine none)") if name is EngineName.NONE else EmbeddedEngine()


def _trajectories(found: FormalizedStatement) -> list[TrajectoryRow]:
    from fidelean.formalization.agent.released_format import TrajectoryRow

    name = found.statement.id
    return [TrajectoryRow(name if len(found.drafts) == 1 else f"{name}#{at}", run.events) for at, run in enumerate(found.drafts, 1)]


def _document(found: FormalizedStatement) -> dict[str, object]:
    chosen = found.chosen
    return {
        "id": found.statement.id,
        "statement": found.statement.text,
        "admitted": found.admitted,
        "lean": chosen.lean_text if chosen is not None else None,
        "grouped_by": found.grouped_by,
        "groups": [list(group) for group in found.groups],
        "drafts": [_draft(run) for run in found.drafts],
        "notices": list(found.notices),
    }


def _draft(run: AgentRun) -> dict[str, object]:
    gate = None if run.gate is None else {"admitted": run.gate.admitted, "report": run.gate.text}
    return {
        "tools": run.tools.code,
        "end": run.end.value,
        "detail": run.detail,
        "steps": run.steps,
        "compiles": run.compiles,
        "gate": gate,
        "admitted": run.admitted,
        "lean": run.lean_text,
    }


def _text(found: FormalizedStatement) -> str:
    from fidelean.report.escaping import one_line

    lines = [one_line(f"{found.statement.id}: {'admitted' if found.admitted else 'not admitted'}")]
    for number, run in enumerate(found.drafts, 1):
        compiled = {True: "compiles", False: "does not compile", None: "was not compiled"}[run.compiles]
        lines.append(
            one_line(f"  draft {number}, tools {run.tools.code}: {run.end.value} after {run.steps} steps, {compiled}: {run.detail}")
        )
    if len(found.drafts) > 1 and found.groups:
        lines.append(f"  {len(found.groups[0])} of {len(found.drafts)} drafts agree ({found.grouped_by})")
    lines += [one_line(f"  note: {notice}") for notice in found.notices]
    chosen = found.chosen
    return "\n".join([*lines, *(f"    {one_line(line)}" for line in (chosen.lean_text.rstrip().split("\n") if chosen else ()))])
