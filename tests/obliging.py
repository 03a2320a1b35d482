"""A double that gives every stage the plainest reply of the right form: each step one inference, nothing wrong with any of them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fidelean.llm.records import ModelRequest
from fidelean.llm.scripted import ScriptedModel
from llm.faulty_server import Handling, completion

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["obliging_model", "obliging_reply", "obliging_server"]

_FIELD = re.compile(r"<<<(?P<name>\w+)\n(?P<text>.*?)\n(?P=name)>>>", re.DOTALL)
NOTHING = {"first_error": None, "reason": "nothing is wrong"}


def obliging_reply(stage: str, question: str) -> str:
    """Reply to a question of a stage, as text."""
    fields = {re.sub(r"_\d+$", "", found["name"]): found["text"] for found in _FIELD.finditer(question)}
    return "correct" if stage == "direct" else json.dumps(_REPLIES[stage](fields))


def obliging_model(name: str = "scripted:obliging") -> ScriptedModel:
    """The double in this process."""
    return ScriptedModel(dict.fromkeys([*_REPLIES, "direct"], _speak), name=name)


def obliging_server(wait: float = 0.0) -> Handling:
    """The same behind HTTP, ``wait`` seconds after the request."""

    def handle(handler: Any) -> None:  # noqa: ANN401
        if handler.server.ended.wait(wait):
            return
        asked = handler.asked
        stage = asked["response_format"]["json_schema"]["name"] if "response_format" in asked else "direct"
        question = next(message["content"] for message in asked["messages"] if message["role"] == "user")
        handler.send(200, json.dumps(completion(obliging_reply(stage, question))).encode())

    return handle


def _speak(request: ModelRequest) -> str:
    return obliging_reply(request.prompt.stage, request.prompt.user)


def _lines(text: str) -> list[tuple[str, str]]:
    """The id and the text of every line ``id [scope] text``."""
    return [(line.split(" ")[0], line.partition("] ")[2]) for line in text.splitlines()]


def _edges(fields: dict[str, str]) -> object:
    edges: list[object] = []
    parent = "root"
    for number, (name, text) in enumerate(_lines(fields["SUBSTEPS"])):
        added = {"name": f"c{number}", "kind": "derived", "text": text}
        edges.append({"substep": name, "parent": parent, "pattern": "simple_implication", "children": [{"conditions": [added]}]})
        parent = f"{name}/1"
    return {"edges": edges}


def _suspect(fields: dict[str, str]) -> object:
    """The last transition is suspicious, so that what is in front of it is audited too."""
    names = [line.split(" | ")[0] for line in fields["TRANSITIONS"].splitlines()]
    flags = {"likely_wrong": False, "should_formalize": True}
    scored = [{"transition": name, "score": 0.9 if name == names[-1] else 0.1, **flags} for name in names]
    return {"transitions": scored, "overall": "uncertain"}


_REPLIES: dict[str, Callable[[dict[str, str]], object]] = {
    "decompose": lambda fields: {"substeps": [{"text": fields["STEP"], "quotes": [fields["STEP"]]}]},
    "compare": lambda fields: {"comparisons": [{"substep": name, "comparison": "same"} for name, _ in _lines(fields["SUBSTEPS"])]},
    "edges": _edges,
    "suspect": _suspect,
    "review": lambda _: {"opinion": "correct", "suspicion": 0.1, "should_formalize": True, "difficulty": "easy", "reason": "it follows"},
    "draft": lambda _: {"lean": "", "notes": "", "cannot_state": "this double writes no Lean"},
    "graph": lambda _: NOTHING,
    "synthesis": lambda _: NOTHING,
    "agent": lambda _: {"move": "answer", "step": None, "notes": "nothing is wrong"},
}
