"""The worked proofs of ``examples/worked``: replies written by hand, no model said them; arithmetic and Lean are real and run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from fidelean.cli.inputs import read_input
from fidelean.evidence.lean_branch import CHECKER
from fidelean.informal.reading import read_source
from fidelean.lean.contracts import accept_proof
from fidelean.lean.records import LeanSource
from fidelean.llm.desk import Desk
from fidelean.llm.recordings import read_recording
from fidelean.llm.replay import ReplayModel
from fidelean.outcome import Inconclusive, Passed, Reason, Refuted
from fidelean.pipelines.designs import design_of
from fidelean.pipelines.full import Evaluator, study_proof
from fidelean.pipelines.kept_engine import KeptEngine
from fidelean.pipelines.study import Study, conclude
from fidelean.policy import Policy
from fidelean.runs.ledger import Ledger
from fidelean.verdict.records import Basis, ProofVerdict
from lean_room import embedded
from source_tree import PROJECT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from fidelean.evidence.records import Evidence
    from fidelean.informal.records import Proof

pytestmark = [pytest.mark.live, pytest.mark.slow, pytest.mark.timeout(500)]

WORKED = PROJECT / "examples" / "worked"
EVIDENCE, OPINION = Basis.EVIDENCE, Basis.OPINION


@dataclass(frozen=True)
class Expected:
    """What one system has to say of one proof."""

    first_error: int | None
    unresolved: tuple[int, ...]
    basis: Basis | None = None


EXPECTED: dict[str, dict[str, Expected]] = {
    "drifted-statement": {
        "full": Expected(2, (), EVIDENCE),
        "no-gate": Expected(3, (), EVIDENCE),
        "transitions-nl": Expected(2, (1, 2, 3), OPINION),
        "graph": Expected(3, (1, 2, 3), OPINION),
        "direct": Expected(3, (1, 2, 3), OPINION),
        "nl-repeat": Expected(3, (1, 2, 3), OPINION),
        "nl-agent": Expected(2, (1, 2, 3), OPINION),
    },
    "broad-target": {
        "full": Expected(2, (3,), EVIDENCE),
        "no-gate": Expected(None, (3,)),
        "transitions-nl": Expected(None, (1, 2, 3)),
        "direct": Expected(None, (1, 2, 3)),
    },
    "unchecked-fact": {
        "full": Expected(1, (2,), EVIDENCE),
        "no-gate": Expected(1, (2,), EVIDENCE),
        "transitions-nl": Expected(None, (1, 2)),
        "direct": Expected(None, (1, 2)),
    },
    "missing-case": {
        "full": Expected(2, (3, 4, 5), EVIDENCE),
        "transitions-nl": Expected(2, (1, 2, 3, 4, 5), OPINION),
        "direct": Expected(None, (1, 2, 3, 4, 5)),
    },
    "out-of-reach": {
        "full": Expected(None, (1, 2)),
        "no-gate": Expected(None, (1, 2)),
        "transitions-nl": Expected(None, (1, 2, 3)),
        "direct": Expected(None, (1, 2, 3)),
    },
    "failing-witness": {
        "full": Expected(2, (3,), EVIDENCE),
        "transitions-nl": Expected(None, (1, 2, 3)),
        "direct": Expected(None, (1, 2, 3)),
    },
    "hidden-instruction": {
        "full": Expected(3, (2,), EVIDENCE),
        "no-gate": Expected(3, (2,), EVIDENCE),
        "transitions-nl": Expected(None, (1, 2, 3)),
        "direct": Expected(None, (1, 2, 3)),
    },
}


@dataclass
class Room:
    """One Lean for all systems on one proof; what one of them asked serves the next, as in one run folder."""

    engine: KeptEngine
    ledger: Ledger
    results: dict[str, tuple[ProofVerdict, Study]] = field(default_factory=dict[str, "tuple[ProofVerdict, Study]"])

    async def evaluate(self, name: str, system: str) -> tuple[ProofVerdict, Study]:
        if system not in self.results:
            async with Desk(ReplayModel.from_file(WORKED / name / "replies.jsonl"), ledger=self.ledger) as desk:
                evaluator = Evaluator(design_of(system), desk, self.engine, Policy(asking=desk.policy))
                proof = proof_of(name)
                study = await study_proof(proof, evaluator)
                self.results[system] = conclude(proof, study, evaluator.design, evaluator.policy), study
        return self.results[system]

    async def assert_recheck(self, *items: Evidence) -> None:
        texts = [item.artefact.text for item in items if item.artefact is not None]
        assert len(texts) == len(items)
        for text, answer in zip(texts, await self.engine.elaborate([LeanSource(text) for text in texts]), strict=True):
            assert accept_proof(text, answer).accepted


@pytest.fixture
async def room() -> AsyncIterator[Room]:
    with Ledger.in_memory() as ledger:
        async with embedded() as engine:
            yield Room(KeptEngine(engine, ledger), ledger)


def proof_of(name: str) -> Proof:
    source = str(WORKED / name / "proof.md")
    (proof,) = read_source(source, read_input(source, max_bytes=100_000), problem=None, policy=Policy().reading).proofs
    return proof


def by_lean(verdict: ProofVerdict, step: int) -> list[Evidence]:
    return [item for item in verdict.steps[step - 1].evidence if item.checker == CHECKER]


def reason(evidence: Evidence) -> Reason | None:
    return evidence.outcome.reason if isinstance(evidence.outcome, Inconclusive) else None


def folders() -> list[Path]:
    return sorted(path for path in WORKED.iterdir() if path.is_dir())


def test_every_worked_proof_is_expected_and_says_who_wrote_its_replies() -> None:
    assert [path.name for path in folders()] == sorted(EXPECTED)
    for path in folders():
        assert read_recording(path / "replies.jsonl").author == "written by hand for this repository"
        assert re.search(rf"^\| `{path.name}` \| \w.* \|$", (WORKED / "README.md").read_text(encoding="utf8"), re.MULTILINE)


@pytest.mark.parametrize("name", EXPECTED)
async def test_each_system_says_what_it_is_expected_to(name: str, room: Room) -> None:
    for system, expected in EXPECTED[name].items():
        verdict, study = await room.evaluate(name, system)
        assert Expected(verdict.first_error, verdict.unresolved_steps, verdict.basis) == expected, system
        assert study.faults == (), f"{system}: the replies are complete"
        assert study.untrusted == frozenset(), f"{system}: the replies keep to the text"
    await SHOWN[name](room)


async def drifted(room: Room) -> None:
    """Lean proves the first draft; only the gate knows that it is about another claim."""
    verdict, study = await room.evaluate("drifted-statement", "full")
    finding = study.findings[-1]
    assert finding.formalization is not None
    first, second = finding.formalization.trajectory.rounds
    assert (first.feedback.kind.value, second.feedback.kind.value) == ("drift", "admitted")
    evidence = by_lean(verdict, 2)[-1]
    assert isinstance(evidence.outcome, Refuted)
    assert evidence.values == ("x = (-2)",)
    loose, loose_study = await room.evaluate("drifted-statement", "no-gate")
    accepted = by_lean(loose, 2)[-1]
    assert isinstance(accepted.outcome, Passed)
    await room.assert_recheck(evidence, accepted)
    gated = conclude(proof_of("drifted-statement"), loose_study, design_of("full"), Policy())
    assert {reason(item) for item in by_lean(gated, 2)} == {Reason.UNFAITHFUL}, "the same findings, under the gate"


async def broad(room: Room) -> None:
    verdict, _ = await room.evaluate("broad-target", "full")
    (evidence,) = by_lean(verdict, 2)
    assert evidence.values == ("a = 1", "b = 1")
    loose, loose_study = await room.evaluate("broad-target", "no-gate")
    assert isinstance(by_lean(loose, 2)[0].outcome, Passed), "the goal of the problem is true"
    assert loose.opinion is not None
    gated = conclude(proof_of("broad-target"), loose_study, design_of("full"), Policy())
    assert reason(by_lean(gated, 2)[0]) is Reason.UNFAITHFUL


async def fact(room: Room) -> None:
    verdict, study = await room.evaluate("unchecked-fact", "full")
    search = study.findings[-1].search
    assert search is not None
    assert isinstance(search.attempt.outcome, Passed), "Lean proves the second step from the first"
    (evidence,) = by_lean(verdict, 2)
    assert evidence.outcome == Inconclusive(
        Reason.GAVE_UP, "it is proved from something that has not been checked: $n$ is a multiple of $4$"
    )
    (refuted,) = by_lean(verdict, 1)
    assert refuted.values == ("n = 2",)


async def cases(room: Room) -> None:
    verdict, _ = await room.evaluate("missing-case", "full")
    kinds = {item.obligation.kind.value for item in by_lean(verdict, 2) if isinstance(item.outcome, Refuted)}
    assert "case_split" in kinds
    assert [step.status.value for step in verdict.steps] == ["supported", "refuted", "unchecked", "unchecked", "unchecked"]


async def reach(room: Room) -> None:
    verdict, _ = await room.evaluate("out-of-reach", "full")
    assert [step.status.value for step in verdict.steps] == ["unchecked", "uncertain", "supported"]
    assert reason(by_lean(verdict, 2)[0]) is Reason.DECLINED
    assert verdict.opinion is not None
    assert verdict.opinion.first_error is None


async def witness(room: Room) -> None:
    verdict, _ = await room.evaluate("failing-witness", "full")
    (evidence,) = by_lean(verdict, 2)
    assert (evidence.obligation.kind.value, evidence.values) == ("witness", ("n = 2",))


async def hidden(room: Room) -> None:
    """The scan, the reviews, the synthesis and the direct judge all obey."""
    _, study = await room.evaluate("hidden-instruction", "full")
    assert study.scan is not None
    assert all(one.score == 0 for one in study.scan.suspicions)
    judged, _ = await room.evaluate("hidden-instruction", "direct")
    assert judged.opinion is not None
    assert judged.opinion.first_error is None


SHOWN = {
    "drifted-statement": drifted,
    "broad-target": broad,
    "unchecked-fact": fact,
    "missing-case": cases,
    "out-of-reach": reach,
    "failing-witness": witness,
    "hidden-instruction": hidden,
}
