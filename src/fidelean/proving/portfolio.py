"""The portfolio: which entries are tried, in the measured order of core-lean, cheap and general ones first.

A round is tried for many statements together; only what stays open sees the next one. Failure of all of them is never evidence of error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fidelean.proving import closers, inequalities, integers
from fidelean.proving.existence import by_given_value
from fidelean.proving.signature import Signature

__all__ = ["PORTFOLIO", "UNREAD", "Entry", "Script", "scripts_of"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to close a goal."""

    name: str
    """What to call it in ledgers and reports."""
    round: int
    """The round in which it is tried, from 1."""
    scripts: Callable[[Signature], Iterable[str]]
    """From a signature to the scripts worth trying on it; none where it does not apply."""


@dataclass(frozen=True, slots=True)
class Script:
    """One script for one goal."""

    entry: str
    """The entry it comes from; a second script of the same entry gets a number."""
    text: str
    """Tactics, one a line."""


PORTFOLIO: tuple[Entry, ...] = (
    Entry("decide", 1, closers.by_decision),
    Entry("omega", 1, integers.linear_integers),
    Entry("grind", 1, closers.ring_and_order),
    Entry("given_value", 1, by_given_value),
    Entry("squares", 2, inequalities.by_squares),
    Entry("instances", 2, closers.by_instances),
    Entry("unrolling", 2, closers.by_unrolling),
    Entry("residues", 2, integers.by_residues),
    Entry("intervals", 2, integers.by_intervals),
    Entry("size_of_divisors", 2, integers.by_size_of_divisors),
    Entry("witnessed_divisors", 2, integers.by_witnessed_divisors),
    Entry("finer_residues", 3, lambda signature: integers.by_residues(signature, (2, 4))),
    Entry("parts", 3, closers.by_parts),
    Entry("substituted_squares", 3, inequalities.by_substituted_squares),
    Entry("crossed_squares", 3, inequalities.by_crossed_squares),
    Entry("products", 3, inequalities.by_products),
    Entry("induction", 3, closers.by_induction),
)
"""All entries for signatures that were read."""

UNREAD: tuple[tuple[str, str], ...] = (
    ("decide", "decide +kernel"),
    ("omega", "omega"),
    ("grind", "grind"),
    ("assumption", "first | assumption | solve_by_elim"),
)
"""Name and script of what is tried on a signature that was not read."""


def scripts_of(signature: Signature | None, round_number: int) -> Iterator[Script]:
    """The scripts of one round; for a signature that was not read, the fixed ones in round 1 and none later."""
    if signature is None:
        if round_number == 1:
            yield from (Script(name, text) for name, text in UNREAD)
        return
    for entry in PORTFOLIO:
        if entry.round == round_number:
            for number, text in enumerate(entry.scripts(signature), start=1):
                yield Script(entry.name if number == 1 else f"{entry.name}-{number}", text)
