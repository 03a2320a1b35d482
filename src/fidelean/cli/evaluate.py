"""``fidelean evaluate``: the first broken step of every proof in the files."""

from __future__ import annotations

import traceback
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

if TYPE_CHECKING:
    from fidelean.cli.exit_codes import Outcomes
    from fidelean.cli.model_runs import ModelOptions
    from fidelean.cli.progress import Progress
    from fidelean.errors import MachineryError
    from fidelean.informal.records import Proof
    from fidelean.lean.engine import LeanEngine
    from fidelean.pipelines.study import Study
    from fidelean.runs.ledger import Ledger
    from fidelean.verdict.records import ProofVerdict

    Writer = Callable[[Proof, ProofVerdict, Study | None], None]

__all__ = ["register"]


class OutputFormat(StrEnum):
    """How results are written."""

    TEXT = "text"
    """For a reader."""
    JSON = "json"
    """One object a line (docs/json.md)."""
    HTML = "html"
    """One self-contained page."""


class EngineName(StrEnum):
    """Which Lean is asked."""

    EMBEDDED = "embedded"
    """The one that ``fidelean lean install`` sets up; where it is missing, a notice says so."""
    NONE = "none"
    """None, on purpose."""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("evaluate")(evaluate)


def evaluate(  # noqa: PLR0913 - a command has an argument for every option
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Proofs: .md .txt .tex .json .jsonl, or - for standard input.")],
    problem: Annotated[
        str | None, typer.Option(metavar="FILE", help='File with the problem, for proofs that do not hold it; "" for no problem.')
    ] = None,
    output_format: Annotated[OutputFormat, typer.Option("--format", help="How results are written.")] = OutputFormat.TEXT,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write results to FILE, all of them or nothing.")] = None,
    artefacts: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the Lean file of every kernel-checked claim into DIR, for `fidelean recheck`.")
    ] = None,
    conditions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help='Correct misread conditions and evaluate under these: JSON, [{"drop": "as listed"}, {"add": "$x$ is real."}].',
        ),
    ] = None,
    show_conditions: Annotated[
        bool, typer.Option("--show-conditions", help="Evaluate nothing: list the conditions as read, spelt as --conditions drops them.")
    ] = False,
    engine: Annotated[EngineName, typer.Option(help="Which Lean is asked.")] = EngineName.EMBEDDED,
    system: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="rules (no model), or with models: full, direct, graph, transitions-nl, no-transitions, no-gate, nl-repeat, nl-agent.",
        ),
    ] = "rules",
    model: Annotated[str | None, typer.Option(metavar="NAME", help="The language model: openai:gpt-5, replay:FOLDER, ...")] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings, instead of fidelean.toml in this folder.")] = None,
    run_folder: Annotated[
        Path | None,
        typer.Option("--run", metavar="DIR", help="Keep calls and Lean's answers in DIR; the same DIR goes on with the run."),
    ] = None,
    max_usd: Annotated[float | None, typer.Option(help="Most money that the models may cost (US dollars).")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Most tokens that the models may read and write.")] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Longest time of the whole run (seconds).")] = None,
    concurrency: Annotated[int | None, typer.Option(help="Most calls of one model at the same time.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")] = False,
) -> None:
    """Find the first broken step of each proof.

    Every step is supported, refuted, a refuted remark, uncertain or unchecked, with the evidence for it.

    Exit code: 2 for an input that cannot be read, else 3 if machinery that was needed failed, else 1 if a proof has a broken step, else 0.
    That no error was found does not show that a proof is right.
    """
    from fidelean.cli.conditions import with_corrections, write_conditions
    from fidelean.cli.exit_codes import Outcomes
    from fidelean.cli.model_runs import ModelOptions
    from fidelean.cli.output import open_output
    from fidelean.cli.progress import progress
    from fidelean.pipelines.event_loops import run

    outcomes = Outcomes()
    with open_output(out) as stream:
        proofs = _read_all(files, problem, outcomes)
        if conditions is not None:
            proofs = with_corrections(proofs, conditions)
        if show_conditions:
            write_conditions(stream, proofs)
            raise typer.Exit(outcomes.exit_code)
        page = _Page(system) if output_format is OutputFormat.HTML else None
        write = page.add if page else _writer(output_format, stream, system)
        if artefacts is not None:
            write = _with_artefacts(write, artefacts)
        with progress("evaluating", len(proofs), quiet=quiet) as shown:
            if system == "rules":
                _no_model_options(model, config, run_folder, max_usd, max_tokens, max_seconds, concurrency)
                run(_evaluate_all(proofs, engine, outcomes, write, shown))
            else:
                options = ModelOptions(system, config, model, run_folder, max_usd, max_tokens, max_seconds, concurrency)
                run(_evaluate_with_models(proofs, engine, options, outcomes, write, shown))
        if page is not None:
            page.write(stream, outcomes.said)
    raise typer.Exit(outcomes.exit_code)


