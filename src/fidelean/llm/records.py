"""What is said to a language model and what it says back: the records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

__all__ = ["Finish", "ModelReply", "ModelRequest", "ModelRole", "Prompt", "Usage"]


class ModelRole(StrEnum):
    """What a model is asked as; each role may be played by another model."""

    MAIN = "main"
    """Decomposes, ranks, reviews and gives the final synthesis."""
    JUDGE = "judge"
    """Compares a claim with a Lean statement."""
    DRAFTER = "drafter"
    """Writes Lean statements."""
    PROVER = "prover"
    """Writes Lean proofs."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One filled prompt: what a stage wants to know, before it is put to any model."""

    stage: str
    """The stage that asks, ``decompose`` or ``review``: the stem of the prompt file's name."""
    version: str
    """The version of the prompt file, ``v1``."""
    system: str
    """What the model is told about its task; holds no untrusted text."""
    user: str
    """The question with its data, every untrusted text between delimiters that do not occur in it."""

    @property
    def digest(self) -> str:
        """Hash of the filled prompt (hex, SHA-256)."""
        return hashlib.sha256(json.dumps([self.stage, self.version, self.system, self.user]).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call of a model, whole: equal requests may share one answer."""

    prompt: Prompt
    """What is asked."""
    schema: Mapping[str, object]
    """JSON schema of the reply."""
    sample: int = 0
    """Tells apart repeated askings of one prompt, 0-based."""
    attempt: int = 1
    """1-based; above one, ``complaint`` says what was wrong with the attempt before."""
    complaint: str = ""
    """Why the reply before was not accepted, for the model to mend; empty at the first attempt."""
    previous: str = ""
    """The reply that was not accepted, as text; empty at the first attempt."""
    max_output_tokens: int = 4_096
    """Longest reply that is asked for (tokens)."""
    temperature: float | None = None
    """Sampling temperature; None leaves it to the provider."""


class Finish(StrEnum):
    """Why a model stopped writing."""

    STOP = "stop"
    """It had said what it wanted to say."""
    LENGTH = "length"
    """The reply was cut off."""
    REFUSED = "refused"
    """The provider or the model declined to answer."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call consumed."""

    input_tokens: int = 0
    """Tokens read."""
    output_tokens: int = 0
    """Tokens written."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model said, before anybody has read it."""

    text: str
    """The reply as it came."""
    model: str
    """Who answered, as the provider names it."""
    usage: Usage = Usage()
    """What the call consumed."""
    finish: Finish = Finish.STOP
    """Why the model stopped."""
    seconds: float = 0.0
    """Time from request to reply (seconds)."""
    price: Decimal | None = None
    """What the call cost, where a recording says so (US dollars); None leaves it to the price list."""
