"""A proof with its verdict → everything that a page shows of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from fidelean.decomposition.records import ProofTree
from fidelean.evidence.records import NO_CHECKER, Evidence
from fidelean.informal.records import Proof, Step
from fidelean.outcome import Inconclusive, Refuted
from fidelean.report.artefacts import artefact_files
from fidelean.report.html.claim_view import claim_view, formula_markup
from fidelean.report.html.highlighting import Highlight, marked_source, typeset_text
from fidelean.report.html.tree_view import tree_view
from fidelean.report.html.typesetting import Typeset, untypeset
from fidelean.report.html.views import ClaimView, OpenView, ProofView, StepView
from fidelean.report.html.words import STATUSES, reason_words
from fidelean.report.independence import independent_errors
from fidelean.verdict.records import ProofVerdict, StepStatus, StepVerdict

__all__ = ["ProofResult", "proof_view"]


@dataclass(frozen=True, slots=True)
class ProofResult:
    """A proof with what was decided on it."""

    proof: Proof
    """The proof."""
    verdict: ProofVerdict
    """The decision; one step verdict for each step."""
    tree: ProofTree | None = None
    """Its states and transitions, if they are to be shown."""


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
        _step(proof, step, decided, files, prefix, _flag(decided, verdict.first_error, later), typeset)
        for step, decided in zip(proof.steps, verdict.steps, strict=True)
    )
    claims = {claim.name: claim for step in steps for claim in step.claims}
    headline, gloss, broken = _headline(verdict, typeset)
    return ProofView(
        anchor=f"{prefix}proof",
        prefix=prefix,
        name=proof.id or "proof",
        source=proof.source,
        problem=typeset_text(proof.problem.text.strip(), (), typeset).markup,
        first_error=verdict.first_error,
        headline=headline,
        gloss=gloss,
        broken_claim=broken,
        later_errors=later,
        counts=tuple((n, STATUSES[status]) for status in StepStatus if (n := sum(step.status is status for step in verdict.steps))),
        n_claims=len(claims),
        steps=steps,
        open=tuple(_open(verdict, claims, prefix, repeat)),
        tree=None if result.tree is None else tree_view(result.tree, claims, prefix, repeat),
        notices=verdict.notices,
    )


def _files(proof: Proof, verdict: ProofVerdict) -> dict[int, tuple[str, str]]:
    """The Lean files as ``--artefacts`` writes them, by the ``id()`` of their evidence."""
    lean = [item for step in verdict.steps for item in step.evidence if item.artefact is not None and item.artefact.kind == "lean"]
    return {id(item): file for item, file in zip(lean, artefact_files(proof, verdict), strict=True)}


def _flag(decided: StepVerdict, first: int | None, later: Sequence[int]) -> str:
    if decided.index == first:
        return "first broken step"
    if decided.index in later:
        return "later independent error"
    return "may follow from the error before" if decided.status is StepStatus.REFUTED else ""


def _headline(verdict: ProofVerdict, typeset: Typeset) -> tuple[str, str, Markup]:
    """The verdict, what goes with it, and the claim that breaks the proof."""
    if verdict.first_error is None:
        n = len(verdict.steps)
        return f"No error found in {n} step{'' if n == 1 else 's'}", "This does not show that the proof is right.", Markup()
    evidence = verdict.steps[verdict.first_error - 1].evidence
    refuted = [item for item in evidence if isinstance(item.outcome, Refuted)]
    item = next((item for item in refuted if item.obligation.load_bearing), refuted[0])
    return f"First broken step: {verdict.first_error}", item.outcome.detail, formula_markup(item.obligation.claim.text, typeset)


def _step(
    proof: Proof, step: Step, decided: StepVerdict, files: Mapping[int, tuple[str, str]], prefix: str, flag: str, typeset: Typeset
) -> StepView:
    groups: dict[str, list[Evidence]] = {}
    for item in decided.evidence:
        groups.setdefault(item.obligation.id, []).append(item)
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


def _open(verdict: ProofVerdict, claims: Mapping[str, ClaimView], prefix: str, typeset: Typeset) -> list[tuple[str, tuple[OpenView, ...]]]:
    """What stayed open by reason, the most frequent first; steps without a formula last."""
    groups: dict[str, dict[str, OpenView]] = {}
    for step in verdict.steps:
        for item in step.evidence:
            claim = claims[item.obligation.id]
            if isinstance(item.outcome, Inconclusive) and claim.outcome.tone in ("tried", "untried"):
                tried = "no checker applies" if item.checker == NO_CHECKER else "a checker could not tell"
                view = OpenView(claim.anchor, claim.name, formula_markup(item.obligation.claim.text, typeset))
                groups.setdefault(f"{reason_words(item)} ({tried})", {})[claim.name] = view
    found = sorted(((reason, tuple(items.values())) for reason, items in groups.items()), key=lambda group: -len(group[1]))
    silent = tuple(OpenView(f"{prefix}step-{step.index}", f"step {step.index}", Markup()) for step in verdict.steps if not step.evidence)
    return [*found, ("no formula is claimed, and words are not read", silent)] if silent else found
