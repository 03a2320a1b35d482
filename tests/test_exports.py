"""The names that ``import fidelean`` offers."""

from __future__ import annotations

import importlib

import pytest

import fidelean

OFFERED = """
Abstention AbstentionReason Artefact CheckedClaim Claim EmbeddedEngine EngineError EngineUnavailable Evidence FideleanError
Inconclusive InputError MachineryError Obligation ObligationKind Outcome Passed Policy Problem Proof ProofVerdict Reason Refuted
SetupError Span Step StepStatus StepVerdict UsageError check_claim check_step evaluate_proof evaluate_proof_async read_proofs
Reward StepReward evaluate_many evaluate_many_async reward_of stream_rewards
FormalizedStatement Statement formalize formalize_async
""".split()


def test_what_is_offered_is_a_decision() -> None:
    assert sorted(fidelean.__all__) == sorted(OFFERED)
    assert set(OFFERED) <= set(dir(fidelean))


@pytest.mark.parametrize("name", OFFERED)
def test_every_name_is_what_its_module_holds(name: str) -> None:
    value = getattr(fidelean, name)
    home = importlib.import_module(f"fidelean.{fidelean._HOME_OF[name]}")  # pyright: ignore[reportPrivateUsage]
    assert value is getattr(home, name)


def test_no_other_name_is_offered() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'sorry'"):
        _ = fidelean.sorry  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
