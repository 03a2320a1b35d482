"""One cheap call that shows whether a model can be worked with."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field

from fidelean.llm.desk import Desk
from fidelean.llm.prices import PriceTable
from fidelean.llm.prompts import load_prompt
from fidelean.llm.providers import ProviderModel
from fidelean.outcome import Inconclusive
from fidelean.policy import AskingPolicy
from fidelean.runs.records import CallRecord
from fidelean.settings import Price

__all__ = ["ModelProbe", "probe_model"]

_FORMULA = r"\frac{\nu}{2} \neq \theta \times \beta"
_SUM = 42


class ProbeReply(BaseModel):
    """What the model is asked for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    total: int = Field(description="the sum of the two numbers")
    formula: str = Field(description="the formula, copied")


@dataclass(frozen=True, slots=True)
class ModelProbe:
    """What one call showed."""

    model: str
    """Provider and model."""
    reply_mode: str
    """How the model was brought to reply with an object."""
    price_known: bool
    """Whether calls can be priced."""
    answered_by: str | None
    """Who answered, as the provider names it; None where no reply came."""
    object_read: bool
    """Whether the reply could be read as what was asked for."""
    sum_right: bool
    """Whether the model added two numbers."""
    latex_kept: bool
    """Whether LaTeX inside the reply came back as it was."""
    seconds: float
    """Time from request to reply (seconds)."""
    input_tokens: int
    """Tokens read."""
    output_tokens: int
    """Tokens written."""
    price: Decimal | None
    """What the call cost (US dollars); None where the price is not known."""
    fault: str
    """What went wrong, in one line; empty where nothing did."""


async def probe_model(model: ProviderModel, prices: PriceTable) -> ModelProbe:
    """Ask a model once, without trying again, and say what works."""
    known = prices.is_known(model.name)
    policy = AskingPolicy(attempts=1, turns=1, call_timeout_s=120.0, max_output_tokens=2_000)
    table = prices if known else PriceTable({model.name: Price(Decimal(0), Decimal(0))})
    async with Desk(model, policy=policy, prices=table) as desk:
        prompt = load_prompt("fidelean.llm", "probe", numbers="17 and 25", formula=_FORMULA)
        reply = await desk.asker().ask(prompt, ProbeReply)
        return _seen(model, reply, desk.ledger.calls()[-1], known=known)


def _seen(model: ProviderModel, reply: ProbeReply | Inconclusive, call: CallRecord, *, known: bool) -> ModelProbe:
    read = None if isinstance(reply, Inconclusive) else reply
    return ModelProbe(
        model=model.name,
        reply_mode=model.mode.value,
        price_known=known,
        answered_by=call.answered_by if call.reply is not None else None,
        object_read=read is not None,
        sum_right=read is not None and read.total == _SUM,
        latex_kept=read is not None and read.formula.strip() == _FORMULA,
        seconds=round(call.seconds, 3),
        input_tokens=call.input_tokens,
        output_tokens=call.output_tokens,
        price=call.price if known else None,
        fault=reply.detail if isinstance(reply, Inconclusive) else "",
    )
