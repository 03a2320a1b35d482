"""From the axes to the verdict on a formalisation: pure, and it reads records only. The rules and their reasons: ``design/judging.md``."""

from __future__ import annotations

from collections.abc import Iterator

from fidelean.faithfulness.grading.records import JudgeRecord, Preset, Stance
from fidelean.faithfulness.records import LintSeverity
from fidelean.lean.records import AcceptanceReason
from fidelean.outcome import Inconclusive, Reason, Refuted
from fidelean.verdict.formalization_records import Axes, FormalizationOutcome, FormalizationVerdict, ProbeFinding

__all__ = ["decide_formalization", "does_not_compile"]

_FALSE_AS_STATED = frozenset({"negation_provable", "counterexample", "contradictory_hypotheses"})
"""Faults of a statement that are faults of the source where the statement is faithful."""
_HOLLOW = frozenset({"contradictory_hypotheses", "conclusion_assumed"})
_NOT_KNOWN = {
    AcceptanceReason.REFUSED: Reason.REFUSED,
    AcceptanceReason.MISSING_MODULE: Reason.UNAVAILABLE,
    AcceptanceReason.TIMEOUT: Reason.TIMEOUT,
    AcceptanceReason.OUT_OF_MEMORY: Reason.OUT_OF_MEMORY,
    AcceptanceReason.CRASHED: Reason.CRASHED,
    AcceptanceReason.UNAVAILABLE: Reason.UNAVAILABLE,
}
_BY_CONTRACT = frozenset({AcceptanceReason.PLACEHOLDER, AcceptanceReason.SORRY})


def does_not_compile(axes: Axes) -> bool:
    """Whether Lean is known to reject the text; not so where it was not run, or lacks a module."""
    reasons = {objection.reason for objection in axes.acceptance.objections}
    return AcceptanceReason.DOES_NOT_ELABORATE in reasons and not reasons & _NOT_KNOWN.keys()


def decide_formalization(axes: Axes) -> FormalizationVerdict:
    """Decide; the first rule that applies counts."""
    notices = tuple(_notices(axes))
    for outcome, grounds in (
        (FormalizationOutcome.DOES_NOT_COMPILE, tuple(_compiler(axes))),
        (FormalizationOutcome.SOURCE_DEFECTIVE, tuple(_source(axes))),
        (FormalizationOutcome.UNFAITHFUL, tuple(_against(axes))),
    ):
        if grounds:
            return FormalizationVerdict(outcome, grounds, axes, notices=notices)
    open_questions = tuple(_open_questions(axes))
    if open_questions:
        return FormalizationVerdict(
            FormalizationOutcome.UNDECIDED, tuple(each.detail for each in open_questions), axes, open_questions[0], notices
        )
    names = " and ".join(judge.name for judge in axes.judges)
    return FormalizationVerdict(
        FormalizationOutcome.FAITHFUL, (f"it elaborates, and {names} grade it {axes.threshold} or higher",), axes, notices=notices
    )


def _compiler(axes: Axes) -> Iterator[str]:
    if does_not_compile(axes):
        yield from (str(each) for each in axes.acceptance.objections if each.reason is AcceptanceReason.DOES_NOT_ELABORATE)


def _source(axes: Axes) -> Iterator[str]:
    """Two judges name a fault of the source; or one does, and Lean shows that the statement is false or empty."""
    naming = [judge for judge in axes.judges if judge.defects]
    shown = [probe for probe in axes.probes if probe.kind in _FALSE_AS_STATED and isinstance(probe.outcome, Refuted)]
    if len(naming) >= 2 or (naming and shown):
        yield from (f"{judge.name}: {each.kind}: {each.reason} ({each.where})" for judge in naming for each in judge.defects)
        yield from (_probe_words(probe) for probe in shown)


def _against(axes: Axes) -> Iterator[str]:
    """Both judges reject; or one does, with a difference that Lean confirms. Hollow statements that no judge accepts are none either."""
    if axes.preset is Preset.PAPER:
        yield from _lowest(axes)
        return
    rejecting = [judge for judge in axes.judges if judge.stance is Stance.REJECTS]
    all_reject = len(axes.judges) >= 2 and len(rejecting) == len(axes.judges)
    if all_reject or any(judge.confirmed for judge in rejecting):
        for judge in rejecting:
            yield from _differences(judge)
    if not any(judge.stance is Stance.ACCEPTS for judge in axes.judges):
        yield from (f"{each.kind}: {each.message}" for each in axes.lints if each.severity is LintSeverity.CRITICAL)
        yield from (_probe_words(each) for each in axes.probes if each.kind in _HOLLOW and isinstance(each.outcome, Refuted))
    yield from (str(each) for each in axes.acceptance.objections if each.reason in _BY_CONTRACT)


