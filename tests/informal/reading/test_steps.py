"""How a proof is cut into steps, and that nothing of it is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.errors import InputError
from fidelean.informal.reading import read_proofs
from fidelean.informal.records import Proof
from fidelean.policy import ReadingPolicy


def read(text: str, name: str = "a.md") -> Proof:
    (proof,) = read_proofs(name, text, problem="")
    return proof


def texts(text: str, name: str = "a.md") -> list[str]:
    return [step.text for step in read(text, name).steps]


@pytest.mark.parametrize(
    "text",
    [
        "1. one\n2. two\n3. three",
        "1) one\n2) two\n3) three",
        "(1) one\n(2) two\n(3) three",
        "**1.** one\n\n**2.** two\n\n**3.** three",
        "### 1. one\n### 2. two\n### 3. three",
        "Step 1. one\nStep 2. two\nStep 3. three",
        "Step 1: one\n\nStep 2: two\n\nStep 3: three",
        "**Step 1:** one\n**Step 2:** two\n**Step 3:** three",
        "**Step 1**: one\n**Step 2**: two\n**Step 3**: three",
        "*Step 1.* one\n\n*Step 2.* two\n\n*Step 3.* three",
        "### Step 1\none\n### Step 2\ntwo\n### Step 3\nthree",
        "STEP 1 - one\nSTEP 2 - two\nSTEP 3 - three",
        "## Step 1: one\n\n## Step 2: two\n\n## Step 3: three",
        "one\n\ntwo\n\nthree",
        "one\n\n\n\n---\n\ntwo\n\nthree\n\n∎",
    ],
)
def test_every_way_to_mark_steps_is_read(text: str) -> None:
    assert texts(text) == ["one", "two", "three"]


@pytest.mark.parametrize(
    "text",
    [
        "\\begin{enumerate}\\item one \\item two\n\\item[(c)] three\\end{enumerate}",
        "\\begin{enumerate}[label=(\\roman*)]\n\\item one\n\\item two\n\\item three\n\\end{enumerate}",
        "\\paragraph{Step 1.} one\n\\paragraph{Step 2.} two\n\\paragraph{Step 3.} three",
        "\\textbf{Step 1:} one\n\n\\textbf{Step 2:} two\n\n\\noindent\\textbf{Step 3:} three",
        "one\n\ntwo\n\nthree\n\n\\qed",
        "one\n\n\\medskip\n\ntwo\n\n\\vspace{2em}\\noindent\n\nthree\n\n\\hfill \\qedhere",
    ],
)
def test_every_way_to_mark_steps_in_latex_is_read(text: str) -> None:
    assert texts(text, "a.tex") == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("$$", "$$"), ("\\[", "\\]"), ("\\begin{align*}", "\\end{align*}"), ("```", "```"), ("~~~text", "~~~")],
)
def test_displays_and_code_are_never_cut(opening: str, closing: str) -> None:
    inner = "2. x = 1\n\n(3) z" if opening == "$$" else "2. x = 1\n\nStep 3. y = 2\n\n(3) z"
    assert texts(f"1. one\n\n{opening}\n{inner}\n{closing}\n\n2. two") == [f"one\n\n{opening}\n{inner}\n{closing}", "two"]


def test_a_display_stays_with_its_paragraph_and_so_does_the_sentence_that_goes_on() -> None:
    assert texts("We have\n\n$$\na\n\nb\n$$\n\nwhere b is large.\n\nThen c.") == [
        "We have\n\n$$\na\n\nb\n$$\n\nwhere b is large.",
        "Then c.",
    ]


def test_a_stray_opening_mark_swallows_nothing() -> None:
    assert texts("Step 1. costs $$ a\n\nStep 2. b\n\nStep 3. costs $$ c") == ["costs $$ a", "b", "costs $$ c"]


def test_a_line_break_with_a_length_opens_no_display() -> None:
    assert texts("1. $\\begin{array}{c} a \\\\[2pt] b \\end{array}$\n2. two\n3. $a \\]$") == [
        "$\\begin{array}{c} a \\\\[2pt] b \\end{array}$",
        "two",
        "$a \\]$",
    ]


def test_what_is_indented_belongs_to_its_item_and_what_follows_the_list_is_a_step() -> None:
    text = "1. one\n   wrapped\n\n   more\n\n   1. inner\n   2. inner\n2. two\n\nTherefore three."
    assert texts(text) == ["one\n   wrapped\n\n   more\n\n   1. inner\n   2. inner", "two", "Therefore three."]


def test_text_in_front_of_the_list_belongs_to_the_first_step_so_that_numbers_keep() -> None:
    proof = read("We calculate.\n\n1. one\n2. two")
    assert [step.text for step in proof.steps] == ["We calculate.\n\n   one", "two"]
    assert [step.line for step in proof.steps] == [1, 4]
    assert proof.notices == ()


def test_steps_are_counted_by_position_and_another_number_is_noticed() -> None:
    proof = read("2. one\n5. two")
    assert [step.text for step in proof.steps] == ["one", "two"]
    assert proof.notices == ("step 1 carries the number 2 in the text; steps are counted by their position",)


def test_markdown_may_number_every_item_with_one() -> None:
    long = "is a line that goes on for a good while and ends without a stop"
    proof = read(f"1. {long}\n1. {long}\n1. end")
    assert [step.text for step in proof.steps] == [long, long, "end"]
    assert proof.notices == ()


def test_wrapped_text_that_starts_with_a_number_is_no_item() -> None:
    long = "1. The sum of all of these many summands is, as one sees at once, equal to"
    assert texts(f"{long}\n12. Therefore it is even.\n2. two") == [f"{long[3:]}\n12. Therefore it is even.", "two"]
    assert texts("1. In the year\n1999. it was so.\n2. two") == ["In the year\n1999. it was so.", "two"]


def test_one_numbered_paragraph_in_the_middle_makes_no_list() -> None:
    assert texts("First.\n\n1. is odd.\n\nLast.") == ["First.", "1. is odd.", "Last."]


def test_the_end_of_bold_type_around_a_title_is_not_text() -> None:
    assert texts("**Step 1: Sum.** It is 3.\n\n**2. Note** that.") == ["Sum.   It is 3.\n\n**2. Note** that."]
    assert texts("\\textbf{Step 1: $x^{2}$.} one", "a.tex") == ["$x^{2}$.  one"]


def test_comments_and_labels_are_not_text_and_move_nothing() -> None:
    source = "1. $2+2=4$ % $2+2=5$\n   100\\% sure \\label{eq:1=2} x\n% 2. three\n2. two"
    first, second = read(source, "a.tex").steps
    assert first.text.split() == ["$2+2=4$", "100\\%", "sure", "x"]
    assert first.offset is None, "the source spells the text differently"
    assert first.line_at(first.text.index("100")) == 2
    assert source[second.offset :] == second.text == "two"
    assert texts("1. a <!-- 2. b\n-->c\n2. d") == ["a          \n   c", "d"]


def test_a_comment_line_in_latex_does_not_end_a_paragraph() -> None:
    assert [text.split() for text in texts("one\n% nothing\nmore\n\ntwo", "a.tex")] == [["one", "more"], ["two"]]


def test_a_heading_belongs_to_the_paragraph_that_follows() -> None:
    assert texts("Intro.\n\n## Case 1\n\nodd\n\n## Case 2\neven") == ["Intro.", "## Case 1\n\nodd", "## Case 2\neven"]


def test_an_empty_item_keeps_its_place() -> None:
    assert texts("1. one\n2.\n3. three") == ["one", "", "three"]


def test_too_many_steps_are_refused() -> None:
    with pytest.raises(InputError, match=r"has 4 steps; the limit is 3"):
        read_proofs("a.md", "a\n\nb\n\nc\n\nd", problem="", policy=ReadingPolicy(max_steps=3))


PIECES = st.sampled_from(
    [
        *[
            "1. ",
            "2. ",
            "(3) ",
            "Step 4. ",
            "**Step 5:** ",
            "# Problem\n",
            "# Proof\n",
            "\n",
            "\n\n",
            "   ",
            "\t",
            "$$",
            "\\[",
            "\\]",
            "\\\\",
            "```\n",
        ],
        *[
            "\\begin{enumerate}",
            "\\item ",
            "\\end{enumerate}",
            "\\begin{align}",
            "\\end{align}",
            "% c\n",
            "<!--",
            "-->",
            "\\label{a}",
            "**",
            "{",
            "}",
        ],
        *["word", "x = 1.", "𝔸é", "\u2028", "Proof. ", "\\begin{proof}", "\\end{proof}", "---\n", "\r\n", "∎"],
    ]
)


@given(st.lists(PIECES, max_size=30).map("".join), st.sampled_from(["a.md", "a.tex", "a.txt"]))
def test_every_step_stands_where_it_says(text: str, name: str) -> None:
    try:
        (proof,) = read_proofs(name, text, problem="")
    except InputError:
        return
    source = text.replace("\r\n", "\n")
    assert [step.index for step in proof.steps] == list(range(1, len(proof.steps) + 1))
    lines = [step.line for step in proof.steps]
    assert lines == sorted(line for line in lines if line is not None)
    for step in proof.steps:
        assert step.text == step.text.strip()
        if step.offset is None:
            continue
        assert source[step.offset : step.offset + len(step.text)] == step.text
        assert step.line == source.count("\n", 0, step.offset) + 1
