"""What was found out about an obligation: the record, apart from the checkers that produce it."""

from __future__ import annotations

from dataclasses import dataclass

from fidelean.faithfulness.records import FaithfulnessReport
from fidelean.formalization.records import Formalization
from fidelean.obligations.records import Obligation
from fidelean.outcome import Inconclusive, Outcome
from fidelean.proving.records import ProofSearch

__all__ = ["NO_CHECKER", "Artefact", "Evidence", "LeanFinding"]

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
    strength: float = 1.0
    """How far it carries, by the faithfulness of what was asked and the checker's confidence (0 to 1); *reliable* is a threshold on it."""
    faithfulness: FaithfulnessReport | None = None
    """The report on the Lean statement that counted, where judges gave one."""


@dataclass(frozen=True, slots=True)
class LeanFinding:
    """Everything the Lean branch found out about an obligation, before any threshold: evidence under any policy follows from it."""

    obligation: Obligation
    """What was asked."""
    formalization: Formalization | None = None
    """How it was stated; None where it was not put to Lean."""
    search: ProofSearch | None = None
    """What came of proving the statement; None where there was none."""
    unsettled: tuple[str, ...] = ()
    """The premises that were not established when it was asked, as written."""
    not_asked: Inconclusive | None = None
    """Why it was not put to Lean; None where it was."""
    engine: str = ""
    """Name and version of the Lean that was asked."""
