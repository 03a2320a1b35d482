"""The loop of the agent, with doubles for model, Lean and gate: their replies are written by hand for this repository."""

from __future__ import annotations

import pytest

from fidelean.faithfulness.records import Match
from fidelean.formalization.agent.actions import AgentReply, reply_form
from fidelean.formalization.agent.gate import ConsensusGate, StatementGate
from fidelean.formalization.agent.loop import StatementAgent
from fidelean.formalization.agent.policy import TrajectoryPolicy
from fidelean.formalization.agent.prompting import agent_prompt, tool_block
from fidelean.formalization.agent.records import (
    AgentRun,
    GateReport,
    GateReported,
    ModelReplied,
    Move,
    PolicyMoved,
    RunEnd,
    Tool,
    ToolResult,
    ToolSet,
)
from fidelean.formalization.agent.workbench import ModelTranslator, Workbench, unfenced
from fidelean.informal.records import Statement
from fidelean.lean.library.records import Declaration, Hit
from fidelean.lean.records import Status
from fidelean.llm.desk import Desk
from fidelean.llm.scripted import ScriptedModel
from fidelean.outcome import Inconclusive, Reason
from judge_replies import reply, slot
from proving.engines import ScriptedEngine
from scripted_asker import ScriptedAsker

STATEMENT = Statement("For every integer $x$, $x + 0 = x$.", id="S1")
GOOD = "theorem t (x : Int) : x + 0 = x := by sorry\n"
BROKEN = "theorem t (x : Int) : x + zero = x := by sorry\n"
EIGHT = [ToolSet.of(f"{number:03b}") for number in range(8)]
LENGTHS_ONLY = TrajectoryPolicy(stop_after_steps=None)


class ScriptedGate:
    """A double of a gate."""

    def __init__(self, *reports: GateReport) -> None:
        self._reports = list(reports)
        self.seen: list[str] = []

    async def report(self, statement: Statement, lean_text: str) -> GateReport:
        assert statement is STATEMENT
        self.seen.append(lean_text)
        return self._reports.pop(0)


class SmallLibrary:
    """A double of a library with one declaration."""

    ONE = Declaration("Int.add_zero", "theorem", "Init.Data.Int", 7, "(a : Int) : a + 0 = a", "Adding nothing.")

    def search(self, query: str, limit: int = 10) -> list[Hit]:
        return [Hit(self.ONE, "words")][:limit] if "zero" in query else []

    def show(self, name: str) -> list[Declaration]:
        return [self.ONE] if name == self.ONE.name else []

    def resolve(self, name: str, opened: object = ()) -> list[Declaration]:
        _ = opened
        return self.show(name)


ADMITTED = GateReport(True, "fine")
REFUSED = GateReport(False, "the domain is another")


def act(action: Tool, text: str = "", **more: object) -> dict[str, object]:
    return {"action": action.value, "text": text, **more}


WRITE, COMPILE, FINISH = act(Tool.WRITE_FILE, GOOD), act(Tool.COMPILE), act(Tool.FINISH, faithful=True)


async def run(
    *actions: dict[str, object],
    tools: str = "010",
    gate: StatementGate | None = None,
    policy: TrajectoryPolicy | None = None,
    status: Status | None = None,
    max_steps: int = 24,
) -> tuple[AgentRun, ScriptedModel]:
    said = iter(actions)
    model = ScriptedModel({"formalize": lambda _: next(said, actions[-1]), "translate": f"```lean\n{GOOD}```"})
    engine = ScriptedEngine(lambda text: "zero" not in text and "Mathlib" not in text, status=status)
    async with Desk(model) as desk:
        bench = Workbench(engine, ModelTranslator(desk.asker()), SmallLibrary())
        agent = StatementAgent(
            desk.asker(), bench, gate or ScriptedGate(ADMITTED), ToolSet.of(tools), policy or LENGTHS_ONLY, max_steps=max_steps
        )
        return await agent.run(STATEMENT), model


