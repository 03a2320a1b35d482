from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fidelean.decomposition.records import (
    Condition,
    ConditionKind,
    Fact,
    GoalRelation,
    ProofState,
    ProofTree,
    RiskFlag,
    Transition,
    TransitionKind,
)
from fidelean.decomposition.rules import decompose
from fidelean.informal.reading import read_proofs
from fidelean.informal.records import Claim
from fidelean.obligations.kinds import kind_of, translation_confidence
from fidelean.obligations.premises import may_be_asked, premises_now
from fidelean.obligations.records import Obligation, ObligationKind, ObligationSource
from fidelean.obligations.typed import ContestedClaim, TreeNotes, derive_typed
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted

GOAL = "$n^2 + n$ is even"
GIVEN = Condition(ConditionKind.GIVEN, 0, "$n$ is an integer")
KIND = ObligationKind


def derived(text: str, transition: str = "1.1") -> Condition:
    return Condition(ConditionKind.DERIVED, 1, text, transition=transition)


def assumed(text: str) -> Condition:
    return Condition(ConditionKind.ASSUMPTION, 1, text)


def edge(
    text: str,
    *new: Condition,
    goals: tuple[str, ...] = (GOAL,),
    kind: TransitionKind = TransitionKind.SIMPLE_IMPLICATION,
    cases: tuple[str, ...] = (),
    name: str = "1.1",
    before: str = "root",
    risks: tuple[RiskFlag, ...] = (),
) -> Transition:
    return Transition(
        id=name,
        step=1,
        kind=kind,
        goal_relation=GoalRelation.SAME_GOAL,
        before=before,
        after=(f"after {name}",),
        claim=None,
        cases=tuple(Fact((), case) for case in cases),
        text=text,
        goal_before=GOAL,
        goals_after=goals,
        new=new,
        risks=risks,
    )


def tree(*transitions: Transition, **states: tuple[Condition, ...]) -> ProofTree:
    found = [ProofState("root", (GIVEN,), GOAL)] + [ProofState(name, conditions, GOAL) for name, conditions in states.items()]
    return ProofTree(tuple(found), transitions)


def bundle(transition: Transition, notes: TreeNotes | None = None) -> tuple[Obligation, ...]:
    return derive_typed(tree(transition), notes)


EDGES = {
    KIND.DERIVED_FACT: edge("Hence $n(n+1)$ is even.", derived("$n(n+1)$ is even")),
    KIND.ENTAILMENT: edge("This proves the claim."),
    KIND.REWRITE: edge("Factoring, $n^2 + n = n(n+1)$.", derived("$n^2+n = n(n+1)$")),
    KIND.GOAL_REDUCTION: edge("It is enough to show it for $n \\ge 0$.", goals=("$n^2+n$ is even for $n \\ge 0$",)),
    KIND.FACT_PLUS_REDUCTION: edge(
        "As $n^2+n = n(n+1)$, show that one factor is even.", derived("$n^2+n = n(n+1)$"), goals=("one factor is even",)
    ),
    KIND.CASE_SPLIT: edge("There are two cases, $n$ even or $n$ odd.", kind=TransitionKind.CASE_SPLIT, cases=("$n$ even", "$n$ odd")),
    KIND.WITNESS: edge("Choose $k = 3$, then $k > 2$.", derived("$k > 2$")),
}


@pytest.mark.parametrize("kind", EDGES)
def test_each_kind_is_inferred_by_its_rule(kind: ObligationKind) -> None:
    assert kind_of(EDGES[kind]) is kind
    assert bundle(EDGES[kind])[0].kind is kind


def test_all_eleven_kinds_can_be_derived() -> None:
    split = edge(
        "Two cases that exclude each other (exactly one holds), because $n$ is an integer; the third is impossible.",
        kind=TransitionKind.CASE_SPLIT,
        cases=("$n$ even", "$n$ odd"),
    )
    found = [item.kind for item in bundle(split, TreeNotes({"1.1": [ContestedClaim("$n$ odd", "unsupported")]}))]
    assert found == [
        KIND.CONTESTED_CLAIM,
        KIND.CASE_SPLIT,
        KIND.BRANCH_ELIMINATION,
        KIND.OVERLAP_PARTITION,
        KIND.JUSTIFICATION_FAITHFULNESS,
    ]
    assert set(found) | set(EDGES) == set(KIND)


def test_a_case_split_asks_for_more_only_where_more_is_said() -> None:
    (covers,) = bundle(EDGES[KIND.CASE_SPLIT])
    assert covers.claim.text == "$n$ even or $n$ odd"
    assert covers.claim.conditions == (GIVEN.text,)


