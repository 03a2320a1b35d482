"""Judges: models that compare a claim with a Lean statement, alone or several by consensus (formalize-statement, by consensus).

A judge sees the claim with its conditions and the statement without comments; never a proof, and never another judge's words.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from fidelean.faithfulness.gate import weigh
from fidelean.faithfulness.lints import lint
from fidelean.faithfulness.records import FaithfulnessReport, Judgement
from fidelean.faithfulness.replies import JudgeReply, Misreport, report_of
from fidelean.faithfulness.slots import statement_slots, uncommented
from fidelean.informal.records import Claim
from fidelean.lean.records import LeanStatement
from fidelean.lean.tokens import LexFault
from fidelean.llm.model import Asker
from fidelean.llm.prompts import load_prompt
from fidelean.outcome import Inconclusive, Reason
from fidelean.policy import FaithfulnessPolicy

__all__ = ["judge", "judge_by_consensus"]


async def judge(asker: Asker, claim: Claim, statement: LeanStatement, *, sample: int = 0) -> FaithfulnessReport | Inconclusive:
    """Ask one judge for its report.

    Inconclusive where no reply could be had or read, where a reply does not fit the two texts, or the statement cannot be cut into slots.
    """
    slots = statement_slots(statement)
    try:
        text = uncommented(statement.text)
    except LexFault as fault:
        return Inconclusive(Reason.NOT_READ, fault.detail)
    if not slots:
        return Inconclusive(Reason.NOT_READ, "the statement cannot be cut into slots")
    prompt = load_prompt(
        "fidelean.faithfulness",
        "judge",
        claim=claim.text,
        conditions="\n".join(f"P{number}: {condition}" for number, condition in enumerate(claim.conditions, start=1)) or "(none)",
        statement=text,
        slots="\n".join(f"{slot.id} ({slot.part}, {slot.kind}): {slot.text}" for slot in slots),
    )
    reply = await asker.ask(prompt, JudgeReply, sample=sample)
    if isinstance(reply, Inconclusive):
        return reply
    try:
        return report_of(reply, claim, slots)
    except Misreport as fault:
        return Inconclusive(Reason.MALFORMED_REPLY, f"the judge's report does not fit the texts: {fault}")


async def judge_by_consensus(
    judges: Sequence[Asker], claim: Claim, statement: LeanStatement, policy: FaithfulnessPolicy, *, sample: int = 0
) -> Judgement | Inconclusive:
    """Ask every judge apart and weigh the reports under the gate.

    Equal askers are told apart by ``sample``, so that two regrades of one model are two replies. Inconclusive where a judge gave no report:
    it is unscored, never 0. Where they disagree, the judgement admits nothing and ``refusal`` says so.
    """
    if not judges:
        raise ValueError("at least one judge is needed")
    lints = lint(statement, claim)
    found = await asyncio.gather(
        *(judge(asker, claim, statement, sample=sample * len(judges) + place) for place, asker in enumerate(judges))
    )
    reports: list[FaithfulnessReport] = []
    for report in found:
        if isinstance(report, Inconclusive):
            return report
        reports.append(report)
    return weigh(reports, policy, lints)
