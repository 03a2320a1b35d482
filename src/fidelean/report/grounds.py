"""What a verdict rests on, in words that all reports share."""

from __future__ import annotations

from collections.abc import Iterable

from fidelean.evidence.records import Evidence
from fidelean.outcome import Refuted
from fidelean.report.escaping import one_line
from fidelean.report.excerpt import crop
from fidelean.runs.records import Spending
from fidelean.verdict.records import ModelOpinion, ProofVerdict, StepStatus

__all__ = ["breaking", "cost_line", "grounds", "nothing_refuted", "opinion_line", "without_repeats"]


def breaking(verdict: ProofVerdict) -> Evidence | None:
    """The refutation that breaks the first broken step; None where no evidence breaks one."""
    step = next((step for step in verdict.steps if step.status is StepStatus.REFUTED), None)
    found = [item for item in step.evidence if isinstance(item.outcome, Refuted)] if step is not None else []
    return next((item for item in found if item.obligation.load_bearing), found[0] if found else None)


def grounds(verdict: ProofVerdict) -> str:
    """Who refuted the first broken step, in two words; empty where no evidence breaks one."""
    item = breaking(verdict)
    if item is None:
        return ""
    return "exact arithmetic" if item.checker == "arithmetic" else "Lean kernel" if item.artefact is not None else one_line(item.checker)


def nothing_refuted(verdict: ProofVerdict) -> str:
    """What evidence says where none breaks a step."""
    remarks = any(step.status is StepStatus.REFUTED_REMARK for step in verdict.steps)
    return "nothing that the proof rests on was refuted" if remarks else "nothing was refuted"


def opinion_line(opinion: ModelOpinion) -> str:
    """A model's opinion in a few lines at most, called one."""
    said = f"names step {opinion.first_error}" if opinion.first_error is not None else "sees no error"
    reason = crop(one_line(opinion.reason), 400)
    return f"opinion ({one_line(opinion.by)}), no evidence: {said}{': ' if reason else ''}{reason}"


def without_repeats(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The same answer to the same words at the same place once: what was decided without a model serves an obligation of the tree too."""
    found: dict[object, Evidence] = {}
    for each in evidence:
        claim = each.obligation.claim
        said = (claim.text, claim.span, each.obligation.load_bearing, repr(each.outcome), each.checker, each.values, each.rests_on)
        found.setdefault(said, each)
    return tuple(found.values())


def cost_line(spending: Spending) -> str:
    """What the models' replies took."""
    calls = f"{spending.calls:,} call{'' if spending.calls == 1 else 's'}"
    return f"{calls}, {spending.tokens:,} tokens, {spending.price.normalize():f} USD"
