"""Does this Lean statement say what the sentence said, and where is the first step of this proof that does not hold?

Importing the package does nothing else: every name is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fidelean.errors import EngineError, EngineUnavailable, FideleanError, InputError, MachineryError, SetupError, UsageError
    from fidelean.evidence.records import Artefact, Evidence
    from fidelean.exact import CheckedClaim, check_claim, check_step
    from fidelean.informal.reading import read_proofs
    from fidelean.informal.records import Claim, Problem, Proof, Span, Statement, Step
    from fidelean.lean.embedded import EmbeddedEngine
    from fidelean.obligations.records import Obligation, ObligationKind
    from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
    from fidelean.pipelines.evaluate_proof import evaluate_proof, evaluate_proof_async
    from fidelean.pipelines.formalize import FormalizedStatement, formalize, formalize_async
    from fidelean.pipelines.reward_stream import evaluate_many, evaluate_many_async, stream_rewards
    from fidelean.pipelines.rewards import Abstention, AbstentionReason, Reward, StepReward, reward_of
    from fidelean.policy import Policy
    from fidelean.verdict.records import ProofVerdict, StepStatus, StepVerdict

__all__ = [
    "Abstention",
    "AbstentionReason",
    "Artefact",
    "CheckedClaim",
    "Claim",
    "EmbeddedEngine",
    "EngineError",
    "EngineUnavailable",
    "Evidence",
    "FideleanError",
    "FormalizedStatement",
    "Inconclusive",
    "InputError",
    "MachineryError",
    "Obligation",
    "ObligationKind",
    "Outcome",
    "Passed",
    "Policy",
    "Problem",
    "Proof",
    "ProofVerdict",
    "Reason",
    "Refuted",
    "Reward",
    "SetupError",
    "Span",
    "Statement",
    "Step",
    "StepReward",
    "StepStatus",
    "StepVerdict",
    "UsageError",
    "check_claim",
    "check_step",
    "evaluate_many",
    "evaluate_many_async",
    "evaluate_proof",
    "evaluate_proof_async",
    "formalize",
    "formalize_async",
    "read_proofs",
    "reward_of",
    "stream_rewards",
]

_HOMES = {
    "errors": ("EngineError", "EngineUnavailable", "FideleanError", "InputError", "MachineryError", "SetupError", "UsageError"),
    "evidence.records": ("Artefact", "Evidence"),
    "exact": ("CheckedClaim", "check_claim", "check_step"),
    "informal.reading": ("read_proofs",),
    "informal.records": ("Claim", "Problem", "Proof", "Span", "Statement", "Step"),
    "lean.embedded": ("EmbeddedEngine",),
    "obligations.records": ("Obligation", "ObligationKind"),
    "outcome": ("Inconclusive", "Outcome", "Passed", "Reason", "Refuted"),
    "pipelines.evaluate_proof": ("evaluate_proof", "evaluate_proof_async"),
    "pipelines.formalize": ("FormalizedStatement", "formalize", "formalize_async"),
    "pipelines.reward_stream": ("evaluate_many", "evaluate_many_async", "stream_rewards"),
    "pipelines.rewards": ("Abstention", "AbstentionReason", "Reward", "StepReward", "reward_of"),
    "policy": ("Policy",),
    "verdict.records": ("ProofVerdict", "StepStatus", "StepVerdict"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a public name from the module it lives in (PEP 562)."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
