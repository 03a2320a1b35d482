"""The agent's nouns: tools, what happened in a run, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fidelean.faithfulness.records import Judgement
from fidelean.informal.records import Statement
from fidelean.outcome import Inconclusive

__all__ = [
    "AgentRun",
    "CompileCheck",
    "Event",
    "GateReport",
    "GateReported",
    "ModelReplied",
    "Move",
    "OtherEvent",
    "PolicyMoved",
    "RunComplete",
    "RunEnd",
    "Tool",
    "ToolResult",
    "ToolSet",
]


class Tool(StrEnum):
    """What the agent can do in a step."""

    DRAFT_TRANSLATION = "draft_translation"
    """Have the drafting model translate the statement."""
    WRITE_FILE = "write_file"
    """Write the whole Lean file, which is what counts."""
    COMPILE = "compile"
    """Run the file in Lean."""
    SHOW_NAME = "show_name"
    """Look up one name exactly."""
    RESOLVE_NAME = "resolve_name"
    """Find the names that a token may mean."""
    SEARCH_LIBRARY = "search_library"
    """Search the library by words."""
    FINISH = "finish"
    """Hand the file in."""
    CANNOT_STATE = "cannot_state"
    """Give the statement up."""


@dataclass(frozen=True, slots=True)
class ToolSet:
    """Which of the three tools are on (formalize-statement, the agent: T, F, S)."""

    draft: bool = True
    """T: a drafting model translates."""
    feedback: bool = True
    """F: Lean says what it makes of the file."""
    search: bool = True
    """S: names of the library are looked up."""

    @classmethod
    def of(cls, code: str) -> ToolSet:
        """Read ``111``, ``010`` ... Raises ``ValueError`` where it is none of the eight."""
        if len(code) != 3 or set(code) - {"0", "1"}:
            raise ValueError(f"{code!r} is no tool set: three digits for draft, feedback, search, such as 111 or 010")
        return cls(*(digit == "1" for digit in code))

    @property
    def code(self) -> str:
        """The same in three digits, T F S."""
        return "".join(str(int(bit)) for bit in (self.draft, self.feedback, self.search))

    @property
    def offered(self) -> tuple[Tool, ...]:
        """What the agent can do, in the order in which it is told."""
        search = (Tool.SHOW_NAME, Tool.RESOLVE_NAME, Tool.SEARCH_LIBRARY)
        left_out = {Tool.DRAFT_TRANSLATION} if not self.draft else set[Tool]()
        left_out |= {Tool.COMPILE} if not self.feedback else set()
        left_out |= set(search) if not self.search else set()
        return tuple(tool for tool in Tool if tool not in left_out)


class Move(StrEnum):
    """What a trajectory policy decides between two steps."""

    GO_ON = "go_on"
    """The agent takes its next step."""
    SEARCH = "search"
    """It is told to look names up first."""
    RESTART = "restart"
    """It begins again with a clean context."""
    STOP = "stop"
    """The run ends."""


class RunEnd(StrEnum):
    """How a run ended."""

    FINISHED = "finished"
    """The agent handed its file in and nothing held it back."""
    CANNOT_STATE = "cannot_state"
    """The agent gave the statement up."""
    STOPPED = "stopped"
    """The trajectory policy ended it."""
    NO_FILE = "no_file"
    """No file was written within the first rounds."""
    OUT_OF_STEPS = "out_of_steps"
    """The steps were used up."""
    NO_REPLY = "no_reply"
    """No reply of the model could be had or read."""
    UNJUDGED = "unjudged"
    """The gate had no judge's report."""


@dataclass(frozen=True, slots=True)
class GateReport:
    """What an independent gate says of a file."""

    admitted: bool
    """Whether it lets the file through."""
    text: str
    """Why, for the next draft and the reader."""
    unjudged: Inconclusive | None = None
    """Why there is no judgement; None where there is one."""
    judgement: Judgement | None = None
    """The judges' reports; None where the file could not be read or judged."""


@dataclass(frozen=True, slots=True)
class ModelReplied:
    """A reply of the orchestrating model."""

    step: int
    """1-based step."""
    tools_requested: tuple[str, ...]
    """The tools it asks for."""
    content: str | None
    """What it says beside them: untrusted; None where nothing."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave."""

    step: int
    """1-based step."""
    tool: str
    """The tool's name."""
    ok: bool
    """Whether it could do what was asked."""
    args: Mapping[str, object]
    """What it was given."""
    result: str
    """What it gave: untrusted."""


@dataclass(frozen=True, slots=True)
class CompileCheck:
    """The check of the last file at the end of a run."""

    step: int | str
    """1-based step; in released files a word."""
    passed: bool
    """Whether it elaborates and meets the statement contract."""
    result: str
    """Lean's words: untrusted."""


@dataclass(frozen=True, slots=True)
class GateReported:
    """The gate spoke."""

    step: int
    """1-based step."""
    admitted: bool
    """Whether it let the file through."""
    result: str
    """Its report."""


@dataclass(frozen=True, slots=True)
class PolicyMoved:
    """The trajectory policy did not simply go on."""

    step: int
    """1-based step after which it decided."""
    move: Move
    """What it decided."""
    result: str
    """Why."""


@dataclass(frozen=True, slots=True)
class RunComplete:
    """The run ended."""

    step: int
    """1-based last step."""
    outcome: str
    """A ``RunEnd``; in released files another word."""
    compile_status: int | None
    """1 where the last file compiles, 0 where not, None where nobody could tell."""


@dataclass(frozen=True, slots=True)
class OtherEvent:
    """An event of a released file that this version has no record for, kept whole."""

    fields: Mapping[str, object] = field(default_factory=dict[str, object])
    """All its fields."""


Event = ModelReplied | ToolResult | CompileCheck | GateReported | PolicyMoved | RunComplete | OtherEvent


@dataclass(frozen=True, slots=True)
class AgentRun:
    """A whole run of the agent on one statement."""

    statement: Statement
    """What was to be stated."""
    tools: ToolSet
    """Which tools were on."""
    lean_text: str
    """The last file that was written; empty where none was."""
    end: RunEnd
    """How it ended."""
    detail: str
    """The same for a reader, in one line."""
    steps: int
    """Steps taken."""
    compiles: bool | None
    """Whether the file elaborates and meets the statement contract; None where no Lean could tell."""
    gate: GateReport | None
    """The gate's last report on this file; None where it was not asked."""
    events: tuple[Event, ...]
    """Everything that happened, in order."""
    fault: Inconclusive | None = None
    """Why no reply of a model, or no judge's, could be had; None where that did not end the run."""

    @property
    def admitted(self) -> bool:
        """Whether the file compiles and the gate let it through."""
        return self.end is RunEnd.FINISHED and self.compiles is True and self.gate is not None and self.gate.admitted
