"""Every threshold and budget, in one frozen record.

A policy is data: two runs with equal policies and equal stored evidence give equal verdicts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

__all__ = [
    "ArithmeticPolicy",
    "FaithfulnessPolicy",
    "FormalizationPolicy",
    "JudgingPolicy",
    "LeanPolicy",
    "ModelProofPolicy",
    "Policy",
    "ProvingPolicy",
    "ReadingPolicy",
    "RewardPolicy",
    "StepFrequency",
    "VerdictPolicy",
]


@dataclass(frozen=True, slots=True)
class ReadingPolicy:
    """Bounds of reading proofs from files."""

    max_source_bytes: int = 64_000_000
    """Larger sources are refused (bytes)."""
    max_steps: int = 10_000
    """Proofs of more steps are refused."""


@dataclass(frozen=True, slots=True)
class ArithmeticPolicy:
    """Bounds of the exact arithmetic checker."""

    max_claim_chars: int = 4_000
    """Longer claims are not read (code points)."""
    max_depth: int = 60
    """Deepest nesting of brackets and commands that is read."""
    max_bits: int = 65_536
    """Largest numerator or denominator that is computed (bits), bounded before evaluating."""
    max_terms: int = 10_000
    """Most terms of a finite sum or product that are computed."""
    max_ball_bits: int = 8_192
    """Highest working precision of a real ball (bits)."""
    max_work: int = 150_000
    """Most work that deciding one claim may take (about a microsecond each)."""


@dataclass(frozen=True, slots=True)
class LeanPolicy:
    """Bounds of one Lean process."""

    snippet_timeout_s: float = 60.0
    """Lean's own time on one text; neither queue, start nor import counts (seconds)."""
    memory_mb: int = 4_096
    """Peak resident memory of a process group before it is killed (MiB)."""
    max_snippet_bytes: int = 200_000
    """Longer snippets are refused (bytes of UTF-8)."""
    max_output_bytes: int = 8_000_000
    """More output than this ends the batch (bytes)."""
    batch_size: int = 60
    """Most snippets that share one process."""


@dataclass(frozen=True, slots=True)
class ProvingPolicy:
    """Bounds of one attempt to prove or refute a Lean statement."""

    search_nodes: int = 30_000
    """Most values that the search for a counterexample tries, over all variables."""
    search_seconds: float = 2.0
    """Longest search for one statement (seconds); on an ordinary machine the nodes run out first."""
    search_levels: tuple[int, ...] = (300, 3_000, 30_000)
    """Sizes of the grids that are tried one after another (combinations of values)."""
    rounds: int = 3
    """Most rounds of the portfolio; what is still open afterwards stays open."""
    heartbeats: int = 40_000
    """Lean's own bound on one script (thousands of small allocations, ``maxHeartbeats``)."""
    refutations_only: bool = False
    """Whether Lean is asked only what can refute a claim: enough to name first errors, and nothing is supported by Lean then."""
    max_questions: int = 80
    """Most statements put to Lean about one proof; what is over stays unchecked."""
    round_scripts: int = 24
    """A round of fewer scripts is tried together with the next one."""
    batch_size: int = 40
    """Most scripts handed to the engine at once."""


@dataclass(frozen=True, slots=True)
class FaithfulnessPolicy:
    """The gate: when a Lean statement says what the text says (FaithSieve, faithfulness gate). A score passes at its threshold or above."""

    translation_threshold: float = 0.5
    """An obligation translated with less confidence is not put to Lean (0 to 1)."""
    statement_threshold: float = 0.75
    """What the whole score and each critical score must reach (0 to 1)."""
    reliable_strength: float = 0.5
    """Evidence of less strength breaks no step (0 to 1)."""
    no_gate: bool = False
    """Whether all three thresholds are as good as absent and nothing is critical: the ablation, never a way to work."""

    @property
    def translation_bar(self) -> float:
        """The translation threshold in force."""
        return 0.0 if self.no_gate else self.translation_threshold

    @property
    def statement_bar(self) -> float:
        """The statement threshold in force."""
        return 0.0 if self.no_gate else self.statement_threshold

    @property
    def strength_bar(self) -> float:
        """The strength in force from which evidence is reliable."""
        return 0.0 if self.no_gate else self.reliable_strength


@dataclass(frozen=True, slots=True)
class FormalizationPolicy:
    """Bounds of the statement loop."""

    max_drafts: int = 5
    """Most drafts of one statement."""
    max_repeats: int = 1
    """Drafts that repeat an earlier one before the loop gives up."""
    max_statement_chars: int = 20_000
    """Longer drafts are not read (code points)."""
    max_feedback_chars: int = 4_000
    """More of Lean's words than this are not handed on (code points)."""
    max_reopenings: int = 1
    """How often a confirmed fault of a statement reopens it after its proof was begun."""


@dataclass(frozen=True, slots=True)
class ModelProofPolicy:
    """Bounds of the proof loop, where a model writes the scripts."""

    scripts: int = 4
    """Most scripts asked for on one side: the claim, or its negation."""
    seconds: float = 600.0
    """Longest proof loop on one statement, as the paper has it (seconds)."""
    max_script_chars: int = 20_000
    """Longer scripts are not run (code points)."""
    max_feedback_chars: int = 4_000
    """More of Lean's words than this are not handed on (code points)."""


