"""What calls cost: the user's own prices first, then a public list. An unknown price is an error, never zero."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from fidelean.errors import UsageError
from fidelean.llm.records import Usage
from fidelean.settings import Price

__all__ = ["FREE_KINDS", "PriceTable"]

FREE_KINDS = frozenset({"scripted", "misbehaving", "replay", "exchange"})
"""Kinds of models that nobody bills."""

_MILLION = 1_000_000


class PriceTable:
    """Prices by the model's name, ``openai:gpt-5``."""

    def __init__(self, given: Mapping[str, Price] | None = None) -> None:
        self._given = dict(given or {})

    def is_known(self, model: str) -> bool:
        """Whether a call of the model can be priced."""
        return model in self._given or _kind(model) in FREE_KINDS or _listed(model, Usage(1, 1)) is not None

    def require(self, model: str) -> None:
        """Raise ``UsageError`` where no price is known, and say how to give one."""
        if not self.is_known(model):
            raise UsageError(
                f'the price of {model} is not known: give it in fidelean.toml as [prices."{model}"] with input and output '
                "in US dollars for a million tokens, 0 where it costs nothing"
            )

    def cost(self, model: str, usage: Usage) -> Decimal:
        """Price of a call (US dollars). Raises ``UsageError`` where it is not known."""
        if price := self._given.get(model):
            return (price.input * usage.input_tokens + price.output * usage.output_tokens) / _MILLION
        if _kind(model) in FREE_KINDS:
            return Decimal(0)
        if (listed := _listed(model, usage)) is None:
            self.require(model)
        return listed or Decimal(0)


def _kind(model: str) -> str:
    return model.partition(":")[0]


def _listed(model: str, usage: Usage) -> Decimal | None:
    from genai_prices import Usage as ListedUsage
    from genai_prices import calc_price

    provider, _, name = model.partition(":")
    if provider not in ("openai", "anthropic", "google"):
        return None
    try:
        counted = ListedUsage(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens)
        return calc_price(counted, name, provider_id=provider).total_price
    except LookupError:
        return None