def _lowest(axes: Axes) -> Iterator[str]:
    """The released rule: the lower score decides, where every judge has one."""
    if axes.judges and all(judge.scores for judge in axes.judges):
        for judge in axes.judges:
            if min(judge.scores) < axes.threshold:
                yield f"{judge.name} grades it {min(judge.scores)}: {next((grade.reason for grade in judge.grades if grade.reason), '')}"


def _differences(judge: JudgeRecord) -> Iterator[str]:
    for each in dict.fromkeys(each for grade in judge.grades for each in grade.differences):
        difference = each.difference
        shown = f"; Lean: {each.outcome.detail}" if isinstance(each.outcome, Refuted) else ""
        yield f"{judge.name}: {difference.kind}: {difference.where}: {difference.says_source} / {difference.says_lean}{shown}"


def _open_questions(axes: Axes) -> Iterator[Inconclusive]:
    for objection in axes.acceptance.objections:
        if objection.reason in _NOT_KNOWN:
            yield Inconclusive(_NOT_KNOWN[objection.reason], f"whether it elaborates is not known: {objection.detail}")
        elif objection.reason is not AcceptanceReason.PROOF_GIVEN:
            yield Inconclusive(Reason.REFUSED, f"it is not a statement on its own: {objection.detail}")
    if len(axes.judges) < 2:
        yield Inconclusive(Reason.NO_REPLY, "no judges were asked: lints, probes and Lean alone never make it faithful")
    yield from (each for judge in axes.judges if (each := _undecided(judge)) is not None)
    yield from _found_by_machine(axes)


def _undecided(judge: JudgeRecord) -> Inconclusive | None:
    match judge.stance:
        case Stance.ACCEPTS:
            return None
        case Stance.UNSCORED:
            why = next((grade.unscored for grade in judge.grades if grade.unscored is not None), None)
            detail = f"{judge.name} is unscored: {why.detail if why else 'it was not asked'}"
            return Inconclusive(why.reason if why else Reason.NO_REPLY, detail)
        case Stance.DIVIDED:
            return Inconclusive(Reason.AMBIGUOUS, f"the grades of {judge.name} disagree with each other: {_scores(judge)}")
        case Stance.LIFTED:
            return Inconclusive(Reason.AMBIGUOUS, f"{judge.name} rejects it ({_scores(judge)}), and Lean refutes every difference it names")
        case Stance.REJECTS:
            named = "; ".join(_differences(judge))
            return Inconclusive(
                Reason.AMBIGUOUS, f"{judge.name} alone rejects it ({_scores(judge)}), and Lean confirms nothing of it: {named}"
            )


def _found_by_machine(axes: Axes) -> Iterator[Inconclusive]:
    """What stands against a statement that judges accept: it, or its source, is at fault, and nobody said which."""
    for lint in axes.lints:
        if lint.severity is LintSeverity.CRITICAL:
            yield Inconclusive(Reason.AMBIGUOUS, f"{lint.kind}: {lint.message}")
    for probe in axes.probes:
        if probe.kind in _FALSE_AS_STATED | _HOLLOW and isinstance(probe.outcome, Refuted):
            yield Inconclusive(Reason.AMBIGUOUS, f"{_probe_words(probe)}: the statement or its source is at fault")


def _probe_words(probe: ProbeFinding) -> str:
    return f"{probe.kind.replace('_', ' ')}: {probe.outcome.detail}"


def _scores(judge: JudgeRecord) -> str:
    return ", ".join(str(score) for score in judge.scores)


def _notices(axes: Axes) -> Iterator[str]:
    for judge in axes.judges:
        if judge.shares_drafter_family:
            yield f"{judge.name} is of the family that drafted the statement: its judgement is not independent"
        missing = sum(grade.stance is Stance.UNSCORED for grade in judge.grades)
        if missing and missing < len(judge.grades):
            yield f"{judge.name}: {missing} of {len(judge.grades)} grades do not count"
    if axes.preset is Preset.PAPER:
        yield "preset paper: the lower score decides, and reasons are not asked to stand in the texts"
