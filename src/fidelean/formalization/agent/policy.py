"""When a run of the agent goes on, searches, restarts or stops, and with which tools a statement is begun."""

from __future__ import annotations

from dataclasses import dataclass

from fidelean.formalization.agent.records import Move, ToolSet
from fidelean.informal.records import Statement

__all__ = ["Decision", "Progress", "TrajectoryPolicy"]


@dataclass(frozen=True, slots=True)
class Progress:
    """What a policy sees of a run."""

    steps: int
    """Steps taken."""
    tools: ToolSet
    """Which tools are on."""
    repeated: int = 0
    """How often in a row, since the last restart, Lean gave the same diagnostics."""
    refusals: int = 0
    """How often the gate refused a file, over the whole run."""
    searches: int = 0
    """How often the policy sent the agent searching."""
    restarts: int = 0
    """How often it began again."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a policy decides, and why."""

    move: Move
    """What."""
    why: str = ""
    """Why, in one line; empty where the run simply goes on."""


@dataclass(frozen=True, slots=True)
class TrajectoryPolicy:
    """Decides between two steps.

    The length is a warning only with feedback on: of the released runs with F on, those of 19 to 24 steps were faithful in 18 of 157 cases,
    those of 1 and 2 in 165 of 199; with F off in 14 of 74 and 67 of 194 (Beyond Compilation, released revision, trajectory bins). What
    stopping costs and saves is printed by ``benchmarks/trajectory_policy.py``. The other bounds are a guess: no public data measures them.
    """

    stop_after_steps: int | None = 18
    """With feedback on, the run ends after so many steps: the last published bin is not begun. None never stops for length."""
    search_after_repeats: int = 2
    """With search on, equal diagnostics in a row after which the agent is sent searching, once."""
    restart_after_repeats: int = 3
    """Equal diagnostics in a row after which it begins again."""
    restart_after_refusals: int = 2
    """Refusals of the gate after which it begins again: the reading has drifted."""
    stop_after_refusals: int = 4
    """Refusals of the gate after which the run ends."""
    max_restarts: int = 1
    """How often a run may begin again."""
    by_domain: tuple[tuple[str, ToolSet], ...] = ()
    """Tool sets by the domain of the statement; where a domain is not named, what was asked for."""

    def choose(self, statement: Statement, asked: ToolSet) -> ToolSet:
        """The tools for a statement: what its domain is given, as far as it was asked for."""
        wanted = next((tools for domain, tools in self.by_domain if domain == statement.domain), asked)
        return ToolSet(wanted.draft and asked.draft, wanted.feedback and asked.feedback, wanted.search and asked.search)

    def decide(self, progress: Progress) -> Decision:
        """The next move."""
        if self.stop_after_steps is not None and progress.tools.feedback and progress.steps >= self.stop_after_steps:
            return Decision(Move.STOP, f"{progress.steps} steps with feedback: longer runs are rarely faithful")
        if progress.refusals >= self.stop_after_refusals:
            return Decision(Move.STOP, f"the gate refused {progress.refusals} files")
        if progress.restarts < self.max_restarts:
            if progress.refusals >= self.restart_after_refusals:
                return Decision(Move.RESTART, f"the gate refused {progress.refusals} files: begin again with a clean context")
            if progress.repeated >= self.restart_after_repeats:
                return Decision(Move.RESTART, f"Lean said the same {progress.repeated} times: begin again with a clean context")
        if progress.tools.search and not progress.searches and progress.repeated >= self.search_after_repeats:
            return Decision(Move.SEARCH, f"Lean said the same {progress.repeated} times: look the names up before the next file")
        return Decision(Move.GO_ON)
