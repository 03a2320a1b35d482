"""What counts as an assertion, and as checked."""

from __future__ import annotations

import pytest

from fidelean import Policy, Problem, Proof, Step, evaluate_proof
from fidelean.pipelines.coverage import Coverage, coverage_of
from fidelean.verdict.fusion import decide


def covered(problem: str, *steps: str) -> Coverage:
    proof = Proof(Problem(problem), tuple(Step(index, text) for index, text in enumerate(steps, start=1)))
    return coverage_of(proof, evaluate_proof("", proof, policy=Policy()))


def counts(problem: str, *steps: str) -> list[tuple[int, int]]:
    return [(share.checked, share.asserted) for share in covered(problem, *steps).steps]


@pytest.mark.parametrize(
    ("problem", "steps"),
    [
        ("Show that $2^{10} = 1024$.", ["$2^{10} = 32^2 = 1024$."]),
        ("Prove that $1024 = 2^{10}$.", ["We have $2^5 = 32$.", "Hence $2^{10} = 32^2 = 1024$."]),
        (r"Compute $9 \cdot 25$.", [r"$9 \cdot 20 = 180$, and $9 \cdot 5 = 45$.", r"Hence $9 \cdot 25 = 180 + 45 = 225$."]),
        (r"What is \(\frac{1}{2} + \frac{1}{3}\)?", [r"It follows that $\frac{1}{2} + \frac{1}{3} = \frac{3+2}{6} = \frac{5}{6}$."]),
        (r"Evaluate \[3 - 5\]", ["1. $3 - 5 = -2$."]),
    ],
)
def test_honest_calculations_are_covered_in_full(problem: str, steps: list[str]) -> None:
    coverage = covered(problem, *steps)
    assert coverage.answers
    assert coverage.checked == coverage.asserted
    assert coverage.share == 1


@pytest.mark.parametrize(
    ("problem", "steps"),
    [
        ("Show that $2^{10} = 1024$.", ["$2^{10} = 1024$."]),
        ("Show that $2^{10} = 1024$.", ["$2^{10} = 2^{10} + 0 = 1024$."]),
        ("Show that $2^{10} = 1024$.", [r"$2^{10} = \bigl(2^{{10}}\bigr) \cdot 1 = 1024$."]),
        ("Show that $2^{10} = 1024$.", ["$2^{10} = 32^2 = 1024$.", "$32 + 10 = 42$."]),
        ("Show that $2^{10} = 1024$.", ["$32^2 = 2^{10}$."]),
        ("Show that $2^{10} > 1000$.", ["$2^{10} = 1024 > 1000$."]),
        ("Show that $2^{10} = 1024$ and find an odd prime.", ["$2^{10} = 32^2 = 1024$."]),
        (r"Compute $9 \cdot 25$.", [r"$9 \cdot 25 = 15 \cdot 15$."]),
        (r"Compute $9 \cdot 25$.", [r"$9 \cdot 20 = 180$."]),
        (r"Compute $\frac{1}{12}$.", [r"$\frac{11}{2} = 5.5$."]),
        (r"Nobody knows how to compute $9 \cdot 25$.", [r"$9 \cdot 25 = 225$."]),
    ],
)
def test_the_problem_is_not_answered(problem: str, steps: list[str]) -> None:
    coverage = covered(problem, *steps)
    assert not coverage.answers
    assert coverage.share < 1 / 2


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (["$7 + 5 = 12$."], [(1, 2)]),
        (["There are $7 + 5 = 12$ apples."], [(1, 2)]),
        (["Clear."], [(0, 1)]),
        (["Hence"], [(0, 1)]),
        (["$7 + 5 = 12$. Therefore the theorem holds for every prime number."], [(1, 2)]),
        (["$7 + 5 = 12$. Therefore it holds. Therefore all is well. And more."], [(1, 4)]),
        (["$7 + 5 = 12$ " + "so every prime number is odd " * 20], [(1, 6)]),
        (["$7 + 5 = 12$.", "$7 + 5 = 12$.", "$12 = 7 + 5$."], [(1, 2), (0, 1), (0, 1)]),
        (["$7 + 5 = 13$.", "$7 + 5 = 13$."], [(1, 2), (1, 2)]),
        (["$7 = 7$, $7 + 5 = 5 + 7$, $x = x$."], [(0, 1)]),
        (["$x^{12} = x^{21}$."], [(0, 1)]),
        (["$70 + 50 = 120$."], [(0, 1)]),
        (["$70 + 50 = 120$. $120 + 50 = 170$."], [(0, 2)]),
        (["$7 + 50 = 57$. $57 + 50 = 107$."], [(2, 4)]),
        (["Suppose that $7 + 5 = 13$."], [(0, 1)]),
        ([r"$\phantom{7 + 5 = 12}$"], [(0, 1)]),
        (["\u200b$7 + 5 = 12$."], [(0, 2)]),
        ([r"{\tiny $7 + 5 = 12$}."], [(0, 2)]),
        ([r"{\tiny $7 + 5 = 13$}."], [(1, 2)]),
    ],
)
def test_assertions_of_steps(steps: list[str], expected: list[tuple[int, int]]) -> None:
    assert counts("Add 7 and 5 to something.", *steps) == expected


def test_relations_and_moduli_tell_claims_apart() -> None:
    assert counts("About 7 and 5.", "$7 + 1 > 5$. $7 + 1 = 5 + 3$.") == [(2, 4)]
    assert counts("About 7 and 5.", r"$7 + 5 \equiv 0 \pmod{4}$. $7 + 5 \equiv 0 \pmod{6}$.")[0][0] == 2


def test_an_empty_proof_asserts_that_it_answers() -> None:
    proof = Proof(Problem("Anything."), ())
    assert coverage_of(proof, decide(0, [])).asserted == 1


def test_long_texts_take_no_longer_than_their_length() -> None:
    long = "so \n" * 50_000 + "$7 + 5 = 12$" + " \\phantom" * 1_000 + "\n \n" * 50_000 + "$ = " * 20_000
    proof = Proof(Problem("Show that $" + "\\(" * 20_000 + "2"), (Step(1, long), Step(2, "7. " * 50_000)))
    assert coverage_of(proof, decide(2, [])).checked == 0