def results(found: AgentRun) -> list[tuple[str, bool]]:
    return [(event.tool, event.ok) for event in found.events if isinstance(event, ToolResult)]


def test_the_eight_prompts_differ_in_the_block_of_tools_alone() -> None:
    prompts = [agent_prompt(STATEMENT, tools, lean="l", number=1, of=24, file="", events=()) for tools in EIGHT]
    rests = {(prompt.system.replace(tool_block(tools), "BLOCK"), prompt.user) for prompt, tools in zip(prompts, EIGHT, strict=True)}
    assert len(rests) == 1
    ((system, _),) = rests
    assert system.count("BLOCK") == 1
    assert len({tool_block(tools) for tools in EIGHT}) == 8
    for prompt, tools in zip(prompts, EIGHT, strict=True):
        assert [tool for tool in Tool if f"`{tool.value}`:" in prompt.system] == list(tools.offered)


@pytest.mark.parametrize("tools", EIGHT, ids=lambda tools: tools.code)
def test_the_schema_shows_what_is_offered_and_nothing_else(tools: ToolSet) -> None:
    schema = reply_form(tools).model_json_schema()
    assert schema["properties"]["action"]["enum"] == [tool.value for tool in tools.offered]
    assert ("k" in schema["properties"]) is tools.search
    assert tools == ToolSet.of(tools.code)


@pytest.mark.parametrize("code", ["", "11", "112", "1111", "TFS"])
def test_what_is_no_tool_set_is_said(code: str) -> None:
    with pytest.raises(ValueError, match="three digits"):
        ToolSet.of(code)


async def test_a_file_that_compiles_and_passes_the_gate_is_admitted() -> None:
    found, model = await run(WRITE, COMPILE, FINISH)
    assert found.admitted
    assert (found.end, found.steps, found.compiles, found.lean_text) == (RunEnd.FINISHED, 3, True, GOOD)
    assert results(found) == [("write_file", True), ("compile", True), ("finish", True)]
    assert "round 3 of 24" in model.requests[-1].prompt.user
    assert GOOD in model.requests[-1].prompt.user


async def test_what_lean_says_reaches_the_next_round() -> None:
    found, model = await run(act(Tool.WRITE_FILE, BROKEN), COMPILE, WRITE, COMPILE, FINISH)
    assert found.admitted
    assert "it failed" in model.requests[2].prompt.user


async def test_with_feedback_a_file_that_was_not_compiled_is_not_handed_in() -> None:
    gate = ScriptedGate(ADMITTED)
    found, _ = await run(WRITE, FINISH, COMPILE, act(Tool.WRITE_FILE, BROKEN), FINISH, WRITE, FINISH, COMPILE, FINISH, gate=gate)
    assert [ok for tool, ok in results(found) if tool == "finish"] == [False, False, False, True]
    assert gate.seen == [GOOD]


async def test_a_file_that_the_agent_itself_doubts_is_not_handed_in() -> None:
    found, _ = await run(WRITE, COMPILE, act(Tool.FINISH), max_steps=4)
    assert found.end is RunEnd.OUT_OF_STEPS
    assert not found.admitted
    assert found.compiles


async def test_without_feedback_the_file_is_checked_at_the_end_all_the_same() -> None:
    found, _ = await run(act(Tool.WRITE_FILE, BROKEN), FINISH, tools="000")
    assert (found.end, found.compiles, found.admitted) == (RunEnd.FINISHED, False, False)
    assert "it failed" in found.detail


@pytest.mark.parametrize(("tools", "action"), [
    ("000", Tool.COMPILE), ("010", Tool.DRAFT_TRANSLATION), ("110", Tool.SHOW_NAME), ("110", Tool.RESOLVE_NAME),
    ("110", Tool.SEARCH_LIBRARY),
])  # fmt: skip
async def test_what_is_not_offered_is_refused_and_not_done(tools: str, action: Tool) -> None:
    found, model = await run(act(action, "zero"), WRITE, *([COMPILE] if tools[1] == "1" else []), FINISH, tools=tools)
    assert results(found)[0] == (action.value, False)
    assert [request.prompt.stage for request in model.requests].count("translate") == 0
    assert found.admitted


