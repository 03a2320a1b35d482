"""The reply of the orchestrating model: one action a step, as JSON, so that models without tool calls can play."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from fidelean.formalization.agent.records import Tool, ToolSet

__all__ = ["AgentReply", "reply_form"]

_SEARCH_ONLY = ("with_print", "k")


class AgentReply(BaseModel):
    """The next action."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    thought: str = Field(default="", description="why this action, in a sentence or two", max_length=8_000)
    action: Tool = Field(description="one of the actions that you have")
    text: str = Field(default="", description="what the action works on; see the list of actions", max_length=60_000)
    with_print: bool = Field(default=False, description="show_name: also the documentation and the place")
    k: int = Field(default=5, description="resolve_name and search_library: how many names", ge=1, le=20)
    faithful: bool = Field(default=False, description="finish: whether you hold the file for faithful to the statement")


@cache
def reply_form(tools: ToolSet) -> type[AgentReply]:
    """The reply under a tool set: its schema shows what is offered and nothing else.

    An action that is not offered is still read, so that the run can refuse it and say so.
    """

    def narrow(schema: dict[str, Any]) -> None:
        properties = schema["properties"]
        properties["action"] = {
            "type": "string",
            "enum": [tool.value for tool in tools.offered],
            "description": properties["action"]["description"],
        }
        schema.pop("$defs", None)
        for name in _SEARCH_ONLY if not tools.search else ():
            del properties[name]

    class Offered(AgentReply):
        """The next action."""

        model_config = ConfigDict(title="AgentReply", json_schema_extra=narrow)

    return Offered
