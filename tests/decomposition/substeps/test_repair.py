"""The repair-prevention check without a model: each way to depart from a step is named, and a faithful cut is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean import Problem, Proof, Step
from fidelean.decomposition.substeps.records import RepairFinding, RepairKind, Scope, ScopeKind, Substep
from fidelean.decomposition.substeps.repair import repair_findings
from fidelean.decomposition.substeps.splitting import kept_whole, locate
from fidelean.informal.records import Span

Told = str | tuple[str, str] | tuple[str, str, Scope]


def findings(step: str, *told: Told, motivation: bool = False, before: str = "") -> list[RepairFinding]:
    """What is found where a step is told in these words; a pair gives the quotation beside the words."""
    proof = Proof(Problem(before), (Step(1, step),))
    substeps = [_substep(step, number, one, motivation=motivation) for number, one in enumerate(told, start=1)]
    return list(repair_findings(proof, substeps))


def _substep(step: str, number: int, told: Told, *, motivation: bool) -> Substep:
    parts = (told, told) if isinstance(told, str) else told
    span = locate(step, parts[1])
    return Substep(f"1.{number}", 1, parts[0], (span,) if span else (), tuple(parts[2:]), is_motivation=motivation)


def kinds(found: list[RepairFinding]) -> set[RepairKind]:
    return {finding.kind for finding in found}


def test_a_faithful_cut_has_no_findings() -> None:
    step = "From $2x + 4 = 10$ we get $2x = 6$, hence $x = 3$ is the only solution."
    assert findings(step, "From $2x + 4 = 10$ we get $2x = 6$", "hence $x = 3$ is the only solution") == []


def test_a_chain_may_be_cut_between_neighbours_and_not_elsewhere() -> None:
    step = "So $x = y + 1 = 3$."
    assert findings(step, ("$x = y + 1$", step), ("$y + 1 = 3$", step)) == []
    assert RepairKind.CHANGED_FORMULA in kinds(findings(step, ("$x = 3$", step)))


@pytest.mark.parametrize(
    ("step", "told", "kind", "evidence"),
    [
        ("Hence $x = 3$.", "Hence $x = 4$.", RepairKind.CHANGED_CONSTANT, "4"),
        ("Hence $x = 3$.", "Hence $y = 3$.", RepairKind.CHANGED_NAME, "y"),
        ("Hence $x < 3$.", "Hence $x \\le 3$.", RepairKind.CHANGED_RELATION, "≤"),
        ("Hence $x - y = 3$.", "Hence $y - x = 3$.", RepairKind.CHANGED_FORMULA, "y - x = 3"),
        ("Expanding gives $rs + r$.", "Expanding gives $rs - r$.", RepairKind.CHANGED_FORMULA, "rs - r"),
        ("The value of $f(9)$ is $135$.", "The value of $f(135)$ is $9$.", RepairKind.CHANGED_FORMULA, "f(135)"),
        ("Here 5 of 7 are even.", "Here 5 of 5 are even.", RepairKind.CHANGED_CONSTANT, "5"),
        ("Hence $x = 3$ is the only root.", "Hence $x = 3$ is a root.", RepairKind.DROPPED_DECISIVE_WORD, "only"),
        ("Hence $x = 3$ is a root.", "Hence $x = 3$ is the only root.", RepairKind.ADDED_DECISIVE_WORD, "only"),
        ("There are three roots.", "There are two roots.", RepairKind.ADDED_DECISIVE_WORD, "two"),
        ("It is not prime.", "It is prime.", RepairKind.DROPPED_DECISIVE_WORD, "not"),
        ("Hence $x = 3$ and $y = 5$.", "Hence $x = 3$", RepairKind.DROPPED_CONSTANT, "5"),
        ("Hence $x = 3$ and $y = 5$.", "Hence $x = 3$", RepairKind.DROPPED_NAME, "y"),
        ("Hence $x = 3$ and $y < 3$.", "Hence $x = 3$", RepairKind.DROPPED_RELATION, "<"),
        ("Hence $x = 3$ and $3 = x$.", "Hence $x = 3$", RepairKind.DROPPED_FORMULA, "3 = x"),
        ("Case 2: $x = 1$. Then $y = 1$.", "Then $y = 1$", RepairKind.MISSING_SCOPE, "Case 2"),
        ("Suppose the contrary for contradiction. Then $y = 1$.", "Then $y = 1$", RepairKind.MISSING_SCOPE, "contradiction"),
        ("By induction, $y = 1$.", "$y = 1$", RepairKind.MISSING_SCOPE, "induction"),
    ],
)
def test_each_departure_is_named(step: str, told: str, kind: RepairKind, evidence: str) -> None:
    found = findings(step, (told, step))
    assert (kind, True) in [(finding.kind, evidence in finding.evidence) for finding in found]


def test_a_decisive_word_counts_as_often_as_it_stands() -> None:
    step = "All roots are real, and all of them lie in $A$."
    assert kinds(findings(step, "All roots are real", "them lie in $A$")) == {RepairKind.DROPPED_DECISIVE_WORD}


def test_a_constant_of_another_place_does_not_excuse_a_changed_one() -> None:
    step = "We have $2 + 3 = 6$. Also $1 + 4 = 5$."
    found = findings(step, ("$2 + 3 = 5$", "$2 + 3 = 6$"), "Also $1 + 4 = 5$")
    assert {(finding.kind, finding.substep) for finding in found} >= {
        (RepairKind.CHANGED_CONSTANT, "1.1"),
        (RepairKind.DROPPED_CONSTANT, None),
    }


def test_a_substep_that_nothing_says_is_an_invention() -> None:
    assert RepairKind.INVENTED_INFERENCE in kinds(findings("Hence $x = 3$.", "Hence $x = 3$.", ("as claimed", "nowhere to be found")))


def test_a_scope_stands_in_the_text_up_to_its_step() -> None:
    scope = Scope(ScopeKind.CASE, "$x = 0$")
    assert kinds(findings("Then $y = 1$.", ("Then $y = 1$.", "Then $y = 1$.", scope))) == {RepairKind.INVENTED_SCOPE}
    assert findings("Then $y = 1$.", ("Then $y = 1$.", "Then $y = 1$.", scope), before="Case 1: $x=0$.") == []


def test_an_inference_cannot_be_hidden_as_motivation() -> None:
    assert RepairKind.HIDDEN_INFERENCE in kinds(findings("Hence $2 + 2 = 5$.", "Hence $2 + 2 = 5$.", motivation=True))


def test_a_repeated_substep_is_named() -> None:
    assert RepairKind.REPEATED_SUBSTEP in kinds(findings("Hence $x = 3$.", "Hence $x = 3$.", "Hence $x=3$."))


WORDS = st.lists(
    st.sampled_from(
        ["Hence", "$x = 3$", "and", "$2y < 7$", "only", "is prime", "so", "at most 4", r"$\frac{a}{b} \ge 1$", "not", "$AB = CD$"]
    ),
    min_size=1,
    max_size=8,
)


@given(WORDS)
def test_a_step_kept_whole_has_no_findings(words: list[str]) -> None:
    step = Step(1, " ".join(words))
    assert repair_findings(Proof(Problem(""), (step,)), [kept_whole(step)]) == ()


@given(WORDS, st.integers(min_value=100, max_value=999))
def test_a_number_that_the_step_does_not_have_is_always_found(words: list[str], number: int) -> None:
    text = " ".join(words)
    told = Substep("1.1", 1, f"{text} {number}", (Span(0, len(text)),))
    found = repair_findings(Proof(Problem(""), (Step(1, text),)), [told])
    assert (RepairKind.CHANGED_CONSTANT, str(number)) in [(finding.kind, finding.evidence) for finding in found]


@given(st.text(max_size=120), st.text(min_size=1, max_size=120), st.lists(st.integers(0, 120), min_size=2, max_size=2))
def test_no_text_breaks_the_comparison(step: str, told: str, span: list[int]) -> None:
    start, end = sorted(span)
    substep = Substep("1.1", 1, told, (Span(start, end),), (Scope(ScopeKind.CASE, told),))
    assert all(finding.step == 1 for finding in repair_findings(Proof(Problem(""), (Step(1, step),)), [substep]))
