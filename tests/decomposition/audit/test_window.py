"""The audit window: the earliest suspicious transition and what stands right in front of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fidelean.decomposition.audit.records import AuditWindow, Likelihood, Suspicion, SuspicionScan
from fidelean.decomposition.audit.window import audit_window, text_order, work_order
from fidelean.decomposition.records import GoalRelation, ProofState, ProofTree, Transition, TransitionKind
from fidelean.policy import Policy, SuspicionPolicy

SCORES = st.lists(st.floats(0, 1), max_size=30)
POLICIES = st.builds(SuspicionPolicy, threshold=st.floats(0, 1), prefix=st.integers(0, 9))


def tree_of(kinds: list[TransitionKind]) -> ProofTree:
    transitions = [Transition(f"{n}.1", n, kind, GoalRelation.SAME_GOAL, "root", (), None) for n, kind in enumerate(kinds, start=1)]
    return ProofTree((ProofState("root", (), ""),), tuple(transitions))


def scan_of(scores: list[float]) -> SuspicionScan:
    suspicions = (Suspicion(f"{n}.1", score, likely_wrong=False, should_formalize=False) for n, score in enumerate(scores, start=1))
    return SuspicionScan(tuple(suspicions), Likelihood.UNCERTAIN, "rules")


def window_of(scores: list[float], policy: SuspicionPolicy) -> AuditWindow:
    return audit_window(tree_of([TransitionKind.SIMPLE_IMPLICATION] * len(scores)), scan_of(scores), policy)


@given(SCORES, POLICIES)
def test_the_window_ends_at_the_earliest_suspicious_transition(scores: list[float], policy: SuspicionPolicy) -> None:
    window = window_of(scores, policy)
    suspicious = [f"{n}.1" for n, score in enumerate(scores, start=1) if score > policy.threshold]
    assert window.trigger == (suspicious[0] if suspicious else None)
    assert set(window.transitions[:-1]).isdisjoint(suspicious)


@given(SCORES, POLICIES)
def test_the_window_is_contiguous_and_as_long_as_the_policy_lets_it(scores: list[float], policy: SuspicionPolicy) -> None:
    window = window_of(scores, policy).transitions
    steps = [int(identifier.partition(".")[0]) for identifier in window]
    assert steps == list(range(steps[0], steps[-1] + 1)) if steps else window == ()
    if steps:
        assert len(steps) == min(policy.prefix + 1, steps[-1])


@given(SCORES, st.randoms())
def test_the_order_of_a_scan_changes_nothing(scores: list[float], random: object) -> None:
    scan = scan_of(scores)
    shuffled = list(scan.suspicions)
    getattr(random, "shuffle")(shuffled)  # noqa: B009
    tree = tree_of([TransitionKind.SIMPLE_IMPLICATION] * len(scores))
    assert audit_window(tree, SuspicionScan(tuple(shuffled), scan.overall, scan.source)) == audit_window(tree, scan)


def test_the_published_sizes_are_the_default() -> None:
    assert Policy().suspicion == SuspicionPolicy(threshold=0.6, prefix=6)
    assert len(window_of([0.6] * 20 + [0.61, 1.0], SuspicionPolicy()).transitions) == 7
    assert window_of([0.6] * 20, SuspicionPolicy()) == AuditWindow()


@given(st.lists(st.sampled_from([TransitionKind.SIMPLE_IMPLICATION, TransitionKind.LEMMA]), min_size=1, max_size=12))
def test_special_patterns_order_the_work_and_change_nothing_else(kinds: list[TransitionKind]) -> None:
    tree = tree_of(kinds)
    window = audit_window(tree, scan_of([0.0] * (len(kinds) - 1) + [1.0]))
    order = work_order(tree, window)
    assert sorted(order) == sorted(window.transitions)
    assert order[0] == window.trigger
    special = [tree.transitions[int(one.partition(".")[0]) - 1].is_signature for one in order[1:]]
    assert special == sorted(special, reverse=True)


def test_a_split_that_the_rules_list_last_stands_at_its_step() -> None:
    tree = tree_of([TransitionKind.SIMPLE_IMPLICATION] * 3)
    split = Transition("1.cases", 1, TransitionKind.CASE_SPLIT, GoalRelation.CASE_SPLIT, "root", (), None)
    assert text_order(ProofTree(tree.states, (*tree.transitions, split))) == ("1.1", "1.cases", "2.1", "3.1")
    assert work_order(tree, AuditWindow()) == ()
