"""Where the problem and the proof stand in a page."""

from __future__ import annotations

import pytest

from fidelean.errors import InputError
from fidelean.informal.reading import read_proofs
from fidelean.informal.records import Proof


def read(text: str, name: str = "a.md", problem: str | None = None) -> Proof:
    (proof,) = read_proofs(name, text, problem=problem)
    return proof


@pytest.mark.parametrize(
    "text",
    [
        "# Title\n\n## Problem\n\nShow P.\n\n## Proof\n\na\n\nb",
        "## Exercise 3.1 (easy)\nShow P.\n## Solution\na\n\nb\n",
        "**Theorem.** Show P.\n\n**Proof.** a\n\nb",
        "**Theorem 2 (Fermat)**: Show P.\n\n*Proof of Theorem 2.* a\n\nb",
        "__Claim__ Show P.\n\n__Proof__ a\n\nb",
        "Problem: Show P.\n\nProof: a\n\nb",
        "PROBLEM\nShow P.\n\nPROOF\na\n\nb",
        "Question. Show P.\n\nProof by induction. a\n\nb",
        "## Problem: Show P.\n## Proof of the claim\na\n\nb",
        "# Problem\nShow P.\n## Step 1\na\n## Step 2\nb",
        "## Problem\nShow P.\n## Proof\na\n\nb\n\n## Remarks\n2 = 3",
    ],
)
def test_headings_are_read(text: str) -> None:
    proof = read(text)
    assert proof.problem.text == "Show P."
    assert [step.text for step in proof.steps] == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        "\\begin{problem}\nShow P.\n\\end{problem}\n\\begin{proof}\na\n\nb\n\\end{proof}",
        "\\begin{theorem}[F]\\label{t}\nShow P.\n\\end{theorem}\n\\begin{proof}[Proof of F]\na\n\nb\n\\end{proof}",
        "\\newtheorem{thm}{T}\n\\begin{document}\\begin{thm*}Show P.\\end{thm*}\n\\begin{proof}a\n\nb\\end{proof}\\end{document} junk",
        "\\section*{Problem}\nShow P.\n\\section*{Proof}\na\n\nb",
        "\\textbf{Problem.} Show P.\n\n\\textbf{Proof.} a\n\nb",
        "\\begin{exercise}Show P.\\end{exercise}\n\\subsection*{Solution}\na\n\nb",
        "% \\begin{proof} no \\end{proof}\n\\begin{lemma}Show P.\\end{lemma}\\begin{proof}a\n\n\\begin{claim}b\\end{claim}\\end{proof}",
    ],
)
def test_latex_is_read(text: str) -> None:
    proof = read(text, "a.tex")
    assert proof.problem.text == "Show P."
    assert [step.text.replace("\\begin{claim}", "").replace("\\end{claim}", "") for step in proof.steps] == ["a", "b"]


def test_a_claim_inside_the_proof_does_not_start_anew() -> None:
    proof = read("# Problem\nP\n# Proof\na\n\n**Claim.** b\n\nProof. c\n\nClaim: d")
    assert [step.text for step in proof.steps] == ["a", "**Claim.** b", "Proof. c", "Claim: d"]


def test_what_follows_the_proof_is_noticed() -> None:
    assert read("# Problem\nP\n# Proof\na\n# References\n2 = 3").notices == (
        "what follows line 5 (references) was not read as part of the proof",
    )


def test_a_problem_from_elsewhere_stands_in_and_never_overrules() -> None:
    assert read("a\n\nb", problem="given").problem.text == "given"
    assert read("a\n\nb", problem="").problem.text == ""
    assert read("# Proof\na", problem="given").problem.text == "given"
    assert read("# Problem\nown\n# Proof\na", problem="given").problem.text == "own"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.md", "a\n\nb", 'a.md: no problem: put it under a heading "Problem", or give it with --problem FILE (--problem "" for none)'),
        (
            "a.md",
            "# Proof\na",
            'a.md: no problem: put it under a heading "Problem", or give it with --problem FILE (--problem "" for none)',
        ),
        ("a.md", "\n# Problem\nP\n1. a", 'a.md:2: a problem without a proof: put the proof under a heading "Proof"'),
        ("a.md", "# Problem\nP\n# Proof\n\n", "a.md:3: the proof is empty"),
        (
            "a.md",
            "# Problem\nP\n# Proof\na\n# Problem 2\nP",
            "a.md:5: a second problem; a file holds one problem and its proof (JSON holds many)",
        ),
        (
            "a.tex",
            "\\begin{lemma}L\\end{lemma}\n\\begin{proof}a\\end{proof}\n\\begin{proof}b\\end{proof}",
            "a.tex:3: a second proof; a file holds one problem and its proof (JSON holds many)",
        ),
        ("a.tex", "\\begin{problem}P\\end{problem}\n\\begin{proof}a", "a.tex:2: \\begin{proof} is never closed"),
        ("a.tex", "\\begin{problem}P\n\\end{proof}", "a.tex:2: \\end{proof} does not close what is open"),
    ],
)
def test_what_cannot_be_read_says_what_to_do(name: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text, name)
    assert str(caught.value) == message
