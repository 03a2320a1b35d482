"""The page: what it says, where its links lead, and that nothing of an author's becomes more than text."""

from __future__ import annotations

import base64
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fidelean.decomposition.rules import decompose
from fidelean.evidence.records import Artefact, Evidence
from fidelean.faithfulness.records import Aspects, Drift, FaithfulnessReport, Match, Part, Side, Slot, Status
from fidelean.informal.records import Claim, Problem, Proof, Span, Step
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.pipelines.evaluate_proof import evaluate_proof
from fidelean.report.html.page import NO_KATEX, render_page
from fidelean.report.html.proof_view import ProofResult
from fidelean.report.html.typesetting import Typesetter
from fidelean.verdict.fusion import decide

FORBIDDEN = re.compile(r"\b(?:proved|proven|valid|verified)\b", re.IGNORECASE)
HIDDEN = "\u202e\u200b\u2066\x1b\x00\ud800"
HOSTILE = "</style></pre><script>alert(1)</script><img src=//a.example onerror=x> &lt;b&gt; {{ 7*7 }} {% raw %} \"' " + HIDDEN


BLOCKS = frozenset("dt dd div p li ul h1 h2 h3 h4 summary a pre article section td".split())


class NoKatex(Typesetter):
    """A machine without KaTeX."""

    def __init__(self) -> None:
        super().__init__()
        self.katex = None


