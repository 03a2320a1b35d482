"""Every threshold and budget, in one frozen record.

A policy is data: two runs with equal policies and equal stored evidence give equal verdicts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["ArithmeticPolicy", "LeanPolicy", "Policy", "ProvingPolicy", "ReadingPolicy", "VerdictPolicy"]


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
class VerdictPolicy:
    """How evidence becomes a verdict."""

    remarks_count: bool = False
    """Whether a refuted remark that nothing uses is the first error."""


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
    verdict: VerdictPolicy = field(default_factory=VerdictPolicy)
    """How evidence becomes a verdict."""
