"""What deciding one claim may cost, counted in work and not in seconds, so that the same claim always has the same answer."""

from __future__ import annotations

from fidelean.exact.novalue import NoValue
from fidelean.outcome import Reason
from fidelean.policy import ArithmeticPolicy

__all__ = ["Budget"]


class Budget:
    """The size bounds of a policy, and the work that is left for one claim."""

    __slots__ = ("left", "max_ball_bits", "max_bits", "max_terms")

    def __init__(self, policy: ArithmeticPolicy) -> None:
        self.max_bits = policy.max_bits
        self.max_terms = policy.max_terms
        self.max_ball_bits = policy.max_ball_bits
        self.left = policy.max_work

    def spend(self, work: int) -> None:
        """Pay for ``work`` units, of about a microsecond each, before doing them; raises ``NoValue`` where they are not left."""
        self.left -= work
        if self.left < 0:
            raise NoValue(Reason.TOO_LARGE, "more calculation than a claim is given")

    def spend_on(self, *sizes: int) -> None:
        """Pay for one operation on numbers of so many bits, at the price of a greatest common divisor."""
        kilobits = sum(sizes) >> 10
        self.spend(1 + kilobits * kilobits)

    def bound(self, what: str, size: int) -> None:
        """Raise ``NoValue`` where a result of up to ``size`` bits would be too large."""
        if size > self.max_bits:
            raise NoValue(Reason.TOO_LARGE, f"{what} of more than {self.max_bits} bits")
