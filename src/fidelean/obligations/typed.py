"""Transitions of any tree → typed obligations: deterministic rules over patterns, words, conditions and goals (FaithSieve).

A newly introduced fact is checked before it may serve as a premise: each premise of an obligation names the obligations that establish it,
and ``premises_now`` says, from the outcomes so far, which of them may be used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fidelean.decomposition.records import Condition, ConditionKind, ProofTree, RiskFlag, Transition, TransitionKind
from fidelean.informal.records import Claim
from fidelean.obligations.records import Obligation, ObligationKind, ObligationSource, Premise
from fidelean.outcome import Outcome, Passed, Refuted

__all__ = ["ContestedClaim", "PremiseUse", "TreeNotes", "derive_typed", "kind_of", "may_be_asked", "premises_now", "translation_confidence"]

_CASE_WORDS = re.compile(
    r"\bcase (?:analysis|distinction|split)|"
    r"\b(?:two|three|four|five|several|following|consider|distinguish|into|by|possible|exhaust\w*)\b[^.]{0,40}\bcases\b|\beither\b.+?\bor\b",
    re.IGNORECASE | re.DOTALL,
)
_WITNESS_WORDS = re.compile(
    r"^\W*(?:(?:now|then|so|next|we|also|first|can|may)\b\W*)*(?!taking (?:the|both|square|cube|roots|log))"
    r"(?:introduc|choos|tak|let|defin|pick|set)(?:e|es|ing)?\b",
    re.IGNORECASE,
)
_REWRITE_WORDS = re.compile(
    r"\b(?:rewrit|simplif|factor(?!ial|s\b)|expand|substitut|evaluat|plug(?:ging)?\b|multiply(?:ing)? out|collect|combin|cancel)",
    re.IGNORECASE,
)
_IMPOSSIBLE = re.compile(
    r"\b(?:impossible|cannot (?:occur|happen|hold)|contradict|discard|rule[sd]? out|exclude|eliminat|rejected?)", re.IGNORECASE
)
_DISJOINT = re.compile(
    r"\b(?:exactly one|mutually exclusive|disjoint|partition|not both|without overlap|no overlap|distinct cases)", re.IGNORECASE
)
_BECAUSE = re.compile(r"\b(?:because|since|due to|owing to|by the|as a consequence of|thanks to)\b", re.IGNORECASE)
_HARD_WORDS = re.compile(
    r"\\(?:log|ln|sin|cos|tan|exp|int|lim|pi|infty|partial|angle|triangle|mathcal)\b|"
    r"\b(?:logarithm|limit|converge\w*|continuous\w*|differentiab\w*|derivative|integral|probability|triangle|circle|angle|area|perimeter|polygon|graph|colou?r\w*|topolog\w*|compact|"
    r"open set|permutation)",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"\$|\\\(|\\\[|[=<>≤≥]")
_LONG = 400
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
_OPENS_A_GOAL = frozenset((TransitionKind.INDUCTION, TransitionKind.IFF_SPLIT))


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


@dataclass(frozen=True, slots=True)
class PremiseUse:
    """The premises of an obligation, by what is known of them now."""

    established: tuple[str, ...]
    """Given, defined, assumed, or concluded and checked: they may serve."""
    unchecked: tuple[str, ...]
    """Concluded, and not checked with a result: nothing that rests on them is established."""
    refuted: tuple[str, ...]
    """Concluded, and found to be false."""

    @property
    def unsettled(self) -> tuple[str, ...]:
        """Everything that may not serve."""
        return (*self.unchecked, *self.refuted)


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


def kind_of(transition: Transition) -> ObligationKind:
    """The kind of a transition's obligation, by the first rule that fits: cases, witness, goal and facts, rewriting, else a fact."""
    text = _text(transition)
    has_facts, changes_goal = bool(_facts(transition)), _changes_goal(transition)
    if transition.kind is TransitionKind.CASE_SPLIT or (transition.kind is TransitionKind.SIMPLE_IMPLICATION and _CASE_WORDS.search(text)):
        return ObligationKind.CASE_SPLIT
    if transition.kind is TransitionKind.EXISTENTIAL_INSTANTIATION or _WITNESS_WORDS.search(text):
        return ObligationKind.WITNESS
    if changes_goal:
        return ObligationKind.FACT_PLUS_REDUCTION if has_facts else ObligationKind.GOAL_REDUCTION
    if _REWRITE_WORDS.search(text):
        return ObligationKind.REWRITE
    return ObligationKind.DERIVED_FACT if has_facts or transition.claim is not None else ObligationKind.ENTAILMENT


def premises_now(obligation: Obligation, outcomes: Mapping[str, Outcome]) -> PremiseUse:
    """Sort an obligation's premises by the outcomes so far, given by obligation id; where none is given, nothing is known."""
    established: list[str] = []
    unchecked: list[str] = []
    refuted: list[str] = []
    for premise in obligation.premises:
        said = [outcomes.get(awaited) for awaited in premise.awaits]
        if any(isinstance(outcome, Refuted) for outcome in said):
            refuted.append(premise.text)
        elif all(isinstance(outcome, Passed) for outcome in said):
            established.append(premise.text)
        else:
            unchecked.append(premise.text)
    return PremiseUse(tuple(established), tuple(unchecked), tuple(refuted))


