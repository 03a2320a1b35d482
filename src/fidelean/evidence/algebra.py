"""The algebra checker: claims about variables, stated in Lean with their conditions and decided by the kernel.

Questions of many proofs go to Lean in one batch. A proof supports a claim and a counterexample refutes it only through a statement that
passed the rule gate; failure to prove is never evidence of error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from fidelean.evidence.conditions import at_point
from fidelean.evidence.questions import Aim, Question, questions
from fidelean.evidence.records import NO_CHECKER, Artefact, Evidence
from fidelean.exact.budget import Budget
from fidelean.exact.evaluation import evaluate, value_text
from fidelean.exact.ideals import implied_value
from fidelean.exact.novalue import NoValue
from fidelean.faithfulness.stating import Carrier
from fidelean.informal.maths.tree import Chain, Name, Relation, names
from fidelean.informal.records import Span
from fidelean.obligations.records import Obligation, ObligationKind
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import Policy
from fidelean.proving.attempt import prove
from fidelean.proving.records import ProofAttempt, ProvingObligation, Transfer

if TYPE_CHECKING:
    from fidelean.informal.records import Proof
    from fidelean.lean.engine import LeanEngine

__all__ = ["AlgebraChecker"]

_CAN_REFUTE = frozenset((Aim.COUNTEREXAMPLE, Aim.CONTRADICTION, Aim.EITHER))
_CARRIERS = {
    Carrier.FIELD: "every field of characteristic 0",
    Carrier.ORDERED_FIELD: "every linearly ordered field",
    Carrier.RATIONAL: "ℚ",
    Carrier.INTEGER: "ℤ",
}
_TRANSFERS = {
    Transfer.FIELDS: "so it holds in ℚ, ℝ and ℂ",
    Transfer.ORDERED_FIELDS: "so it holds in ℚ and ℝ",
    Transfer.SAME_DOMAIN: "which says nothing of other domains",
    Transfer.UPWARDS: "a point that refutes it over ℝ and ℂ too",
    Transfer.UPWARDS_ORDERED: "a point that refutes it over ℝ too",
    Transfer.INSTANCE: "one such field that breaks it",
}


class AlgebraChecker:
    """Decides claims about variables by Lean; numeric claims are left to exact arithmetic."""

    def __init__(self, engine: LeanEngine, policy: Policy) -> None:
        self.engine = engine
        self.policy = policy

    async def check(self, cases: Sequence[tuple[Proof, Sequence[Obligation]]]) -> list[list[Evidence]]:
        """Answer the obligations of several proofs, one list each; raises ``EngineError`` where the engine fails as a whole."""
        if self.engine.name == "none":
            return [await self._unavailable(obligations) for _, obligations in cases]
        asked = [self._questions(proof, obligations) for proof, obligations in cases]
        flat = [(place, question) for place, found in enumerate(asked) for question in found]
        attempts = await prove(
            [_proving_obligation(number, question) for number, (_, question) in enumerate(flat)], self.engine, self.policy
        )
        evidence: list[list[Evidence]] = [[] for _ in cases]
        supported: set[tuple[int, str]] = set()
        for (place, question), attempt in zip(flat, attempts, strict=True):
            item = self._evidence(question, attempt)
            if not question.drawn and not all(
                condition.transition is None or (place, condition.transition) in supported for condition in question.premises
            ):
                # a conclusion may serve as a premise only once it has been checked itself
                item = Evidence(
                    question.obligation, Inconclusive(Reason.GAVE_UP, "it rests on a conclusion that was not supported"), "algebra"
                )
            if isinstance(item.outcome, Passed):
                supported.add((place, question.obligation.id))
            evidence[place].append(item)
        return evidence

    def _questions(self, proof: Proof, obligations: Sequence[Obligation]) -> list[Question]:
        texts = {step.index: step.text for step in proof.steps}
        found = questions(obligations, proof.problem.text, texts, self.policy.arithmetic)
        if self.policy.proving.refutations_only:
            found = (question for question in found if question.aim in _CAN_REFUTE and not question.unread)
        return list(found)[: self.policy.proving.max_questions]

    async def _unavailable(self, obligations: Sequence[Obligation]) -> list[Evidence]:
        asked = [obligation for obligation in obligations if _is_about_variables(obligation)]
        if not asked:
            return []
        from fidelean.lean.records import LeanSource

        (answer,) = await self.engine.elaborate([LeanSource("")])
        return [Evidence(obligation, Inconclusive(Reason.UNAVAILABLE, answer.detail), NO_CHECKER) for obligation in asked]

    def _evidence(self, question: Question, attempt: ProofAttempt) -> Evidence:
        outcome, values = self._outcome(question, attempt)
        decided = not isinstance(outcome, Inconclusive)
        used = tuple(dict.fromkeys(condition.text for condition in question.premises))
        return Evidence(
            replace(question.obligation, claim=replace(question.obligation.claim, conditions=used)),
            outcome,
            "algebra",
            values=values,
            rests_on=_rests_on(question, attempt, self.engine.name) if decided else "",
            artefact=Artefact("lean", attempt.script) if decided and attempt.script else None,
            seconds=attempt.seconds,
        )

    def _outcome(self, question: Question, attempt: ProofAttempt) -> tuple[Outcome, tuple[str, ...]]:
        """What an attempt says of the claim, by the aim of its question."""
        outcome = attempt.outcome
        if isinstance(outcome, Inconclusive):
            return outcome, ()
        if isinstance(outcome, Passed):
            return self._proved(question)
        if question.aim is Aim.ENTAILMENT:
            return Inconclusive(Reason.NOT_IMPLIED, "it does not follow from the conditions that were read; more may be in force"), ()
        if question.aim not in (Aim.COUNTEREXAMPLE, Aim.EITHER):
            return Inconclusive(Reason.GAVE_UP, "the statement that was to be proved has a counterexample"), ()
        if question.unread:
            return Inconclusive(Reason.CONDITIONS_UNREAD, f"a condition was not read: {_short(question.unread[0].text)}"), ()
        return self._broken(question, attempt)

    def _proved(self, question: Question) -> tuple[Outcome, tuple[str, ...]]:
        if question.aim is Aim.CONTRADICTION:
            return self._contradicted(question)
        if question.aim is Aim.COUNTEREXAMPLE:
            return Inconclusive(Reason.GAVE_UP, "the link that was to be refuted was proved"), ()
        premises = ", ".join(dict.fromkeys(condition.text for condition in question.premises))
        return Passed(f"follows from {_short(premises)}" if premises else f"holds in {_CARRIERS[question.stated.carrier]}"), ()

    def _contradicted(self, question: Question) -> tuple[Outcome, tuple[str, ...]]:
        if question.link is not None:
            where = "".join(f" and {name} = {value_text(value)}" for name, value in question.point)
            return Refuted(f"the two sides differ where i² = -1{where}"), ()
        premises = " and ".join(dict.fromkeys(condition.text for condition in question.premises))
        value = self._forced_value(question)
        if value is not None:
            name, forced = value
            gives = "give" if len(question.premises) > 1 else "gives"
            return Refuted(f"{_short(premises)} {gives} {name} = {value_text(forced)}"), (f"{name} = {value_text(forced)}",)
        return Refuted(f"contradicts {_short(premises)}: they have no common solution"), ()

    def _forced_value(self, question: Question) -> tuple[str, Fraction] | None:
        """The value that the premises force on the variable whose value the claim states."""
        chain = question.obligation.chain
        if chain is None or not isinstance(chain.sides[0], Name) or names(chain.sides[-1]):
            return None
        equations = [
            (left, right)
            for condition in question.premises
            if condition.fact is not None
            for link in condition.fact.alternatives[:1]
            for left, right in zip(link.sides, link.sides[1:], strict=False)
        ]
        try:
            value = implied_value(equations, chain.sides[0].name, self.policy.arithmetic)
        except NoValue:
            return None
        return None if value is None else (chain.sides[0].name, value)

    def _broken(self, question: Question, attempt: ProofAttempt) -> tuple[Outcome, tuple[str, ...]]:
        point = _point(question, attempt.witness)
        where = ", ".join(f"{name} = {value}" for name, value in point.items())
        link = _link(question)
        sides = self._sides_at(link, point) if link is not None else None
        if sides is None:
            what = "none of the cases" if question.obligation.kind is ObligationKind.CASE_SPLIT else "not the claim"
            return Refuted(f"{where or 'the negation'} satisfies the conditions and {what}"), tuple(f"{n} = {v}" for n, v in point.items())
        left, right = sides
        return Refuted(f"at {where} the left side is {left}, the right side {right}"), (
            *(f"{n} = {v}" for n, v in point.items()),
            left,
            right,
        )

    def _sides_at(self, link: Chain, point: Mapping[str, str]) -> tuple[str, str] | None:
        try:
            values = {name: Fraction(value.replace(" ", "")) for name, value in point.items()}
            left, right = (value_text(evaluate(at_point(side, values), Budget(self.policy.arithmetic))) for side in link.sides)
        except (NoValue, ValueError, ZeroDivisionError):
            return None
        return left, right


def _link(question: Question) -> Chain | None:
    """The single equation or comparison that was asked about, where it was one."""
    chain = question.obligation.chain
    if question.link is not None:
        return Chain(question.link, (Relation.EQUAL,), (Span(0, 0), Span(0, 0)))
    if chain is None or chain.modulus is not None:
        return None
    return chain if len(chain.sides) == 2 and chain.relations[0] is not Relation.DIVIDES else None


def _point(question: Question, witness: Mapping[str, str]) -> dict[str, str]:
    """The counterexample that the kernel checked, by the text's own names."""
    own = {lean: text for text, lean in question.stated.names}
    return {own.get(name, name): value.strip().removeprefix("(").removesuffix(")") for name, value in witness.items()}


def _rests_on(question: Question, attempt: ProofAttempt, engine: str) -> str:
    over = f"the kernel of {engine}; stated over {_CARRIERS[question.stated.carrier]}"
    transfer = f", {_TRANSFERS[attempt.transfer]}" if attempt.transfer is not None else ""
    if question.aim is Aim.CONTRADICTION:
        transfer = ", so the claim and its conditions exclude each other in ℚ, ℝ and ℂ"
    conditions = (
        f", from {len(question.premises)} condition{'s' if len(question.premises) > 1 else ''} in force" if question.premises else ""
    )
    return f"{over}{conditions}{transfer}"


def _proving_obligation(number: int, question: Question) -> ProvingObligation:
    return ProvingObligation(f"q{number}", question.stated.signature, needs_conditions=question.aim is not Aim.CONTRADICTION)


def _is_about_variables(obligation: Obligation) -> bool:
    fact = obligation.fact
    if fact is None or (obligation.unread is None and obligation.kind is not ObligationKind.CASE_SPLIT):
        return False
    return any(names(side) for chain in fact.alternatives for side in chain.sides)


def _short(text: str, limit: int = 120) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"
