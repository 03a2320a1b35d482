"""What a proposed edge puts in force, or makes the goal, without the text having it."""

from __future__ import annotations

from collections.abc import Iterator

from fidelean.decomposition.growth.proposals import EdgeProposal
from fidelean.decomposition.growth.records import Malformation, MalformationKind
from fidelean.decomposition.records import BranchRole, ProofState, Transition, TransitionKind
from fidelean.decomposition.substeps.marks import formulas, holds, marks_of, signs
from fidelean.decomposition.substeps.records import Substep

__all__ = ["inventions"]

_INSTANTIATES = frozenset(
    (
        TransitionKind.INDUCTION,
        TransitionKind.EXISTENTIAL_INSTANTIATION,
        TransitionKind.EXISTENTIAL_ELIMINATION,
        TransitionKind.UNIVERSAL_INSTANTIATION,
        TransitionKind.IFF_SPLIT,
    )
)
"""Patterns that write an instance or a half of something in force, and so a formula that the text may not spell out."""


def inventions(transition: Transition, substep: Substep, proposal: EdgeProposal, before: ProofState) -> Iterator[Malformation]:
    """A malformation for each condition and each goal that neither the step, nor the goal so far, nor what an instance may use has."""
    scopes = [scope.text for scope in substep.scopes]
    in_force = [condition.text for condition in before.conditions] if proposal.pattern in _INSTANTIATES else []
    source = "\n\n".join((transition.step_text, substep.text, before.goal, *scopes, *in_force))
    is_instance = proposal.pattern in _INSTANTIATES
    for child in proposal.children:
        for one in (*child.conditions, *(change.into for change in child.transformed)):
            strange = _strange(one.text, source, by_marks=is_instance)
            if strange:
                yield _fault(MalformationKind.INVENTED_CONDITION, transition, f"{one.name}: {strange}")
        strange = _strange(child.goal, source, by_marks=child.role is not BranchRole.LEMMA)
        if strange:
            yield _fault(MalformationKind.INVENTED_GOAL, transition, strange)


def _strange(text: str, source: str, *, by_marks: bool) -> str:
    """What a text has and its source has not: numbers, names, relations, decisive words, and formulas unless the marks are enough."""
    own, known = marks_of(text), marks_of(source)
    pairs = ((own.numbers, known.numbers), (own.names, known.names), (own.relations, known.relations), (own.words, known.words))
    found = [mark for mine, theirs in pairs for mark in mine if mark not in theirs]
    if not by_marks:
        shape = signs(source)
        found += [formula for formula in formulas(text) if not holds(shape, signs(formula))]
    return ", ".join(found)


def _fault(kind: MalformationKind, transition: Transition, detail: str) -> Malformation:
    return Malformation(kind, transition.id, detail[:200], transition.substep)