class _Page:
    """The results for a page, which is written when all are there."""

    def __init__(self, system: str) -> None:
        self._system = system
        self._results: list[tuple[Proof, ProofVerdict, Study | None]] = []

    def add(self, proof: Proof, verdict: ProofVerdict, study: Study | None) -> None:
        """Take a result."""
        self._results.append((proof, verdict, study))

    def write(self, stream: TextIO, failures: Sequence[str]) -> None:
        """Write the page, with the tree of every proof and with what could not be evaluated."""
        from fidelean.decomposition.rules import decompose
        from fidelean.report.html.page import render_page
        from fidelean.report.html.proof_view import ProofResult

        results = [
            ProofResult(proof, verdict, decompose(proof) if study is None else study.tree, study, self._system)
            for proof, verdict, study in self._results
        ]
        stream.writelines(render_page(results, failures=failures))
        stream.flush()


def _with_artefacts(write: Writer, folder: Path) -> Writer:
    """Write the Lean files of a verdict beside its report. Raises ``UsageError`` where the folder cannot be written."""
    from fidelean.errors import UsageError
    from fidelean.report.artefacts import artefact_files

    def write_both(proof: Proof, verdict: ProofVerdict, study: Study | None) -> None:
        write(proof, verdict, study)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in artefact_files(proof, verdict):
                (folder / name).write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{folder}: cannot be written: {error.strerror}") from None

    return write_both


def _read_all(files: Sequence[str], problem: str | None, outcomes: Outcomes) -> list[Proof]:
    """Read every file; what cannot be read is said on standard error and loses nothing else."""
    from fidelean.cli.inputs import read_input
    from fidelean.errors import InputError, UsageError
    from fidelean.informal.reading import read_source
    from fidelean.policy import ReadingPolicy

    policy = ReadingPolicy()
    if [*files, problem].count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    asked = _read_problem(problem, policy.max_source_bytes)
    proofs: list[Proof] = []
    for name in files:
        try:
            reading = read_source(name, read_input(name, max_bytes=policy.max_source_bytes), problem=asked, policy=policy)
        except InputError as error:
            outcomes.failed(error)
            continue
        proofs += reading.proofs
        for fault in reading.faults:
            outcomes.failed(fault)
    return proofs


def _read_problem(name: str | None, max_bytes: int) -> str | None:
    from fidelean.cli.inputs import read_input
    from fidelean.informal.reading.source import decode

    if not name:
        return name
    return decode(name, read_input(name, max_bytes=max_bytes), max_bytes=max_bytes).text.strip()


async def _evaluate_all(
    proofs: Sequence[Proof],
    engine_name: EngineName,
    outcomes: Outcomes,
    write: Writer,
    shown: Progress,
) -> None:
    async with _open_engine(engine_name) as engine:
        for start in range(0, len(proofs), _TOGETHER):
            for proof, verdict in await _evaluate_together(proofs[start : start + _TOGETHER], engine):
                shown.advance()
                if isinstance(verdict, Exception):
                    outcomes.failed(_as_machinery_error(proof, verdict))
                    continue
                if verdict.first_error is not None:
                    outcomes.refuted()
                with shown.aside():
                    write(proof, verdict, None)


def _no_model_options(*given: object) -> None:
    from fidelean.errors import UsageError

    if any(value is not None for value in given):
        raise UsageError(
            "the system rules asks no model: give --system full (or another) beside --model, --config, --run, --max-... and --concurrency"
        )


