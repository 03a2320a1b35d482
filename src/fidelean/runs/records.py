"""What a run folder keeps: the records."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

__all__ = ["CallOutcome", "CallRecord", "Spending"]


class CallOutcome(StrEnum):
    """What became of one call of a model."""

    READ = "read"
    """The reply was read as what was asked for."""
    MALFORMED = "malformed"
    """A reply came and could not be read."""
    DECLINED = "declined"
    """The model or its provider declined to answer."""
    FAILED = "failed"
    """No reply came, and the call was tried again or could be."""
    GIVEN_UP = "given_up"
    """No reply came, and the call was not tried again."""
    NOT_MADE = "not_made"
    """The budget did not allow the call."""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One call of a model, as the ledger has it: a row for every try."""

    key: str
    """Hash of everything that the answer may depend on; equal requests share it."""
    stage: str
    """The stage that asked."""
    prompt_version: str
    """Version of the prompt file."""
    prompt_digest: str
    """Hash of the filled prompt (hex)."""
    role: str
    """What the model was asked as."""
    model: str
    """Provider and model that was asked."""
    proof: str
    """Id of the proof for which it was asked; empty where it belongs to none."""
    sample: int
    """Tells apart repeated askings, 0-based."""
    attempt: int
    """1-based; above one, the reply before was malformed."""
    turn: int
    """1-based; above one, the same request had failed before."""
    request: str
    """The request as JSON."""
    outcome: CallOutcome
    """What became of it."""
    detail: str = ""
    """Why, in one line, where it was not read."""
    reply: str | None = None
    """The reply as it came; None where none came."""
    finish: str = "stop"
    """Why the model stopped writing."""
    answered_by: str = ""
    """Who answered, as the provider names it."""
    input_tokens: int = 0
    """Tokens read."""
    output_tokens: int = 0
    """Tokens written."""
    price: Decimal = Decimal(0)
    """What it cost (US dollars)."""
    presumed: bool = False
    """Whether tokens and price are the most it can have cost, because no reply said."""
    seconds: float = 0.0
    """Time from request to reply (seconds)."""
    ended: str = ""
    """When the call ended (ISO 8601, UTC)."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What calls consumed together."""

    calls: int = 0
    """Calls that were made, whatever became of them."""
    tokens: int = 0
    """Tokens read and written."""
    price: Decimal = Decimal(0)
    """Money (US dollars)."""

    def __add__(self, other: Spending) -> Spending:
        """Put two spendings together."""
        return Spending(self.calls + other.calls, self.tokens + other.tokens, self.price + other.price)
