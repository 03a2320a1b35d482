"""What a judgement says to whoever writes the next draft."""

from __future__ import annotations

from collections.abc import Iterator

from fidelean.faithfulness.lints import lint_words
from fidelean.faithfulness.records import Judgement

__all__ = ["judgement_words"]


def judgement_words(judgement: Judgement, opening: str = "It elaborates, but it does not say what the text says.") -> Iterator[str]:
    """Lines about a statement that the gate holds back: objections, what each reader found, lints."""
    yield opening
    for objection in judgement.objections:
        yield f"- {objection.reason}: {objection.detail}"
    for report in judgement.reports:
        yield f"- a reader: {report.reason}"
        yield from (f"- missing: {piece}" for piece in report.missing)
        yield from (f"- it also covers: {example}" for example in report.overgeneralisations)
        if report.suggested_revision:
            yield f"- suggested: {report.suggested_revision}"
    yield lint_words(judgement.lints)
