"""A proof with its verdict → everything that a page shows of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from fidelean.decomposition.records import ProofTree
from fidelean.evidence.records import NO_CHECKER, Evidence
from fidelean.informal.records import Proof, Step
from fidelean.outcome import Inconclusive
from fidelean.report.artefacts import artefact_files, kernel_checked
from fidelean.report.grounds import breaking, nothing_refuted
from fidelean.report.html.claim_view import claim_view, formula_markup
from fidelean.report.html.highlighting import Highlight, marked_source, typeset_text
from fidelean.report.html.study_view import study_view
from fidelean.report.html.tree_view import tree_view
from fidelean.report.html.typesetting import Typeset, untypeset
from fidelean.report.html.views import ClaimView, OpenView, OpinionView, ProofView, StepView, SuggestionView, TreeView
from fidelean.report.html.words import STATUSES, plain_words, reason_words
from fidelean.report.independence import independent_errors
from fidelean.report.suggestions import Suggestion, suggestions
from fidelean.verdict.records import Basis, ProofVerdict, StepStatus, StepVerdict

if TYPE_CHECKING:
    from fidelean.pipelines.study import Study

__all__ = ["ProofResult", "proof_view"]

_TONES = {Basis.EVIDENCE: ("bad", "✗"), Basis.OPINION: ("doubt", "?"), None: ("none", "–")}
_SILENT = "no formula is claimed, and words are not read"
_NOT_CHECKED = "nothing was checked"


@dataclass(frozen=True, slots=True)
class ProofResult:
    """A proof with what was decided on it."""

    proof: Proof
    """The proof."""
    verdict: ProofVerdict
    """The decision; one step verdict for each step."""
    tree: ProofTree | None = None
    """Its states and transitions, if they are to be shown."""
    study: Study | None = None
    """What the stages that ask models found out; None where none was asked."""
    system: str = "rules"
    """The system that evaluated it."""


def proof_view(result: ProofResult, number: int | None, typeset: Typeset) -> ProofView:
    """Show a proof; ``number`` is its 1-based place on a page with several, None on a page of its own.

    Raises ``ValueError`` where the numbers of steps differ.
    """
    proof, verdict = result.proof, result.verdict
    prefix = "" if number is None else f"p{number}-"
    # on a page with several proofs, what repeats a formula shows it as written: markup is what makes such a page slow
    repeat = typeset if number is None else untypeset
    later = independent_errors(verdict)
    files = _files(proof, verdict)
    steps = tuple(
        _step(proof, step, decided, files, prefix, _flag(decided, verdict, later), typeset)
        for step, decided in zip(proof.steps, verdict.steps, strict=True)
    )
    claims = _by_name(verdict, steps)
    headline, gloss, broken = _headline(verdict, typeset)
    study = study_view(result.study, verdict, prefix, typeset) if result.study is not None else None
    tone, symbol = _TONES[verdict.basis]
    return ProofView(
        anchor=f"{prefix}proof",
        prefix=prefix,
        name=proof.id or "proof",
        source=proof.source,
        problem=typeset_text(proof.problem.text.strip(), (), typeset).markup,
        first_error=verdict.first_error,
        tone=tone,
        symbol=symbol,
        headline=headline,
        gloss=gloss,
        broken_claim=broken,
        later_errors=later,
        counts=tuple((n, STATUSES[status]) for status in StepStatus if (n := sum(step.status is status for step in verdict.steps))),
        n_claims=sum(len(step.claims) for step in steps),
        steps=steps,
        open=tuple(_open(verdict, claims, prefix, repeat, _SILENT if study is None else _NOT_CHECKED)),
        tree=_tree(result, claims, prefix, repeat),
        notices=verdict.notices,
        silence="No formula is claimed here, and words are not read." if study is None else "Nothing was checked here.",
        system=result.system,
        opinion=_opinion(verdict),
        suggestions=tuple(_suggestion(each, prefix) for each in suggestions(verdict)),
        study=study,
    )


def _tree(result: ProofResult, claims: Mapping[str, ClaimView], prefix: str, typeset: Typeset) -> TreeView | None:
    """The tree; in one of a model's, obligations stand for the inferences that they come from."""
    if result.tree is None or result.study is None:
        return None if result.tree is None else tree_view(result.tree, claims, prefix, typeset)
    told: dict[str, ClaimView] = {}
    for obligation in result.study.obligations:
        claim = claims.get(obligation.id)
        if claim is not None and _weight(claim) > _weight(told.get(obligation.transition)):
            told[obligation.transition] = claim
    return tree_view(result.tree, told, prefix, typeset, result.study)


def _weight(claim: ClaimView | None) -> int:
    """What is said of an inference is what is worst of its obligations."""
    order = ("passed", "untried", "tried", "conflict", "remark", "refuted")
    return order.index(claim.outcome.tone) + 1 if claim is not None else 0


def _by_name(verdict: ProofVerdict, steps: Sequence[StepView]) -> dict[str, ClaimView]:
    """The account of every obligation by its name; what says the same as another has the other's."""
    found: dict[str, ClaimView] = {}
    for decided, step in zip(verdict.steps, steps, strict=True):
        own = {claim.name: claim for claim in step.claims}
        for name, items in _grouped(decided).items():
            twin = next(first for first, others in _grouped(decided).items() if first in own and _says(others) == _says(items))
            found[name] = own[twin]
    return found


