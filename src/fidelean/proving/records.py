"""What goes into an attempt and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fidelean.outcome import Outcome

__all__ = ["Equivalence", "ProofAttempt", "ProvingObligation", "Transfer"]


class Transfer(StrEnum):
    """What a fact over one structure says about others (evaluate-proof, 5d)."""

    FIELDS = "fields_of_characteristic_zero"
    """Proved in every field of characteristic 0, so it holds in ℚ, ℝ and ℂ."""
    ORDERED_FIELDS = "ordered_fields"
    """Proved in every linearly ordered field, so it holds in ℚ and ℝ."""
    SAME_DOMAIN = "same_domain"
    """It speaks about the stated domain only: nothing follows for ℝ or ℂ."""
    UPWARDS = "upwards"
    """A counterexample in ℤ or ℚ to a statement without quantifiers or order: it refutes the same over ℚ, ℝ and ℂ."""
    UPWARDS_ORDERED = "upwards_ordered"
    """A counterexample in ℤ or ℚ to a statement without quantifiers, with order: it refutes the same over ℚ and ℝ, not over ℂ."""
    INSTANCE = "instance"
    """The statement is about every such field, and ℚ, which is one, breaks it; with quantifiers inside, nothing follows for ℝ or ℂ."""


@dataclass(frozen=True, slots=True)
class ProvingObligation:
    """A Lean signature to be decided."""

    id: str
    """A name, unique within a batch."""
    signature: str
    """Binders and conclusion, as they stand between a theorem's name and ``:=``."""
    needs_conditions: bool = True
    """Whether a proof counts only where the conditions do not contradict each other; not so where that is what it shows."""


@dataclass(frozen=True, slots=True)
class ProofAttempt:
    """What came of trying to prove a signature and its negation."""

    id: str
    """The obligation's name."""
    outcome: Outcome
    """Passed with a kernel-checked proof, refuted with a kernel-checked counterexample, or inconclusive with the reason."""
    entry: str = ""
    """The entry of the portfolio, or the search, that closed what decided; empty where nothing did."""
    script: str = ""
    """The whole Lean text that decided; anyone can elaborate it again."""
    witness: Mapping[str, str] = field(default_factory=dict[str, str])
    """Values of the counterexample by variable, as Lean text; empty where there is none."""
    seconds: float = 0.0
    """Lean's time on this obligation, all scripts together, and the search's (seconds)."""
    transfer: Transfer | None = None
    """What the fact says about other domains; None where no fact was established."""
    tried: tuple[str, ...] = ()
    """Everything that was handed to Lean, as ``role/entry``, in order."""


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Whether two statements say the same."""

    outcome: Outcome
    """Passed where both directions are proved, refuted where one is refuted."""
    forward: ProofAttempt
    """The first implies the second."""
    backward: ProofAttempt
    """The second implies the first."""
    is_pointwise: bool
    """Whether the variables were shared: the statements agree at all values, not only as wholes (true statements all do)."""
