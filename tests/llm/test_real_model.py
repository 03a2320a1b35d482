"""A real language model over real HTTP: nothing crashes, and every reply is accounted for. What it says is worth nothing."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from fidelean.llm.conversation import ReplyMode
from fidelean.llm.desk import Desk
from fidelean.llm.direct import DirectLabel, read_label
from fidelean.llm.prices import PriceTable
from fidelean.llm.providers import Connection, connect
from fidelean.llm.records import Prompt
from fidelean.llm.replay import ReplayModel
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import AskingPolicy
from fidelean.runs.ledger import Ledger
from fidelean.runs.records import CallOutcome
from fidelean.settings import Price

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

FREE = Price(Decimal(0), Decimal(0))
POLICY = AskingPolicy(max_output_tokens=80, attempts=2, temperature=0.0, call_timeout_s=200)


class Judgement(BaseModel):
    """A small typed question."""

    holds: Literal["yes", "no"] = Field(description="whether the equation holds")
    left: int = Field(description="value of the left side")


PROMPT = Prompt("judge", "v1", "You check sums.", "Does 2 + 2 = 5 hold?")


@pytest.mark.parametrize("mode", [ReplyMode.NATIVE, ReplyMode.PROMPTED, ReplyMode.ACTION])
async def test_every_reply_is_read_or_accounted_for(real_model: str, mode: ReplyMode, tmp_path: Path) -> None:
    model = connect("openai-compatible", "smollm2", Connection(real_model, reply_mode=mode))
    with Ledger.open(tmp_path) as ledger:
        async with Desk(model, ledger=ledger, policy=POLICY, prices=PriceTable({model.name: FREE})) as desk:
            answer = await desk.asker(proof="p").ask(PROMPT, Judgement)
        calls = ledger.calls()
    assert 1 <= len(calls) <= POLICY.attempts
    assert all(call.reply is not None and call.output_tokens > 0 and not call.presumed and call.seconds > 0 for call in calls)
    assert [call.outcome for call in calls[:-1]] == [CallOutcome.MALFORMED] * (len(calls) - 1)
    if isinstance(answer, Inconclusive):
        assert answer.reason is Reason.MALFORMED_REPLY
        assert calls[-1].outcome is CallOutcome.MALFORMED
        assert all(call.detail for call in calls)
    else:
        assert calls[-1].outcome is CallOutcome.READ
    if mode is ReplyMode.NATIVE:
        assert isinstance(answer, Judgement), "the server holds the model to the schema"
    async with Desk(ReplayModel.from_file(tmp_path), policy=POLICY) as desk:
        assert await desk.asker(proof="p").ask(PROMPT, Judgement) == answer


async def test_a_direct_judge_is_read_or_malformed(real_model: str) -> None:
    model = connect("openai-compatible", "smollm2", Connection(real_model))
    prompt = Prompt("direct", "v1", "Reply `correct` or `step N`.", "Step 1. 1 + 1 = 2.\nStep 2. 2 + 2 = 5.")
    async with Desk(model, policy=POLICY, prices=PriceTable({model.name: FREE})) as desk:
        label = await desk.asker().ask_text(prompt, lambda text: read_label(text, 2))
    assert isinstance(label, DirectLabel) or label.reason is Reason.MALFORMED_REPLY
