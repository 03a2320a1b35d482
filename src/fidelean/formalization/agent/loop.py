"""The agent: one model, one action a step, one file that counts.

agent = StatementAgent(asker, Workbench(engine), gate)
run = await agent.run(Statement("The sum of two even integers is even."))
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fidelean.formalization.agent.actions import AgentReply, reply_form
from fidelean.formalization.agent.gate import StatementGate
from fidelean.formalization.agent.policy import Progress, TrajectoryPolicy
from fidelean.formalization.agent.prompting import WRITE_WITHIN, agent_prompt
from fidelean.formalization.agent.records import (
    AgentRun,
    CompileCheck,
    Event,
    GateReport,
    GateReported,
    ModelReplied,
    Move,
    PolicyMoved,
    RunComplete,
    RunEnd,
    Tool,
    ToolResult,
    ToolSet,
)
from fidelean.formalization.agent.workbench import Compiled, Workbench, unfenced
from fidelean.informal.records import Statement
from fidelean.llm.model import Asker
from fidelean.outcome import Inconclusive

__all__ = ["MAX_STEPS", "StatementAgent"]

MAX_STEPS = 24
"""Most steps of a run, as released (formalize-statement, the agent)."""


@dataclass(frozen=True, slots=True)
class StatementAgent:
    """States sentences in Lean."""

    asker: Asker
    """The orchestrating model."""
    bench: Workbench
    """What its tools work with."""
    gate: StatementGate | None = None
    """Who looks at a file that is handed in; without one nothing is ever admitted."""
    tools: ToolSet = field(default_factory=ToolSet)
    """Which tools are on."""
    policy: TrajectoryPolicy = field(default_factory=TrajectoryPolicy)
    """Decides between two steps."""
    max_steps: int = MAX_STEPS
    """Most steps of a run."""

    async def run(self, statement: Statement, *, sample: int = 0) -> AgentRun:
        """State a sentence; ``sample`` tells apart repeated runs on it.

        What a model fails at ends the run with its reason, not with an exception.
        """
        work = _Work(self, statement, sample, self.policy.choose(statement, self.tools), await self.bench.lean_at_hand())
        while work.end is None:
            work.move()
            if work.end is None:
                await work.step()
        return await work.completed()


@dataclass(slots=True)
class _Work:
    """A run in the making."""

    agent: StatementAgent
    """Who runs."""
    statement: Statement
    """What is stated."""
    sample: int
    """Tells apart repeated runs."""
    tools: ToolSet
    """What is on for this statement."""
    lean: str
    """A line about the engine."""
    events: list[Event] = field(default_factory=list[Event])
    """Everything that happened."""
    context: int = 0
    """Index of the first event that the agent is shown."""
    file: str = ""
    """The file as the agent sees it; empty after a restart."""
    written: str = ""
    """The last file that was written."""
    compiled: bool = False
    """Whether Lean has accepted this very file for the agent."""
    diagnostics: str = ""
    """Lean's last words about a file that failed."""
    report: GateReport | None = None
    """The gate's report on this very file."""
    fault: Inconclusive | None = None
    """Why no reply could be had."""
    end: RunEnd | None = None
    """How it ended; None while it goes on."""
    detail: str = ""
    """The same in words."""
    steps: int = 0
    """Steps taken."""
    repeated: int = 0
    """Equal diagnostics in a row."""
    refusals: int = 0
    """Refusals of the gate."""
    searches: int = 0
    """How often the policy sent the agent searching."""
    restarts: int = 0
    """How often it began again."""

    def move(self) -> None:
        """What comes before a step: the bounds of the contract, then the policy."""
        if self.steps >= self.agent.max_steps:
            return self.stop(RunEnd.OUT_OF_STEPS, f"{self.steps} steps were taken")
        if self.steps >= WRITE_WITHIN and not self.written:
            return self.stop(RunEnd.NO_FILE, f"no file was written within {WRITE_WITHIN} rounds")
        decision = self.agent.policy.decide(Progress(self.steps, self.tools, self.repeated, self.refusals, self.searches, self.restarts))
        if decision.move is Move.GO_ON:
            return None
        if decision.move is Move.RESTART:
            self.context, self.file, self.compiled, self.diagnostics = len(self.events), "", False, ""
            self.restarts, self.repeated = self.restarts + 1, 0
        self.searches += decision.move is Move.SEARCH
        self.events.append(PolicyMoved(self.steps, decision.move, decision.why))
        if decision.move is Move.STOP:
            self.stop(RunEnd.STOPPED, decision.why)
        return None

    async def step(self) -> None:
        """One reply, one action."""
        self.steps += 1
        prompt = agent_prompt(
            self.statement,
            self.tools,
            lean=self.lean,
            number=self.steps,
            of=self.agent.max_steps,
            file=self.file,
            events=self.events[self.context :],
        )
        reply = await self.agent.asker.ask(prompt, reply_form(self.tools), sample=self.sample)
        if isinstance(reply, Inconclusive):
            self.fault = reply
            return self.stop(RunEnd.NO_REPLY, f"{reply.reason}: {reply.detail}")
        self.events.append(ModelReplied(self.steps, (reply.action.value,), reply.thought or None))
        ok, result = await self.act(reply)
        self.events.append(ToolResult(self.steps, reply.action.value, ok, _arguments(reply), result))
        if ok and reply.action is Tool.FINISH:
            await self.hand_in()
        return None

    async def act(self, reply: AgentReply) -> tuple[bool, str]:
        """Do what the reply asks for; what is not offered is refused and not done."""
        if reply.action not in self.tools.offered:
            return False, f"there is no action {reply.action.value} here; you have {', '.join(self.tools.offered)}"
        match reply.action:
            case Tool.WRITE_FILE:
                return self.write(reply.text)
            case Tool.FINISH:
                return self.may_finish(reply)
            case Tool.CANNOT_STATE:
                self.stop(RunEnd.CANNOT_STATE, " ".join(reply.text.split())[:400] or "no reason was given")
                return True, "given up"
            case _:
                ok, result = await self.agent.bench.use(reply, self.statement, self.file, sample=self.sample)
                if reply.action is Tool.COMPILE and self.file:
                    self.heard(ok, result)
                return ok, result

    def write(self, text: str) -> tuple[bool, str]:
        """Replace the file."""
        text = unfenced(text)
        if not text.strip():
            return False, "`text` is empty: it has to be the whole file"
        if text != self.written:
            self.report = None
        self.compiled = self.compiled and text == self.file
        self.file = self.written = text
        return True, f"the file is written: {len(text.splitlines())} lines"

    def heard(self, ok: bool, said: str) -> None:
        """Lean spoke about the file."""
        self.compiled = ok
        self.repeated = 0 if ok else self.repeated + 1 if said == self.diagnostics else 1
        self.diagnostics = "" if ok else said

    def may_finish(self, reply: AgentReply) -> tuple[bool, str]:
        """Whether the file can be handed in."""
        if not self.file:
            return False, "there is no file: write one first"
        if self.tools.feedback and not self.compiled:
            return False, "the file as it stands has not been compiled without an error: compile it first"
        if not reply.faithful:
            return False, "you do not hold it for faithful: mend it, or say that it cannot be stated"
        if self.report is not None:
            return False, "the independent reader has refused this very file: change it"
        return True, "handed in"

    async def hand_in(self) -> None:
        """Show the file to the gate; what it objects to goes to the next draft."""
        if self.agent.gate is None:
            return self.stop(RunEnd.FINISHED, "handed in; there was no gate")
        self.report = await self.agent.gate.report(self.statement, self.file)
        self.events.append(GateReported(self.steps, self.report.admitted, self.report.text))
        if self.report.unjudged is not None:
            self.fault = self.report.unjudged
            return self.stop(RunEnd.UNJUDGED, self.report.text)
        if self.report.admitted:
            return self.stop(RunEnd.FINISHED, "handed in, and the gate let it through")
        self.refusals += 1
        return None

    def stop(self, end: RunEnd, why: str) -> None:
        """End the run."""
        self.end, self.detail = end, why

    async def completed(self) -> AgentRun:
        """Check the last file once more, whatever the agent was told, and write the run down."""
        if self.end is None:
            raise AssertionError("the run goes on")
        found = await self.agent.bench.compile(self.written) if self.written else Compiled(False, "there is no file")
        if found.passed is not None:
            self.events.append(CompileCheck(self.steps, found.passed, found.text))
        status = None if found.passed is None else int(found.passed)
        self.events.append(RunComplete(self.steps, self.end.value, status))
        return AgentRun(
            statement=self.statement,
            tools=self.tools,
            lean_text=self.written,
            end=self.end,
            detail=self.detail if found.passed or self.end is not RunEnd.FINISHED else f"{self.detail}; in Lean: {found.text}",
            steps=self.steps,
            compiles=found.passed,
            gate=self.report,
            events=tuple(self.events),
            fault=self.fault,
        )


def _arguments(reply: AgentReply) -> dict[str, object]:
    """What the action was given, as far as it matters to it."""
    match reply.action:
        case Tool.WRITE_FILE:
            return {"content": reply.text}
        case Tool.SHOW_NAME:
            return {"name": reply.text, "with_print": reply.with_print}
        case Tool.RESOLVE_NAME:
            return {"token": reply.text, "k": reply.k}
        case Tool.SEARCH_LIBRARY:
            return {"query": reply.text, "k": reply.k}
        case Tool.FINISH:
            return {"faithful": reply.faithful, "notes": reply.text}
        case Tool.CANNOT_STATE:
            return {"reason": reply.text}
        case _:
            return {}
