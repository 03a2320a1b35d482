"""Transitions of any tree → typed obligations: deterministic rules over patterns, words, conditions and goals (FaithSieve).

A newly introduced fact is checked before it may serve as a premise: each premise of an obligation names the obligations that establish it,
and ``premises`` says, from the outcomes so far, which of them may be used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fidelean.decomposition.records import Condition, ConditionKind, ProofTree, Transition, TransitionKind
from fidelean.informal.records import Claim
from fidelean.obligations.kinds import (
    asserts_nothing,
    drops_a_case,
    facts_of,
    gives_a_reason,
    kind_of,
    said_by,
    says_disjoint,
    translation_confidence,
    words_of,
)
from fidelean.obligations.records import Obligation, ObligationKind, ObligationSource, Premise

__all__ = ["ContestedClaim", "TreeNotes", "derive_typed"]

_RANKS = {
    ObligationKind.CONTESTED_CLAIM: 0,
    ObligationKind.REWRITE: 1,
    ObligationKind.DERIVED_FACT: 2,
    ObligationKind.FACT_PLUS_REDUCTION: 2,
    ObligationKind.CASE_SPLIT: 2,
    ObligationKind.WITNESS: 3,
    ObligationKind.BRANCH_ELIMINATION: 3,
    ObligationKind.ENTAILMENT: 4,
    ObligationKind.GOAL_REDUCTION: 5,
    ObligationKind.OVERLAP_PARTITION: 6,
    ObligationKind.JUSTIFICATION_FAITHFULNESS: 7,
}


@dataclass(frozen=True, slots=True)
class ContestedClaim:
    """A claim that a review holds to be doubtful."""

    text: str
    """The claim, as written in the step."""
    reason: str
    """Why it is doubtful."""


@dataclass(frozen=True, slots=True)
class TreeNotes:
    """What reviews say about the transitions of a tree, by transition id."""

    contested: Mapping[str, Sequence[ContestedClaim]] = field(default_factory=dict[str, Sequence[ContestedClaim]])
    """Claims held to be doubtful."""
    difficulty: Mapping[str, float] = field(default_factory=dict[str, float])
    """How hard a transition is to translate into Lean (0 to 1), where a review says so; the rules judge the rest."""
    not_for_lean: frozenset[str] = frozenset()
    """Transitions that a review would not formalise."""


def derive_typed(tree: ProofTree, notes: TreeNotes | None = None) -> tuple[Obligation, ...]:
    """What must hold for each transition of a tree, in its order; ids are ``<transition>.<number>``."""
    notes = notes or TreeNotes()
    known: dict[tuple[str, str], tuple[str, ...]] = {}
    found: list[Obligation] = []
    for transition in tree.transitions:
        before = tree.state(transition.before)
        premises = tuple(_premise(condition, known) for condition in (before.conditions if before else ()))
        bundle = _Bundle(transition, premises, notes)
        found.extend(bundle.obligations())
        known |= {(transition.id, text): ids for text, ids in bundle.establishes().items()}
    return tuple(found)


class _Bundle:
    """The obligations of one transition."""

    def __init__(self, transition: Transition, premises: tuple[Premise, ...], notes: TreeNotes) -> None:
        self._transition = transition
        self._premises = premises
        self._notes = notes
        self._made: list[Obligation] = []
        self._by_fact: dict[str, tuple[str, ...]] = {}
        self._build()

    def obligations(self) -> tuple[Obligation, ...]:
        return tuple(self._made)

    def establishes(self) -> dict[str, tuple[str, ...]]:
        """The conditions that the transition adds, with the obligations that establish them."""
        everything = tuple(made.id for made in self._made if made.kind is not ObligationKind.CONTESTED_CLAIM)
        added = (condition for condition in self._transition.new if condition.kind is ConditionKind.DERIVED)
        named = {condition.text: self._by_fact.get(condition.text, everything) for condition in added}
        claim = self._transition.claim
        return named | ({claim.text: everything} if claim is not None and claim.text not in named else {})

    def _build(self) -> None:
        transition = self._transition
        for contested in self._notes.contested.get(transition.id, ()):
            self._add(ObligationKind.CONTESTED_CLAIM, contested.text, contested.reason, source=ObligationSource.REVIEW)
        if asserts_nothing(transition):
            return
        kind = kind_of(transition)
        if kind is ObligationKind.CASE_SPLIT:
            self._add_cases()
        elif kind is ObligationKind.WITNESS:
            self._add_witness()
        elif kind is ObligationKind.FACT_PLUS_REDUCTION:
            facts = self._add_facts(kind, "the new fact, before the reduction may use it")
            self._add_reduction(kind, "the goal afterwards, with the new fact, suffices for the goal before", facts)
        elif kind is ObligationKind.GOAL_REDUCTION:
            self._add_reduction(kind, "the goal afterwards suffices for the goal before", {})
        elif kind is ObligationKind.REWRITE:
            self._add_facts(kind, "the calculation holds")
        else:
            self._add_facts(kind, "the conditions in force imply it")

    def _add(
        self,
        kind: ObligationKind,
        text: str,
        reason: str,
        *,
        extra: tuple[Premise, ...] = (),
        waits_for: tuple[str, ...] = (),
        use_lean: bool = True,
        source: ObligationSource = ObligationSource.RULES,
    ) -> str:
        transition = self._transition
        identifier = f"{transition.id}.{len(self._made) + 1}"
        premises = (*self._premises, *extra)
        claim = transition.claim
        anchored = claim.span if claim is not None and claim.text == text else None
        confidence = translation_confidence(text)
        if (difficulty := self._notes.difficulty.get(transition.id)) is not None:
            confidence = 1.0 - difficulty
        self._made.append(
            Obligation(
                id=identifier,
                step=transition.step,
                kind=kind,
                claim=Claim(text, tuple(premise.text for premise in premises), transition.step, anchored),
                cue=transition.cue,
                transition=transition.id,
                reason=reason,
                use_lean=use_lean and transition.id not in self._notes.not_for_lean,
                translation_confidence=confidence,
                source=source,
                priority=_RANKS[kind],
                premises=premises,
                waits_for=waits_for,
            )
        )
        return identifier

    def _add_facts(self, kind: ObligationKind, reason: str) -> dict[str, str]:
        """One obligation per new fact; where none is recorded, one on what the substep says."""
        texts = facts_of(self._transition) or (said_by(self._transition),)
        found = {text: self._add(kind, text, reason) for text in texts}
        self._by_fact |= {text: (identifier,) for text, identifier in found.items()}
        return found

    def _add_reduction(self, kind: ObligationKind, reason: str, facts: Mapping[str, str]) -> None:
        """Its premises are the goals afterwards and the new facts, which have to pass first."""
        extra = tuple(Premise(text, (identifier,)) for text, identifier in facts.items())
        goals = tuple(Premise(goal) for goal in self._transition.goals_after if goal != self._transition.goal_before)
        self._add(kind, self._transition.goal_before, reason, extra=(*extra, *goals), waits_for=tuple(facts.values()))

    def _add_cases(self) -> None:
        transition, text = self._transition, words_of(self._transition)
        cases = [case.text for case in transition.cases] or [
            condition.text for condition in transition.new if condition.kind is ConditionKind.ASSUMPTION
        ]
        covered = self._add(ObligationKind.CASE_SPLIT, " or ".join(cases) or text, "the cases cover everything that the conditions allow")
        self._by_fact |= dict.fromkeys(facts_of(transition), (covered,))
        if drops_a_case(text):
            self._add(ObligationKind.BRANCH_ELIMINATION, text, "a case that is dropped is impossible")
        if says_disjoint(text):
            self._add(ObligationKind.OVERLAP_PARTITION, text, "the cases exclude each other, as the text says")
        if gives_a_reason(text):
            self._add(ObligationKind.JUSTIFICATION_FAITHFULNESS, text, "the reason given is the reason that holds", use_lean=False)

    def _add_witness(self) -> None:
        """The target is what the goal became, else the properties said of the witness; a mere name has neither."""
        transition = self._transition
        goals = [goal for goal in transition.goals_after if goal != transition.goal_before]
        facts = facts_of(transition)
        if goals and transition.kind is TransitionKind.EXISTENTIAL_INSTANTIATION:
            named = tuple(Premise(condition.text) for condition in transition.new if condition.kind is not ConditionKind.DERIVED)
            self._add(ObligationKind.WITNESS, goals[0], "the witness satisfies the target", extra=named)
        elif facts:
            for fact in facts:
                self._by_fact[fact] = (self._add(ObligationKind.WITNESS, fact, "what is chosen has the property said of it"),)
        else:
            is_name = transition.claim is None and all(condition.kind is ConditionKind.DEFINITION for condition in transition.new)
            self._add(ObligationKind.WITNESS, said_by(transition), "what is introduced exists", use_lean=not is_name)


def _premise(condition: Condition, known: Mapping[tuple[str, str], tuple[str, ...]]) -> Premise:
    """A conclusion of which nobody knows where it is checked awaits its transition, and so stays unchecked."""
    if condition.kind is not ConditionKind.DERIVED:
        return Premise(condition.text)
    source = condition.transition or "unknown"
    return Premise(condition.text, known.get((source, condition.text)) or (source,))
