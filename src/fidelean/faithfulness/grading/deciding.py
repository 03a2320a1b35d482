"""Differences that judges name, put to Lean. The question is built around the statement itself: a judge's word alone lifts nothing.

What is shown is narrow. Statements that share their variables are compared at each value, and not as wholes, since any two true
statements are equivalent as wholes (``design/judging.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fidelean.faithfulness.grading.records import Check, CheckKind, Decided, Difference, Grade, GradingRules, JudgeRecord, Preset, Stance
from fidelean.lean.contracts import accept_proof
from fidelean.lean.engine import LeanEngine
from fidelean.lean.guard import normalise, screen
from fidelean.lean.records import LeanSource, LeanStatement
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import Policy
from fidelean.proving.attempt import prove
from fidelean.proving.equivalence import equivalent
from fidelean.proving.reading import read_signature
from fidelean.proving.records import ProvingObligation
from fidelean.proving.signature import Hypothesis, Signature, render_signature

__all__ = ["decide", "settle"]

_UNFOLDING = "first | rfl | decide | (intros; rfl) | (intros; simp) | omega"


async def settle(
    records: Sequence[JudgeRecord], statement: LeanStatement, engine: LeanEngine, rules: GradingRules, policy: Policy | None = None
) -> tuple[JudgeRecord, ...]:
    """Decide what Lean can of all differences, each once, and lift the rejections of which none is left.

    Raises:
        EngineError: the engine failed in a way that no single script explains.
    """
    known: dict[Difference, Decided] = {}
    for record in records:
        for grade in record.grades:
            for each in grade.differences:
                if each.difference not in known:
                    known[each.difference] = await decide(each.difference, statement, engine, policy)
    return tuple(replace(record, grades=tuple(_settled(grade, known, rules) for grade in record.grades)) for record in records)


def _settled(grade: Grade, known: dict[Difference, Decided], rules: GradingRules) -> Grade:
    decided = tuple(known[each.difference] for each in grade.differences)
    gone = bool(decided) and all(isinstance(each.outcome, Passed) for each in decided)
    lifted = gone and grade.stance is Stance.REJECTS and rules.preset is not Preset.PAPER
    return replace(grade, differences=decided, stance=Stance.LIFTED if lifted else grade.stance)


async def decide(difference: Difference, statement: LeanStatement, engine: LeanEngine, policy: Policy | None = None) -> Decided:
    """Put one difference to Lean: passed where there is none, refuted where there is one.

    Raises:
        EngineError: the engine failed in a way that no single script explains.
    """
    check = difference.check
    if check is None:
        return Decided(difference, Inconclusive(Reason.GAVE_UP, "nothing that Lean could decide was named"))
    if check.kind is CheckKind.UNFOLDS:
        outcome, artefact = await _unfolds(check, statement, engine)
    elif check.kind is CheckKind.IMPLIED:
        outcome, artefact = await _implied(check, statement, engine, policy)
    else:
        outcome, artefact = await _same_as(check, statement, engine, policy)
    return Decided(difference, outcome, artefact)


async def _same_as(check: Check, statement: LeanStatement, engine: LeanEngine, policy: Policy | None) -> tuple[Outcome, str]:
    found = await equivalent(statement.signature.strip(), check.lean.strip(), engine, policy)
    if not found.is_pointwise and not isinstance(found.outcome, Inconclusive):
        return Inconclusive(Reason.GAVE_UP, "compared as wholes only, since their variables differ: true statements all agree so"), ""
    scripts = [each.script for each in (found.forward, found.backward) if each.script]
    if isinstance(found.outcome, Refuted):
        scripts = [each.script for each in (found.forward, found.backward) if isinstance(each.outcome, Refuted)]
        return Refuted(f"of the statement and the signature that the judge would have written, {found.outcome.detail}"), scripts[0]
    if isinstance(found.outcome, Passed):
        return Passed("the statement and the signature that the judge would have written say the same at each value"), "\n".join(scripts)
    return found.outcome, ""


async def _implied(check: Check, statement: LeanStatement, engine: LeanEngine, policy: Policy | None) -> tuple[Outcome, str]:
    reading = read_signature(statement.signature.strip())
    if reading.signature is None:
        return Inconclusive(Reason.NOT_READ, f"the signature is not read: {reading.reason}"), ""
    question = _from_the_others(reading.signature, check.lean.strip())
    if question is None:
        return Inconclusive(Reason.NOT_READ, "the theorem has no such hypothesis"), ""
    [attempt] = await prove([ProvingObligation("implied", question)], engine, policy)
    match attempt.outcome:
        case Passed():
            return Passed(f"{check.lean.strip()} follows from the other hypotheses, so it adds nothing"), attempt.script
        case Refuted(detail):
            return Refuted(f"{check.lean.strip()} does not follow from the others: {detail}"), attempt.script
        case other:
            return other, ""


def _from_the_others(signature: Signature, name: str) -> str | None:
    """The signature in which the others have to show the hypothesis of that name."""
    wanted = next((each for each in signature.hypotheses if each.name == name), None)
    if wanted is None:
        return None
    others = tuple(each for each in signature.binders if not (isinstance(each, Hypothesis) and each.name == name))
    return render_signature(Signature("", others, wanted.proposition))


async def _unfolds(check: Check, statement: LeanStatement, engine: LeanEngine) -> tuple[Outcome, str]:
    """The definitions of the text, then the judge's proposition and its negation, each to be shown by unfolding."""
    context, names = _definitions(statement.text)
    said = " ".join(check.lean.split())
    if not any(name in said for name in names):
        return Inconclusive(Reason.NOT_READ, "it speaks of no definition of the Lean text"), ""
    claims = (said, f"¬ ({said})")
    if not all(_is_one_proposition(claim) for claim in claims):
        return Inconclusive(Reason.REFUSED, "it is not one proposition"), ""
    scripts = [f"{context}theorem fidelean_unfolds : {claim} := by {_UNFOLDING}\n" for claim in claims]
    answers = await engine.elaborate([LeanSource(text) for text in scripts])
    holds, fails = (accept_proof(text, answer).accepted for text, answer in zip(scripts, answers, strict=True))
    if holds and not fails:
        return Passed(f"the definition unfolds to what the judge asks for: {said}"), scripts[0]
    if fails and not holds:
        return Refuted(f"the definition does not mean what the judge asks for, {said}"), scripts[1]
    return Inconclusive(Reason.GAVE_UP, "neither it nor its negation was shown by unfolding"), ""


def _is_one_proposition(claim: str) -> bool:
    """Whether the judge's text ends where its proposition ends, and brings no theorem, proof or command of its own."""
    screening = screen(f"theorem fidelean_unfolds : {claim} := by sorry")
    if screening.refusals or len(screening.commands) != 1:
        return False
    return [token.text for token in screening.commands[0].body] == [":=", "by", "sorry"]


def _definitions(text: str) -> tuple[str, tuple[str, ...]]:
    """What stands before the final theorem, and the names that it declares."""
    text = normalise(text)
    commands = screen(text).commands
    if not commands:
        return "", ()
    final = commands[-1]
    first = final.prefix[0].position if final.prefix else final.position
    lines = text.split("\n")
    before = "\n".join([*lines[: first.line - 1], lines[first.line - 1][: first.column]])
    return before, tuple(command.name.text for command in commands[:-1] if command.name is not None)
