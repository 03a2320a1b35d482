"""Whole evaluations by a real language model over real HTTP: they end, and every reply is accounted for. What it says is worth nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import BaseModel

from fidelean.decomposition.audit.review import ReviewReply
from fidelean.decomposition.audit.suspicion import ScanReply
from fidelean.decomposition.growth.edges import EdgesReply
from fidelean.decomposition.substeps.comparison import ComparisonReply
from fidelean.decomposition.substeps.splitting import SplitReply
from fidelean.faithfulness.replies import JudgeReply
from fidelean.formalization.drafting import StatementReply
from fidelean.llm.desk import Desk
from fidelean.llm.prices import PriceTable
from fidelean.llm.providers import Connection, connect
from fidelean.llm.records import ModelRequest, ModelRole, Prompt
from fidelean.llm.replay import ReplayModel
from fidelean.llm.replies import reply_schema
from fidelean.outcome import Inconclusive, Reason
from fidelean.pipelines.judging import AgentReply, LabelReply
from fidelean.pipelines.study import Study
from fidelean.policy import AskingPolicy
from fidelean.proving.model_proofs import ScriptReply
from fidelean.report.documents import proof_document
from fidelean.runs.ledger import Ledger
from fidelean.runs.records import CallOutcome, CallRecord
from fidelean.settings import Price
from fidelean.verdict.records import ProofVerdict
from model_evaluations import evaluate, proof

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

REPLIES: list[type[BaseModel]] = [
    *(SplitReply, ComparisonReply, EdgesReply, ScanReply, ReviewReply),
    *(StatementReply, JudgeReply, ScriptReply, LabelReply, AgentReply),
]
FREE = Price(Decimal(0), Decimal(0))
POLICY = AskingPolicy(max_output_tokens=24, attempts=2, turns=1, temperature=0.0, call_timeout_s=200)
PROOFS = [
    proof("$3 + 4 = 7$.", name="sound"),
    proof("$3 + 4 = 8$.", name="slip"),
    proof("Let $x = 2$, hence $x + 1 = 3$.", name="variable"),
]


def all_inconclusive(study: Study) -> list[Inconclusive]:
    """Whatever a study could not have of a model."""
    drafts = [each.formalization.outcome for each in study.findings if each.formalization is not None]
    return [*(fault.reason for fault in study.faults), *(each for each in drafts if each is not None)]


def given_up_on(calls: Sequence[CallRecord]) -> Counter[str]:
    """What was wrong with the last attempt at every question whose replies stayed malformed."""
    last: dict[tuple[str, str, int], CallRecord] = {}
    for call in calls:
        last[call.role, call.prompt_digest, call.sample] = call
    return Counter(call.detail for call in last.values() if call.outcome is CallOutcome.MALFORMED)


def hold_to_account(study: Study, verdict: ProofVerdict, calls: Sequence[CallRecord]) -> None:
    """Every reply is in the ledger with what became of it; what stayed malformed is a fault of the study, and a notice says so."""
    assert {call.outcome for call in calls} <= {CallOutcome.READ, CallOutcome.MALFORMED}
    assert all(call.reply is not None and not call.presumed for call in calls)
    assert all(bool(call.detail) == (call.outcome is CallOutcome.MALFORMED) for call in calls)
    said = Counter(each.detail.removeprefix("the model repeats the same reply: ") for each in all_inconclusive(study))
    assert given_up_on(calls) <= said
    assert all(each.reason in (Reason.MALFORMED_REPLY, Reason.DRIFTED) for each in all_inconclusive(study))
    assert len([notice for notice in verdict.notices if ": malformed_reply: " in notice]) == len(
        [fault for fault in study.faults if fault.reason.reason is Reason.MALFORMED_REPLY]
    )
    assert study.spending.calls == len(calls)


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply.__name__)
async def test_a_server_that_makes_a_grammar_of_a_schema_takes_the_form_of_every_stage(real_model: str, reply: type[BaseModel]) -> None:
    async with aclosing(connect("openai-compatible", "smollm2", Connection(real_model))) as model:
        said = await model.answer(ModelRequest(Prompt("stage", "v1", "", "Go."), reply_schema(reply), max_output_tokens=1))
    assert said.usage.output_tokens == 1


@pytest.mark.parametrize(("system", "attempts"), [("direct", 2), ("full", 1)])
async def test_three_proofs_are_evaluated_to_their_end(real_model: str, system: str, attempts: int, tmp_path: Path) -> None:
    policy = replace(POLICY, attempts=attempts)
    model = connect("openai-compatible", "smollm2", Connection(real_model))
    with Ledger.open(tmp_path) as ledger:
        async with Desk(model, ledger=ledger, policy=policy, prices=PriceTable({model.name: FREE})) as desk:
            evaluated = await evaluate(desk, PROOFS, system)
        calls = {one.id: ledger.calls(proof=one.id) for one in PROOFS}
    assert [each.proof.id for each in evaluated] == ["sound", "slip", "variable"]
    documents: list[str] = []
    for each in evaluated:
        assert not isinstance(each.result, Exception), each.result
        verdict, study = each.result
        hold_to_account(study, verdict, calls[each.proof.id])
        documents.append(proof_document(each.proof, verdict).model_dump_json())
    if system == "full":
        assert json.loads(documents[1])["first_error"] == 1, "whatever the model says"
    replays = {role: ReplayModel.from_file(tmp_path, role) for role in ModelRole}
    async with Desk(replays, policy=policy) as desk:
        again = await evaluate(desk, PROOFS, system)
    assert [proof_document(each.proof, each.result[0]).model_dump_json() for each in again if isinstance(each.result, tuple)] == documents


def test_the_command_evaluates_with_it_and_goes_on_without_it(real_model: str, tmp_path: Path) -> None:
    name = f"openai-compatible:smollm2@{real_model}"
    (tmp_path / "fidelean.toml").write_text(
        f'[asking]\nmax_output_tokens = 24\nattempts = 2\ntemperature = 0\n[prices."{name}"]\ninput = 0.1\noutput = 0.2\n'
    )
    (tmp_path / "slip.jsonl").write_text('{"id": "slip", "problem": "How much?", "steps": ["$3 + 4 = 8$."]}')
    command = [str(Path(sys.executable).with_name("fidelean")), "evaluate", "slip.jsonl", "--engine", "none", "--system", "full"]
    command += ["--model", name, "--run", "run", "--format", "json"]

    def run() -> tuple[str, int]:
        done = subprocess.run(command, cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (1, "")
        with Ledger.read(tmp_path / "run") as ledger:
            calls = ledger.calls()
        assert all(call.price > 0 for call in calls)
        return done.stdout, len(calls)

    first = run()
    assert json.loads(first[0])["first_error"] == 1
    assert first[1] > 0
    assert run() == first, "the same bytes, and no further call"
