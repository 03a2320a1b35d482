"""Whether two statement files say the same: identical up to writing, or their signatures each imply the other."""

from __future__ import annotations

from dataclasses import dataclass

from fidelean.lean.engine import LeanEngine
from fidelean.lean.framing import Frame, frame_of
from fidelean.lean.records import Elaboration, LeanSource, LeanStatement, Severity, SourceKind, Status
from fidelean.lean.tokens import meaningful, tokenize
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason
from fidelean.policy import Policy
from fidelean.proving.attempt import prove
from fidelean.proving.equivalence import equivalent
from fidelean.proving.records import Equivalence, ProvingObligation

__all__ = ["Comparison", "compare"]

_REASONS = {
    Status.REFUSED: Reason.REFUSED,
    Status.TIMEOUT: Reason.TIMEOUT,
    Status.OUT_OF_MEMORY: Reason.OUT_OF_MEMORY,
    Status.CRASHED: Reason.CRASHED,
    Status.UNAVAILABLE: Reason.UNAVAILABLE,
    Status.ERRORS: Reason.DID_NOT_ELABORATE,
}


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of comparing two statements."""

    outcome: Outcome
    """Passed where they are certified to be equivalent, refuted where values tell them apart."""
    directions: Equivalence | None = None
    """Both implications; None where none had to be, or could be, tried."""
    is_identical: bool = False
    """Whether they are the same text, comments, blanks and the theorem's name aside."""
    hold_alone: bool = False
    """Whether each is proved by itself: then each implies the other whatever they say."""


async def compare(first: LeanStatement, second: LeanStatement, engine: LeanEngine, policy: Policy | None = None) -> Comparison:
    """Compare two statements; both must elaborate on the engine, and what stands before them must be the same.

    Raises:
        EngineError: the engine failed in a way that no single script explains.
    """
    frames = frame_of(first), frame_of(second)
    left, right = frames
    if left is None or right is None:
        return Comparison(Inconclusive(Reason.NOT_READ, f"the {'first' if left is None else 'second'} is not a statement"))
    sources = [LeanSource(each.text, SourceKind.STATEMENT) for each in (first, second)]
    for which, answer in zip(("first", "second"), await engine.elaborate(sources), strict=True):
        if answer.status is not Status.OK:
            return Comparison(Inconclusive(_REASONS[answer.status], f"the {which} statement: {_words(answer)}"))
    if _surroundings(left) != _surroundings(right):
        return Comparison(Inconclusive(Reason.NOT_READ, "what stands before the two theorems differs, so they speak of different things"))
    if _tokens(left.signature) == _tokens(right.signature):
        return Comparison(Passed("they are the same text, up to blanks, comments and the theorem's name"), is_identical=True)
    if not (left.is_bare and right.is_bare):
        return Comparison(Inconclusive(Reason.NOT_READ, "with imports or definitions before them only identical statements are certified"))
    return await _compared(left.signature, right.signature, engine, policy)


async def _compared(first: str, second: str, engine: LeanEngine, policy: Policy | None) -> Comparison:
    """Any two true statements imply each other, so what each proves by itself is found out too."""
    directions = await equivalent(first, second, engine, policy)
    if not isinstance(directions.outcome, Passed):
        return Comparison(directions.outcome, directions)
    alone = await prove([ProvingObligation("first", first), ProvingObligation("second", second)], engine, policy, needs_conditions=False)
    return Comparison(directions.outcome, directions, hold_alone=all(isinstance(attempt.outcome, Passed) for attempt in alone))


def _surroundings(frame: Frame) -> tuple[object, ...]:
    return frame.imports, frame.definitions, _tokens(frame.prefix)


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(token.text for token in meaningful(tokenize(text)))


def _words(answer: Elaboration) -> str:
    error = next((diagnostic for diagnostic in answer.diagnostics if diagnostic.severity is Severity.ERROR), None)
    refusal = answer.refusals[0].detail if answer.refusals else answer.detail
    return error.message.strip().split("\n")[0][:200] if error else refusal
