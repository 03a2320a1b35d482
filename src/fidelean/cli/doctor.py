"""``fidelean doctor``: what is installed, what it can do, and what to run where something is missing."""

from __future__ import annotations

import json
import platform
import subprocess
from enum import StrEnum
from importlib import metadata
from typing import Annotated, cast

import typer

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
    def doctor(output: Annotated[OutputFormat, typer.Option("--format", help="How to print.")] = OutputFormat.TEXT) -> None:
        """Say what is installed and what it can do, with a real proof through Lean. Exit code 3 where Lean cannot run."""
        lean = _lean()
        report = {**_machine(), "lean": lean}
        if output is OutputFormat.JSON:
            typer.echo(json.dumps(report, ensure_ascii=False))
        else:
            typer.echo("\n".join(_lines(report)))
        raise typer.Exit(0 if lean["runs"] else 3)

    _ = doctor


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