async def _evaluate_with_models(
    proofs: Sequence[Proof],
    engine_name: EngineName,
    options: ModelOptions,
    outcomes: Outcomes,
    write: Writer,
    shown: Progress,
) -> None:
    from fidelean.cli.model_runs import open_evaluator, unanswered
    from fidelean.pipelines.running import evaluate_each

    async with (
        _open_engine(engine_name) as engine,
        open_evaluator(options, proofs, engine, shown.called) as evaluator,
        aclosing(evaluate_each(proofs, evaluator, on_done=shown.advance)) as results,
    ):
        async for evaluated in results:
            if isinstance(evaluated.result, Exception):
                outcomes.failed(_as_machinery_error(evaluated.proof, evaluated.result))
                continue
            verdict, study = evaluated.result
            if (lost := unanswered(evaluated.proof, study)) is not None:
                outcomes.failed(lost)
            if verdict.first_error is not None:
                outcomes.refuted()
            _keep(evaluator.desk.ledger, options.system, evaluated.proof, verdict, study)
            with shown.aside():
                write(evaluated.proof, verdict, study)


def _keep(ledger: Ledger, system: str, proof: Proof, verdict: ProofVerdict, study: Study) -> None:
    """Keep a finished proof in its run: the whole report, and every Lean text that it speaks of, those that do not count included."""
    from fidelean.report.documents import json_line, proof_document

    texts = [item.artefact.text.encode() for step in verdict.steps for item in step.evidence if item.artefact is not None]
    ledger.finish(f"{system}:{proof.id}", json_line(proof_document(proof, verdict, study, system=system)), texts)


_TOGETHER = 16
"""Proofs that share a batch of Lean, which takes seconds to start: results come in portions of so many."""


async def _evaluate_together(proofs: Sequence[Proof], engine: LeanEngine) -> list[tuple[Proof, ProofVerdict | Exception]]:
    """Evaluate proofs in one batch; where that fails, one by one, so that a fault of ours on one proof loses no other."""
    from fidelean.pipelines.evaluate_proof import evaluate_many
    from fidelean.pipelines.systems import rules
    from fidelean.policy import Policy

    policy = Policy()
    system = rules(engine, policy)
    try:
        return list(zip(proofs, await evaluate_many(proofs, system, policy), strict=True))
    except Exception as error:  # noqa: BLE001 - shown with the proof it belongs to
        if len(proofs) == 1:
            return [(proofs[0], error)]
    return [pair for proof in proofs for pair in await _evaluate_together([proof], engine)]


def _as_machinery_error(proof: Proof, error: Exception) -> MachineryError:
    """Say which proof was not evaluated and why; what nobody foresaw is shown with its traceback."""
    from fidelean.errors import FideleanError, MachineryError

    if not isinstance(error, FideleanError):
        traceback.print_exception(error)
    return MachineryError(f"{proof.source}: {proof.id} was not evaluated: {type(error).__name__}: {error}")


@asynccontextmanager
async def _open_engine(name: EngineName) -> AsyncGenerator[LeanEngine, None]:
    """Open the engine that was asked for; where Lean is missing, one that says so of every claim, since arithmetic still decides."""
    from fidelean.pipelines.absent_engine import AbsentEngine

    engine = AbsentEngine("Lean was not asked (--engine none)") if name is EngineName.NONE else _embedded_engine()
    try:
        yield engine
    finally:
        await engine.aclose()


def _embedded_engine() -> LeanEngine:
    from fidelean.errors import EngineUnavailable
    from fidelean.lean.embedded import EmbeddedEngine
    from fidelean.pipelines.absent_engine import AbsentEngine

    try:
        return EmbeddedEngine()
    except EngineUnavailable as error:
        broken = error.__cause__ is not None
        return AbsentEngine(
            f"Lean does not work here ({error}); run `fidelean doctor`" if broken else "Lean is not installed; run `fidelean lean install`"
        )


def _writer(output_format: OutputFormat, stream: TextIO, system: str) -> Writer:
    """Give what writes one result; every result is written as it comes."""
    if output_format is OutputFormat.JSON:
        from fidelean.cli.output import write_line
        from fidelean.report.document_parts import json_line
        from fidelean.report.documents import proof_document

        return lambda proof, verdict, study: write_line(stream, json_line(proof_document(proof, verdict, study, system=system)))
    from fidelean.report.text import open_console, print_proof

    console = open_console(stream)
    written: list[str] = []

    def write(proof: Proof, verdict: ProofVerdict, study: Study | None) -> None:
        if written:
            console.print()
        written.append(proof.id)
        print_proof(console, proof, verdict, study)
        stream.flush()

    return write