async def test_the_drafter_and_the_library_answer_where_they_are_on() -> None:
    lookups = [
        act(Tool.SHOW_NAME, "Int.add_zero", with_print=True),
        act(Tool.RESOLVE_NAME, "add_zero"),
        act(Tool.SEARCH_LIBRARY, "zero", k=3),
    ]
    found, _ = await run(act(Tool.DRAFT_TRANSLATION), WRITE, *lookups, act(Tool.SHOW_NAME, "nothing"), COMPILE, FINISH, tools="111")
    said = [event.result for event in found.events if isinstance(event, ToolResult)]
    assert said[0] == GOOD
    assert "Init.Data.Int:7" in said[2]
    assert said[3] == said[4] == "theorem Int.add_zero (a : Int) : a + 0 = a"
    assert results(found)[5] == ("show_name", False)


async def test_without_a_file_in_five_rounds_the_run_ends() -> None:
    found, model = await run(act(Tool.SEARCH_LIBRARY, "zero"), tools="001")
    assert (found.end, found.steps, found.compiles) == (RunEnd.NO_FILE, 5, False)
    assert len(model.requests) == 5


async def test_what_cannot_be_stated_is_given_up_with_its_reason() -> None:
    found, _ = await run(act(Tool.CANNOT_STATE, "there are no reals"))
    assert (found.end, found.detail) == (RunEnd.CANNOT_STATE, "there are no reals")


async def test_the_report_of_the_gate_feeds_the_next_draft() -> None:
    gate = ScriptedGate(REFUSED, ADMITTED)
    found, model = await run(
        WRITE, FINISH, FINISH, act(Tool.WRITE_FILE, GOOD.replace("(x", "{x").replace("Int)", "Int}")), FINISH, tools="000", gate=gate
    )
    assert found.admitted
    assert "the domain is another" in model.requests[2].prompt.user
    assert results(found)[2] == ("finish", False), "the same file is not judged twice"
    assert len(gate.seen) == 2
    assert [event.admitted for event in found.events if isinstance(event, GateReported)] == [False, True]


async def test_a_gate_without_a_judge_ends_the_run_unjudged() -> None:
    unjudged = GateReport(False, "no reply", Inconclusive(Reason.NO_REPLY, "nobody"))
    found, _ = await run(WRITE, COMPILE, FINISH, gate=ScriptedGate(unjudged))
    assert (found.end, found.admitted) == (RunEnd.UNJUDGED, False)


async def test_without_an_engine_nothing_is_admitted() -> None:
    found, model = await run(WRITE, FINISH, tools="000", status=Status.UNAVAILABLE)
    assert found.compiles is None
    assert not found.admitted
    assert "There is no Lean at hand" in model.requests[0].prompt.user


async def test_equal_diagnostics_send_searching_then_restart_with_a_clean_context() -> None:
    failing = [act(Tool.WRITE_FILE, BROKEN), COMPILE, COMPILE, act(Tool.SEARCH_LIBRARY, "zero"), COMPILE]
    found, model = await run(*failing, WRITE, COMPILE, FINISH, tools="011")
    moves = [event.move for event in found.events if isinstance(event, PolicyMoved)]
    assert moves == [Move.SEARCH, Move.RESTART]
    assert "look the names up" in model.requests[3].prompt.user
    after = model.requests[5].prompt.user
    assert BROKEN not in after
    assert "it failed" not in after
    assert found.admitted


