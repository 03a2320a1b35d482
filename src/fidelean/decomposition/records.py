"""The tree of proof states: the records, apart from the rules that build it (FaithSieve, tree of proof states)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from fidelean.informal.maths.tree import Chain, names
from fidelean.informal.records import Claim
from fidelean.outcome import Inconclusive

__all__ = [
    "GOAL_RELATIONS",
    "BranchRole",
    "Condition",
    "ConditionKind",
    "Domain",
    "Fact",
    "GoalRelation",
    "NumberKind",
    "ProofState",
    "ProofTree",
    "RiskFlag",
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

    @property
    def words(self) -> str:
        """The declaration in words: ``a: positive integer``."""
        signs = (("positive", self.positive), ("non-negative", self.nonnegative), ("nonzero", self.nonzero))
        return f"{self.variable}: {' '.join([*(word for word, is_said in signs if is_said), self.number.value])}"


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
    name: str = ""
    """What the model that read the proof calls it, unique within a tree; empty in a tree by rules."""

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
    LEMMA_SUBGOAL = "lemma_subgoal"
    """The lemma is the goal of its own subtree; beside it the goal stays."""
    INDUCTION = "induction"
    """The goal becomes the base and the step."""
    WITNESS_INSTANTIATION = "witness_instantiation"
    """The goal is specialised to the witness."""
    EXISTENTIAL_ELIMINATION = "existential_elimination"
    """The goal stays; an existential condition gives way to a witness with its property."""
    UNIVERSAL_INSTANTIATION = "universal_instantiation"
    """The goal stays; an instance of a universal condition is added."""
    IFF_SPLIT = "iff_split"
    """The goal becomes its two directions."""


GOAL_RELATIONS: Mapping[TransitionKind, GoalRelation] = MappingProxyType(
    {
        TransitionKind.SIMPLE_IMPLICATION: GoalRelation.SAME_GOAL,
        TransitionKind.CASE_SPLIT: GoalRelation.CASE_SPLIT,
        TransitionKind.LEMMA: GoalRelation.LEMMA_SUBGOAL,
        TransitionKind.INDUCTION: GoalRelation.INDUCTION,
        TransitionKind.EXISTENTIAL_INSTANTIATION: GoalRelation.WITNESS_INSTANTIATION,
        TransitionKind.EXISTENTIAL_ELIMINATION: GoalRelation.EXISTENTIAL_ELIMINATION,
        TransitionKind.UNIVERSAL_INSTANTIATION: GoalRelation.UNIVERSAL_INSTANTIATION,
        TransitionKind.IFF_SPLIT: GoalRelation.IFF_SPLIT,
    }
)
"""What each pattern does to the goal (the table of FaithSieve, tree of proof states)."""


class BranchRole(StrEnum):
    """What a state is for the transition that leads to it."""

    CONTINUES = "continues"
    """The proof goes on."""
    SUPPOSITION = "supposition"
    """The proof goes on under something that is supposed, for a contradiction or for a hypothetical."""
    CASE = "case"
    """One case of a split."""
    LEMMA = "lemma"
    """The lemma is proved here."""
    MAIN = "main"
    """The proof goes on with the lemma."""
    BASE = "base"
    """The base of an induction."""
    STEP = "step"
    """The step of an induction, with its hypothesis."""
    FORWARD = "forward"
    """The direction from left to right."""
    BACKWARD = "backward"
    """The direction from right to left."""


class RiskFlag(StrEnum):
    """Why a transition deserves a look; orders work and decides nothing."""

    SIGNATURE = "signature"
    """Its pattern is a special one: cases, a lemma, an induction, a witness, two directions."""
    DECISIVE_WORD = "decisive_word"
    """It turns on a word such as only, all, unique, at most."""
    UNSUPPORTED = "unsupported"
    """Words stand in place of a reason: clearly, obviously, without loss of generality."""
    UNREAD = "unread"
    """What it concludes was not read as a formula."""
    DRIFT = "drift"
    """The substep that it comes from does not keep to its step."""
    JOINS = "joins"
    """It rests on what several branches reached."""


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
    role: BranchRole = BranchRole.CONTINUES
    """What it is for the transition that leads to it."""


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
    index: int = 0
    """1-based position in the tree; 0 in a tree by rules."""
    parent: str | None = None
    """The transition that leads to the state it starts from; None at the root."""
    children: tuple[str, ...] = ()
    """The transitions that start from the states it leads to."""
    substep: str | None = None
    """The substep that it stands for; None in a tree by rules, which cuts no substeps."""
    text: str = ""
    """The substep's text."""
    step_text: str = ""
    """The whole step, as its author wrote it."""
    explanation: str = ""
    """Why it has this pattern, in the words of who proposed it."""
    goal_before: str = ""
    """The goal of the state it starts from."""
    goals_after: tuple[str, ...] = ()
    """The goal of each state it leads to."""
    new: tuple[Condition, ...] = ()
    """The conditions it adds, over all states it leads to."""
    retained: tuple[Condition, ...] = ()
    """The conditions in force before that every state it leads to still has."""
    consumed: tuple[Condition, ...] = ()
    """The conditions in force before that it uses up."""
    transformed: tuple[tuple[Condition, Condition], ...] = ()
    """The conditions in force before that it restates, each with what it becomes."""
    branch: tuple[str, ...] = ()
    """The case assumptions and suppositions in which it stands, outermost first."""
    joins: tuple[str, ...] = ()
    """Ids of the states at the ends of the branches that it rests on."""
    closes: bool = False
    """Whether it reaches the goal of its state."""
    risks: tuple[RiskFlag, ...] = ()
    """Why it deserves a look."""

    @property
    def is_signature(self) -> bool:
        """Whether its pattern is a special one."""
        return self.kind is not TransitionKind.SIMPLE_IMPLICATION


@dataclass(frozen=True, slots=True)
class ProofTree:
    """The states of a proof and the transitions between them."""

    states: tuple[ProofState, ...]
    """Every state, the root first, parents before children."""
    transitions: tuple[Transition, ...]
    """Every transition, in the order of the text."""

    def state(self, identifier: str) -> ProofState | None:
        """The state of this id; None where the tree has none."""
        return next((state for state in self.states if state.id == identifier), None)

    def transition(self, identifier: str) -> Transition | None:
        """The transition of this id; None where the tree has none."""
        return next((transition for transition in self.transitions if transition.id == identifier), None)
