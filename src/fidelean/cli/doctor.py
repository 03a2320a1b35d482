"""``fidelean doctor``: what is installed, what it can do, and what to run where something is missing."""

from __future__ import annotations

import json
import platform
import subprocess
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from fidelean.llm.probe import ModelProbe

__all__ = ["register"]

_PROBE = "theorem probe (a b : Nat) (h : a < b) : a + 1 ≤ b := by omega"


class OutputFormat(StrEnum):
    """How the report is printed."""

    TEXT = "text"
    """One line per fact."""
    JSON = "json"
    """One JSON object."""


def register(app: typer.Typer) -> None:
    """Add the ``doctor`` command to ``app``."""

    @app.command()
    def doctor(
        output: Annotated[OutputFormat, typer.Option("--format", help="How to print.")] = OutputFormat.TEXT,
        model: Annotated[
            str | None, typer.Option(metavar="NAME", help="Try out a language model instead, with one cheap call: openai:gpt-5, ...")
        ] = None,
        config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings, instead of fidelean.toml in this folder.")] = None,
    ) -> None:
        """Say what is installed and what it can do, with a real proof through Lean. Exit code 3 where Lean, or the model, does not work."""
        if model is not None:
            raise typer.Exit(_print_model(model, config, output))
        lean = _lean()
        report = {**_machine(), "lean": lean}
        if output is OutputFormat.JSON:
            typer.echo(json.dumps(report, ensure_ascii=False))
        else:
            typer.echo("\n".join(_lines(report)))
        raise typer.Exit(0 if lean["runs"] else 3)

    _ = doctor


def _print_model(name: str, config: Path | None, output: OutputFormat) -> int:
    """Try out a language model, print what it can do and give the exit code."""
    from dataclasses import asdict

    from fidelean.llm.naming import model_from
    from fidelean.llm.prices import PriceTable
    from fidelean.llm.probe import probe_model
    from fidelean.llm.providers import ProviderModel
    from fidelean.pipelines.event_loops import run
    from fidelean.report.escaping import one_line
    from fidelean.settings import read_settings

    settings = read_settings(config)
    model = model_from(name, settings)
    if not isinstance(model, ProviderModel):
        typer.echo(f"{'model':10} {one_line(model.name)} can be used; nothing is called to find that out")
        return 0
    probe = run(probe_model(model, PriceTable(settings.prices)))
    if output is OutputFormat.JSON:
        typer.echo(json.dumps(asdict(probe), ensure_ascii=False, default=str))
    else:
        typer.echo("\n".join(f"{name:10} {one_line(said)}" for name, said in _model_lines(probe)))
    return 0 if probe.object_read else 3


def _model_lines(probe: ModelProbe) -> list[tuple[str, str]]:
    """Say line by line what the call showed, and what to do about it."""
    lines = [("model", probe.model)]
    if probe.answered_by is not None:
        price = "" if probe.price is None else f", {probe.price} US dollars"
        tokens = f"{probe.input_tokens} tokens read, {probe.output_tokens} written"
        lines.append(("answered", f"{probe.answered_by} after {probe.seconds:.1f} s, {tokens}{price}"))
    if probe.object_read:
        kept = "LaTeX in it came back as it was" if probe.latex_kept else "LaTeX in it was changed by the model"
        lines.append(("reply", f"{probe.reply_mode}: an object of the form asked for; {kept}"))
        lines.append(("sum", "right" if probe.sum_right else "wrong: this model cannot add two numbers"))
    else:
        lines.append(("reply", f"{probe.reply_mode}: {probe.fault}"))
    lines.append(("price", "known" if probe.price_known else "not known"))
    if not probe.price_known:
        table = f'[prices."{probe.model}"]'
        lines.append(("to do", f"give its price in fidelean.toml: {table} input = ..., output = ... (0 where it costs nothing)"))
    if probe.answered_by is not None and not probe.object_read:
        others = ", ".join(mode for mode in ("native", "prompted", "tool", "action") if mode != probe.reply_mode)
        lines.append(("to do", f'try another reply mode in fidelean.toml: [connections."{probe.model}"] reply_mode = one of {others}'))
    return lines


def _machine() -> dict[str, object]:
    return {
        "fidelean": _version("fidelean"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "flint": _version("python-flint"),
        "node": _node_version(),
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _node_version() -> str | None:
    from fidelean.errors import SetupError
    from fidelean.lean.installation import node_program

    try:
        shown = subprocess.run([str(node_program()), "--version"], capture_output=True, text=True, timeout=20, check=True)
    except (SetupError, OSError, subprocess.SubprocessError):
        return None
    return shown.stdout.strip().removeprefix("v")


def _lean() -> dict[str, object]:
    from fidelean.errors import FideleanError
    from fidelean.lean.contracts import accept
    from fidelean.lean.embedded import EmbeddedEngine
    from fidelean.lean.installation import cache_folder, find_installation
    from fidelean.lean.records import LeanSource

    facts: dict[str, object] = {"runs": False, "cache": str(cache_folder()), "advice": ""}
    try:
        if (found := find_installation()) is None:
            return {**facts, "advice": "Lean is not installed: run `fidelean lean install`"}
        facts.update({"folder": str(found.folder), "engine": "embedded", "mathlib": found.has_module("Mathlib"), **found.manifest})
        source = LeanSource(_PROBE)
        with EmbeddedEngine(installation=found, use_cache=False) as engine:
            (elaboration,) = engine.elaborate_now([source])
    except FideleanError as error:
        return {**facts, "advice": str(error)}
    acceptance = accept(source, elaboration)
    advice = (
        ""
        if acceptance.accepted
        else f"a one-line proof is not accepted ({elaboration.status.value}): remove {found.folder} and run `fidelean lean install`"
    )
    return {
        **facts,
        "runs": acceptance.accepted,
        "probe_seconds": elaboration.seconds,
        "probe_peak_memory_mb": elaboration.peak_memory_mb,
        "advice": advice,
    }


def _lines(report: dict[str, object]) -> list[str]:
    lean = cast("dict[str, object]", report["lean"])
    lines = [f"{name:10} {report[name] or 'missing'}" for name in ("fidelean", "python", "platform", "flint", "node")]
    if "folder" in lean:
        lines.append(
            f"{'lean':10} {lean['lean']}, commit {str(lean['commit'])[:8]}, sha512 {str(lean['sha512'])[:12]}..., in {lean['folder']}"
        )
        lines.append(f"{'library':10} {lean['oleans']} modules of core Lean; Mathlib: {'yes' if lean['mathlib'] else 'no'}")
    else:
        lines.append(f"{'lean':10} missing")
    if lean["runs"]:
        lines.append(f"{'proof':10} a one-line proof was accepted, peak memory {lean['probe_peak_memory_mb']} MiB")
    if lean["advice"]:
        lines.append(f"{'to do':10} {lean['advice']}")
    return lines
