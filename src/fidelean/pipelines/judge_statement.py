"""Statement and Lean text → verdict: Lean, the lints, the judges and what Lean makes of their reasons, in one record."""

from __future__ import annotations

from collections.abc import Sequence

from fidelean.errors import InputError
from fidelean.faithfulness.grading.deciding import settle
from fidelean.faithfulness.grading.families import require_independent
from fidelean.faithfulness.grading.grading import Judge, grade
from fidelean.faithfulness.grading.records import GradingRules
from fidelean.faithfulness.lints import lint
from fidelean.informal.records import Statement
from fidelean.lean.contracts import accept_statement
from fidelean.lean.declarations import statement_of
from fidelean.lean.engine import LeanEngine
from fidelean.lean.guard import normalise
from fidelean.lean.records import LeanSource, LeanStatement, SourceKind
from fidelean.lean.tokens import LexFault
from fidelean.policy import Policy
from fidelean.proving.equivalence import equivalent
from fidelean.verdict.formalization import decide_formalization, does_not_compile
from fidelean.verdict.formalization_records import Axes, FormalizationVerdict, ProbeFinding

__all__ = ["judge_statement"]


async def judge_statement(  # noqa: PLR0913 - each is an independent choice of the caller
    statement: Statement,
    lean_text: str,
    judges: Sequence[Judge],
    engine: LeanEngine,
    policy: Policy | None = None,
    *,
    rules: GradingRules | None = None,
    drafter: str | None = None,
    reference: str | None = None,
    probes: Sequence[ProbeFinding] = (),
) -> FormalizationVerdict:
    """Judge a Lean text; ``reference`` is the signature of a formalisation known to be right, ``probes`` what probes in Lean found.

    A text that does not compile is not put to the judges.

    Raises:
        UsageError: the judges are not of different families, or one is of the drafter's.
        InputError: the text is no Lean statement.
        EngineError: the engine failed in a way that no single script explains.
    """
    rules = rules or GradingRules()
    require_independent([judge.name for judge in judges], drafter, rules.preset)
    read = _read(lean_text)
    [elaboration] = await engine.elaborate([LeanSource(read.text, SourceKind.STATEMENT)])
    acceptance = accept_statement(read.text, elaboration)
    lints = lint(read, statement.claim)
    axes = Axes(elaboration, acceptance, lints, tuple(probes), preset=rules.preset, threshold=rules.threshold)
    if does_not_compile(axes):
        return decide_formalization(axes)
    records = await grade(statement, read.text, judges, rules, drafter=drafter)
    if elaboration.elaborates:
        records = await settle(records, read, engine, rules, policy)
    can_compare = reference is not None and elaboration.elaborates
    compared = await equivalent(read.signature.strip(), reference.strip(), engine, policy) if reference and can_compare else None
    not_compared = "the statement was not elaborated" if reference is not None and not can_compare else ""
    return decide_formalization(
        Axes(elaboration, acceptance, lints, tuple(probes), records, compared, not_compared, preset=rules.preset, threshold=rules.threshold)
    )


def _read(text: str) -> LeanStatement:
    try:
        found = statement_of(normalise(text))
    except LexFault as fault:
        raise InputError(f"the Lean text cannot be read: {fault.detail}", line=fault.position.line) from None
    if found is None:
        raise InputError("the Lean text does not end in a named theorem")
    return found