def may_be_asked(obligation: Obligation, outcomes: Mapping[str, Outcome]) -> bool:
    """Whether everything that it waits for has passed: a reduction waits for the fact that it uses."""
    return all(isinstance(outcomes.get(awaited), Passed) for awaited in obligation.waits_for)


def translation_confidence(text: str) -> float:
    """How well a claim is expected to translate into core Lean, from its words alone (0 to 1): a prior, until a review knows better."""
    confidence = 1.0 if _FORMULA.search(text) else 0.6
    confidence *= 0.5 ** min(3, len(set(_HARD_WORDS.findall(text))))
    return confidence * (0.7 if len(text) > _LONG else 1.0)


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
        if _asserts_nothing(transition):
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
        texts = _facts(self._transition) or (_said(self._transition),)
        found = {text: self._add(kind, text, reason) for text in texts}
        self._by_fact |= {text: (identifier,) for text, identifier in found.items()}
        return found

    def _add_reduction(self, kind: ObligationKind, reason: str, facts: Mapping[str, str]) -> None:
        """Its premises are the goals afterwards and the new facts, which have to pass first."""
        extra = tuple(Premise(text, (identifier,)) for text, identifier in facts.items())
        goals = tuple(Premise(goal) for goal in self._transition.goals_after if goal != self._transition.goal_before)
        self._add(kind, self._transition.goal_before, reason, extra=(*extra, *goals), waits_for=tuple(facts.values()))

    def _add_cases(self) -> None:
        transition, text = self._transition, _text(self._transition)
        cases = [case.text for case in transition.cases] or [
            condition.text for condition in transition.new if condition.kind is ConditionKind.ASSUMPTION
        ]
        covered = self._add(ObligationKind.CASE_SPLIT, " or ".join(cases) or text, "the cases cover everything that the conditions allow")
        self._by_fact |= dict.fromkeys(_facts(transition), (covered,))
        if _IMPOSSIBLE.search(text):
            self._add(ObligationKind.BRANCH_ELIMINATION, text, "a case that is dropped is impossible")
        if _DISJOINT.search(text):
            self._add(ObligationKind.OVERLAP_PARTITION, text, "the cases exclude each other, as the text says")
        if _BECAUSE.search(text):
            self._add(ObligationKind.JUSTIFICATION_FAITHFULNESS, text, "the reason given is the reason that holds", use_lean=False)

    def _add_witness(self) -> None:
        """The target is what the goal became, else the properties said of the witness; a mere name has neither."""
        transition = self._transition
        goals = [goal for goal in transition.goals_after if goal != transition.goal_before]
        facts = _facts(transition)
        if goals and transition.kind is TransitionKind.EXISTENTIAL_INSTANTIATION:
            named = tuple(Premise(condition.text) for condition in transition.new if condition.kind is not ConditionKind.DERIVED)
            self._add(ObligationKind.WITNESS, goals[0], "the witness satisfies the target", extra=named)
        elif facts:
            for fact in facts:
                self._by_fact[fact] = (self._add(ObligationKind.WITNESS, fact, "what is chosen has the property said of it"),)
        else:
            is_name = transition.claim is None and all(condition.kind is ConditionKind.DEFINITION for condition in transition.new)
            self._add(ObligationKind.WITNESS, _said(transition), "what is introduced exists", use_lean=not is_name)


def _premise(condition: Condition, known: Mapping[tuple[str, str], tuple[str, ...]]) -> Premise:
    """A conclusion of which nobody knows where it is checked awaits its transition, and so stays unchecked."""
    if condition.kind is not ConditionKind.DERIVED:
        return Premise(condition.text)
    source = condition.transition or "unknown"
    return Premise(condition.text, known.get((source, condition.text)) or (source,))


def _facts(transition: Transition) -> tuple[str, ...]:
    return tuple(dict.fromkeys(condition.text for condition in transition.new if condition.kind is ConditionKind.DERIVED))


def _changes_goal(transition: Transition) -> bool:
    """A lemma's own goal stands beside the goal, which stays."""
    changed = any(goal != transition.goal_before for goal in transition.goals_after)
    return changed and (transition.kind in _OPENS_A_GOAL or transition.kind is TransitionKind.SIMPLE_IMPLICATION)


def _asserts_nothing(transition: Transition) -> bool:
    """A supposition claims nothing, unless it is said to lose no generality."""
    is_supposed = bool(transition.new) and all(condition.kind is ConditionKind.ASSUMPTION for condition in transition.new)
    return (
        is_supposed
        and transition.claim is None
        and transition.kind is TransitionKind.SIMPLE_IMPLICATION
        and RiskFlag.UNSUPPORTED not in transition.risks
        and not _changes_goal(transition)
    )


def _text(transition: Transition) -> str:
    if transition.text:
        return transition.text
    return f"{transition.cue} {transition.claim.text}".strip() if transition.claim is not None else transition.step_text


def _said(transition: Transition) -> str:
    return transition.claim.text if transition.claim is not None else _text(transition)
