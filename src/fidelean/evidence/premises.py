"""From which equations a claim is drawn, as its words say, and whether they imply or exclude it.

The sieve of exact polynomials: it chooses what is put to Lean, and never decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from fidelean.decomposition.records import Condition, ConditionKind
from fidelean.evidence.conditions import defines_function, equations_of, has_decimals
from fidelean.evidence.wording import (
    draws_on_premise,
    is_one_of_several,
    is_unspoken,
    solves_together,
    speaks_of_curves,
)
from fidelean.exact.ideals import Equation, contradict, imply
from fidelean.exact.novalue import NoValue
from fidelean.informal.context import sentences_of
from fidelean.informal.maths.tree import Name, names
from fidelean.obligations.records import Obligation
from fidelean.policy import ArithmeticPolicy

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

__all__ = ["MAX_PREMISES", "MAX_VARIABLES", "Premises", "free_names"]

MAX_PREMISES = 8
"""Most conditions that go into a statement."""
MAX_VARIABLES = 6
"""Most variables of a statement."""
_MAX_TOGETHER = 4
"""Most equations that are solved together."""


class Premises:
    """Finds the premises of the claims of one proof; conclusions are noted as they are found to follow, or not to."""

    def __init__(self, obligations: Mapping[str, Obligation], problem: str, texts: Mapping[int, str], policy: ArithmeticPolicy) -> None:
        self.obligations = obligations
        self.problem = problem
        self.texts = texts
        self.policy = policy
        self.supported: set[str] = set()
        self.doubted: set[str] = set()

    def implies(self, premises: Sequence[Condition], links: Sequence[Equation]) -> bool:
        """Whether equations that do not contradict each other imply all links."""
        known = [equation for condition in premises for equation in equations_of(condition)]
        return bool(known) and all(imply(known, link, self.policy) for link in links) and not contradict(known, self.policy)

    def excludes(self, premises: Sequence[Condition], links: Sequence[Equation]) -> bool:
        """Whether equations that do not contradict each other leave no room for the links."""
        known = [equation for condition in premises for equation in equations_of(condition)]
        if any(has_decimals(side) for link in links for side in link):
            return False  # a decimal may be rounded: it contradicts nothing by being close
        return bool(known) and contradict([*known, *links], self.policy) and not contradict(known, self.policy)

    def stated_equations(self, obligation: Obligation, given: Sequence[Condition], free: AbstractSet[str]) -> list[Condition]:
        """The problem's equations, where they are about numbers that the proof goes on speaking of."""
        if self.is_geometric(obligation) or self.is_redefined(obligation, free) or self.is_supposed(obligation, free):
            return []
        return [condition for condition in given if condition.kind is ConditionKind.GIVEN]

    def is_supposed(self, obligation: Obligation, free: AbstractSet[str]) -> bool:
        """Whether a claim holds only as far as a supposition of its step does, or its sentence denies it."""
        span = obligation.claim.span
        if span is not None and not sentences_of(self.texts[obligation.step]).asserts(span):
            return True
        reached = frozenset(free).union(
            *(c.variables for c in obligation.conditions if c.kind is ConditionKind.GIVEN and c.variables & free)
        )
        suppositions = (c for c in obligation.conditions if c.kind is ConditionKind.ASSUMPTION and c.step == obligation.step)
        return any(condition.variables & reached for condition in suppositions)

    def is_redefined(self, obligation: Obligation, free: AbstractSet[str]) -> bool:
        """Whether the proof gives one of the variables a meaning of its own, so that the problem's equations may speak of another."""
        return any(
            condition.kind is ConditionKind.DEFINITION and condition.domain is None and free & condition.variables
            for condition in obligation.conditions
        )

    def is_geometric(self, obligation: Obligation) -> bool:
        """Whether equations of the problem may be curves, whose coordinates are not numbers in question."""
        return any(
            speaks_of_curves(condition.text) for condition in obligation.conditions if condition.kind is ConditionKind.GIVEN
        ) or speaks_of_curves(self.problem)

    def usable(self, obligation: Obligation, free: AbstractSet[str]) -> list[Condition]:
        """The equations in force that bear on the claim: given, defined, supposed here, or concluded and found to follow."""
        pool = [condition for condition in obligation.conditions if self.may_serve(condition, obligation)]
        chosen: list[Condition] = []
        reached = set(free)
        grown = True
        while grown and len(chosen) < MAX_PREMISES:
            grown = False
            for condition in pool:
                if condition not in chosen and condition.variables & reached and len(reached | condition.variables) <= MAX_VARIABLES:
                    chosen.append(condition)
                    reached |= condition.variables
                    grown = True
        return chosen

    def may_serve(self, condition: Condition, obligation: Obligation) -> bool:
        """Whether a condition is an equation that may be used where the claim is made."""
        if condition.fact is None or not equations_of(condition) or defines_function(condition):
            return False
        if condition.kind is ConditionKind.DERIVED:
            return condition.transition in self.supported
        return condition.kind is not ConditionKind.ASSUMPTION or condition.step == obligation.step

    def drawn_from(self, obligation: Obligation) -> Condition | None:
        """The equation right in front from which the words draw the claim."""
        if obligation.fact is None or not draws_on_premise(obligation.cue):
            return None
        return self._in_front(obligation)

    def _in_front(self, obligation: Obligation) -> Condition | None:
        """The equation right in front of a claim, about the same variables; none where that gives a variable its value."""
        premise = self.obligations.get(obligation.premise or "")
        if premise is None:
            condition = next((c for c in reversed(obligation.conditions) if c.fact is not None), None)
            if condition is None or condition.step != obligation.step or condition.kind is ConditionKind.DERIVED:
                return None
        elif premise.chain is None or obligation.step - premise.step > 1 or is_one_of_several(premise.cue):
            return None
        else:
            condition = next((c for c in reversed(obligation.conditions) if c.transition == premise.id), None)
        if condition is None or not equations_of(condition) or defines_function(condition) or _is_solved(condition):
            return None
        return condition if condition.variables == free_names(obligation) else None

    def excluding(self, obligation: Obligation, links: Sequence[Equation]) -> list[Condition]:
        """Equations in front which the claim is drawn from, and which leave no room for it; empty where there are none."""
        for premises in self._drawn_together(obligation):
            try:
                if self.excludes(premises, links):
                    return premises
            except NoValue:
                continue
        return []

    def _drawn_together(self, obligation: Obligation) -> Iterator[list[Condition]]:
        premise = self.drawn_from(obligation)
        if premise is not None:
            yield [premise]
        if solves_together(obligation.cue):
            together = self._run_in_front(obligation)
            if len(together) > 1:
                yield together
        if is_unspoken(obligation.cue) and (premise := self._in_front(obligation)) is not None:
            yield from self._agreeing(obligation, premise)

    def _run_in_front(self, obligation: Obligation) -> list[Condition]:
        """The equations that stand one after another right in front of a claim, in its step or the one before."""
        free = free_names(obligation)
        recent = takewhile(lambda c: c.step >= obligation.step - 1 and c.step > 0, reversed(obligation.conditions))
        formulas = (condition for condition in recent if condition.domain is None)
        equations = takewhile(lambda c: bool(equations_of(c)) and not defines_function(c) and c.transition not in self.doubted, formulas)
        run = [condition for condition in equations if not _is_solved(condition)][:_MAX_TOGETHER]
        return run[::-1] if any(condition.variables & free for condition in run) else []

    def _agreeing(self, obligation: Obligation, premise: Condition) -> Iterator[list[Condition]]:
        """In a list of displays, where no word says what is drawn from what: the premise, if an equation before it excludes the claim too.

        Two cases of one equation exclude each other as well, but that equation does not exclude either.
        """
        chain = obligation.chain
        if chain is None:
            return
        links = list(zip(chain.sides, chain.sides[1:], strict=False))
        for condition in reversed(obligation.conditions):
            if condition is premise or condition.text == premise.text or condition.variables != premise.variables:
                continue
            if condition.step not in (0, obligation.step, obligation.step - 1) or not equations_of(condition) or _is_solved(condition):
                continue
            if self.excludes([condition], links) and not contradict([*equations_of(condition), *equations_of(premise)], self.policy):
                yield [premise]
            return


def free_names(obligation: Obligation) -> frozenset[str]:
    """The variables of a claim."""
    chains = obligation.fact.alternatives if obligation.fact is not None else ()
    return frozenset[str]().union(*(names(side) for chain in chains for side in chain.sides))


def _is_solved(condition: Condition) -> bool:
    """Whether an equation gives a variable its value: what comes next is another variable, or another solution."""
    sides = [side for chain in condition.fact.alternatives for side in chain.sides] if condition.fact is not None else []
    return any(isinstance(side, Name) for side in sides) and any(not names(side) for side in sides)
