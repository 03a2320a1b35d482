"""The report of an evaluation with models for a reader of the terminal."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from fidelean.pipelines.study import Study
from fidelean.report.text import open_console, print_proof, verdict_line
from report_studies import PROOF, SAID, concluded, opined, studied


def report(study: Study) -> str:
    stream = io.StringIO()
    print_proof(open_console(stream), PROOF, concluded(study), study)
    return stream.getvalue()


def test_the_window_reviews_obligations_and_cost_have_a_line_each() -> None:
    lines = report(studied()).splitlines()
    start = lines.index("audit window: inferences 1.1, 2.1; 2.1 looked suspicious (0.90)")
    assert lines[start : start + 12] == [
        "audit window: inferences 1.1, 2.1; 2.1 looked suspicious (0.90)",
        f"  review of 1.1: none (no reply): {SAID}",
        f"  review of 2.1: incorrect (missing case): {SAID}",
        "what had to hold there:",
        f"  1.1.1 derived fact: open (gave up): {SAID}",
        f"    {SAID}",
        "  2.1.1 entailment: refuted, lean: x = 2",
        "    asked after 1.1.1",
        "    Lean statement: 2 drafts (errors, admitted)",
        "    gate: lets it through, scores 1.00, 1.00",
        "    Lean says: refuted by witness; 1 script tried, 1 of a model",
        "models: 7 calls, 12,345 tokens, 0.021 USD",
    ]


def test_the_verdict_says_on_what_it_rests() -> None:
    assert verdict_line(concluded(studied())) == "first broken step: 2 (refuted: Lean kernel)"
    assert verdict_line(concluded(opined())) == "step 2 is named by a model's opinion; nothing was refuted"
    assert verdict_line(concluded(opined(None))).startswith("no error found in 2 steps")
    assert f"opinion (direct judge, m), no evidence: names step 2: {SAID}" in report(opined())
    assert f"opinion (direct judge, m), no evidence: sees no error: {SAID}" in report(opined(None))
    assert "REFUTED" not in report(opined())


def test_what_the_gate_holds_back_is_said_in_one_line() -> None:
    text = report(studied(admitted=False))
    assert "    Lean statement: 2 drafts (errors, drift)\n    gate: holds it back, scores " in text
    assert "2.1.1 entailment: open (unfaithful), lean" in text


@given(st.text(max_size=300) | st.sampled_from(["\x1b[31mred\x1b[0m", "\u202eevil", "[bold]markup[/bold]", "a\nb" * 50]))
def test_whatever_a_model_says_lines_stay_lines_of_eighty_columns(said: str) -> None:
    text = report(studied(said))
    assert "\x1b" not in text
    assert "\u202e" not in text
    lines = text.split("\n")
    assert all(cell_len(line) <= 80 for line in lines[:-2])
    assert lines[-2] == verdict_line(concluded(studied(said)))
