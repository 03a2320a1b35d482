"""What goes into an attempt and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fidelean.outcome import Outcome

__all__ = ["Aim", "Equivalence", "Leaning", "ProofAttempt", "ProofSearch", "ProofTry", "ProvingObligation", "Transfer"]


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


class Leaning(StrEnum):
    """What is expected of a claim; it decides what is tried, and nothing else."""

    CORRECT = "likely_correct"
    """The claim is tried."""
    WRONG = "likely_wrong"
    """Its negation is tried."""
    UNCERTAIN = "uncertain"
    """The claim is tried, then its negation."""


class Aim(StrEnum):
    """What a script is to prove."""

    CLAIM = "claim"
    """The statement."""
    NEGATION = "negation"
    """Its negation."""


@dataclass(frozen=True, slots=True)
class ProofTry:
    """One script of a model."""

    number: int
    """1-based position in the search."""
    aim: Aim
    """What it was to prove."""
    text: str
    """The whole Lean text, frozen statement and script."""
    accepted: bool
    """Whether it meets the proof contract."""
    feedback: str = ""
    """What came back: the guard's or Lean's words; empty where it was accepted."""


@dataclass(frozen=True, slots=True)
class ProofSearch:
    """What came of proving a frozen statement: the portfolio first, then a model."""

    attempt: ProofAttempt
    """What decided, or why nothing did."""
    tries: tuple[ProofTry, ...] = ()
    """Every script of the model, in order; empty where the portfolio was enough."""
    fault: str = ""
    """A fault of the statement itself that the kernel confirmed: contradictory conditions, a value of Lean's own; empty without one."""
    suspected_fault: str = ""
    """A fault of the statement that the prover sees and nothing has confirmed; empty without one."""
