"""The HTML report as a browser shows it: quiet, legible, within its width, usable from the keyboard."""

from __future__ import annotations

import base64
import itertools

import pytest

from browser_runs import OpenReport, Scheme
from fidelean.decomposition.rules import decompose
from fidelean.evidence.records import Artefact, Evidence
from fidelean.faithfulness.records import Aspects, Drift, FaithfulnessReport, Match, Part, Side, Slot, Status
from fidelean.informal.reading import read_source
from fidelean.informal.records import Claim, Problem, Proof, Span, Step
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Refuted
from fidelean.pipelines.evaluate_proof import evaluate_proof
from fidelean.report.html.proof_view import ProofResult
from fidelean.verdict.fusion import decide
from report_studies import PROOF, concluded, opined, studied
from source_tree import PROJECT

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("katex")]

LONG = " + ".join(str(n) for n in range(1, 60))
HOSTILE = (
    "$2 + 2 = 5$ <script>document.title='broken'</script><img src=http://a.example/x onerror=\"document.title='broken'\">",
    "\u202eevil\u202c $\\text{<img src=x onerror=alert(1)>} = \\href{javascript:alert(1)}{x}$ $\\htmlStyle{position:fixed}{x}$",
    f"$$ {LONG} = \\frac{{59 \\cdot 60}}{{2}} = 1771 $$ and $\\frac{{{LONG}}}{{1}} = 1770$ " + "x" * 300,
    "\\begin{align} 4 \\cdot 5 &= 20 \\\\ 4 \\cdot 6 &= 25 \\end{align}",
)


def evaluated(proof: Proof) -> ProofResult:
    return ProofResult(proof, evaluate_proof("", proof), decompose(proof))


def examples() -> list[ProofResult]:
    paths = [PROJECT / "examples" / name for name in ("slip.md", "cases.md", "remark.md")]
    return [evaluated(proof) for path in paths for proof in read_source(path.name, path.read_bytes()).proofs]


def hostile() -> ProofResult:
    return evaluated(Proof(Problem(HOSTILE[0]), tuple(Step(n, text) for n, text in enumerate(HOSTILE, 1)), id=HOSTILE[0]))


def with_lean() -> ProofResult:
    text = "Hence $a = \\frac{4}{3}$."
    obligation = Obligation("1.1", 1, ObligationKind.DERIVED_FACT, Claim("a = \\frac{4}{3}", ("5a = 4",), 1, Span(7, 22)))
    artefact = Artefact("lean", "theorem t : True := trivial")
    slots = tuple(Slot(Side.LEAN, Part.PREMISE, f"h : {LONG.replace(' ', '')} = 0", match, "5a = 4") for match in Match)
    gate = FaithfulnessReport(slots, Aspects(1, 1, 1, 0.5, 0.25), (Drift.ROLE_SWAP,), Status.REPAIRABLE_DRIFT, 0.9, "it assumes more")
    item = Evidence(obligation, Refuted("a = 4/5"), "algebra", ("a = 4/5",), "the kernel", artefact, strength=0.5, faithfulness=gate)
    proof = Proof(Problem("p"), (Step(1, text),), id="lean")
    return ProofResult(proof, decide(1, [item]), decompose(proof))


def with_models() -> list[ProofResult]:
    studies = [studied(HOSTILE[0] + " " + "x" * 200), studied(HOSTILE[1], admitted=False), opined(reason=HOSTILE[2])]
    return [ProofResult(PROOF, concluded(study), study.tree, study, "full") for study in studies]


OPEN_ALL = "document.querySelectorAll('details').forEach(each => { each.open = true })"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

CONTRAST = """() => {
  const parse = text => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n.slice(0, 3), 1] : n; };
  const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3]));
  const light = rgb => { const [r, g, b] = rgb.map(v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b; };
  const ground = element => { const layers = [];
    for (let at = element; at; at = at.parentElement) layers.unshift(parse(getComputedStyle(at).backgroundColor));
    return layers.reduce((under, top) => over(top, under), [255, 255, 255]); };
  const poor = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || !element.checkVisibility() || element.closest('.katex-mathml, .sr, .skip')) continue;
    const under = ground(element), ink = over(parse(getComputedStyle(element).color), under);
    const [a, b] = [light(ink), light(under)].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) poor.push(`${element.className || element.tagName} ${ratio.toFixed(2)}: ${element.textContent.slice(0, 30)}`);
  }
  return poor;
}"""

