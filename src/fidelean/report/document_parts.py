"""What all documents of the JSON form are made of."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from fidelean.informal.records import Span
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason

__all__ = [
    "Document",
    "LineNumber",
    "OutcomeName",
    "SpanPair",
    "StepNumber",
    "Words",
    "json_line",
    "outcome_name",
    "reason_of",
    "span_pair",
]


def _encodable(value: object) -> object:
    """Spell out half of a surrogate pair, which no UTF-8 can hold and a model may write."""
    return value.encode("utf-8", "backslashreplace").decode("utf-8") if isinstance(value, str) else value


OutcomeName = Literal["passed", "refuted", "inconclusive"]
LineNumber = Annotated[int, Field(ge=1)]
StepNumber = Annotated[int, Field(ge=1)]
SpanPair = tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]]
Words = Annotated[str, BeforeValidator(_encodable)]
"""A text that a model may have written."""


class Document(BaseModel):
    """A part of the JSON form; docstrings of its fields are the schema's descriptions."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


def span_pair(span: Span | None) -> SpanPair | None:
    """Write a span as ``[start, end]``."""
    return None if span is None else (span.start, span.end)


def outcome_name(outcome: Outcome) -> OutcomeName:
    """Name an outcome."""
    if isinstance(outcome, Inconclusive):
        return "inconclusive"
    return "passed" if isinstance(outcome, Passed) else "refuted"


def reason_of(outcome: Outcome) -> Reason | None:
    """Why an outcome is inconclusive; None where it is not."""
    return outcome.reason if isinstance(outcome, Inconclusive) else None


def json_line(document: BaseModel) -> str:
    """Write a document as one line of JSON without its line end: also for readers that take U+0085, U+2028 or U+2029 for a line end."""
    line = document.model_dump_json()
    return line.replace("\u0085", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
