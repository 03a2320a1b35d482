"""Drafts, groups and the choice, with a double of a model; and the eight configurations on the embedded Lean."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from fidelean.errors import InputError, UsageError
from fidelean.formalization.agent.records import AgentRun, RunEnd, ToolSet
from fidelean.formalization.agent.released_format import trajectory_line, trajectory_of
from fidelean.informal.records import Statement
from fidelean.lean.embedded import EmbeddedEngine
from fidelean.lean.library.building import build_index
from fidelean.lean.library.sources import read_declarations
from fidelean.llm.records import ModelRequest
from fidelean.llm.scripted import ScriptedModel
from fidelean.pipelines.formalize import FormalizedStatement, formalize, formalize_async
from judge_replies import reply, slot
from lean_room import engine
from proving.engines import ScriptedEngine
from source_tree import PROJECT

__all__ = ["engine"]

STATEMENT = Statement("For every integer $x$, $x + 0 = x$.", id="S1")
GOOD = "theorem t (x : Int) : x + 0 = x := by sorry\n"
OTHER = "theorem other (y : Int) : y + 0 = y := by sorry\n"
FAITHFUL = reply(slot("premise", "claim", "integer $x$", "L1"), slot("conclusion", "claim", "$x + 0 = x$", "L2"))


def double(files: list[str], tools: str = "010") -> ScriptedModel:
    """A double of a model that uses every tool it has, and writes the file of its run; written by hand for this repository."""
    translate: dict[str, object] = {"action": "draft_translation"}
    search: dict[str, object] = {"action": "search_library", "text": "add"}
    compiling: dict[str, object] = {"action": "compile"}
    finish: dict[str, object] = {"action": "finish", "faithful": True}
    before = [*([translate] if tools[0] == "1" else []), *([search] if tools[2] == "1" else [])]
    after = [*([compiling] if tools[1] == "1" else []), finish]

    def act(request: ModelRequest) -> dict[str, object]:
        number = int(request.prompt.user.split("round ")[1].split(" of")[0])
        return [*before, {"action": "write_file", "text": files[request.sample]}, *after][number - 1]

    return ScriptedModel({"formalize": act, "translate": GOOD, "judge": FAITHFUL})


def lines(found: FormalizedStatement) -> list[str]:
    return [trajectory_line(trajectory_of(run)) for run in found.drafts]


def test_most_of_the_drafts_decide() -> None:
    lean = ScriptedEngine(lambda text: "Mathlib" not in text)
    model = double([OTHER, GOOD, f"-- again\n{GOOD.replace(' t ', ' u ')}"])
    found = formalize(STATEMENT, engine=lean, model=model, tools="010", drafts=3)
    assert found.groups == ((1, 2), (0,))
    assert found.chosen is not None
    assert found.chosen.lean_text == GOOD
    assert "not independent" in found.notices[0]


def test_without_an_engine_nothing_is_admitted() -> None:
    found = formalize(STATEMENT, model=double([GOOD], "000"), tools="000")
    assert not found.admitted
    assert found.chosen is None
    assert [run.compiles for run in found.drafts] == [None]


@pytest.mark.parametrize(("text", "tools", "error"), [(" ", "000", InputError), ("a", "12", UsageError)])
def test_what_cannot_be_asked_is_said(text: str, tools: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        formalize(text, model=double([GOOD]), tools=tools)


def test_a_run_goes_on_from_its_folder_with_the_same_bytes(tmp_path: Path) -> None:
    lean = ScriptedEngine(lambda text: "Mathlib" not in text)
    first = formalize(STATEMENT, engine=lean, model=double([GOOD]), tools="010", run_folder=tmp_path / "run")
    batches = len(lean.batches)
    silent = ScriptedModel({})
    again = formalize(STATEMENT, engine=lean, model=silent, tools="010", run_folder=tmp_path / "run")
    assert lines(again) == lines(first)
    assert (silent.requests, len(lean.batches)) == ([], batches)
    replayed = formalize(STATEMENT, engine=lean, model=f"replay:{tmp_path / 'run'}", tools="010")
    assert lines(replayed) == lines(first)


@pytest.mark.live
@pytest.mark.timeout(240)
def test_a_whole_run_in_each_of_the_eight_configurations(engine: EmbeddedEngine, tmp_path: Path) -> None:
    index = tmp_path / "library.sqlite"
    build_index(read_declarations(PROJECT / "examples" / "small_library"), index, lambda _: None)

    async def one(tools: str) -> AgentRun:
        library = index if tools[2] == "1" else None
        found = await formalize_async(STATEMENT, engine=engine, model=double([GOOD], tools), tools=tools, library=library)
        return found.drafts[0]

    async def all_of_them() -> list[AgentRun]:
        return [await one(f"{number:03b}") for number in range(8)]

    runs = asyncio.run(all_of_them())
    assert [run.tools for run in runs] == [ToolSet.of(f"{number:03b}") for number in range(8)]
    assert [(run.end, run.compiles, run.admitted) for run in runs] == [(RunEnd.FINISHED, True, True)] * 8
    assert [run.steps for run in runs] == [2 + run.tools.code.count("1") for run in runs]
    for run in runs:
        json.loads(trajectory_line(trajectory_of(run)))