async def test_a_drifting_run_begins_again_and_then_stops() -> None:
    files = [act(Tool.WRITE_FILE, GOOD.replace(" t ", f" t{number} ")) for number in range(6)]
    actions = [action for file in files for action in (file, FINISH)]
    found, _ = await run(*actions, tools="000", gate=ScriptedGate(*[REFUSED] * 6))
    assert [event.move for event in found.events if isinstance(event, PolicyMoved)] == [Move.RESTART, Move.STOP]
    assert (found.end, found.steps) == (RunEnd.STOPPED, 8)


@pytest.mark.parametrize(("tools", "steps", "end"), [("010", 18, RunEnd.STOPPED), ("000", 24, RunEnd.OUT_OF_STEPS)])
async def test_length_is_a_warning_with_feedback_on(tools: str, steps: int, end: RunEnd) -> None:
    found, _ = await run(WRITE, tools=tools, policy=TrajectoryPolicy())
    assert (found.steps, found.end) == (steps, end)


def test_a_policy_chooses_among_what_was_asked_for() -> None:
    policy = TrajectoryPolicy(by_domain=(("Topology", ToolSet.of("011")),))
    assert policy.choose(Statement("a", domain="Topology"), ToolSet.of("110")).code == "010"
    assert policy.choose(Statement("a", domain="Algebra"), ToolSet.of("110")).code == "110"


async def test_every_reply_and_every_call_is_an_event() -> None:
    found, model = await run(WRITE, COMPILE, FINISH)
    assert sum(isinstance(event, ModelReplied) for event in found.events) == len(model.requests) == len(results(found))


async def test_a_reply_that_cannot_be_had_ends_the_run() -> None:
    asker = ScriptedAsker(formalize=[Inconclusive(Reason.BUDGET_SPENT, "no money")])
    found = await StatementAgent(asker, Workbench(ScriptedEngine(lambda _: True))).run(STATEMENT)
    assert (found.end, found.detail) == (RunEnd.NO_REPLY, "budget_spent: no money")


FAITHFUL = reply(slot("premise", "claim", "integer $x$", "L1"), slot("conclusion", "claim", "$x + 0 = x$", "L2"))
DRIFTED = reply(
    slot("premise", "claim", "integer $x$", "L1"), slot("conclusion", "claim", "$x + 0 = x$", "L2", Match.WEAK_OVERLAP), revision="say ="
)


async def test_the_consensus_gate_admits_what_all_judges_admit() -> None:
    gate = ConsensusGate((ScriptedAsker(judge=[FAITHFUL]), ScriptedAsker(judge=[FAITHFUL])))
    assert (await gate.report(STATEMENT, GOOD)).admitted
    gate = ConsensusGate((ScriptedAsker(judge=[FAITHFUL]), ScriptedAsker(judge=[DRIFTED])))
    found = await gate.report(STATEMENT, GOOD)
    assert not found.admitted
    assert found.text.startswith("The readers disagree.")
    assert "suggested: say =" in found.text


@pytest.mark.parametrize("text", ["#eval 1\n" + GOOD, "def x : Int := 1\n"])
async def test_the_gate_shows_no_judge_what_is_no_statement(text: str) -> None:
    assert not (await ConsensusGate((ScriptedAsker(judge=[]),)).report(STATEMENT, text)).admitted


async def test_the_gate_says_where_nobody_judged() -> None:
    found = await ConsensusGate((ScriptedAsker(judge=[Inconclusive(Reason.NO_REPLY, "gone")]),)).report(STATEMENT, GOOD)
    assert found.unjudged is not None
    assert not found.admitted


@pytest.mark.parametrize(
    "text", ["a", "```lean\na\n```", "Here:\n```lean4\na\n```\nDone.", "```\nb\n```\nbetter:\n```\na\n```", "so ```lean\na"]
)
def test_fences_and_prose_are_taken_off(text: str) -> None:
    assert unfenced(text) == "a\n"


def test_a_reply_without_extras_is_read() -> None:
    assert AgentReply(action=Tool.COMPILE).text == ""