def test_the_fact_comes_before_the_reduction_that_uses_it() -> None:
    fact, reduction = bundle(EDGES[KIND.FACT_PLUS_REDUCTION])
    assert (fact.claim.text, reduction.claim.text) == ("$n^2+n = n(n+1)$", GOAL)
    assert reduction.waits_for == (fact.id,)
    assert reduction.claim.conditions == (GIVEN.text, "$n^2+n = n(n+1)$", "one factor is even")
    assert not may_be_asked(reduction, {})
    assert not may_be_asked(reduction, {fact.id: Inconclusive(Reason.TIMEOUT)})
    assert not may_be_asked(reduction, {fact.id: Refuted()})
    assert may_be_asked(reduction, {fact.id: Passed()})
    assert may_be_asked(fact, {})
    assert premises_now(reduction, {fact.id: Refuted()}).refuted == ("$n^2+n = n(n+1)$",)


def test_a_reduction_shows_the_goal_before_from_the_goal_after() -> None:
    (reduction,) = bundle(EDGES[KIND.GOAL_REDUCTION])
    assert reduction.claim.text == GOAL
    assert reduction.claim.conditions == (GIVEN.text, "$n^2+n$ is even for $n \\ge 0$")


def test_a_fact_may_not_serve_before_it_is_checked() -> None:
    first = edge("So $a = 1$.", derived("$a = 1$"))
    second = edge("So $b = 2$.", derived("$b = 2$", "1.2"), name="1.2", before="later")
    _, then = derive_typed(tree(first, second, later=(GIVEN, derived("$a = 1$"))))
    assert [premise.awaits for premise in then.premises] == [(), ("1.1.1",)]
    assert premises_now(then, {}).unchecked == ("$a = 1$",)
    assert premises_now(then, {"1.1.1": Inconclusive(Reason.GAVE_UP)}).unchecked == ("$a = 1$",)
    assert premises_now(then, {"1.1.1": Refuted()}).refuted == ("$a = 1$",)
    assert premises_now(then, {"1.1.1": Passed()}).established == (GIVEN.text, "$a = 1$")


def test_of_two_facts_each_awaits_its_own_obligation() -> None:
    first = edge("So $a = 1$ and $b = 2$.", derived("$a = 1$"), derived("$b = 2$"))
    second = edge("So $c = 3$.", derived("$c = 3$", "1.2"), name="1.2", before="later")
    found = derive_typed(tree(first, second, later=(derived("$b = 2$"), derived("$a = 1$"))))
    assert [premise.awaits for premise in found[-1].premises] == [("1.1.2",), ("1.1.1",)]


def test_a_conclusion_from_nowhere_stays_unchecked() -> None:
    lost = replace(derived("$a = 1$"), transition=None)
    (found,) = derive_typed(tree(edge("So $b = 2$.", derived("$b = 2$"), before="later"), later=(lost,)))
    assert premises_now(found, {"1.1.1": Passed()}).unchecked == ("$a = 1$",)


def test_a_contested_claim_does_not_establish_a_fact() -> None:
    first = edge("So $a = 1$.", derived("$a = 1$"))
    second = edge("So $b = 2$.", derived("$b = 2$", "1.2"), name="1.2", before="later")
    notes = TreeNotes({"1.1": [ContestedClaim("$a = 1$", "it looks wrong")]})
    contested, fact, then = derive_typed(tree(first, second, later=(derived("$a = 1$"),)), notes)
    assert (contested.kind, contested.source, contested.reason) == (KIND.CONTESTED_CLAIM, ObligationSource.REVIEW, "it looks wrong")
    assert then.premises[0].awaits == (fact.id,)


def test_a_supposition_asserts_nothing_unless_it_claims_to_lose_nothing() -> None:
    supposed = edge("Suppose that $n$ is odd.", assumed("$n$ is odd"))
    assert bundle(supposed) == ()
    assert [item.kind for item in bundle(replace(supposed, risks=(RiskFlag.UNSUPPORTED,)))] == [KIND.ENTAILMENT]


def test_a_witness_is_held_to_what_the_goal_became() -> None:
    chosen = edge(
        "Take $k = 3$.",
        Condition(ConditionKind.DEFINITION, 1, "$k = 3$"),
        goals=("$3 > 2$",),
        kind=TransitionKind.EXISTENTIAL_INSTANTIATION,
    )
    (found,) = bundle(chosen)
    assert (found.kind, found.claim.text, found.claim.conditions) == (KIND.WITNESS, "$3 > 2$", (GIVEN.text, "$k = 3$"))