def _grouped(decided: StepVerdict) -> dict[str, list[Evidence]]:
    groups: dict[str, list[Evidence]] = {}
    for item in decided.evidence:
        groups.setdefault(item.obligation.id, []).append(item)
    return groups


def _says(items: Sequence[Evidence]) -> tuple[object, ...]:
    claim, weight = items[0].obligation.claim, items[0].obligation.load_bearing
    return (claim.text, claim.span, weight, *((repr(item.outcome), item.checker, item.values, item.rests_on) for item in items))


def _opinion(verdict: ProofVerdict) -> OpinionView | None:
    opinion = verdict.opinion
    if opinion is None:
        return None
    return OpinionView(opinion.by, opinion.first_error, opinion.reason, decides=verdict.basis is Basis.OPINION)


def _suggestion(one: Suggestion, prefix: str) -> SuggestionView:
    return SuggestionView(one.step, f"{prefix}step-{one.step}", plain_words(one.kind.value), one.text, one.checked)


def _files(proof: Proof, verdict: ProofVerdict) -> dict[int, tuple[str, str]]:
    """The Lean files as ``--artefacts`` writes them, by the ``id()`` of their evidence."""
    return {id(item): file for item, file in zip(kernel_checked(verdict), artefact_files(proof, verdict), strict=True)}


def _flag(decided: StepVerdict, verdict: ProofVerdict, later: Sequence[int]) -> str:
    if decided.index == verdict.first_error:
        return "first broken step" if verdict.basis is Basis.EVIDENCE else "named by an opinion"
    if decided.index in later:
        return "later independent error"
    return "may follow from the error before" if decided.status is StepStatus.REFUTED else ""


def _headline(verdict: ProofVerdict, typeset: Typeset) -> tuple[str, str, Markup]:
    """The verdict, what goes with it, and the claim that breaks the proof."""
    if verdict.first_error is None:
        n = len(verdict.steps)
        return f"No error found in {n} step{'' if n == 1 else 's'}", "This does not show that the proof is right.", Markup()
    item = breaking(verdict)
    if verdict.basis is Basis.OPINION or item is None:
        words = nothing_refuted(verdict)
        return f"Step {verdict.first_error} is named by a model's opinion", f"{words[0].upper()}{words[1:]}.", Markup()
    return f"First broken step: {verdict.first_error}", item.outcome.detail, formula_markup(item.obligation.claim.text, typeset)


def _step(
    proof: Proof,
    step: Step,
    decided: StepVerdict,
    files: Mapping[int, tuple[str, str]],
    prefix: str,
    flag: str,
    typeset: Typeset,
) -> StepView:
    different = {_says(items): items for items in reversed(_grouped(decided).values())}
    groups = {items[0].obligation.id: items for items in reversed(different.values())}
    claims = tuple(claim_view(proof, step, items, files, prefix, typeset) for items in groups.values())
    highlights = [mark for items, claim in zip(groups.values(), claims, strict=True) if (mark := _highlight(items, claim)) is not None]
    text = typeset_text(step.text, highlights, typeset)
    return StepView(
        index=step.index,
        anchor=f"{prefix}step-{step.index}",
        status=STATUSES[decided.status],
        flag=flag,
        line=step.line,
        text=text.markup,
        source=marked_source(step.text, highlights),
        shows_source=not text.is_exact,
        claims=claims,
    )


def _highlight(evidence: Sequence[Evidence], claim: ClaimView) -> Highlight | None:
    span, outcome = evidence[0].obligation.claim.span, claim.outcome
    if span is None or span.start >= span.end:
        return None
    return Highlight(span.start, span.end, outcome.tone, outcome.symbol, f"claim {claim.name}: {outcome.word}", claim.anchor)


def _open(
    verdict: ProofVerdict, claims: Mapping[str, ClaimView], prefix: str, typeset: Typeset, silence: str
) -> list[tuple[str, tuple[OpenView, ...]]]:
    """What stayed open by reason, the most frequent first; steps without a formula last."""
    groups: dict[str, dict[str, OpenView]] = {}
    for step in verdict.steps:
        for item in step.evidence:
            claim = claims[item.obligation.id]
            if isinstance(item.outcome, Inconclusive) and claim.outcome.tone in ("tried", "untried"):
                tried = "no checker applies" if item.checker == NO_CHECKER else "a checker could not tell"
                view = OpenView(claim.anchor, claim.name, formula_markup(item.obligation.claim.text, typeset))
                groups.setdefault(f"{reason_words(item)} ({tried})", {})[claim.anchor] = view
    found = sorted(((reason, tuple(items.values())) for reason, items in groups.items()), key=lambda group: -len(group[1]))
    silent = tuple(OpenView(f"{prefix}step-{step.index}", f"step {step.index}", Markup()) for step in verdict.steps if not step.evidence)
    return [*found, (silence, silent)] if silent else found
