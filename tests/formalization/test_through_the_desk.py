"""The statement loop asked through the real desk, with a scripted model behind it: schemas, retries and LaTeX on the way."""

from __future__ import annotations

from fidelean.formalization.drafting import StatementReply
from fidelean.formalization.loop import StatementLoop
from fidelean.informal.records import Claim
from fidelean.llm.desk import Desk
from fidelean.llm.records import ModelRole
from fidelean.llm.scripted import ScriptedModel
from fidelean.outcome import Reason
from fidelean.policy import Policy
from judge_replies import reply, slot
from proving.engines import ScriptedEngine

CLAIM = Claim(r"$\frac{x}{\nu} \geq \times$, that is $x^2 = 4$", ("$x = 2$",))
DRAFT = StatementReply(lean="theorem t (x : Int) (h : x = 2) : x^2 = 4 := by sorry", notes=r"$\theta$ was left out")
REPORT = reply(
    slot("premise", "implicit", "x is an integer", "L1"),
    slot("premise", "P1", "x = 2", "L2"),
    slot("conclusion", "claim", r"\frac{x}{\nu} \geq \times", "L3"),
)


async def test_a_malformed_report_is_asked_for_again_and_latex_survives() -> None:
    model = ScriptedModel({"draft": DRAFT, "judge": ["It looks faithful to me.", REPORT]})
    async with Desk(model) as desk:
        loop = StatementLoop(desk.asker(ModelRole.DRAFTER), (desk.asker(ModelRole.JUDGE),), ScriptedEngine(lambda _: True), Policy())
        found = await loop.run(CLAIM)
    assert found.admitted
    assert found.trajectory.rounds[0].draft.notes == r"$\theta$ was left out"
    assert [request.prompt.stage for request in model.requests] == ["draft", "judge", "judge"]


async def test_a_judge_that_never_answers_in_form_leaves_the_statement_unjudged() -> None:
    model = ScriptedModel({"draft": DRAFT, "judge": "It looks faithful to me."})
    async with Desk(model) as desk:
        loop = StatementLoop(desk.asker(ModelRole.DRAFTER), (desk.asker(ModelRole.JUDGE),), ScriptedEngine(lambda _: True), Policy())
        found = await loop.run(CLAIM)
    assert not found.admitted
    assert found.outcome is not None
    assert found.outcome.reason is Reason.MALFORMED_REPLY
