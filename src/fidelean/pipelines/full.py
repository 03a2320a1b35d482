"""The evaluation of a proof with language models, stage by stage, as the paper's figure has it (FaithSieve).

Steps → substeps → tree of proof states → suspicion → audit window → local reviews → typed obligations → statements in Lean behind the
gate → evidence; then fusion, and where no check broke a step the final synthesis. A stage that fails is noted, and its rule-based twin
stands in where there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fidelean.decomposition.audit.records import Difficulty, LocalReview, Opinion
from fidelean.decomposition.audit.review import Reviewed, review_transitions
from fidelean.decomposition.audit.rules import scan_by_rules
from fidelean.decomposition.audit.showing import said
from fidelean.decomposition.audit.suspicion import scan_by_model
from fidelean.decomposition.audit.window import audit_window, text_order
from fidelean.decomposition.growth.building import grow
from fidelean.decomposition.growth.edges import tree_by_model
from fidelean.decomposition.growth.proposals import ChildProposal, ConditionProposal, EdgeProposal
from fidelean.decomposition.growth.records import GrownTree
from fidelean.decomposition.records import ConditionKind, ProofTree, TransitionKind
from fidelean.decomposition.substeps.comparison import compare_by_model, with_findings
from fidelean.decomposition.substeps.records import Decomposition
from fidelean.decomposition.substeps.splitting import decompose_by_model, undivided
from fidelean.evidence.lean_branch import LeanBranch
from fidelean.evidence.records import Evidence
from fidelean.formalization.loop import StatementLoop
from fidelean.informal.records import Proof
from fidelean.llm.records import ModelRole
from fidelean.obligations.records import Obligation
from fidelean.obligations.typed import ContestedClaim, TreeNotes, derive_typed
from fidelean.outcome import Inconclusive, Outcome
from fidelean.pipelines.designs import Design, Judging
from fidelean.pipelines.judging import judge_by_agent, judge_directly, judge_repeatedly, judge_tree, synthesize
from fidelean.pipelines.study import Fault, Study, conclude, judged, settled_before, study_evidence, weighed
from fidelean.pipelines.systems import rules
from fidelean.policy import Policy
from fidelean.proving.model_proofs import ProofLoop
from fidelean.proving.records import Leaning
from fidelean.verdict.records import Basis, ModelOpinion

if TYPE_CHECKING:
    from fidelean.lean.engine import LeanEngine
    from fidelean.llm.desk import Desk, RoleAsker

__all__ = ["Evaluator", "study_proof"]

_LEANING = {Opinion.CORRECT: Leaning.CORRECT, Opinion.INCORRECT: Leaning.WRONG, Opinion.UNCERTAIN: Leaning.UNCERTAIN}
_HOW_HARD = {Difficulty.EASY: 0.1, Difficulty.MEDIUM: 0.3, Difficulty.HARD: 0.6, Difficulty.INFEASIBLE: 1.0}


@dataclass(frozen=True, slots=True)
class Evaluator:
    """What an evaluation needs, for any number of proofs."""

    design: Design
    """What the system does."""
    desk: Desk
    """Where models are asked."""
    engine: LeanEngine
    """Which Lean is asked."""
    policy: Policy
    """Thresholds and bounds."""


async def study_proof(proof: Proof, evaluator: Evaluator) -> Study:
    """Find out about a proof what the system's stages can.

    Raises ``EngineError`` where the engine fails as a whole. What a model fails at is a fault of the study.
    """
    work = _Work(proof, evaluator)
    await work.run()
    return replace(work.study, faults=tuple(work.faults), spending=evaluator.desk.spent_on_replies(proof.id))


@dataclass(slots=True)
class _Work:
    """A study in the making."""

    proof: Proof
    """The proof."""
    evaluator: Evaluator
    """What it is evaluated with."""
    study: Study = field(default_factory=Study)
    """What is known so far."""
    faults: list[Fault] = field(default_factory=list[Fault])
    """What the stages could not do so far."""
    outcomes: dict[str, Outcome] = field(default_factory=dict[str, Outcome])
    """What Lean said of each obligation so far, by id."""

    @property
    def design(self) -> Design:
        return self.evaluator.design

    @property
    def policy(self) -> Policy:
        return self.design.policy(self.evaluator.policy)

    def asker(self, role: ModelRole = ModelRole.MAIN) -> RoleAsker:
        return self.evaluator.desk.asker(role, proof=self.proof.id)

    async def run(self) -> None:
        if self.design.formal:
            self.study = replace(self.study, evidence=tuple(await self.without_models()))
        tree = await self.grow() if self.design.tree else None
        if tree is not None and self.design.audit:
            await self.audit_window(tree)
            await self.audit_prefix(tree)
        opinion = await self.judge(tree)
        if isinstance(opinion, Inconclusive):
            self.faults.append(Fault(f"{self.design.judging.value} judgement", opinion))
        elif opinion is not None:
            name = self.evaluator.desk.model(ModelRole.MAIN).name
            self.study = replace(self.study, opinion=replace(opinion, by=f"{opinion.by}, {name}"))

    async def without_models(self) -> list[Evidence]:
        """What the system ``rules`` finds, which costs no model."""
        system = rules(self.evaluator.engine, self.policy)
        case = (self.proof, system.derive(self.proof))
        return [item for checker in system.checkers for item in (await checker.check([case]))[0]]

    # Decomposition and tree

    async def grow(self) -> ProofTree | None:
        decomposition = await self.decompose()
        self.study = replace(self.study, decomposition=decomposition)
        grown = await self.tree(decomposition)
        if isinstance(grown, Inconclusive):
            self.faults.append(Fault("tree of proof states", grown))
            return None
        self.study = replace(self.study, grown=grown)
        return grown.tree

    async def decompose(self) -> Decomposition:
        if not self.design.cut:
            return undivided(self.proof)
        found = await decompose_by_model(self.asker(), self.proof)
        self.faults += [Fault(f"decomposition of step {each.step}", each.reason) for each in found.whole]
        compared = await compare_by_model(self.asker(), self.proof, found)
        if isinstance(compared, Inconclusive):
            self.faults.append(Fault("comparison of the substeps with the text", compared))
            return found
        return with_findings(found, compared)

    async def tree(self, decomposition: Decomposition) -> GrownTree | Inconclusive:
        if self.design.cut:
            return await tree_by_model(self.asker(), self.proof, decomposition)
        return grow(self.proof, decomposition, _one_after_another(decomposition))

    # Audit

    async def audit_window(self, tree: ProofTree) -> None:
        scan = await scan_by_model(self.asker(), self.proof, tree)
        if isinstance(scan, Inconclusive):
            self.faults.append(Fault("suspicion search, for which the rules stood in", scan))
            scan = scan_by_rules(self.proof, tree, self.policy.arithmetic)
        window = audit_window(tree, scan, self.policy.suspicion)
        self.study = replace(self.study, scan=scan, window=window)
        await self.audit(tree, window.transitions)

    async def audit_prefix(self, tree: ProofTree) -> None:
        """Before a step is named, the inferences in front of it that nobody has looked at are reviewed, as many as a window has.

        Where that moves the first error, what is in front of the new one is reviewed too.
        """
        steps, named = {one.id: one.step for one in tree.transitions}, None
        while True:
            verdict = conclude(self.proof, self.study, self.design, self.policy)
            if verdict.first_error in (None, named) or verdict.basis is not Basis.EVIDENCE:
                return
            named = verdict.first_error
            done = {each.transition for each in self.study.reviews}
            before = [each for each in text_order(tree) if steps[each] < named and each not in done]
            await self.audit(tree, before[-self.policy.suspicion.prefix :])

    async def audit(self, tree: ProofTree, transitions: Sequence[str]) -> None:
        if not transitions:
            return
        reviewed = await review_transitions(self.asker(), self.proof, tree, transitions)
        self.faults += [Fault(f"review of {each.transition}", each.answer) for each in reviewed if isinstance(each.answer, Inconclusive)]
        self.study = replace(self.study, reviews=(*self.study.reviews, *reviewed))
        if self.design.formal:
            await self.examine(tree, set(transitions))

    async def examine(self, tree: ProofTree, transitions: set[str]) -> None:
        """State and prove what must hold, in the order of the text, so that a fact is checked before it serves.

        What was decided without a model is not asked again.
        """
        for derived in derive_typed(tree, _notes(self.study.reviews, tree)):
            known = settled_before(derived, self.study.evidence)
            if known is not None:
                self.outcomes[derived.id] = known.outcome
            if derived.transition not in transitions:
                continue
            obligation = weighed(derived, self.study.evidence)
            self.study = replace(self.study, obligations=(*self.study.obligations, obligation))
            if known is None:
                await self.put_to_lean(obligation)

    async def put_to_lean(self, obligation: Obligation) -> None:
        finding = await self.branch.examine(
            obligation, leaning=self.leaning(obligation), outcomes=self.outcomes, context=self.proof.problem.text
        )
        self.outcomes[obligation.id] = judged(finding, self.study.untrusted, self.policy).outcome
        self.study = replace(self.study, findings=(*self.study.findings, finding))

    @property
    def branch(self) -> LeanBranch:
        engine, policy = self.evaluator.engine, self.policy
        judge = self.asker(ModelRole.JUDGE)
        statements = StatementLoop(self.asker(ModelRole.DRAFTER), (judge, judge), engine, policy)
        return LeanBranch(statements, ProofLoop(engine, policy, self.asker(ModelRole.PROVER)))

    def leaning(self, obligation: Obligation) -> Leaning:
        said_of = {each.transition: each.answer for each in self.study.reviews}
        review = said_of.get(obligation.transition)
        return _LEANING[review.opinion] if isinstance(review, LocalReview) else Leaning.UNCERTAIN

    # Opinion

    async def judge(self, tree: ProofTree | None) -> ModelOpinion | Inconclusive | None:
        policy = self.policy.judging
        match self.design.judging:
            case Judging.NOBODY:
                return None
            case Judging.DIRECT:
                return await judge_directly(self.asker(), self.proof)
            case Judging.REPEATED:
                return await judge_repeatedly(self.asker(), self.proof, policy.samples)
            case Judging.AGENT:
                return await judge_by_agent(self.asker(), self.proof, policy.turns)
            case Judging.GRAPH:
                return await judge_tree(self.asker(), self.proof, tree) if tree is not None else None
            case Judging.SYNTHESIS:
                verdict = conclude(self.proof, self.study, self.design, self.policy)
                if verdict.basis is Basis.EVIDENCE:
                    return None
                return await synthesize(self.asker(), self.proof, study_evidence(self.study, self.policy), self.study.reviews)


def _notes(reviews: Sequence[Reviewed], tree: ProofTree) -> TreeNotes:
    """What the reviews say of the transitions, as the rules of obligations read it."""
    found = [each.answer for each in reviews if isinstance(each.answer, LocalReview)]
    texts = {one.id: one.claim.text if one.claim is not None else said(one) for one in tree.transitions}
    wrong = [each for each in found if each.opinion is Opinion.INCORRECT]
    return TreeNotes(
        contested={each.transition: [ContestedClaim(texts[each.transition], each.reason)] for each in wrong},
        difficulty={each.transition: _HOW_HARD[each.difficulty] for each in found},
        not_for_lean=frozenset(each.transition for each in found if not each.should_formalize),
    )


def _one_after_another(decomposition: Decomposition) -> list[EdgeProposal]:
    """Whole steps as units: each follows from everything in front of it."""
    edges: list[EdgeProposal] = []
    parent = "root"
    for number, substep in enumerate(decomposition.inferences, start=1):
        added = ConditionProposal(name=f"h{number}", kind=ConditionKind.DERIVED, text=substep.text[:4_000])
        edges.append(
            EdgeProposal(
                substep=substep.id, parent=parent, pattern=TransitionKind.SIMPLE_IMPLICATION, children=(ChildProposal(conditions=(added,)),)
            )
        )
        parent = f"{substep.id}/1"
    return edges
