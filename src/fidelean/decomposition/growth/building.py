"""Substeps and proposed edges → tree of proof states: deterministic, and as faulty as the proposals are.

Children inherit every condition of their parent; a proposal adds, restates or uses up some. Nothing is mended: an edge that starts from
nowhere does so in the tree too, and the malformations say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fidelean.decomposition.growth.inventions import inventions
from fidelean.decomposition.growth.malformations import malformations
from fidelean.decomposition.growth.proposals import ChildProposal, ConditionProposal, EdgeProposal
from fidelean.decomposition.growth.records import GrownTree, Malformation, MalformationKind
from fidelean.decomposition.growth.risks import risks_of
from fidelean.decomposition.growth.shape import Shape
from fidelean.decomposition.growth.wording import Wording
from fidelean.decomposition.records import (
    GOAL_RELATIONS,
    BranchRole,
    Condition,
    ConditionKind,
    Fact,
    ProofState,
    ProofTree,
    Transition,
    TransitionKind,
)
from fidelean.decomposition.rules import decompose
from fidelean.decomposition.substeps.marks import signs
from fidelean.decomposition.substeps.records import Decomposition, Substep
from fidelean.informal.records import Claim, Problem, Proof

__all__ = ["grow", "root_of"]


def root_of(problem: Problem) -> ProofState:
    """The first state: what the problem states, named ``g1``, ``g2``, ..., and the problem as the goal."""
    root = decompose(Proof(problem, ())).states[0]
    named = tuple(replace(condition, name=f"g{number}") for number, condition in enumerate(root.conditions, start=1))
    return replace(root, conditions=named)


def grow(proof: Proof, decomposition: Decomposition, proposals: Sequence[EdgeProposal]) -> GrownTree:
    """The tree of the proposed edges, in their order, with every malformation."""
    grower = _Grower(proof, decomposition, proposals)
    tree = grower.tree()
    found = (*malformations(tree, decomposition.substeps, steps=len(proof.steps)), *grower.faults)
    return GrownTree(tree, tuple(dict.fromkeys(found)))


class _Grower:
    """The tree as it grows, edge by edge, each once the state it starts from is there."""

    def __init__(self, proof: Proof, decomposition: Decomposition, proposals: Sequence[EdgeProposal]) -> None:
        self.proof = proof
        self.wording = Wording(proof)
        self.substeps = {substep.id: substep for substep in decomposition.substeps}
        self.drifted = decomposition.drifted
        self.proposals = proposals
        self.states: dict[str, ProofState] = {"root": root_of(proof.problem)}
        self.grown: dict[int, Transition] = {}
        self.faults: list[Malformation] = []

    def tree(self) -> ProofTree:
        waiting = list(enumerate(self.proposals, start=1))
        names = _unique(proposal.substep for proposal in self.proposals)
        while waiting:
            ready = [item for item in waiting if item[1].parent in self.states]
            for index, proposal in ready or [_loose(waiting, names)]:
                self.grown[index] = self._edge(index, names[index - 1], proposal)
            waiting = [item for item in waiting if item[0] not in self.grown]
        tree = ProofTree(tuple(self.states.values()), tuple(self.grown[index] for index in sorted(self.grown)))
        shape = Shape(tree)
        return replace(tree, transitions=tuple(_linked(transition, shape) for transition in tree.transitions))

    def _edge(self, index: int, identifier: str, proposal: EdgeProposal) -> Transition:
        substep = self.substeps.get(proposal.substep) or Substep(proposal.substep, _step_of(proposal.substep), "")
        before = self.states.get(proposal.parent) or ProofState(proposal.parent, (), self.proof.problem.text)
        blank = Transition(
            id=identifier,
            step=substep.step,
            kind=proposal.pattern,
            goal_relation=GOAL_RELATIONS[proposal.pattern],
            before=proposal.parent,
            after=tuple(f"{identifier}/{number}" for number in range(1, len(proposal.children) + 1)),
            claim=None,
            index=index,
            substep=proposal.substep,
            text=substep.text,
            step_text=self._step_text(substep.step),
            explanation=proposal.explanation,
            goal_before=before.goal,
            branch=before.branch,
            joins=proposal.joins,
            closes=proposal.closes,
        )
        self.faults += inventions(blank, substep, proposal, before)
        grown = [self._child(blank, state, child, before) for state, child in zip(blank.after, proposal.children, strict=True)]
        return self._concluded(_with_changes(blank, before, grown, proposal), substep, before)

    def _step_text(self, step: int) -> str:
        return self.proof.steps[step - 1].text if 1 <= step <= len(self.proof.steps) else ""

    def _child(self, blank: Transition, identifier: str, child: ChildProposal, before: ProofState) -> ProofState:
        known = {condition.name: condition for condition in before.conditions}
        for name in (*child.consumed, *(one.name for one in child.transformed)):
            if name not in known:
                detail = f"{name} is not in force in {before.id}"[:200]
                self.faults.append(Malformation(MalformationKind.UNKNOWN_CONDITION, blank.id, detail, blank.substep))
        gone = {*child.consumed, *(one.name for one in child.transformed)}
        restated = [self._read(one.into, blank) for one in child.transformed]
        added = [self._read(one, blank) for one in child.conditions]
        conditions = [condition for condition in before.conditions if condition.name not in gone]
        conditions += [condition for group in (*restated, *added) for condition in group]
        goal = child.goal.strip() or before.goal
        if child.role is BranchRole.MAIN:
            conditions += self._lemmas(blank, before, conditions)
        branch = (
            (*before.branch, *(one.text for one in child.conditions if one.kind is ConditionKind.ASSUMPTION))
            if _opens(child)
            else before.branch
        )
        state = ProofState(identifier, tuple(conditions), goal, branch, child.role)
        self.states.setdefault(identifier, state)
        return state

    def _read(self, one: ConditionProposal, blank: Transition) -> tuple[Condition, ...]:
        return self.wording.conditions(one.text, one.kind, blank.step, one.name, blank.id)

    def _lemmas(self, blank: Transition, before: ProofState, conditions: list[Condition]) -> list[Condition]:
        """The lemma itself, which joins the context of the state that goes on; nothing where the proposal lists it already."""
        proposal = self.proposals[blank.index - 1]
        lemmas = [child.goal.strip() for child in proposal.children if child.role is BranchRole.LEMMA and child.goal.strip()]
        known = {signs(condition.text) for condition in conditions if condition not in before.conditions}
        missing = [lemma for lemma in lemmas if signs(lemma) not in known]
        return [
            condition
            for number, lemma in enumerate(missing, start=1)
            for condition in self.wording.conditions(lemma, ConditionKind.DERIVED, blank.step, f"lemma {blank.id}.{number}", blank.id)
        ]

    def _concluded(self, transition: Transition, substep: Substep, before: ProofState) -> Transition:
        """The transition with what it concludes, in the words of the step."""
        stated = [condition.text for condition in (*before.conditions, *transition.new)] + [before.goal, *transition.goals_after]
        for text in self.wording.unstated(substep, stated):
            self.faults.append(Malformation(MalformationKind.UNSTATED_CONCLUSION, transition.id, text[:200], transition.substep))
        flagged = replace(transition, risks=risks_of(transition, substep.text, drifted=substep.id in self.drifted))
        if transition.kind is TransitionKind.CASE_SPLIT:
            return _split(flagged, substep)
        derived = [condition for condition in transition.new if condition.kind is ConditionKind.DERIVED]
        if not derived or transition.kind in (TransitionKind.LEMMA, TransitionKind.INDUCTION, TransitionKind.IFF_SPLIT):
            return flagged
        conclusion = self.wording.conclusion(derived[0].text, substep)
        read = conclusion[1]
        concluded = replace(
            flagged,
            claim=conclusion[0],
            fact=read.fact if read is not None else None,
            unread=self.wording.unread(conclusion),
            cue=read.cue if read is not None else "",
        )
        return replace(concluded, risks=risks_of(concluded, substep.text, drifted=substep.id in self.drifted))


def _loose(waiting: Sequence[tuple[int, EdgeProposal]], names: Sequence[str]) -> tuple[int, EdgeProposal]:
    """Of edges none of which can be reached, one that starts from nowhere; the first where they turn in circles."""
    promised = {f"{names[index - 1]}/{number}" for index, proposal in waiting for number in range(1, len(proposal.children) + 1)}
    return next((item for item in waiting if item[1].parent not in promised), waiting[0])


def _opens(child: ChildProposal) -> bool:
    return child.role not in (BranchRole.CONTINUES, BranchRole.MAIN)


def _with_changes(blank: Transition, before: ProofState, grown: Sequence[ProofState], proposal: EdgeProposal) -> Transition:
    """The transition with its conditions sorted into new, retained, consumed and transformed."""
    known = {condition.name: condition for condition in before.conditions}
    consumed = [known[name] for child in proposal.children for name in child.consumed if name in known]
    transformed = [
        (known[change.name], after)
        for child, state in zip(proposal.children, grown, strict=True)
        for change in child.transformed
        if change.name in known
        for after in state.conditions
        if after.name == change.into.name or after.name.startswith(f"{change.into.name}.")
    ]
    # by identity, not equality: what is inherited is the same record, and long proofs have many
    old, changed = set(map(id, before.conditions)), {id(after) for _, after in transformed}
    inherited = old | changed
    kept = [set(map(id, state.conditions)) for state in grown]
    new = [condition for state in grown for condition in state.conditions if id(condition) not in inherited]
    return replace(
        blank,
        goals_after=tuple(state.goal for state in grown),
        new=tuple(dict.fromkeys(new)),
        retained=tuple(condition for condition in before.conditions if all(id(condition) in one for one in kept)),
        consumed=tuple(dict.fromkeys(consumed)),
        transformed=tuple(dict.fromkeys(transformed)),
    )


def _split(transition: Transition, substep: Substep) -> Transition:
    """A split claims that its cases cover: one of their assumptions holds."""
    assumed = [condition for condition in transition.new if condition.kind is ConditionKind.ASSUMPTION]
    facts = [condition.fact for condition in assumed if condition.fact is not None]
    claim = Claim(" or ".join(condition.text for condition in assumed), step=substep.step) if assumed else None
    if len(facts) < len(assumed) or not facts:
        return replace(transition, claim=claim)
    fact = Fact(tuple(chain for fact in facts for chain in fact.alternatives), " or ".join(fact.text for fact in facts))
    return replace(transition, claim=claim, fact=fact, cases=tuple(facts))


def _linked(transition: Transition, shape: Shape) -> Transition:
    """The transition with its neighbours in the tree."""
    children = tuple(child.id for state in transition.after for child in shape.starts(state))
    return replace(transition, parent=shape.producer(transition.before), children=children)


def _unique(names: Iterator[str]) -> list[str]:
    """The names, a repeated one with its number behind it."""
    used: dict[str, int] = {}
    found: list[str] = []
    for name in names:
        used[name] = used.get(name, 0) + 1
        found.append(name if used[name] == 1 else f"{name}#{used[name]}")
    return found


def _step_of(identifier: str) -> int:
    """The step that an id of a substep names; 0 where it names none."""
    match = re.match(r"([0-9]{1,6})\.", identifier)
    return int(match.group(1)) if match else 0