@dataclass(frozen=True, slots=True)
class SuspicionPolicy:
    """Which transitions are audited (FaithSieve, suspicion search and audit window)."""

    threshold: float = 0.6
    """Scores above it are suspicious (0 to 1)."""
    prefix: int = 6
    """Most transitions in front of the earliest suspicious one that are audited with it."""


@dataclass(frozen=True, slots=True)
class JudgingPolicy:
    """How much the budget controls without any check may ask (FaithSieve, baselines)."""

    samples: int = 8
    """Direct judgements of the system ``nl-repeat``."""
    turns: int = 12
    """Most turns of the system ``nl-agent``."""


@dataclass(frozen=True, slots=True)
class VerdictPolicy:
    """How evidence becomes a verdict."""

    remarks_count: bool = False
    """Whether a refuted remark that nothing uses is the first error."""


@dataclass(frozen=True, slots=True)
class StepFrequency:
    """How often labelled steps of one status were the first error."""

    steps: int
    """Steps that were counted."""
    errors: int
    """Those of them that were labelled the first error."""

    @property
    def probability(self) -> float:
        """That such a step is no first error, by the rule of succession: never 0 or 1, and close to 1/2 where little was counted."""
        return (self.steps - self.errors + 1) / (self.steps + 2)


@dataclass(frozen=True, slots=True)
class RewardPolicy:
    """How a verdict becomes a reward.

    The frequencies are a prior, measured once and not on the proofs at hand: system ``rules`` with exact arithmetic alone, the 1,400 proofs
    of ProcessBench gsm8k and math (Zheng et al. 2024; written by language models, 57 % of them labelled wrong), each step up to and with
    the labelled first error, all steps where there is none; by ``benchmarks/reward_frequencies.py``. On other proofs, or with Lean, they
    are only a guess.
    """

    supported: StepFrequency = StepFrequency(1_115, 135)
    """For steps that are supported."""
    refuted: StepFrequency = StepFrequency(85, 77)
    """For steps that are refuted."""
    refuted_remark: StepFrequency = StepFrequency(2, 0)
    """For steps with a refuted remark that nothing rests on; too few for a figure."""
    uncertain: StepFrequency = StepFrequency(82, 14)
    """For steps that stayed uncertain."""
    unchecked: StepFrequency = StepFrequency(4_650, 575)
    """For steps that stayed unchecked."""
    min_coverage: float = 0.1
    """Where no error was found and less of the assertions was checked, the answer is an abstention (0 to 1). Of the proofs above without an
    error found, 41 % were labelled correct below this bar (831 proofs), hardly other than of all proofs (43 %); 56 % from 0.1 to 0.25
    (353), 68 % above (82). Chosen on these proofs."""
    in_flight: int = 8
    """Most proofs that are read ahead and evaluated at the same time."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Most that something may consume; None sets no bound. Calls are refused that could exceed it in the worst case."""

    tokens: int | None = None
    """Tokens read and written."""
    usd: Decimal | None = None
    """Money (US dollars)."""
    seconds: float | None = None
    """Time by the clock, waiting included (seconds)."""


@dataclass(frozen=True, slots=True)
class AskingPolicy:
    """Bounds of asking language models."""

    attempts: int = 3
    """Most replies that one question is worth: the first, and those after a malformed one."""
    turns: int = 5
    """Most calls for one reply, where a server fails or asks to wait."""
    call_timeout_s: float = 600.0
    """Longest wait for one reply (seconds)."""
    backoff_s: float = 1.0
    """Wait after the first failed call; it doubles after each (seconds)."""
    max_wait_s: float = 120.0
    """Longest wait before a call is tried again; a server that asks for more is given up (seconds)."""
    concurrency: int = 4
    """Most calls of one model at the same time."""
    max_output_tokens: int = 4_096
    """Longest reply that is asked for (tokens)."""
    max_reply_chars: int = 400_000
    """Longer replies are not read (code points)."""
    temperature: float | None = None
    """Sampling temperature; None leaves it to the provider."""
    run: Budget = field(default_factory=Budget)
    """What a whole run may consume."""
    proof: Budget = field(default_factory=Budget)
    """What one proof may consume."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The whole configuration of a decision."""

    reading: ReadingPolicy = field(default_factory=ReadingPolicy)
    """Bounds of reading proofs from files."""
    arithmetic: ArithmeticPolicy = field(default_factory=ArithmeticPolicy)
    """Bounds of exact arithmetic."""
    lean: LeanPolicy = field(default_factory=LeanPolicy)
    """Bounds of Lean processes."""
    proving: ProvingPolicy = field(default_factory=ProvingPolicy)
    """Bounds of proving and refuting."""
    faithfulness: FaithfulnessPolicy = field(default_factory=FaithfulnessPolicy)
    """When a Lean statement counts as saying what the text says."""
    formalization: FormalizationPolicy = field(default_factory=FormalizationPolicy)
    """Bounds of the statement loop."""
    model_proofs: ModelProofPolicy = field(default_factory=ModelProofPolicy)
    """Bounds of the proof loop with a model."""
    suspicion: SuspicionPolicy = field(default_factory=SuspicionPolicy)
    """Which transitions are audited."""
    judging: JudgingPolicy = field(default_factory=JudgingPolicy)
    """How much the budget controls may ask."""
    verdict: VerdictPolicy = field(default_factory=VerdictPolicy)
    """How evidence becomes a verdict."""
    asking: AskingPolicy = field(default_factory=AskingPolicy)
    """Bounds of asking language models."""
    rewards: RewardPolicy = field(default_factory=RewardPolicy)
    """How verdicts become rewards."""
