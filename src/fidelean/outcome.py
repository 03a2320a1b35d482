"""The closed set of answers a check can give.

``Outcome = Passed | Refuted | Inconclusive``. "Could not check" is never "no" and never "fine": it is ``Inconclusive`` with a
reason from a closed list. Faults of the machinery are exceptions or a reason, never ``Refuted``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Inconclusive", "Outcome", "Passed", "Reason", "Refuted"]


class Reason(StrEnum):
    """Why a check could not tell. Grouped by where it arises."""

    # The text
    NO_RELATION = "no_relation"
    """Nothing is claimed: no =, <, divides or the like."""
    NOT_READ = "not_read"
    """The text is outside the grammar."""
    FRAGMENT = "fragment"
    """A part of a longer formula: it starts or ends with an operator."""
    HAS_VARIABLE = "has_variable"
    """A variable, function symbol or undefined name occurs."""
    HAS_WORDS = "has_words"
    """Words stand where a number should."""
    HAS_ELLIPSIS = "has_ellipsis"
    """Dots stand for terms that are not written."""
    QUANTIFIED = "quantified"
    """A quantifier occurs."""
    AMBIGUOUS = "ambiguous"
    """Readings of the text disagree."""
    NOT_ASSERTED = "not_asserted"
    """The text supposes, denies or asks; it does not assert."""
    OTHER_ARITHMETIC = "other_arithmetic"
    """The claim lives in another arithmetic: modulo n, another base, a finite field, matrices."""
    # The numbers
    ROUNDING = "rounding"
    """An exact value beside a decimal that may be its rounding."""
    UNITS_DIFFER = "units_differ"
    """Both sides carry a unit, and not the same one."""
    UNDEFINED = "undefined"
    """A term has no value: division by zero, the root of a negative number."""
    TOO_LARGE = "too_large"
    """Evaluating would exceed the size bounds of the policy."""
    UNDECIDED = "undecided"
    """Rigorous bounds do not separate the sides and no exact argument applies."""
    # Lean
    UNAVAILABLE = "unavailable"
    """There is no engine to ask."""
    REFUSED = "refused"
    """The source guard did not let the text through; it was not run."""
    DID_NOT_ELABORATE = "did_not_elaborate"
    """Lean reported errors in the statement."""
    GAVE_UP = "gave_up"
    """Neither the claim nor its negation was proved. This is never evidence of error."""
    TIMEOUT = "timeout"
    """The time limit was reached."""
    OUT_OF_MEMORY = "out_of_memory"
    """The memory cap was reached."""
    CRASHED = "crashed"
    """The process died."""
    # Faithfulness
    CONDITIONS_UNREAD = "conditions_unread"
    """A sentence in force about the claim's variables was not read."""
    UNFAITHFUL = "unfaithful"
    """The Lean statement does not say what the text says."""
    NOT_IMPLIED = "not_implied"
    """It does not follow from the conditions that were read; more may be in force."""
    VACUOUS = "vacuous"
    """The conditions contradict each other: everything follows from them."""
    JUNK_DIVISION = "junk_division"
    """Lean's value of a division by zero decided, which the text never meant."""
    JUNK_SUBTRACTION = "junk_subtraction"
    """Lean's truncated subtraction of natural numbers decided, which the text never meant."""
    # Language models
    NO_REPLY = "no_reply"
    """No reply could be had from the model."""
    MALFORMED_REPLY = "malformed_reply"
    """The model's replies could not be read as what was asked for."""
    DECLINED = "declined"
    """The model or its provider declined to answer."""
    BUDGET_SPENT = "budget_spent"
    """The tokens, the money or the time of the budget are used up."""
    DRIFTED = "drifted"
    """The reading of the proof does not keep to its text."""


@dataclass(frozen=True, slots=True)
class Passed:
    """The check was carried out and the claim holds."""

    detail: str = ""
    """What was established, in one line."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """The check was carried out and the claim is false."""

    detail: str = ""
    """What breaks the claim, with the exact values, in one line."""


@dataclass(frozen=True, slots=True)
class Inconclusive:
    """The check could not tell."""

    reason: Reason
    """Why, from the closed list."""
    detail: str = ""
    """The same for a reader, in one line."""


Outcome = Passed | Refuted | Inconclusive
