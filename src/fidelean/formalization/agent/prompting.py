"""What the agent is told: a shared text, in which only the block of tools differs between the eight tool sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fidelean.formalization.agent.records import Event, GateReported, ModelReplied, PolicyMoved, Tool, ToolResult, ToolSet
from fidelean.informal.records import Statement
from fidelean.llm.prompts import load_prompt
from fidelean.llm.records import Prompt

__all__ = ["MAX_RESULT_CHARS", "WRITE_WITHIN", "agent_prompt", "tool_block"]

WRITE_WITHIN = 5
"""Rounds within which the first file has to be written."""
MAX_RESULT_CHARS = 4_000
"""More of one result than this is not shown (code points)."""
_MAX_TRANSCRIPT_CHARS = 40_000
_MARK = "{{tools}}"
_ROOM = "fidelean.formalization"

_SAID = {
    Tool.DRAFT_TRANSLATION: "a model that was made for it translates the sentence; its draft is a suggestion. `text` is empty.",
    Tool.WRITE_FILE: "`text` is the whole file, which replaces the one before.",
    Tool.COMPILE: "the file runs in Lean, and errors with goals come back. `text` is empty.",
    Tool.SHOW_NAME: "`text` is a full name: its type comes back; with `with_print` its documentation and place too.",
    Tool.RESOLVE_NAME: "`text` is a token as you would write it: up to `k` full names that it may mean.",
    Tool.SEARCH_LIBRARY: "`text` is a few words: up to `k` declarations of the library.",
    Tool.FINISH: "hand the file in. `faithful` says whether you hold it for faithful, `text` holds notes for the reader.",
    Tool.CANNOT_STATE: "give up. `text` says why the sentence cannot be stated.",
}


def tool_block(tools: ToolSet) -> str:
    """The one part of the prompt that depends on the tools."""
    return "\n".join(["The actions that you have:", *(f"- `{tool.value}`: {_SAID[tool]}" for tool in tools.offered)])


def agent_prompt(statement: Statement, tools: ToolSet, *, lean: str, number: int, of: int, file: str, events: Iterable[Event]) -> Prompt:
    """The question of round ``number``."""
    transcript = "\n\n".join(said for event in events if (said := _shown(event)))
    prompt = load_prompt(
        _ROOM,
        "formalize",
        statement=statement.text,
        lean=lean,
        round=f"round {number} of {of}; a file has to be written within round {WRITE_WITHIN}",
        file=file or "(none is written)",
        transcript=transcript[-_MAX_TRANSCRIPT_CHARS:] or "(nothing)",
    )
    return replace(prompt, system=prompt.system.replace(_MARK, tool_block(tools)))


def _shown(event: Event) -> str:
    match event:
        case ModelReplied(step, tools, content):
            return f"round {step}: you chose {', '.join(tools)}" + (f": {content}" if content else "")
        case ToolResult(_, tool, ok, _, result):
            return f"{tool}{'' if ok else ' failed'}: {result[:MAX_RESULT_CHARS]}"
        case GateReported(_, _, result):
            return f"the independent reader: {result[:MAX_RESULT_CHARS]}"
        case PolicyMoved(_, _, result):
            return f"note: {result}"
        case _:
            return ""
