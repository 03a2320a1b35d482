"""The report for a reader: every step with its claims, the first broken step with the place and the values, what stayed open, a verdict.

Everything from a proof goes through ``escaping`` and is printed as plain text, never as markup.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from fidelean.evidence.records import NO_CHECKER, Evidence
from fidelean.exact import CheckedClaim
from fidelean.informal.records import Proof, Span, Step
from fidelean.outcome import Inconclusive, Outcome, Passed, Refuted
from fidelean.report.escaping import one_line, printable
from fidelean.report.excerpt import crop, excerpt
from fidelean.report.grounds import grounds, nothing_refuted, opinion_line, without_repeats
from fidelean.report.independence import independent_errors
from fidelean.report.suggestions import suggestions
from fidelean.verdict.records import Basis, ProofVerdict, StepStatus, StepVerdict

if TYPE_CHECKING:
    from fidelean.pipelines.study import Study

__all__ = ["open_console", "print_claim", "print_proof", "print_step_claims", "print_text", "verdict_line"]

WIDTH = 80
_MAX_WIDTH = 100
_STYLES = {
    StepStatus.SUPPORTED: "green",
    StepStatus.REFUTED: "bold red",
    StepStatus.REFUTED_REMARK: "magenta",
    StepStatus.UNCERTAIN: "yellow",
    StepStatus.UNCHECKED: "dim",
}


def open_console(stream: TextIO) -> Console:
    """Open a console on ``stream``: colour only on a terminal that wants it (``NO_COLOR``, ``TERM=dumb``), 80 columns anywhere else."""
    terminal = stream.isatty()
    plain = not terminal or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    console = Console(
        file=stream,
        force_terminal=terminal,
        color_system=None if plain else "auto",
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    console.width = min(console.width, _MAX_WIDTH) if terminal else WIDTH
    return console


def print_proof(console: Console, proof: Proof, verdict: ProofVerdict, study: Study | None = None) -> None:
    """Print the report on one proof, with the study it was drawn from where models were asked; its last line is the verdict.

    Raises ``ValueError`` where the numbers of steps differ.
    """
    named = printable(proof.id or "proof") + (f" ({printable(proof.source)})" if proof.source not in ("", proof.id) else "")
    _print_whole(console, Text(f"{named}, {_count(len(proof.steps), 'step')}", style="bold"))
    if proof.problem.text.strip():
        print_text(console, Text(crop(one_line(proof.problem.text), console.width - 2), style="dim"), indent=2)
    for step, decided in zip(proof.steps, verdict.steps, strict=True):
        _print_step(console, proof, step, decided, first=decided.index == verdict.first_error and verdict.basis is Basis.EVIDENCE)
    if study is not None:
        from fidelean.report.study_text import study_lines

        for indent, line in study_lines(study, verdict):
            print_text(console, line, indent=indent)
    _print_rest(console, verdict)
    _print_whole(console, Text(verdict_line(verdict), style=_verdict_style(verdict)))


def verdict_line(verdict: ProofVerdict) -> str:
    """Say the verdict and what it rests on, on one line; finding nothing is never worded as more than that."""
    if verdict.first_error is not None and verdict.basis is Basis.OPINION:
        return f"step {verdict.first_error} is named by a model's opinion; {nothing_refuted(verdict)}"
    if verdict.first_error is not None:
        return f"first broken step: {verdict.first_error} (refuted: {grounds(verdict)})"
    counts = [(status, sum(step.status is status for step in verdict.steps)) for status in StepStatus]
    named = ", ".join(f"{number} {_status_name(status)}" for status, number in counts if number)
    return f"no error found in {_count(len(verdict.steps), 'step')} ({named}); this does not show that the proof is right"


def _verdict_style(verdict: ProofVerdict) -> str:
    if verdict.first_error is None:
        return "bold"
    return "bold red" if verdict.basis is Basis.EVIDENCE else "bold yellow"


def print_claim(console: Console, text: str, checked: CheckedClaim) -> None:
    """Print the outcome of one claim on its own."""
    print_text(console, Text.assemble(_mark(checked.outcome), " ", _bounded(text), "  ", (_outcome_words(checked.outcome), "dim")))
    if isinstance(checked.outcome, Refuted):
        _print_values(console, checked.values, indent=4)


def print_step_claims(console: Console, text: str, checked: tuple[CheckedClaim, ...]) -> None:
    """Print the outcomes of the claims found in one step on its own."""
    print_text(console, Text(crop(one_line(text), console.width), style="bold"))
    if not checked:
        print_text(console, Text("no claim found", style="dim"), indent=2)
    for item in checked:
        print_text(
            console,
            Text.assemble(_mark(item.outcome), " ", _bounded(item.claim.text), "  ", (_outcome_words(item.outcome), "dim")),
            indent=2,
        )
        if isinstance(item.outcome, Refuted):
            _print_values(console, item.values, indent=6)


def _print_step(console: Console, proof: Proof, step: Step, decided: StepVerdict, *, first: bool) -> None:
    place = "" if step.line is None else f"line {step.line}"
    label, status = f"step {step.index}", _status_name(decided.status).upper() if first else _status_name(decided.status)
    print_text(console, Text.assemble((f"{label:<9}", "bold" if first else ""), (f"{status:<18}", _STYLES[decided.status]), (place, "dim")))
    for evidence in without_repeats(decided.evidence):
        if isinstance(evidence.outcome, Refuted):
            _print_break(console, proof, step, evidence)
        else:
            _print_finding(console, evidence)


def _print_finding(console: Console, evidence: Evidence) -> None:
    """Print a claim that is not refuted on one line; where it is too long for that, claim and reason share the line."""
    why = _why_open(evidence.outcome, evidence.checker) if isinstance(evidence.outcome, Inconclusive) else ""
    room = console.width - 8
    claim = crop(one_line(evidence.obligation.claim.text), max(room // 2, room - cell_len(why)))
    why = crop(why, room - cell_len(claim))
    mark = _mark(evidence.outcome, tried=evidence.checker != NO_CHECKER)
    print_text(console, Text.assemble(mark, " ", claim, (f"  {why}" if why else "", "dim")), indent=4)


def _print_break(console: Console, proof: Proof, step: Step, evidence: Evidence) -> None:
    claim = evidence.obligation.claim
    span = claim.span or Span(0, 0)
    print_text(console, Text.assemble(_mark(evidence.outcome), " ", (_bounded(claim.text), "bold")), indent=4)
    if claim.span is not None:
        shown = excerpt(step.text, span, width=console.width - 8)
        _print_whole(console, Text(_place(proof, step.line_at(span.start)), style="dim"), indent=6)
        print_text(console, Text.assemble(shown.before, (shown.marked, "red"), shown.after), indent=8)
        print_text(console, Text(shown.underline, style="red"), indent=8)
    if evidence.outcome.detail:
        print_text(console, Text(_bounded(evidence.outcome.detail), style="bold"), indent=6)
    _print_values(console, evidence.values, indent=6)
    if not evidence.obligation.load_bearing:
        print_text(console, Text("a remark: nothing in the proof rests on it"), indent=6)
    if evidence.rests_on:
        print_text(console, Text(f"rests on: {one_line(evidence.rests_on)}", style="dim"), indent=6)


def _print_values(console: Console, values: Iterable[str], *, indent: int) -> None:
    shown = ", ".join(_bounded(value) for value in values)
    if shown:
        print_text(console, Text(f"values: {shown}"), indent=indent)


def _print_rest(console: Console, verdict: ProofVerdict) -> None:
    for status in (StepStatus.UNCERTAIN, StepStatus.UNCHECKED):
        indices = [step.index for step in verdict.steps if step.status is status]
        if indices:
            print_text(console, Text(f"{_status_name(status)}: {'steps' if len(indices) > 1 else 'step'} {_ranges(indices)}"))
    for one in suggestions(verdict):
        print_text(console, Text(f"suggestion for step {one.step}: {_bounded(one.text)}"))
        print_text(console, Text(f"({one.checked})", style="dim"), indent=2)
    if verdict.opinion is not None:
        print_text(console, Text(opinion_line(verdict.opinion), style="yellow"))
    if later := independent_errors(verdict):
        print_text(console, Text(f"later independent {'errors: steps' if len(later) > 1 else 'error: step'} {_ranges(list(later))}"))
    for notice in verdict.notices:
        print_text(console, Text(f"notice: {one_line(notice)}", style="yellow"))


def _place(proof: Proof, line: int | None) -> str:
    return "" if line is None or not proof.source else f"{printable(proof.source)}:{line}"


def _mark(outcome: Outcome, *, tried: bool = True) -> tuple[str, str]:
    if isinstance(outcome, Passed):
        return "✓", "green"
    if isinstance(outcome, Refuted):
        return "✗", "bold red"
    return ("?", "yellow") if tried else ("·", "dim")


def _why_open(outcome: Inconclusive, checker: str) -> str:
    if checker == NO_CHECKER:
        return f"not checked: {one_line(outcome.detail) or _reason_words(outcome)}"
    return _outcome_words(outcome)


def _outcome_words(outcome: Outcome) -> str:
    name = _reason_words(outcome) if isinstance(outcome, Inconclusive) else ""
    detail = _bounded(outcome.detail)
    return f"{name}: {detail}" if name and detail else name or detail


def _reason_words(outcome: Inconclusive) -> str:
    return outcome.reason.value.replace("_", " ")


def _status_name(status: StepStatus) -> str:
    return status.value.replace("_", " ")


def _bounded(text: str) -> str:
    """Show a text of any length on three lines at most; the JSON form has all of it."""
    return crop(one_line(text), 3 * WIDTH)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _ranges(indices: list[int]) -> str:
    """Write ascending indices with runs drawn together: 2, 4-6."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and runs[-1][-1] == index - 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def print_text(console: Console, text: Text, *, indent: int = 0) -> None:
    """Print a text, every line of it indented, without blanks at the ends of lines."""
    fits = "\n" not in text.plain and indent + cell_len(text.plain) <= console.width
    for line in [text] if fits else text.wrap(console, console.width - indent):
        _print_whole(console, line, indent=indent)


def _print_whole(console: Console, line: Text, *, indent: int = 0) -> None:
    """Print a line as it is, however long: a place to click on, a verdict to search for."""
    indented = Text(" " * indent).append_text(line)
    indented.rstrip()
    if indented.plain or not indent:
        console.print(indented, soft_wrap=True)
