"""The search for a counterexample: values at which every condition holds and the conclusion fails, exactly and strictly.

Linear equations are solved first, other equations are solved for their last variable, the rest is a grid of small numbers, of the
statement's own constants and their neighbours, and of divisors. Bounded in work and time. The order is fixed, so the same statement
gives the same answer on every machine that is not too slow. What is found is a proposal: the kernel has the last word.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from fidelean.policy import ProvingPolicy
from fidelean.proving.branches import Branch, branches_of, solved
from fidelean.proving.evaluation import NoValue, Number, Values, compiled
from fidelean.proving.polynomials import NotPolynomial, Polynomial, divisors, rational_roots, simplified
from fidelean.proving.problem import Problem
from fidelean.proving.terms import Numeral, Proposition, mentioned, subterms, terms_of

__all__ = ["Witness", "find_counterexample", "find_example", "find_values"]

_Item = TypeVar("_Item")
_EXPECTED = (NoValue, NotPolynomial)


@dataclass(frozen=True, slots=True)
class Witness:
    """Values of every variable of a problem."""

    values: Mapping[str, Number]
    """The values by name."""


@dataclass(slots=True)
class _Budget:
    """What a search may still spend."""

    nodes: int
    """Values that may still be tried."""
    deadline: float
    """When it must end (monotonic clock, seconds)."""

    def spend(self) -> None:
        self.nodes -= 1
        if self.nodes < 0 or (self.nodes % 256 == 0 and time.monotonic() > self.deadline):
            raise _Exhausted


class _Exhausted(Exception):
    pass


def find_counterexample(problem: Problem, policy: ProvingPolicy) -> Witness | None:
    """Values at which all conditions hold and the conclusion fails, or None where the search found none (which says nothing)."""
    return find_values(problem.carriers, (*problem.conditions, problem.goal), policy)


def find_example(problem: Problem, policy: ProvingPolicy) -> Witness | None:
    """Values at which all conditions hold: they do not contradict each other. None says nothing."""
    return find_values(problem.carriers, problem.conditions, policy)


def find_values(carriers: Mapping[str, str], conditions: Sequence[Proposition], policy: ProvingPolicy) -> Witness | None:
    """Values of the names of ``carriers`` at which every condition holds, denominators and differences respected."""
    try:
        accept = [compiled(condition) for condition in conditions]
    except _EXPECTED:
        return None
    budget = _Budget(policy.search_nodes, time.monotonic() + policy.search_seconds)
    plans = list(_plans(carriers, conditions, budget.deadline))
    try:
        for size in policy.search_levels:
            for branch, literals in plans:
                found = _Search(carriers, branch, literals, conditions, budget).run(size)
                if found is not None and all(_holds(condition, found) for condition in accept):
                    return Witness({name: found[name] for name in carriers})
    except _Exhausted:
        return None
    return None


def _plans(
    carriers: Mapping[str, str], conditions: Sequence[Proposition], deadline: float
) -> Iterator[tuple[Branch, tuple[Proposition, ...]]]:
    names = tuple(carriers)
    for literals in branches_of(conditions):
        if time.monotonic() > deadline:
            return
        try:
            branch = solved(literals, names)
        except _EXPECTED:
            continue
        if branch is not None:
            yield branch, literals


def _holds(condition: Callable[[Values], bool], values: Values) -> bool:
    try:
        return condition(values)
    except _EXPECTED:
        return False


class _Search:
    """Depth first through the free variables of one branch; each check runs as soon as its variables have values."""

    def __init__(
        self,
        carriers: Mapping[str, str],
        branch: Branch,
        literals: Sequence[Proposition],
        conditions: Sequence[Proposition],
        budget: _Budget,
    ) -> None:
        self._carriers = carriers
        self._branch = branch
        self._budget = budget
        self._constants = _constants(conditions, branch.equations)
        self._values: dict[str, Number] = {}
        order = branch.free
        known = [set(order[:depth]) for depth in range(len(order) + 1)]
        self._definitions = _scheduled(branch.definitions, known, lambda item: item[1].names)
        reach = [{*names, *(n for level in self._definitions[: d + 1] for n, _ in level)} for d, names in enumerate(known)]
        checks = [(compiled(literal), mentioned(literal) & carriers.keys()) for literal in literals]
        self._checks = [[check for check, _ in level] for level in _scheduled(checks, reach, lambda item: item[1])]
        self._equations = _scheduled([(e, e.names) for e in branch.equations], known, lambda item: item[1])

    def run(self, size: int) -> dict[str, Number] | None:
        """The first values found with about ``size`` combinations."""
        count = len(self._branch.free)
        width = max(2, int(size ** (1 / count) + 1e-9)) if count else 0
        self._grids = {name: _grid(self._carriers[name], self._constants, width) for name in self._branch.free}
        self._values = {}
        return dict(self._values) if self._settle(0) and self._descend(0) else None

    def _descend(self, depth: int) -> bool:
        if depth == len(self._branch.free):
            return True
        name = self._branch.free[depth]
        for value in self._candidates(depth, name):
            self._budget.spend()
            self._values[name] = value
            if self._settle(depth + 1) and self._descend(depth + 1):
                return True
        self._values.pop(name, None)
        return False

    def _candidates(self, depth: int, name: str) -> Sequence[Number]:
        """Roots where an equation leaves only this variable open, else the grid."""
        for equation, _ in self._equations[depth + 1]:
            try:
                powers = equation.specialise(name, self._values)
            except NotPolynomial:
                continue
            if set(powers) - {0}:
                return [root for root in rational_roots(powers) if _belongs(root, self._carriers[name])]
            if powers:
                return ()
        return self._grids[name]

    def _settle(self, depth: int) -> bool:
        """Compute what is now defined and check what can now be checked."""
        try:
            for name, expression in self._definitions[depth]:
                value = simplified(expression.evaluate(self._values))
                if not _belongs(value, self._carriers[name]):
                    return False
                self._values[name] = value
            return all(check(self._values) for check in self._checks[depth])
        except _EXPECTED:
            return False


def _scheduled(
    items: Sequence[_Item], known: Sequence[AbstractSet[str]], names_of: Callable[[_Item], AbstractSet[str]]
) -> list[list[_Item]]:
    """Each item at the first depth at which all its names are known."""
    levels: list[list[_Item]] = [[] for _ in known]
    for item in items:
        depth = next((depth for depth, names in enumerate(known) if names_of(item) <= names), None)
        if depth is not None:
            levels[depth].append(item)
    return levels


def _belongs(value: Number, carrier: str) -> bool:
    return carrier == "Rat" or (value.denominator == 1 and (carrier == "Int" or value >= 0))


def _constants(conditions: Sequence[Proposition], equations: Sequence[Polynomial]) -> tuple[int, ...]:
    """Numbers worth trying: those of the statement, their neighbours, and divisors of constant terms, in this order."""
    found: dict[int, None] = {}
    literals = [
        part.value
        for condition in conditions
        for side in terms_of(condition)
        for part in subterms(side)
        if isinstance(part, Numeral) and part.value.bit_length() <= 64
    ]
    found.update(dict.fromkeys(literals))
    found.update({value + step: None for value in literals for step in (1, -1)})
    for equation in equations:
        constant = equation.terms.get((), 0)
        if constant:
            found.update(dict.fromkeys(sorted(divisors(constant.numerator), reverse=True)[:24]))
    return tuple(value for value in found if abs(value) > 3)


_FRACTIONS = tuple(
    Fraction(top, bottom) for bottom in (2, 3, 4, 5) for top in (1, -1, 3, -3, 2, -2, 5, -5) if Fraction(top, bottom).denominator == bottom
)
_FAR = 400


def _grid(carrier: str, constants: Sequence[int], width: int) -> tuple[Number, ...]:
    """The first ``width`` values to try: small integers, the statement's constants, simple fractions, then further integers."""
    near = [0, 1, -1, 2, -2, 3]
    wide = [value for constant in constants for value in (constant, -constant)]
    far = [value for number in range(3, _FAR) for value in (number, -number)]
    fractions = _FRACTIONS if carrier == "Rat" else ()
    ordered: dict[Number, None] = dict.fromkeys([*near, *wide[:12], *fractions[:4], *far[:10], *wide[12:], *fractions[4:], *far[10:]])
    return tuple(value for value in ordered if _belongs(value, carrier))[:width]
