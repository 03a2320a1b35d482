"""The whole room with a scripted model behind a real desk: from steps to reviewed transitions, one record after the other."""

from __future__ import annotations

from fidelean import Problem, Proof, Step
from fidelean.decomposition.audit.records import LocalReview, Opinion
from fidelean.decomposition.audit.review import review_transitions
from fidelean.decomposition.audit.suspicion import scan_by_model
from fidelean.decomposition.audit.window import audit_window, work_order
from fidelean.decomposition.growth.edges import tree_by_model
from fidelean.decomposition.substeps.comparison import compare_by_model
from fidelean.decomposition.substeps.splitting import decompose_by_model
from fidelean.llm.desk import Desk
from fidelean.llm.records import ModelRequest
from fidelean.llm.scripted import ScriptedModel
from fidelean.outcome import Inconclusive

TEXTS = (r"Adding gives $\frac{5}{2}a = 2$.", r"Hence $a = \frac{4}{3}$.")
PROOF = Proof(
    Problem(r"Real numbers $a$ satisfy $\frac{5}{2}a = 2$. Find $a$."), tuple(Step(n, text) for n, text in enumerate(TEXTS, start=1))
)


def split(request: ModelRequest) -> dict[str, object]:
    text = next(text for text in reversed(TEXTS) if f"STEP\n{text}" in request.prompt.user)
    return {"substeps": [{"text": text, "quotes": [text]}]}


def edge(substep: str, parent: str, name: str, text: str) -> dict[str, object]:
    children = [{"conditions": [{"name": name, "kind": "derived", "text": text}]}]
    return {"substep": substep, "parent": parent, "pattern": "simple_implication", "children": children}


def suspicion(transition: str, score: float) -> dict[str, object]:
    return {"transition": transition, "score": score, "likely_wrong": score > 0.5, "should_formalize": True}


SCRIPT = {
    "decompose": split,
    "compare": {"comparisons": [{"substep": f"{step}.1", "comparison": "same"} for step in (1, 2)]},
    "edges": {"edges": [edge("1.1", "root", "h1", r"\frac{5}{2}a = 2"), edge("2.1", "1.1/1", "h2", r"a = \frac{4}{3}")]},
    "suspect": {"transitions": [suspicion("2.1", 0.9), suspicion("1.1", 0)], "overall": "likely_incorrect"},
    "review": {
        "opinion": "incorrect",
        "suspicion": 1,
        "error": "algebra",
        "should_formalize": True,
        "difficulty": "easy",
        "reason": "it is 4/5",
    },
}


async def test_from_steps_to_reviews() -> None:
    model = ScriptedModel(SCRIPT)
    async with Desk(model) as desk:
        asker = desk.asker(proof="a")
        cut = await decompose_by_model(asker, PROOF)
        assert (cut.findings, cut.whole) == ((), ())
        assert await compare_by_model(asker, PROOF, cut) == ()
        grown = await tree_by_model(asker, PROOF, cut)
        assert not isinstance(grown, Inconclusive)
        assert grown.malformations == ()
        scan = await scan_by_model(asker, PROOF, grown.tree)
        assert not isinstance(scan, Inconclusive)
        window = audit_window(grown.tree, scan)
        assert window.transitions == ("1.1", "2.1")
        reviewed = await review_transitions(asker, PROOF, grown.tree, work_order(grown.tree, window))
    assert [one.transition for one in reviewed] == ["2.1", "1.1"]
    assert all(isinstance(one.answer, LocalReview) and one.answer.opinion is Opinion.INCORRECT for one in reviewed)
    last = grown.tree.transitions[-1]
    assert last.claim is not None
    assert (last.claim.text, last.fact is not None) == (r"a = \frac{4}{3}", True)
    assert [request.prompt.stage for request in model.requests] == [
        "decompose",
        "decompose",
        "compare",
        "edges",
        "suspect",
        "review",
        "review",
    ]
