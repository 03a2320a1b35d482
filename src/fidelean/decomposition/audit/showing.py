"""A tree as text for a prompt: one line for each transition, so that no text of a proof can add a line of its own."""

from __future__ import annotations

from fidelean.decomposition.records import ProofState, ProofTree, Transition

__all__ = ["in_one_line", "said", "show_state", "show_transition", "show_transitions"]


def in_one_line(text: str) -> str:
    """The text with every white space, line ends included, as one space."""
    return " ".join(text.split())


def show_transitions(tree: ProofTree) -> str:
    """Every transition of a tree, one line each."""
    return "\n".join(map(show_transition, tree.transitions))


def show_transition(transition: Transition) -> str:
    """A transition in one line: id, step, pattern, from where to where, its branch, its flags and what it says."""
    branch = f" within [{'; '.join(transition.branch)}]" if transition.branch else ""
    joins = f" joining {', '.join(transition.joins)}" if transition.joins else ""
    flags = f" ({', '.join(transition.risks)})" if transition.risks else ""
    way = f"{transition.before} -> {', '.join(transition.after) or 'nothing'}"
    return in_one_line(f"{transition.id} | step {transition.step} | {transition.kind} | {way}{branch}{joins}{flags} | {said(transition)}")


def said(transition: Transition) -> str:
    """What a transition says: its substep, the formula it concludes, or its step where it concludes none."""
    return transition.text or (transition.claim.text if transition.claim is not None else transition.step_text) or "(no formula)"


def show_state(state: ProofState | None) -> str:
    """The conditions in force in a state, one line each, and its goal last."""
    if state is None:
        return "(unknown)"
    lines = [
        in_one_line(f"- {condition.kind} {condition.name} (step {condition.step}): {condition.text}") for condition in state.conditions
    ]
    return "\n".join((*(lines or ["- (no conditions)"]), in_one_line(f"goal: {state.goal}")))
