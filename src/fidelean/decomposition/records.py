"""The tree of proof states: the records, apart from the rules that build it (FaithSieve, tree of proof states)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fidelean.informal.maths.tree import Chain, names
from fidelean.informal.records import Claim
from fidelean.outcome import Inconclusive

__all__ = [
    "Condition",
    "ConditionKind",
    "Domain",
    "Fact",
    "GoalRelation",
    "NumberKind",
    "ProofState",
    "ProofTree",
    "Transition",
    "TransitionKind",
]


class NumberKind(StrEnum):
    """What kind of number the text declares a variable to be."""

    NATURAL = "natural"
    """A non-negative integer."""
    INTEGER = "integer"
    """An integer."""
    RATIONAL = "rational"
    """A rational number."""
    REAL = "real"
    """A real number."""
    COMPLEX = "complex"
    """A complex number."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A declared domain: "positive integers $a$ and $b$"."""

    variable: str
    """The variable's name."""
    number: NumberKind
    """Its kind of number."""
    positive: bool = False
    """Whether it is declared positive."""
    nonnegative: bool = False
    """Whether it is declared not negative."""
    nonzero: bool = False
    """Whether it is declared not zero."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A formula as read: one chain, or several of which at least one holds."""

    alternatives: tuple[Chain, ...]
    """The chains; more than one for "x = 2 or x = 3". Their spans point into the text of the step, or of the problem."""
    text: str
    """As its author wrote it."""


class ConditionKind(StrEnum):
    """Where a condition comes from."""

    GIVEN = "given"
    """The problem states it."""
    DEFINITION = "definition"
    """The proof defines a name by it: let, set, denote."""
    ASSUMPTION = "assumption"
    """The proof supposes it, for the step or the case."""
    DERIVED = "derived"
    """The proof concluded it; it may serve as a premise only once it has been checked."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something in force at a proof state."""

    kind: ConditionKind
    """Where it comes from."""
    step: int
    """1-based step it stands in; 0 for the problem."""
    text: str
    """As its author wrote it."""
    letters: frozenset[str] = frozenset()
    """The letters of its formulas, for a condition that was not read; empty otherwise."""
    fact: Fact | None = None
    """The condition as a formula; None for a domain, and for a sentence that was not read."""
    domain: Domain | None = None
    """The condition as a declared domain."""
    transition: str | None = None
    """The transition that concluded it, for a derived condition."""
    quantified: frozenset[str] = frozenset()
    """The letters for all values of which the text says that it holds."""

    @property
    def variables(self) -> frozenset[str]:
        """The variables it speaks of."""
        if self.domain is not None:
            return frozenset((self.domain.variable,))
        if self.fact is None:
            return self.letters
        return frozenset[str]().union(*(names(side) for chain in self.fact.alternatives for side in chain.sides))

    @property
    def was_read(self) -> bool:
        """Whether the condition is known as more than words."""
        return self.fact is not None or self.domain is not None


class TransitionKind(StrEnum):
    """The pattern of an inference."""

    SIMPLE_IMPLICATION = "simple_implication"
    """A fact is added."""
    CASE_SPLIT = "case_split"
    """One child per case, each with its assumption."""
    LEMMA = "lemma"
    """A lemma is opened, proved, and joins the context."""
    INDUCTION = "induction"
    """A base state and a step state with the hypothesis."""
    EXISTENTIAL_INSTANTIATION = "existential_instantiation"
    """A witness is recorded and the goal specialised."""
    EXISTENTIAL_ELIMINATION = "existential_elimination"
    """An existential is consumed; a witness and its property are added."""
    UNIVERSAL_INSTANTIATION = "universal_instantiation"
    """A universal is kept and an instance added."""
    IFF_SPLIT = "iff_split"
    """Two directional subgoals."""


class GoalRelation(StrEnum):
    """How the goal after an inference relates to the goal before it."""

    SAME_GOAL = "same_goal"
    """The goal stays."""
    CASE_SPLIT = "case_split"
    """The goal is proved once per case."""


@dataclass(frozen=True, slots=True)
class ProofState:
    """What is available at a point of the proof, and what is to be shown."""

    id: str
    """Unique within a tree; ``root`` for the first."""
    conditions: tuple[Condition, ...]
    """Everything in force, oldest first."""
    goal: str
    """The goal, as the problem states it."""
    branch: tuple[str, ...] = ()
    """The case assumptions on the way from the root, outermost first."""


@dataclass(frozen=True, slots=True)
class Transition:
    """One inference of the proof (the paper's EdgeUnit)."""

    id: str
    """``<step>.<number>``, both 1-based, unique within a tree."""
    step: int
    """1-based index of the step."""
    kind: TransitionKind
    """The pattern."""
    goal_relation: GoalRelation
    """What happens to the goal."""
    before: str
    """Id of the state it starts from."""
    after: tuple[str, ...]
    """Ids of the states it leads to."""
    claim: Claim | None
    """What it concludes, in words; None where the step concludes nothing that is written as a formula."""
    fact: Fact | None = None
    """The conclusion as read."""
    unread: Inconclusive | None = None
    """Why the conclusion is no formula without variables, or was not read at all."""
    cue: str = ""
    """The words in front of the formula, which say how it is meant."""
    cases: tuple[Fact, ...] = ()
    """The cases, for a case split."""
    premise: str | None = None
    """The transition whose conclusion this one is drawn from, as the words say."""


@dataclass(frozen=True, slots=True)
class ProofTree:
    """The states of a proof and the transitions between them."""

    states: tuple[ProofState, ...]
    """Every state, the root first, parents before children."""
    transitions: tuple[Transition, ...]
    """Every transition, in the order of the text."""
