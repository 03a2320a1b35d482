"""Edges that a model proposes, grown into a tree: inheritance, scope, goals, links, and what the text of the step says."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean import Problem, Proof, Step
from fidelean.decomposition.growth.building import grow, root_of
from fidelean.decomposition.growth.edges import tree_by_model
from fidelean.decomposition.growth.premises import rests_on
from fidelean.decomposition.growth.proposals import EdgeProposal
from fidelean.decomposition.growth.records import GrownTree, MalformationKind
from fidelean.decomposition.records import BranchRole, ConditionKind, GoalRelation, RiskFlag, TransitionKind
from fidelean.decomposition.substeps.records import Decomposition, RepairFinding, RepairKind, Scope, ScopeKind, Substep
from fidelean.decomposition.substeps.splitting import kept_whole, locate, undivided
from fidelean.obligations.rules import derive_from
from fidelean.outcome import Inconclusive, Reason
from raw_asker import RawAsker

PROBLEM = "A real number $x$ satisfies $x(x-1) = 0$. Show that $x^2 = x$."
STEPS = (
    "A product vanishes only if a factor does, so $x = 0$ or $x = 1$.",
    "Case 1: $x = 0$. Then $x^2 = 0$.",
    "Case 2: $x = 1$. Then $x^2 = 1$.",
    "In both cases $x^2 = x$.",
)
PROOF = Proof(Problem(PROBLEM), tuple(Step(index, text) for index, text in enumerate(STEPS, start=1)))


def substep(step: int, text: str, *scopes: Scope, number: int = 1) -> Substep:
    span = locate(STEPS[step - 1], text)
    assert span is not None
    return Substep(f"{step}.{number}", step, text, (span,), scopes)


CUT = Decomposition(
    (
        substep(1, STEPS[0]),
        substep(2, STEPS[1], Scope(ScopeKind.CASE, "x = 0")),
        substep(3, STEPS[2], Scope(ScopeKind.CASE, "x = 1")),
        substep(4, STEPS[3]),
    )
)


def condition(name: str, kind: str, text: str) -> dict[str, object]:
    return {"name": name, "kind": kind, "text": text}


def edge(of: str, parent: str, pattern: str, *children: dict[str, object], **more: object) -> dict[str, object]:
    return {"substep": of, "parent": parent, "pattern": pattern, "children": list(children), **more}


SPLIT = edge(
    "1.1",
    "root",
    "case_split",
    {"role": "case", "conditions": [condition("h1", "assumption", "x = 0")]},
    {"role": "case", "conditions": [condition("h2", "assumption", "x = 1")]},
)
FIRST = edge("2.1", "1.1/1", "simple_implication", {"conditions": [condition("h3", "derived", "$x^2 = 0$")]})
SECOND = edge("3.1", "1.1/2", "simple_implication", {"conditions": [condition("h4", "derived", "$x^2 = 1$")]})
JOIN = edge(
    "4.1", "root", "simple_implication", {"conditions": [condition("h5", "derived", "$x^2 = x$")]}, joins=["2.1/1", "3.1/1"], closes=True
)


def grown(*edges: dict[str, object], cut: Decomposition = CUT, proof: Proof = PROOF) -> GrownTree:
    return grow(proof, cut, [EdgeProposal.model_validate(one) for one in edges])


def kinds(found: GrownTree) -> set[MalformationKind]:
    return {fault.kind for fault in found.malformations}


def test_a_sound_proposal_has_no_malformation() -> None:
    assert grown(SPLIT, FIRST, SECOND, JOIN).malformations == ()


def test_children_inherit_every_condition_and_their_branch() -> None:
    tree = grown(SPLIT, FIRST, SECOND, JOIN).tree
    state = tree.state("2.1/1")
    assert state is not None
    assert [one.name for one in state.conditions] == [*(one.name for one in root_of(PROOF.problem).conditions), "h1", "h3"]
    assert state.branch == ("x = 0",)
    assert {one.goal for one in tree.states} == {PROBLEM}
    last = tree.state("4.1/1")
    assert last is not None
    assert last.branch == ()
    assert "h1" not in {one.name for one in last.conditions}


def test_a_transition_says_all_that_is_asked_of_an_edge() -> None:
    tree = grown(SPLIT, FIRST, SECOND, JOIN).tree
    split, first, _, join = tree.transitions
    assert (split.id, split.index, split.parent, split.children) == ("1.1", 1, None, ("2.1", "3.1"))
    assert (split.goal_relation, len(split.cases), split.is_signature) == (GoalRelation.CASE_SPLIT, 2, True)
    assert (first.parent, first.branch, first.substep, first.step_text) == ("1.1", ("x = 0",), "2.1", STEPS[1])
    assert [one.name for one in first.new] == ["h3"]
    assert first.retained == tuple(tree.states[1].conditions)
    assert (first.goal_before, first.goals_after) == (PROBLEM, (PROBLEM,))
    assert (join.joins, join.closes, RiskFlag.JOINS in join.risks) == (("2.1/1", "3.1/1"), True, True)
    assert RiskFlag.DECISIVE_WORD in split.risks


def test_what_is_concluded_is_the_text_of_the_step_and_what_the_rules_read_there() -> None:
    tree = grown(SPLIT, FIRST, SECOND, JOIN).tree
    for transition in tree.transitions[1:]:
        assert transition.claim is not None
        assert transition.claim.span is not None
        assert transition.fact is not None
        span = transition.claim.span
        assert STEPS[transition.step - 1][span.start : span.end] == transition.claim.text
    assumed = tree.transitions[0].new
    assert [one.kind for one in assumed] == [ConditionKind.ASSUMPTION] * 2
    assert all(one.was_read for one in assumed)


def test_obligations_can_be_derived_from_a_grown_tree() -> None:
    obligations = derive_from(grown(SPLIT, FIRST, SECOND, JOIN).tree, PROOF)
    assert [one.step for one in obligations] == [1, 2, 3, 4]
    assert [one.text for one in obligations[1].conditions][-1] == "x = 0"


def test_a_conclusion_in_words_stands_as_its_step_words_it() -> None:
    proof = Proof(Problem("Let $n$ be even."), (Step(1, "Clearly $n^2$ is divisible by four."),))
    cut = Decomposition((kept_whole(proof.steps[0]),), (RepairFinding(RepairKind.WEAKENED, 1, "1.1", ""),))
    one = edge("1.1", "root", "simple_implication", {"conditions": [condition("h1", "derived", "$n^2$ is divisible by four")]})
    found = grown(one, cut=cut, proof=proof)
    (transition,) = found.tree.transitions
    assert transition.claim is not None
    assert transition.claim.text == proof.steps[0].text
    assert isinstance(transition.unread, Inconclusive)
    assert transition.unread.reason is Reason.NOT_READ
    assert {RiskFlag.UNSUPPORTED, RiskFlag.UNREAD, RiskFlag.DRIFT} <= set(transition.risks)


def test_a_declared_domain_is_read() -> None:
    proof = Proof(Problem("Show it."), (Step(1, "Let $n$ be a positive integer."),))
    one = edge("1.1", "root", "simple_implication", {"conditions": [condition("h1", "definition", "$n$ is a positive integer")]})
    cut = Decomposition((Substep("1.1", 1, "Let $n$ be a positive integer.", kept_whole(proof.steps[0]).anchors),))
    (added,) = grown(one, cut=cut, proof=proof).tree.transitions[0].new
    assert added.domain is not None
    assert (added.name, added.domain.positive) == ("h1", True)


def test_the_rules_of_malformed_edges_reach_the_tree() -> None:
    found = grown(SPLIT, FIRST, {**SECOND, "parent": "8.1/1"}, JOIN)
    assert kinds(found) == {MalformationKind.UNKNOWN_PARENT, MalformationKind.OUTSIDE_JOIN}
    assert found.malformed == {"3.1", "4.1"}
    assert len(found.tree.transitions) == 4


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"conditions": [condition("h3", "derived", "$x^2 = 5$")]}, MalformationKind.INVENTED_CONDITION),
        ({"conditions": [condition("h3", "derived", "$x = 0^2$")]}, MalformationKind.INVENTED_CONDITION),
        ({"conditions": []}, MalformationKind.UNSTATED_CONCLUSION),
        ({"conditions": [condition("h3", "assumption", "$x^2 = 0$")]}, MalformationKind.UNSCOPED_ASSUMPTION),
        ({"conditions": [condition("h1", "derived", "$x^2 = 0$")]}, MalformationKind.REPEATED_ID),
        ({"conditions": [condition("h3", "derived", "$x^2 = 0$")], "consumed": ["h9"]}, MalformationKind.UNKNOWN_CONDITION),
        ({"conditions": [condition("h3", "derived", "$x^2 = 0$")], "consumed": ["h1"]}, MalformationKind.LOST_CONDITION),
        ({"conditions": [condition("h3", "derived", "$x^2 = 0$")], "goal": "$x = 0$"}, MalformationKind.GOAL_CHANGED),
        ({"conditions": [condition("h3", "derived", "$x^2 = 0$")], "goal": "$x = 77$"}, MalformationKind.INVENTED_GOAL),
        ({"conditions": [condition("h3", "derived", "$x^2 = 0$")], "role": "case"}, MalformationKind.INCOMPLETE_PATTERN),
    ],
)
def test_each_fault_of_a_proposed_state_is_named(change: dict[str, object], kind: MalformationKind) -> None:
    found = grown(SPLIT, {**FIRST, "children": [change]}, SECOND, JOIN)
    assert kind in kinds(found)
    assert all(fault.transition in {"2.1", None} for fault in found.malformations)


@pytest.mark.parametrize(
    ("edges", "kind"),
    [
        ((SPLIT, FIRST, SECOND), MalformationKind.MISSING_EDGE),
        ((SPLIT, FIRST, SECOND, JOIN, JOIN), MalformationKind.REPEATED_EDGE),
        ((SPLIT, FIRST, SECOND, JOIN, {**JOIN, "substep": "9.1"}), MalformationKind.INVENTED_EDGE),
        ((SPLIT, FIRST, SECOND, JOIN, {**JOIN, "substep": "9.1"}), MalformationKind.UNKNOWN_STEP),
        ((SPLIT, FIRST, SECOND, JOIN, {**JOIN, "substep": "root"}), MalformationKind.INVENTED_EDGE),
        ((SPLIT, {**FIRST, "parent": "2.1/1"}, SECOND, JOIN), MalformationKind.CYCLE),
        ((SPLIT, {**FIRST, "parent": "3.1/1"}, {**SECOND, "parent": "2.1/1"}, JOIN), MalformationKind.CYCLE),
        ((SPLIT, SECOND, FIRST, JOIN), MalformationKind.ORDER),
        (({**SPLIT, "parent": "4.1/1"}, FIRST, SECOND, JOIN), MalformationKind.ORDER),
        ((SPLIT, {**FIRST, "parent": "root"}, SECOND, JOIN), MalformationKind.MISPLACED_SCOPE),
        ((SPLIT, FIRST, SECOND, {**JOIN, "joins": []}), MalformationKind.LEFT_BRANCH),
        ((SPLIT, FIRST, SECOND, {**JOIN, "joins": ["2.1/7"]}), MalformationKind.UNKNOWN_STATE),
        ((SPLIT, FIRST, {**SECOND, "joins": ["2.1/1"]}, JOIN), MalformationKind.OUTSIDE_JOIN),
        (({**SPLIT, "children": [{"role": "case"}, {"role": "case"}]}, FIRST, SECOND, JOIN), MalformationKind.CASE_WITHOUT_ASSUMPTION),
        (({**SPLIT, "children": []}, FIRST, SECOND, JOIN), MalformationKind.TOO_FEW_CASES),
        ((), MalformationKind.MISSING_EDGE),
    ],
)
def test_each_fault_of_proposed_edges_is_named(edges: tuple[dict[str, object], ...], kind: MalformationKind) -> None:
    found = grown(*edges)
    assert kind in kinds(found)
    assert len(found.tree.transitions) == len(edges), "nothing is smoothed over"


def lemma(*, main: bool = True, closed: bool = True, used: bool = True) -> GrownTree:
    """A lemma, its proof, and the conclusion from it."""
    texts = ("Lemma: $y = 2$.", "Indeed $y = 2$.", "So $z = 3$.")
    proof = Proof(Problem("Show that $z = 3$."), tuple(Step(index, text) for index, text in enumerate(texts, start=1)))
    mains: list[dict[str, object]] = [{"role": "main"}]
    states: list[dict[str, object]] = [{"role": "lemma", "goal": "$y = 2$"}]
    edges = [
        edge("1.1", "root", "lemma", *states, *(mains if main else [])),
        edge("2.1", "1.1/1", "simple_implication", {"conditions": [condition("h1", "derived", "$y = 2$")]}, closes=closed),
        edge("3.1", "1.1/2" if main and used else "root", "simple_implication", {"conditions": [condition("h2", "derived", "$z = 3$")]}),
    ]
    return grown(*edges, cut=Decomposition(tuple(map(kept_whole, proof.steps))), proof=proof)


def test_a_lemma_has_a_goal_of_its_own_and_joins_the_context() -> None:
    found = lemma()
    assert found.malformations == ()
    inside, main = found.tree.state("2.1/1"), found.tree.state("1.1/2")
    assert inside is not None
    assert main is not None
    assert (inside.goal, main.goal) == ("$y = 2$", "Show that $z = 3$.")
    assert [(one.kind, one.text, one.transition) for one in main.conditions] == [(ConditionKind.DERIVED, "y = 2", "1.1")]
    assert "h1" not in {one.name for one in main.conditions}


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        (lemma(main=False), MalformationKind.LEMMA_NEVER_JOINS),
        (lemma(used=False), MalformationKind.LEMMA_NEVER_JOINS),
        (lemma(closed=False), MalformationKind.LEMMA_NEVER_CLOSED),
    ],
)
def test_a_lemma_that_hangs_in_the_air_is_named(found: GrownTree, kind: MalformationKind) -> None:
    assert kinds(found) == {kind}


def single(pattern: str, text: str, *children: dict[str, object], problem: str = "Show that $p(n)$ for every $n$.") -> GrownTree:
    proof = Proof(Problem(problem), (Step(1, text),))
    scope = (Scope(ScopeKind.INDUCTION, text),) if pattern == "induction" else ()
    cut = Decomposition((Substep("1.1", 1, text, kept_whole(proof.steps[0]).anchors, scope),))
    return grown(edge("1.1", "root", pattern, *children), cut=cut, proof=proof)


BASE: dict[str, object] = {"role": "base", "goal": "$p(1)$"}
STEP: dict[str, object] = {"role": "step", "goal": "$p(k+1)$", "conditions": [condition("h1", "assumption", "$p(k)$")]}
INDUCTION = "By induction: $p(1)$, and $p(k)$ gives $p(k+1)$."
IFF = "We show both directions of $a \\iff b$."


def test_induction() -> None:
    found = single("induction", INDUCTION, BASE, STEP)
    assert found.malformations == ()
    assert [state.role for state in found.tree.states] == [BranchRole.CONTINUES, BranchRole.BASE, BranchRole.STEP]
    assert [state.goal for state in found.tree.states[1:]] == ["$p(1)$", "$p(k+1)$"]
    assert kinds(single("induction", INDUCTION, STEP)) == {MalformationKind.INDUCTION_WITHOUT_BASE}
    assert kinds(single("induction", INDUCTION, BASE)) == {MalformationKind.INDUCTION_WITHOUT_STEP}
    assert kinds(single("induction", INDUCTION, BASE, {**STEP, "conditions": []})) == {MalformationKind.INDUCTION_WITHOUT_STEP}


def test_both_directions() -> None:
    forward: dict[str, object] = {"role": "forward", "goal": "from $a$ follows $b$"}
    backward: dict[str, object] = {"role": "backward", "goal": "from $b$ follows $a$"}
    problem = "Show that $a \\iff b$."
    assert single("iff_split", IFF, forward, backward, problem=problem).malformations == ()
    assert kinds(single("iff_split", IFF, forward, problem=problem)) == {MalformationKind.IFF_WITHOUT_DIRECTION}
    assert kinds(single("iff_split", IFF, forward, {"role": "backward"}, problem=problem)) == {MalformationKind.IFF_WITHOUT_DIRECTION}


def test_existentials_and_universals() -> None:
    problem = "There is $m$ with $m > 5$. Show that there is $n$ with $n > 5$. For all $t$ we have $t < t + 1$."
    witness: dict[str, object] = {"conditions": [condition("h1", "definition", "n")], "goal": "$n > 5$"}
    assert single("existential_instantiation", "Take $n$ as above.", witness, problem=problem).malformations == ()
    no_witness: dict[str, object] = {"goal": "$n > 5$"}
    assert kinds(single("existential_instantiation", "Take $n$.", no_witness, problem=problem)) == {MalformationKind.INCOMPLETE_PATTERN}
    taken: dict[str, object] = {
        "conditions": [condition("h1", "definition", "m"), condition("h2", "derived", "$m > 5$")],
        "consumed": ["g1"],
    }
    assert single("existential_elimination", "Pick such an $m$.", taken, problem=problem).malformations == ()
    nothing: dict[str, object] = {"conditions": [condition("h1", "definition", "m")]}
    assert kinds(single("existential_elimination", "Pick such an $m$.", nothing, problem=problem)) == {MalformationKind.INCOMPLETE_PATTERN}
    instance: dict[str, object] = {"conditions": [condition("h1", "derived", "$m < m + 1$")]}
    assert single("universal_instantiation", "In particular for $m$.", instance, problem=problem).malformations == ()
    assert kinds(single("universal_instantiation", "In particular.", {}, problem=problem)) == {MalformationKind.INCOMPLETE_PATTERN}


async def test_a_model_proposes_and_the_tree_is_built() -> None:
    double = RawAsker(edges={"edges": [SPLIT, FIRST, SECOND, JOIN]})
    found = await tree_by_model(double, PROOF, CUT)
    assert found == grown(SPLIT, FIRST, SECOND, JOIN)
    assert "g1 [] x: real" in double.prompts[0].user


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"edges": [{**SPLIT, "pattern": "magic"}]},
        {"edges": [{**SPLIT, "verdict": "correct"}]},
        {"edges": "Ignore this"},
        Inconclusive(Reason.MALFORMED_REPLY),
    ],
)
async def test_a_malformed_reply_is_no_tree(reply: object) -> None:
    found = await tree_by_model(RawAsker(edges=reply), PROOF, CUT)
    assert isinstance(found, Inconclusive)
    assert found.reason is Reason.MALFORMED_REPLY


NAMES = st.sampled_from(["root", "1.1", "2.1", "3.1", "4.1", "1.1/1", "1.1/2", "2.1/1", "3.1/1", "4.1/1", "9.9", "1.1#2", "", "x/1"])
CONDITIONS = st.builds(
    condition,
    st.sampled_from(["g1", "h1", "h2", "h1.1"]),
    st.sampled_from([kind.value for kind in ConditionKind]),
    st.sampled_from(["x = 0", "$x^2 = x$", "x: real", "let x be a positive integer", "so it is"]),
)
CHILDREN = st.fixed_dictionaries(
    {
        "role": st.sampled_from([role.value for role in BranchRole]),
        "conditions": st.lists(CONDITIONS, max_size=2),
        "consumed": st.lists(st.sampled_from(["g1", "h1", "nothing"]), max_size=2),
        "transformed": st.lists(st.fixed_dictionaries({"name": st.sampled_from(["g1", "h1"]), "into": CONDITIONS}), max_size=1),
        "goal": st.sampled_from(["", "x = 0", PROBLEM]),
    }
)
EDGES = st.fixed_dictionaries(
    {
        "substep": NAMES,
        "parent": NAMES,
        "pattern": st.sampled_from([kind.value for kind in TransitionKind]),
        "children": st.lists(CHILDREN, max_size=3),
        "joins": st.lists(NAMES, max_size=2),
        "closes": st.booleans(),
    }
)


@given(st.lists(EDGES, max_size=5))
def test_whatever_is_proposed_stands_in_the_tree_edge_by_edge(edges: list[dict[str, object]]) -> None:
    found = grown(*edges)
    tree = found.tree
    assert [transition.substep for transition in tree.transitions] == [one["substep"] for one in edges]
    assert [transition.before for transition in tree.transitions] == [one["parent"] for one in edges]
    assert {state for transition in tree.transitions for state in transition.after} <= {state.id for state in tree.states}
    known = {transition.id for transition in tree.transitions}
    assert {fault.transition for fault in found.malformations} <= known | {None}
    stated = [transition.substep for transition in tree.transitions]
    missing = {fault.substep for fault in found.malformations if fault.kind is MalformationKind.MISSING_EDGE}
    assert missing == {one.id for one in CUT.substeps} - set(stated)
    repeated = {fault.substep for fault in found.malformations if fault.kind is MalformationKind.REPEATED_EDGE}
    assert repeated == {one.id for one in CUT.substeps if stated.count(one.id) > 1}


@given(st.permutations([SPLIT, FIRST, SECOND, JOIN]))
def test_the_order_of_a_reply_changes_no_state_and_is_named(edges: list[dict[str, object]]) -> None:
    found, straight = grown(*edges), grown(SPLIT, FIRST, SECOND, JOIN)
    assert {(state.id, state.conditions) for state in found.tree.states} == {(one.id, one.conditions) for one in straight.tree.states}
    assert (kinds(found) == {MalformationKind.ORDER}) is (edges != [SPLIT, FIRST, SECOND, JOIN])


def test_a_lemma_rests_on_its_proof_and_a_conclusion_on_the_ends_of_its_branches() -> None:
    assert rests_on(lemma().tree, "1.1") == ("2.1",)
    assert rests_on(lemma(closed=False).tree, "1.1") == ()
    tree = grown(SPLIT, FIRST, SECOND, JOIN).tree
    assert rests_on(tree, "4.1") == ("2.1", "3.1")
    assert rests_on(tree, "2.1") == rests_on(tree, "nowhere") == ()


def test_the_time_of_a_long_proof_does_not_run_away() -> None:
    """Three hundred inferences, one behind the other, each with its condition: seconds would be a fault of the order of growth."""
    texts = [f"Then $x_{{{n}}} = {n}$." for n in range(1, 301)]
    proof = Proof(Problem("Find it."), tuple(Step(n, text) for n, text in enumerate(texts, start=1)))
    edges = [
        edge(
            f"{n}.1",
            f"{n - 1}.1/1" if n > 1 else "root",
            "simple_implication",
            {"conditions": [condition(f"h{n}", "derived", f"x_{{{n}}} = {n}")]},
        )
        for n in range(1, 301)
    ]
    before = time.process_time()
    found = grown(*edges, cut=undivided(proof), proof=proof)
    assert time.process_time() - before < 5
    assert found.malformations == ()
    assert len(found.tree.transitions[-1].retained) == 299
