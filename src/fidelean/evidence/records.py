"""What was found out about an obligation: the record, apart from the checkers that produce it."""

from __future__ import annotations

from dataclasses import dataclass

from fidelean.obligations.records import Obligation
from fidelean.outcome import Outcome

__all__ = ["NO_CHECKER", "Artefact", "Evidence"]

NO_CHECKER = "none"
"""The ``checker`` of evidence on an obligation that no checker applies to."""


@dataclass(frozen=True, slots=True)
class Artefact:
    """Something a reader can recheck without us."""

    kind: str
    """``lean`` for a Lean file, else what the text is."""
    text: str
    """The whole content."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One checker's answer to one obligation."""

    obligation: Obligation
    """What was asked."""
    outcome: Outcome
    """What the checker found."""
    checker: str
    """Who answered: ``arithmetic``, ``identity`` ...; ``none`` where no checker applies."""
    values: tuple[str, ...] = ()
    """The exact value of each side of the claim, left to right, or the values that break it (``x = 1``); empty if none."""
    rests_on: str = ""
    """What the outcome rests on, in one line: exact arithmetic, the Lean kernel and the transfer rule, ..."""
    artefact: Artefact | None = None
    """What can be rechecked, where there is such a thing."""
    seconds: float = 0.0
    """Time the checker itself took (seconds)."""
