"""Asking judges for grades. A judge sees the statement and the Lean text; never a proof, and never another judge's words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from fidelean.faithfulness.grading.families import family_of, require_independent
from fidelean.faithfulness.grading.records import Grade, GradingRules, JudgeRecord, Stance
from fidelean.faithfulness.grading.replies import GradeReply, grade_of
from fidelean.informal.records import Statement
from fidelean.llm.model import Asker
from fidelean.llm.prompts import load_prompt
from fidelean.outcome import Inconclusive

__all__ = ["Judge", "grade"]


@dataclass(frozen=True, slots=True)
class Judge:
    """A model that grades, with the name from which its family is known."""

    name: str
    """Provider and model, ``openai:gpt-5``."""
    asker: Asker
    """Whom to ask."""


async def grade(
    statement: Statement, lean: str, judges: Sequence[Judge], rules: GradingRules, *, drafter: str | None = None
) -> tuple[JudgeRecord, ...]:
    """Have every judge grade ``rules.regrades`` times. A call that fails is unscored with its reason, and never a 0.

    Raises ``UsageError`` where the judges are not of different families, or one is of the drafter's (``require_independent``).
    """
    require_independent([judge.name for judge in judges], drafter, rules.preset)
    return tuple(await asyncio.gather(*(_graded(judge, statement, lean, rules, drafter) for judge in judges)))


async def _graded(judge: Judge, statement: Statement, lean: str, rules: GradingRules, drafter: str | None) -> JudgeRecord:
    samples = range(max(1, rules.regrades))
    grades = await asyncio.gather(*(_asked(judge.asker, statement, lean, rules, sample) for sample in samples))
    family = family_of(judge.name)
    return JudgeRecord(judge.name, family, tuple(grades), drafter is not None and family_of(drafter) == family)


async def _asked(asker: Asker, statement: Statement, lean: str, rules: GradingRules, sample: int) -> Grade:
    prompt = load_prompt("fidelean.faithfulness", "grade", statement=statement.text, lean=lean)
    reply = await asker.ask(prompt, GradeReply, sample=sample)
    if isinstance(reply, Inconclusive):
        return Grade(sample, None, Stance.UNSCORED, unscored=reply)
    return grade_of(reply, sample, statement.text, lean, rules)