class Reader(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.text += " " if tag in BLOCKS else ""
        self.tags[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        self.text += data


def result(problem: str, *steps: str, name: str = "p", evidence: list[Evidence] | None = None) -> ProofResult:
    proof = Proof(Problem(problem), tuple(Step(n, text, line=n + 4) for n, text in enumerate(steps, 1)), id=name, source=f"{name}.md")
    verdict = evaluate_proof("", proof) if evidence is None else decide(len(steps), evidence)
    return ProofResult(proof, verdict, decompose(proof))


def page(*results: ProofResult, failures: tuple[str, ...] = ()) -> str:
    return "".join(render_page(results, failures=failures, typesetter=NoKatex()))


def found(text: str, claim: str, outcome: Outcome, *, artefact: Artefact | None = None, load_bearing: bool = True) -> Evidence:
    span = Span(text.index(claim), text.index(claim) + len(claim))
    obligation = Obligation("1.1", 1, ObligationKind.DERIVED_FACT, Claim(claim, ("x > 0",), 1, span), load_bearing)
    return Evidence(obligation, outcome, "algebra", ("x = 1",), "the kernel", artefact)


def words(markup: str) -> str:
    return " ".join(Reader(markup).text.split())


SLIP = result("How much?", "First $3^2 = 9$.", "Then $9 \\cdot 25 = 235$.", "And so on.", "Also $1 + 1 = 3$.", name="slip")


def test_the_verdict_the_claim_that_breaks_it_and_later_errors_stand_at_the_top() -> None:
    text = words(page(SLIP))
    assert "First broken step: 2 it claims 9 \\cdot 25 = 235 9 \\cdot 25 is 225, not 235 Later independent errors: step 4" in text
    assert "Exact values 225 · 235 Rests on exact arithmetic Weight the proof rests on it" in text
    assert "slip.md:6, code points 6–22 of step 2" in text
    assert "no formula is claimed, and words are not read step 3" in text


def test_no_error_found_is_never_worded_as_more() -> None:
    text = words(page(result("p", "It is $1 + 1 = 2$.")))
    assert "No error found in 1 step This does not show that the proof is right." in text
    assert FORBIDDEN.search(text) is None


def test_every_step_and_claim_has_its_anchor_and_every_link_leads_somewhere() -> None:
    for markup in (page(SLIP), page(SLIP, SLIP, result("p", "words"))):
        read = Reader(markup)
        assert max(Counter(read.ids).values()) == 1
        assert {link for link in read.links if link.startswith("#")} <= {f"#{name}" for name in read.ids}
        assert all(link.startswith(("#", "data:")) for link in read.links)
    assert {"step-1", "step-3", "claim-2.1"} <= set(Reader(page(SLIP)).ids)
    assert {"p1-step-3", "p2-claim-2.1"} <= set(Reader(page(SLIP, SLIP)).ids)


def test_claims_are_marked_in_place_with_word_sign_and_class() -> None:
    markup = page(SLIP)
    assert '<mark class="refuted"><span class="written">9 \\cdot 25 = 235</span></mark>' in markup
    assert '<mark class="refuted">9 \\cdot 25 = 235</mark>.</pre>' in markup.replace("$", "")
    assert '<a class="ref refuted" href="#claim-2.1" aria-label="claim 2.1: refuted">✗</a>' in markup
    assert '<span class="status refuted"><span aria-hidden="true">✗</span> refuted</span>' in markup


def test_a_page_holds_no_script_and_may_ask_for_nothing() -> None:
    read = Reader(page(SLIP))
    assert read.tags["script"] == read.tags["img"] == read.tags["iframe"] == 0
    assert not {name for name in read.attributes if name.startswith("on")}
    assert "default-src 'none'" in page(SLIP)
    assert "http://" not in page(SLIP).replace("http://www.w3.org/1998/Math/MathML", "")


def test_hostile_text_is_shown_as_text_everywhere() -> None:
    text = f"see {HOSTILE} $2 = 3$"
    lean = Artefact("lean", f"theorem t -- {HOSTILE}")
    item = found(text, "2 = 3", Refuted(HOSTILE), artefact=lean)
    hostile = result(HOSTILE, text, HOSTILE, name=HOSTILE, evidence=[item])
    notices = ProofResult(hostile.proof, decide(2, [item], notices=[HOSTILE]), hostile.tree)
    markup = page(notices, SLIP, failures=(HOSTILE,))
    read = Reader(markup)
    harmless = Reader(page(SLIP, SLIP))
    assert set(read.tags) <= set(harmless.tags) | {"ul", "li", "pre", "code", "p", "strong"}
    assert not {name for name in read.attributes if name.startswith("on")}
    assert not set(HIDDEN) & set(markup)
    assert read.text.count("<script>alert(1)</script>") >= 8
    assert "\\u202e" in read.text
    assert "{{ 7*7 }} {% raw %}" in read.text
    markup.encode("utf-8")


def test_a_lean_file_is_shown_and_handed_over_as_data() -> None:
    text = "so $x = 2$"
    item = found(text, "x = 2", Refuted("x = 1"), artefact=Artefact("lean", "theorem t : 1 = 2"))
    markup = page(result("p", text, name="alg", evidence=[item]))
    address = re.search(r'href="data:text/plain;charset=utf-8;base64,([^"]+)" download="alg-1.1.lean"', markup)
    assert address is not None
    content = base64.b64decode(address[1]).decode()
    assert content.startswith("-- proof alg, step 1, claim 1.1: refuted\n")
    assert content.endswith("theorem t : 1 = 2\n")
    assert '<pre class="code" tabindex="0">theorem t : 1 = 2</pre>' in markup
    assert "x &gt; 0" in markup


def test_the_gate_is_shown_slot_by_slot_and_its_words_are_text() -> None:
    text = "so $x = 2$"
    slots = (Slot(Side.SOURCE, Part.PREMISE, "x > 0", Match.NOTATION_ONLY, "0 < x"), Slot(Side.LEAN, Part.PREMISE, HOSTILE, Match.NONE))
    report = FaithfulnessReport(slots, Aspects(1, 1, 1, 1, 0.5), (Drift.ADDED_ASSUMPTIONS,), Status.UNFAITHFUL, 0.5, HOSTILE, (HOSTILE,))
    item = replace(found(text, "x = 2", Inconclusive(Reason.UNFAITHFUL, "no")), strength=0.25, faithfulness=report)
    markup = page(result("p", text, evidence=[item]))
    shown = words(markup)
    assert "Strength 0.25 of 1 Gate unfaithful: added assumptions" in shown
    assert "premises 0.75" in shown
    assert "claim premise x > 0 0 < x notation only (0.75)" in shown
    assert "nothing none (0.00)" in shown
    assert Reader(markup).tags["script"] == 0
    assert not set(HIDDEN) & set(markup)


def test_open_claims_remarks_and_conflicts_are_told_apart() -> None:
    text = "so $x = 2$"
    remark = words(page(result("p", text, evidence=[found(text, "x = 2", Refuted("no"), load_bearing=False)])))
    assert "a remark: nothing in the proof rests on it" in remark
    assert "No error found" in remark
    tried = words(page(result("p", text, evidence=[found(text, "x = 2", Inconclusive(Reason.TIMEOUT, "60 s"))])))
    assert "Why open timeout: 60 s" in tried
    assert "timeout (a checker could not tell) 1.1 x = 2" in tried
    conflict = words(page(result("p", text, evidence=[found(text, "x = 2", Passed("a")), found(text, "x = 2", Refuted("b"))])))
    assert "⇄x = 2 checkers disagree" in conflict
    assert "conflict on 'x = 2'" in conflict


def test_cases_stand_below_their_split_in_the_tree() -> None:
    cases = result("Let $x(x-1) = 0$.", "There are two cases.", "Case 1: $x = 0$. Then $x^2 = 0$.", "Case 2: $x = 1$. Then $x^2 = 1$.")
    tree = page(cases).partition("States and inferences</h3>")[2].partition("<footer")[0]
    assert tree.count('<div class="case">') == 2
    assert "case x = 0 supposed x = 0 ○ 2.1 x^2 = 0" in words(tree)
    assert "case x = 1 supposed x = 1 ○ 3.1 x^2 = 1" in words(tree)


def test_many_proofs_have_an_index_and_what_failed_is_said() -> None:
    text = words(page(SLIP, result("p", "words", name="other"), failures=("x.md: cannot be read",)))
    assert "Not evaluated x.md: cannot be read" in text
    assert "Index slip ✗ First broken step: 2 1 supported, 2 refuted, 1 unchecked other – No error found in 1 step 1 unchecked" in text
    assert "Not evaluated x" in words(page(failures=("x",)))


def test_without_katex_the_page_says_that_formulas_are_as_written() -> None:
    assert NO_KATEX in words(page(SLIP))


def test_equal_results_give_equal_pages() -> None:
    assert page(SLIP, SLIP) == page(SLIP, SLIP)


def test_a_verdict_on_another_proof_is_an_error() -> None:
    with pytest.raises(ValueError, match="shorter"):
        page(ProofResult(SLIP.proof, decide(2, [])))


@settings(max_examples=25)
@given(st.text(st.characters(exclude_categories=()), max_size=60), st.text("$\\=+<>&x1 \n{}[]()", max_size=60))
def test_any_text_makes_a_page(prose: str, maths: str) -> None:
    markup = page(result(maths, f"{prose} {maths}", maths + prose, name=prose, evidence=[]))
    read = Reader(markup)
    assert read.tags["article"] == 2
    assert read.tags["script"] == 0