def test_a_mere_name_is_no_question_for_lean() -> None:
    (found,) = bundle(edge("Let $s$ be the sum.", Condition(ConditionKind.DEFINITION, 1, "$s$ is the sum")))
    assert found.kind is KIND.WITNESS
    assert not found.use_lean


@pytest.mark.parametrize(("text", "kind"), [
    ("In this case $n = 2$.", KIND.DERIVED_FACT),
    ("In both cases we are done.", KIND.DERIVED_FACT),
    ("We distinguish two cases.", KIND.CASE_SPLIT),
    ("Either $x = 1$ or $x = 2$.", KIND.CASE_SPLIT),
    ("We choose $k$ with $k > 2$.", KIND.WITNESS),
    ("Let $k = 3$.", KIND.WITNESS),
    ("Taking the square root gives $x = 2$.", KIND.DERIVED_FACT),
    ("The letter $k$ stands for $3$.", KIND.DERIVED_FACT),
    ("Expand the bracket.", KIND.REWRITE),
    ("Substituting $x = 2$ gives $4$.", KIND.REWRITE),
    ("The factorial $5!$ is $120$.", KIND.DERIVED_FACT),
    ("Both factors are positive.", KIND.DERIVED_FACT),
])  # fmt: skip
def test_words_choose_the_kind(text: str, kind: ObligationKind) -> None:
    assert kind_of(edge(text, derived("a fact"))) is kind


def test_reviews_say_what_goes_to_lean_and_how_well_it_translates() -> None:
    (found,) = bundle(EDGES[KIND.REWRITE], TreeNotes(difficulty={"1.1": 0.75}, not_for_lean=frozenset({"1.1"})))
    assert found.translation_confidence == 0.25
    assert not found.use_lean


def test_what_core_lean_lacks_translates_badly() -> None:
    assert translation_confidence("$x^2 = 4$") == 1.0
    assert translation_confidence(r"$\log x$ is continuous") < 0.5 < translation_confidence("$x$ is even")
    assert translation_confidence("") > 0


OUTCOMES = st.sampled_from([Passed(), Refuted(), Inconclusive(Reason.GAVE_UP), None])


@given(st.lists(OUTCOMES, min_size=3, max_size=3), st.lists(OUTCOMES, min_size=3, max_size=3))
def test_only_what_passed_serves_and_nothing_gets_lost(first: list[Outcome | None], second: list[Outcome | None]) -> None:
    facts = [edge(f"So $a = {number}$.", derived(f"$a = {number}$", f"1.{number}"), name=f"1.{number}") for number in (1, 2, 3)]
    last = edge("So $b = 2$.", derived("$b = 2$", "1.4"), name="1.4", before="later")
    in_force = tuple(derived(f"$a = {number}$", f"1.{number}") for number in (1, 2, 3))
    found = derive_typed(tree(*facts, last, later=(GIVEN, *in_force)))[-1]
    for said in (first, second):
        outcomes = {f"1.{number}.1": outcome for number, outcome in enumerate(said, start=1) if outcome is not None}
        use = premises_now(found, outcomes)
        assert sorted((*use.established, *use.unsettled)) == sorted(found.claim.conditions)
        assert set(use.established) == {GIVEN.text} | {
            f"$a = {n}$" for n, outcome in enumerate(said, start=1) if isinstance(outcome, Passed)
        }
        assert set(use.refuted) == {f"$a = {n}$" for n, outcome in enumerate(said, start=1) if isinstance(outcome, Refuted)}


def test_trees_by_rules_have_typed_obligations_too(project: Path) -> None:
    names = ("slip.md", "cases.md", "sound.md")
    proofs = [proof for name in names for proof in read_proofs(name, (project / "examples" / name).read_text(encoding="utf8"))]
    assert proofs
    for proof in proofs:
        found = derive_typed(decompose(proof))
        assert found
        assert all(item.claim.text for item in found)
        assert len({item.id for item in found}) == len(found)
        assert all(item.transition and item.id.startswith(item.transition) for item in found)


def test_a_chain_of_equalities_is_a_calculation() -> None:
    (proof,) = read_proofs("chain.md", "# Problem\nFind it.\n\n# Proof\n1. We get $(x+1)^2 = x^2 + 2x + 1 = 4$.\n")
    assert [item.kind for item in derive_typed(decompose(proof))] == [KIND.REWRITE]


def test_ids_of_a_bundle_are_unique_and_ranked() -> None:
    split = edge("Two cases, because of $n$.", kind=TransitionKind.CASE_SPLIT, cases=("$n$ even", "$n$ odd"))
    found = bundle(split)
    assert [item.id for item in found] == ["1.1.1", "1.1.2"]
    assert found[0].priority < found[1].priority
    assert isinstance(found[0].claim, Claim)
