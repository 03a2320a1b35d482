"""A tree of proof states as a graph, whatever is wrong with it: who leads where, what stands above what, where it turns in circles."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fidelean.decomposition.records import ProofState, ProofTree, Transition

__all__ = ["Shape"]


class Shape:
    """The states and transitions of a tree by name, with the ways between them; of two with one name the first counts."""

    def __init__(self, tree: ProofTree) -> None:
        self.states: Mapping[str, ProofState] = MappingProxyType({state.id: state for state in reversed(tree.states)})
        self.transitions: Mapping[str, Transition] = MappingProxyType({one.id: one for one in reversed(tree.transitions)})
        self._producers: dict[str, Transition] = {state: one for one in reversed(tree.transitions) for state in one.after}
        self._starts: dict[str, list[Transition]] = {}
        for transition in tree.transitions:
            self._starts.setdefault(transition.before, []).append(transition)

    def producer(self, state: str) -> str | None:
        """The transition that leads to a state; None where no transition does."""
        found = self._producers.get(state)
        return found.id if found is not None else None

    def starts(self, state: str) -> tuple[Transition, ...]:
        """The transitions that start from a state."""
        return tuple(self._starts.get(state, ()))

    def after(self, transition: Transition) -> tuple[ProofState, ...]:
        """The states a transition leads to, those that exist."""
        return tuple(self.states[identifier] for identifier in transition.after if identifier in self.states)

    def above(self, state: str) -> tuple[str, ...]:
        """The states on the way from a state up to where it ends, the state itself first; ends where it would repeat itself."""
        way: dict[str, None] = {state: None}
        found = self._producers.get(state)
        while found is not None and found.before not in way:
            way[found.before] = None
            found = self._producers.get(found.before)
        return tuple(way)

    def below(self, state: str) -> tuple[Transition, ...]:
        """Every transition that starts from a state or, over others, from what is reached from it."""
        seen, waiting, found = {state}, [state], list[Transition]()
        while waiting:
            for transition in self.starts(waiting.pop()):
                found.append(transition)
                reached = [after for after in transition.after if after not in seen]
                seen.update(reached)
                waiting += reached
        return tuple(found)

    def is_cyclic(self, transition: Transition) -> bool:
        """Whether a transition lies on a circle."""
        return any(state in self.above(transition.before) for state in transition.after)

    def is_rooted(self, transition: Transition) -> bool:
        """Whether the way up from a transition leads over states that exist, and does not end in a circle."""
        way = self.above(transition.before)
        return way[-1] not in self._producers and all(state in self.states for state in way)