NAMELESS = """() => [...document.querySelectorAll('a, summary, input, nav, section, article')].filter(element => {
  const named = (element.getAttribute('aria-labelledby') || '').split(' ').map(id => document.getElementById(id)?.textContent).join('');
  const label = element.labels?.[0]?.textContent;
  const own = ['NAV', 'SECTION', 'ARTICLE'].includes(element.tagName) ? '' : element.textContent;
  return !(element.getAttribute('aria-label') || named || label || own).trim();
}).map(element => element.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scripts", [True, False])
def test_a_page_is_quiet_and_keeps_within_its_width(open_report: OpenReport, scheme: Scheme, width: int, scripts: bool) -> None:
    report = open_report(*examples(), hostile(), with_lean(), *with_models(), scheme=scheme, width=width, scripts=scripts)
    page = report.page
    assert page.evaluate(OVERFLOW) <= 0
    page.evaluate(OPEN_ALL)
    assert page.evaluate(OVERFLOW) <= 0
    assert page.title() == "8 proofs – fidelean"
    assert (report.requests, report.complaints) == ([], [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast(open_report: OpenReport, scheme: Scheme) -> None:
    page = open_report(*examples(), hostile(), with_lean(), *with_models(), scheme=scheme).page
    page.evaluate(OPEN_ALL)
    assert page.evaluate(CONTRAST) == []


def test_headings_go_down_one_by_one_and_everything_has_a_name(open_report: OpenReport) -> None:
    for results in ([*examples(), hostile(), *with_models()], [with_lean()], with_models()[:1]):
        page = open_report(*results).page
        levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map(each => Number(each.tagName[1]))")
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(below <= above + 1 for above, below in itertools.pairwise(levels))
        assert page.evaluate(NAMELESS) == []
        assert page.evaluate("document.documentElement.lang") == "en"


def test_formulas_are_typeset_with_fonts_of_the_page(open_report: OpenReport) -> None:
    page = open_report(with_lean()).page
    assert page.locator(".text mark.refuted .katex .mfrac").count() == 1
    page.evaluate("document.fonts.ready.then(() => null)")
    assert "KaTeX_Main" in page.evaluate("[...document.fonts].filter(each => each.status === 'loaded').map(each => each.family).join()")
    assert page.locator(".katex-error").count() == 0


def test_the_keyboard_reaches_a_claim_and_opens_it(open_report: OpenReport) -> None:
    page = open_report(examples()[0]).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    claim = page.locator("details.claim").first
    assert claim.get_attribute("open") is None
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('details.claim > summary')"):
            break
    page.keyboard.press("Enter")
    assert claim.get_attribute("open") is not None
    assert claim.locator(".facts").is_visible()


def test_a_link_to_a_claim_shows_it_and_details_can_all_be_shown(open_report: OpenReport) -> None:
    page = open_report(examples()[0]).page
    page.locator('.strip a[href="#step-3"]').click()
    assert page.evaluate("location.hash") == "#step-3"
    assert page.locator("#step-3").evaluate("each => Math.abs(each.getBoundingClientRect().top) < innerHeight")
    source = page.locator("#step-1 pre.source")
    assert not source.evaluate("each => each.checkVisibility({ contentVisibilityAuto: true })")
    page.locator("#open-all").check()
    assert source.evaluate("each => each.checkVisibility({ contentVisibilityAuto: true })")


def test_a_lean_file_can_be_downloaded(open_report: OpenReport) -> None:
    page = open_report(with_lean()).page
    with page.expect_download() as download:
        page.locator("a.download").click()
    assert download.value.suggested_filename == "lean-1.1.lean"
    address = page.locator("a.download").get_attribute("href") or ""
    assert base64.b64decode(address.partition("base64,")[2]).decode().endswith("theorem t : True := trivial\n")


def test_on_paper_what_was_found_is_there(open_report: OpenReport) -> None:
    page = open_report(examples()[0], width=1000).page
    page.emulate_media(media="print")
    assert page.locator("details.claim").first.locator(".facts").evaluate("each => each.checkVisibility({ contentVisibilityAuto: true })")
    assert not page.locator(".strip").is_visible()
