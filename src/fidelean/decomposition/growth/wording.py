"""The conditions and conclusions that a model names, tied to what the rules read at the same place of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fidelean.decomposition.domains import declared_domains
from fidelean.decomposition.records import Condition, ConditionKind, Fact, Transition
from fidelean.decomposition.rules import decompose
from fidelean.decomposition.substeps.marks import formulas, holds, letters, marks_of, signs
from fidelean.decomposition.substeps.records import Substep
from fidelean.informal.records import Claim, Proof, Span
from fidelean.outcome import Inconclusive, Reason

__all__ = ["Conclusion", "Wording"]

Conclusion = tuple[Claim, Transition | None]
"""A conclusion as the step words it, with the transition that the rules read there."""


class Wording:
    """What the rules read of a proof, by step and by signs: a formula that the model names is looked up in it."""

    def __init__(self, proof: Proof) -> None:
        tree = decompose(proof)
        self._texts = {step.index: step.text for step in proof.steps}
        self._claims: dict[int, list[Transition]] = {}
        for transition in tree.transitions:
            if transition.claim is not None and not transition.cases:
                self._claims.setdefault(transition.step, []).append(transition)
        self._conditions: dict[tuple[int, tuple[str, ...]], Condition] = {}
        self._anywhere: dict[tuple[str, ...], Condition] = {}
        for state in tree.states:
            for condition in state.conditions:
                self._remember(condition, proof)

    def _remember(self, condition: Condition, proof: Proof) -> None:
        """Keep a condition that was read as a formula, and each of its alternatives, where it stands."""
        if condition.fact is None:
            return
        text = self._texts.get(condition.step, proof.problem.text)
        chains = condition.fact.alternatives
        parts = [Fact((chain,), text[chain.spans[0].start : chain.spans[-1].end]) for chain in chains] if len(chains) > 1 else []
        for fact in (condition.fact, *parts):
            one = replace(condition, fact=fact, text=fact.text)
            self._conditions.setdefault((condition.step, signs(fact.text)), one)
            self._anywhere.setdefault(signs(fact.text), one)

    def conditions(self, text: str, kind: ConditionKind, step: int, name: str, transition: str) -> tuple[Condition, ...]:
        """A condition as known: the formula that the rules read, or its domains, or its words alone.

        A conclusion is looked up in its own step; what is assumed or defined may be spelled out in another.
        """
        concluded = transition if kind is ConditionKind.DERIVED else None
        read = self._conditions.get((step, signs(text)))
        if read is None and kind is not ConditionKind.DERIVED:
            read = self._anywhere.get(signs(text))
        if read is not None:
            return (replace(read, kind=kind, name=name, transition=concluded),)
        domains = declared_domains(text)
        spelled = {variable.replace("_", "") for variable in (domain.variable for domain in domains)}
        marks = marks_of(text)
        says_more = bool(marks.numbers or marks.relations) or not set(marks.names) <= spelled
        found = [
            Condition(
                kind, step, text, domain=domain, name=name if number == 1 and not says_more else f"{name}.{number}", transition=concluded
            )
            for number, domain in enumerate(domains, start=1)
        ]
        if says_more or not domains:
            found.append(Condition(kind, step, text, letters(text), name=name, transition=concluded))
        return tuple(found)

    def conclusion(self, text: str, substep: Substep) -> Conclusion:
        """Where the step concludes what the model says it does; the text of the claim is always the step's own."""
        step = self._texts.get(substep.step, "")
        wanted = signs(text)
        for transition in self._read_in(substep):
            if transition.fact is not None and signs(transition.fact.text) == wanted and transition.claim is not None:
                return transition.claim, transition
            if transition.claim is not None and signs(transition.claim.text) == wanted:
                return transition.claim, transition
        span = substep.anchors[-1] if substep.anchors else Span(0, len(step))
        return Claim(step[span.start : span.end], step=substep.step, span=span), None

    def unread(self, conclusion: Conclusion) -> Inconclusive | None:
        """Why a conclusion is no formula that can be decided by itself."""
        return conclusion[1].unread if conclusion[1] is not None else Inconclusive(Reason.NOT_READ, "a conclusion in words")

    def unstated(self, substep: Substep, known: Sequence[str]) -> tuple[str, ...]:
        """The formulas that the step asserts where the substep stands, and none of the known texts holds."""
        shapes = [signs(text) for text in known]
        links = {signs(link) for text in known for link in formulas(text)}
        texts = [transition.claim.text for transition in self._read_in(substep) if transition.claim is not None]
        return tuple(text for text in texts if signs(text) not in shapes and not _is_covered(text, links, shapes))

    def _read_in(self, substep: Substep) -> list[Transition]:
        """The conclusions of the rules that lie in what a substep quotes and retells."""
        retold = signs(substep.text)
        return [
            one
            for one in self._claims.get(substep.step, ())
            if one.claim is not None
            and one.claim.span is not None
            and any(anchor.start <= one.claim.span.start and one.claim.span.end <= anchor.end for anchor in substep.anchors)
            and holds(retold, signs(one.claim.text))
        ]


def _is_covered(text: str, links: set[tuple[str, ...]], shapes: list[tuple[str, ...]]) -> bool:
    """Whether every link of a chain is known, or the whole stands in a longer known text."""
    own = [signs(link) for link in formulas(text)]
    return (bool(own) and all(link in links for link in own)) or any(holds(shape, signs(text)) for shape in shapes)
