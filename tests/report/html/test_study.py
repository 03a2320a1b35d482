"""The page of an evaluation with models."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from fidelean.pipelines.study import Study
from fidelean.report.html.page import render_page
from fidelean.report.html.proof_view import ProofResult
from fidelean.report.html.typesetting import Typesetter
from report_studies import PROOF, SAID, concluded, opined, studied

HOSTILE = "</pre><script>alert(1)</script><img src=//a.example> {{ 7*7 }} \"' \u202e\x1b\ud800"


def page(*studies: Study, system: str = "full") -> str:
    typesetter = Typesetter()
    typesetter.katex = None
    results = [ProofResult(PROOF, concluded(study), study.tree, study, system) for study in studies]
    return "".join(render_page(results, typesetter=typesetter))


def words(markup: str) -> str:
    body = markup[markup.index("<body>") :]
    return " ".join(re.sub(r"<[^>]*>", " ", body).replace("&#39;", "'").split())


def test_the_window_the_reviews_and_the_tree() -> None:
    text = words(page(studied()))
    assert "First broken step: 2" in text
    assert "2.1 x = 2 simple implication; 1 condition in force; refuted set off the audit, suspicion 0.90" in text
    assert "departs from the text: nothing that Lean says of it counts" in text
    assert f"2.1 0.90 {SAID} set it off incorrect (missing case) {SAID}" in text
    assert "no review (no reply)" in text


def test_an_obligation_with_its_statement_gate_drafts_and_scripts() -> None:
    text = words(page(studied()))
    for part in (
        "Lean statement theorem t (x : Int) (h : x^2 = 4) : x = 2 := by sorry",
        "the gate lets it through judge 1: admits it faithful",
        "claim premise x^2 = 4 h : x^2 = 4 exact (1.00)",
        "draft 1: errors",
        "draft 2: admitted",
        "the kernel accepts a refutation of the statement, found by witness: x = (-2)",
        "script 1 of a model, for the negation: not accepted",
        "Tried, in this order: claim/decide",
        "Asked after 1.1.1",
        "calls that brought a reply 7 tokens read and written 12,345 US dollars 0.021",
    ):
        assert part in text, part


def test_what_the_gate_holds_back() -> None:
    text = words(page(studied(admitted=False)))
    assert f"nothing was admitted: unfaithful: {SAID} judge 1: does not admit it conclusion:" in text


def test_an_opinion_is_no_evidence() -> None:
    text = words(page(opined(), system="direct"))
    assert "Step 2 is named by a model's opinion Nothing was refuted." in text
    assert "A model's opinion, not evidence It holds step 2 to be the first error. The verdict names this step for no other reason." in text
    assert "First broken step" not in text.split("What the signs mean")[0] + text.split("What the signs mean")[1]
    assert "named by an opinion" in text
    assert "The verdict does not rest on it." in words(page(studied()))
    assert "It sees no error." in words(page(opined(None), system="direct"))


def test_suggestions_are_called_so() -> None:
    assert "Suggestions Step 2 : x = -2 satisfies what is in force, and the claim leaves it out (missing case; the" in words(
        page(studied())
    )


@pytest.mark.parametrize("admitted", [True, False])
def test_nothing_that_a_model_says_becomes_markup(admitted: bool) -> None:
    markup = page(studied(HOSTILE, admitted=admitted), opined(reason=HOSTILE))
    assert "<script" not in markup
    assert "a.example>" not in markup.replace("&gt;", "")
    assert not {"\u202e", "\x1b", "\ud800"} & set(markup)
    assert markup.count("&lt;script&gt;") > 20


def test_every_link_leads_somewhere_and_every_anchor_is_one() -> None:
    markup = page(studied(), studied(admitted=False), opined())
    anchors = Counter(re.findall(r' id="([^"]*)"', markup))
    assert max(anchors.values()) == 1
    assert set(re.findall(r'href="#([^"]*)"', markup)) <= set(anchors)
