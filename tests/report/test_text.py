"""The report for a reader."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from fidelean.evidence.records import Evidence
from fidelean.exact import check_claim, check_step
from fidelean.informal.records import Claim, Problem, Proof, Span, Step
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.report.escaping import printable
from fidelean.report.text import open_console, print_claim, print_proof, print_step_claims, verdict_line
from fidelean.verdict.fusion import decide

FORBIDDEN = re.compile(r"\b(?:proved|proven|valid|correct|verified)\b", re.IGNORECASE)

PROOF = Proof(
    Problem("How much?"),
    (
        Step(1, "First $3^2 = 9$.", line=3, offset=10),
        Step(2, "Nine of them\nmake $9 \\cdot 25 = 235$, and $x = 2$.", line=5, offset=40),
        Step(3, "Then nothing.", line=8, offset=90),
    ),
    id="slip",
    source="examples/slip.md",
)


def found(step: int, number: int, text: str, outcome: Outcome, checker: str = "arithmetic", *, load_bearing: bool = True) -> Evidence:
    start = PROOF.steps[step - 1].text.index(text)
    claim = Claim(text, step=step, span=Span(start, start + len(text)))
    obligation = Obligation(f"{step}.{number}", step, ObligationKind.DERIVED_FACT, claim, load_bearing)
    return Evidence(obligation, outcome, checker, ("225", "235") if isinstance(outcome, Refuted) else (), "exact arithmetic")


RIGHT = found(1, 1, "3^2 = 9", Passed())
WRONG = found(2, 1, "9 \\cdot 25 = 235", Refuted("9·25 is 225, not 235"))
REMARK = found(2, 1, "9 \\cdot 25 = 235", Refuted("9·25 is 225, not 235"), load_bearing=False)
UNTRIED = found(2, 2, "x = 2", Inconclusive(Reason.HAS_VARIABLE, "x has no value here"), "none")
TRIED = found(2, 2, "x = 2", Inconclusive(Reason.TIMEOUT), "identity")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def report(*evidence: Evidence, proof: Proof = PROOF, stream: io.StringIO | None = None) -> str:
    stream = stream or io.StringIO()
    print_proof(open_console(stream), proof, decide(len(proof.steps), evidence))
    return stream.getvalue()


def test_the_first_broken_step_is_shown_with_its_place_and_its_values() -> None:
    assert report(RIGHT, WRONG, UNTRIED).splitlines() == [
        "slip (examples/slip.md), 3 steps",
        "  How much?",
        "step 1   supported         line 3",
        "    ✓ 3^2 = 9",
        "step 2   REFUTED           line 5",
        "    ✗ 9 \\cdot 25 = 235",
        "      examples/slip.md:6",
        "        make $9 \\cdot 25 = 235$, and $x = 2$.",
        "              ^^^^^^^^^^^^^^^^",
        "      9·25 is 225, not 235",
        "      values: 225, 235",
        "      rests on: exact arithmetic",
        "    · x = 2  not checked: x has no value here",
        "step 3   unchecked         line 8",
        "unchecked: step 3",
        "suggestion for step 2: 225, not 235: 9 \\cdot 25 = 225",
        "  (computed by exact arithmetic; what follows from it in later steps was not)",
        "first broken step: 2 (refuted: exact arithmetic)",
    ]


def test_a_remark_is_called_one_and_the_verdict_says_what_is_open() -> None:
    text = report(RIGHT, REMARK)
    assert "      a remark: nothing in the proof rests on it\n" in text
    assert "REFUTED" not in text
    assert text.splitlines()[-1] == (
        "no error found in 3 steps (1 supported, 1 refuted remark, 1 unchecked); this does not show that the proof is right"
    )


def test_tried_and_untried_claims_look_different() -> None:
    assert "    ? x = 2  timeout" in report(RIGHT, TRIED)
    assert report(TRIED).splitlines()[-2:-1] == ["unchecked: steps 1, 3"]


@pytest.mark.parametrize("evidence", [(RIGHT, WRONG), (RIGHT,), (), (REMARK,), (TRIED,)])
def test_nothing_is_worded_as_more_than_was_found(evidence: tuple[Evidence, ...]) -> None:
    text = report(*evidence)
    assert FORBIDDEN.search(text) is None
    assert text.splitlines()[-1] == verdict_line(decide(3, evidence))


def test_colour_is_for_terminals_that_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in report(RIGHT, WRONG), "a file gets no colour codes, whatever is forced"
    assert "\x1b" in report(RIGHT, WRONG, stream=Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in report(RIGHT, WRONG, stream=Terminal())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b" not in report(RIGHT, WRONG, stream=Terminal())


HOSTILE = st.text(st.sampled_from("[]/ab\\\x1b\x07\n\r\t\u202e\u2066数é[bold]=25 $"), min_size=1, max_size=120)


@given(HOSTILE, HOSTILE, st.sampled_from([Refuted("x"), Passed(), Inconclusive(Reason.UNDECIDED, "why")]))
def test_text_of_a_proof_neither_steers_the_terminal_nor_breaks_the_page(text: str, name: str, outcome: Outcome) -> None:
    claim = Claim(text, step=1, span=Span(0, len(text)))
    evidence = Evidence(Obligation("1.1", 1, ObligationKind.REWRITE, claim), outcome, "arithmetic", (text,), text)
    shown = report(evidence, proof=Proof(Problem(text), (Step(1, text, line=1),), id=name, source=name))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066]", shown)
    assert all(cell_len(line) <= 80 for line in shown.splitlines()[1:-1] if line.strip() != f"{printable(name)}:1")
    assert all(line == line.rstrip() for line in shown.splitlines())


def test_markup_in_a_claim_is_text() -> None:
    stream = io.StringIO()
    print_claim(open_console(stream), "[bold]2+2=5[/bold] :smile:", check_claim("[bold]2+2=5[/bold] :smile:"))
    assert "[bold]2+2=5[/bold] :smile:" in stream.getvalue()


def test_claims_on_their_own() -> None:
    stream = io.StringIO()
    print_claim(open_console(stream), "9·25 = 235", check_claim("9·25 = 235"))
    print_step_claims(open_console(stream), "So $2+2=5$ holds.", check_step("So $2+2=5$ holds."))
    print_step_claims(open_console(stream), "Clear.", check_step("Clear."))
    assert [line for line in stream.getvalue().splitlines() if "values" in line] == ["    values: 225, 235", "      values: 4, 5"]
    assert stream.getvalue().endswith("Clear.\n  no claim found\n")


def test_numbers_of_any_length_leave_the_report_readable() -> None:
    digits = "9" * 20_000
    evidence = Evidence(WRONG.obligation, Refuted(f"{digits} is not 1"), "arithmetic", (digits, "1"))
    assert len(report(evidence)) < 2_000
