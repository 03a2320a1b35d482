"""Suspicion → audit window: which transitions are audited, and in which order. Pure; it schedules and decides nothing."""

from __future__ import annotations

from fidelean.decomposition.audit.records import AuditWindow, SuspicionScan
from fidelean.decomposition.records import ProofTree, Transition
from fidelean.policy import SuspicionPolicy

__all__ = ["audit_window", "text_order", "work_order"]

_DEFAULT = SuspicionPolicy()


def text_order(tree: ProofTree) -> tuple[str, ...]:
    """The ids of the transitions by step; within a step as the tree has them (a tree by rules lists its splits last)."""
    return tuple(transition.id for transition in sorted(tree.transitions, key=lambda transition: transition.step))


def audit_window(tree: ProofTree, scan: SuspicionScan, policy: SuspicionPolicy = _DEFAULT) -> AuditWindow:
    """The earliest transition above the threshold with up to ``policy.prefix`` in front of it, contiguous; empty where none is above."""
    suspicious = {one.transition for one in scan.suspicions if one.score > policy.threshold}
    order = text_order(tree)
    first = next((place for place, identifier in enumerate(order) if identifier in suspicious), None)
    if first is None:
        return AuditWindow()
    return AuditWindow(order[max(0, first - policy.prefix) : first + 1])


def work_order(tree: ProofTree, window: AuditWindow) -> tuple[str, ...]:
    """The window as it is worked through: the suspicious transition, then special patterns, then the others, each group from the back."""
    known = {transition.id: transition for transition in tree.transitions}
    rest = [known[identifier] for identifier in reversed(window.transitions[:-1]) if identifier in known]
    return (*window.transitions[-1:], *(one.id for one in sorted(rest, key=_is_plain)))


def _is_plain(transition: Transition) -> bool:
    return not transition.is_signature
