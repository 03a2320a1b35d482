"""A study for a reader of the terminal: what was audited and why, what reviews said, what became of each obligation, what it cost."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from fidelean.decomposition.audit.records import LocalReview
from fidelean.decomposition.audit.review import Reviewed
from fidelean.evidence.records import NO_CHECKER, Evidence, LeanFinding
from fidelean.faithfulness.records import Judgement
from fidelean.formalization.records import Formalization
from fidelean.obligations.records import Obligation
from fidelean.outcome import Inconclusive, Outcome, Passed
from fidelean.pipelines.study import Study
from fidelean.proving.records import ProofSearch
from fidelean.report.escaping import one_line
from fidelean.report.excerpt import crop
from fidelean.report.grounds import cost_line
from fidelean.report.study_rendering import answers
from fidelean.verdict.records import ProofVerdict

__all__ = ["study_lines"]

_WIDTH = 80


def study_lines(study: Study, verdict: ProofVerdict) -> Iterator[tuple[int, Text]]:
    """The lines about a study, each with its indent; every text of a model's is escaped and cropped to one line."""
    yield from _audit(study)
    found, findings = answers(verdict), {finding.obligation.id: finding for finding in study.findings}
    if study.obligations:
        yield 0, Text("what had to hold there:")
    for obligation in study.obligations:
        yield from _obligation(obligation, found.get(obligation.id), findings.get(obligation.id))
    yield 0, Text(f"models: {cost_line(study.spending)}", style="dim")


def _audit(study: Study) -> Iterator[tuple[int, Text]]:
    window, scan = study.window, study.scan
    if scan is not None and window.trigger is None:
        yield 0, Text(f"audit window: nothing looked suspicious enough (searched by the {one_line(scan.source)})")
    elif window.trigger is not None:
        suspicion = scan.of(window.trigger) if scan is not None else None
        why = f"; {one_line(window.trigger)} looked suspicious ({suspicion.score:.2f})" if suspicion is not None else ""
        names = ", ".join(map(one_line, window.transitions))
        yield 0, Text(f"audit window: inference{'' if len(window.transitions) == 1 else 's'} {names}{why}")
    for reviewed in study.reviews:
        yield 2, _cropped(_review(reviewed), 2)


def _review(reviewed: Reviewed) -> str:
    answer, name = reviewed.answer, one_line(reviewed.transition)
    if isinstance(answer, LocalReview):
        error = f" ({_words(answer.error.value)})" if answer.error is not None else ""
        return f"review of {name}: {answer.opinion.value}{error}: {one_line(answer.reason)}"
    return f"review of {name}: none ({_words(answer.reason.value)}): {one_line(answer.detail)}"


def _obligation(obligation: Obligation, evidence: Evidence | None, finding: LeanFinding | None) -> Iterator[tuple[int, Text]]:
    outcome = evidence.outcome if evidence is not None else None
    by = "" if evidence is None or evidence.checker == NO_CHECKER else f", {one_line(evidence.checker)}"
    head = f"{one_line(obligation.id)} {_words(obligation.kind.value)}: {_outcome(outcome)}{by}"
    yield 2, _cropped(f"{head}: {one_line(obligation.claim.text)}", 2)
    if obligation.waits_for:
        yield 4, _cropped(f"asked after {', '.join(map(one_line, obligation.waits_for))}", 4)
    if finding is None or finding.formalization is None:
        if isinstance(outcome, Inconclusive) and outcome.detail:
            yield 4, _cropped(one_line(outcome.detail), 4)
        return
    for line in _statement(finding.formalization):
        yield 4, _cropped(line, 4)
    if finding.search is not None:
        yield 4, _cropped(_proof(finding.search), 4)


def _statement(formalization: Formalization) -> Iterator[str]:
    rounds = formalization.trajectory.rounds
    drafts = ", ".join(_words(each.feedback.kind.value) for each in rounds)
    yield f"Lean statement: {len(rounds)} draft{'' if len(rounds) == 1 else 's'}{f' ({drafts})' if drafts else ''}"
    if formalization.judgement is not None:
        yield f"gate: {_gate(formalization.judgement)}"
    elif formalization.outcome is not None:
        yield f"gate: not asked ({_words(formalization.outcome.reason.value)})"


def _gate(judgement: Judgement) -> str:
    scores = ", ".join(f"{report.s:.2f}" for report in judgement.reports)
    against = ", ".join(dict.fromkeys(_words(each.reason.value) for each in judgement.objections))
    word = "lets it through" if judgement.admitted else "holds it back"
    return f"{word}{f', scores {scores}' if scores else ''}{f'; against it: {against}' if against else ''}"


def _proof(search: ProofSearch) -> str:
    attempt = search.attempt
    by = f" by {one_line(attempt.entry)}" if attempt.entry else ""
    scripts = f", {len(search.tries)} of a model" if search.tries else ""
    return f"Lean says: {_outcome(attempt.outcome)}{by}; {len(attempt.tried)} script{'' if len(attempt.tried) == 1 else 's'} tried{scripts}"


def _outcome(outcome: Outcome | None) -> str:
    if outcome is None:
        return "nobody answered"
    if isinstance(outcome, Inconclusive):
        return f"open ({_words(outcome.reason.value)})"
    return "holds" if isinstance(outcome, Passed) else "refuted"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _cropped(text: str, indent: int) -> Text:
    return Text(crop(text, _WIDTH - indent))
