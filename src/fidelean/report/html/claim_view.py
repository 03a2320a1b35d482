"""Evidence on one claim → what a page shows of it."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from fidelean.decomposition.records import Condition
from fidelean.evidence.records import Evidence
from fidelean.informal.records import Proof, Step
from fidelean.obligations.records import Obligation
from fidelean.outcome import Inconclusive, Passed, Refuted
from fidelean.report.html.escaped import shown
from fidelean.report.html.gate_view import gate_view
from fidelean.report.html.highlighting import typeset_text
from fidelean.report.html.typesetting import Typeset
from fidelean.report.html.views import ArtefactView, ClaimView, ConditionView, FindingView
from fidelean.report.html.words import ORIGINS, checker_words, outcome_of_claim, outcome_of_finding, reason_words

__all__ = ["claim_view", "condition_views", "formula_markup"]

_TEXT = re.compile(r"\\(?:text\w*|mathrm|operatorname|mbox|begin|end)\s*\{[^}]*\}")
_ALIGNMENT = re.compile(r"(?<!\\)&")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")


def claim_view(
    proof: Proof, step: Step, evidence: Sequence[Evidence], files: Mapping[int, tuple[str, str]], prefix: str, typeset: Typeset
) -> ClaimView:
    """Show the evidence on one obligation. ``files`` gives name and content of the file of a piece of evidence, by its ``id()``."""
    obligation = evidence[0].obligation
    span = obligation.claim.span
    line = step.line_at(span.start if span else 0)
    used = {text for item in evidence for text in item.obligation.claim.conditions}
    return ClaimView(
        anchor=f"{prefix}claim-{obligation.id}",
        name=obligation.id,
        outcome=outcome_of_claim(evidence),
        markup=formula_markup(obligation.claim.text, typeset),
        kind=obligation.kind.value.replace("_", " "),
        summary=_summary(evidence),
        findings=tuple(_finding(item, files.get(id(item))) for item in evidence),
        conditions=_conditions(obligation, used),
        bearing="the proof rests on it" if obligation.load_bearing else "a remark: nothing in the proof rests on it",
        place=_place(proof, line),
        span=f"code points {span.start}–{span.end} of step {step.index}" if span else f"step {step.index}, not at one place",
        is_open=any(isinstance(item.outcome, Refuted) for item in evidence),
    )


def _place(proof: Proof, line: int | None) -> str:
    return ":".join(part for part in (proof.source, "" if line is None else str(line)) if part)


def formula_markup(text: str, typeset: Typeset) -> Markup:
    """Show a formula on its own: typeset where it is TeX, else as written; alternatives stay apart. Words with formulas stay words."""
    if "$" in text:
        return typeset_text(" ".join(text.split()), (), typeset).markup
    return Markup(" or ").join(_formula(part, typeset) for part in text.split(" or "))


def _formula(text: str, typeset: Typeset) -> Markup:
    markup = None if _WORD.search(_TEXT.sub("", text)) else typeset(_ALIGNMENT.sub("", text).strip(), False)
    if markup is None:
        return Markup('<span class="written">{}</span>').format(shown(" ".join(text.split())))
    return Markup('<span class="formula">{}</span>').format(markup)


def condition_views(conditions: Sequence[Condition], used: set[str], typeset: Typeset | None = None) -> tuple[ConditionView, ...]:
    """Show conditions, as written unless ``typeset`` is given."""
    return tuple(
        ConditionView(
            markup=formula_markup(condition.text, typeset) if typeset and condition.fact is not None else _written(condition.text),
            origin=ORIGINS[condition.kind],
            step=condition.step,
            was_used=condition.text in used,
            was_read=condition.was_read,
        )
        for condition in conditions
    )


def _conditions(obligation: Obligation, used: set[str]) -> tuple[ConditionView, ...]:
    known = {condition.text for condition in obligation.conditions}
    others = tuple(
        ConditionView(_written(text), "in force", 0, was_used=True, was_read=True)
        for text in obligation.claim.conditions
        if text not in known
    )
    return (*condition_views(obligation.conditions, used), *others)


def _written(text: str) -> Markup:
    return shown(" ".join(text.split()))


def _summary(evidence: Sequence[Evidence]) -> str:
    """The finding that decided, else the first."""
    item = next((item for item in evidence if isinstance(item.outcome, (Passed, Refuted))), evidence[0])
    if isinstance(item.outcome, Inconclusive):
        return item.outcome.detail or reason_words(item)
    return item.outcome.detail or item.rests_on


def _finding(item: Evidence, file: tuple[str, str] | None) -> FindingView:
    return FindingView(
        outcome=outcome_of_finding(item),
        checker=checker_words(item.checker),
        reason=reason_words(item),
        detail=item.outcome.detail,
        values=item.values,
        rests_on=item.rests_on,
        strength="" if item.strength >= 1 else f"{item.strength:.2f}",
        gate=None if item.faithfulness is None else gate_view(item.faithfulness),
        artefacts=_artefacts(item, file),
    )


def _artefacts(item: Evidence, file: tuple[str, str] | None) -> tuple[ArtefactView, ...]:
    if item.artefact is None:
        return ()
    carries = file is not None or item.artefact.kind != "lean"
    name, content = file or (f"{item.obligation.id}.txt", item.artefact.text)
    coded = base64.b64encode(content.encode("utf-8", "backslashreplace")).decode("ascii")
    return (
        ArtefactView(
            item.artefact.kind if carries else "Lean text that does not count",
            item.artefact.text,
            name,
            f"data:text/plain;charset=utf-8;base64,{coded}",
        ),
    )
