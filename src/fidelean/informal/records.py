"""What a mathematician wrote: the nouns of the informal side.

Offsets are 0-based, half-open, counted in Unicode code points; lines and step indices are 1-based.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Claim", "Correction", "Problem", "Proof", "Span", "Statement", "Step"]


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range ``text[start:end]``, in code points."""

    start: int
    """First code point."""
    end: int
    """One past the last code point."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The question a proof answers, as its author wrote it."""

    text: str
    """The whole text, LaTeX intact."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a proof, as its author cut it."""

    index: int
    """1-based position in the proof."""
    text: str
    """The whole text, LaTeX intact."""
    line: int | None = None
    """1-based line of the source where the text starts; None where the step came from no file."""
    offset: int | None = None
    """Where ``text`` starts in the source, such that ``source[offset:offset + len(text)] == text``; None where the source spells
    the text differently (JSON escapes, a comment inside it) or there is no source."""
    same_lines: bool = True
    """Whether a line end in ``text`` is one in the source; not so in a JSON string, which stands on one line."""

    def line_at(self, position: int) -> int | None:
        """Give the 1-based line of the source on which ``text[position]`` stands; None where the step came from no file."""
        if self.line is None or not self.same_lines:
            return self.line
        return self.line + self.text.count("\n", 0, position)


@dataclass(frozen=True, slots=True)
class Correction:
    """What a reader says of the conditions that were read from a proof; one of the two is empty."""

    drop: str = ""
    """A condition that is none, spelt as the report spells it."""
    add: str = ""
    """A condition that was not read, as a sentence that is read like the problem's own."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof, cut into steps 1..n."""

    problem: Problem
    """What is to be proved."""
    steps: tuple[Step, ...]
    """The steps, ``steps[i].index == i + 1``."""
    id: str = ""
    """The name the source gives it, or one made from the source's name."""
    source: str = ""
    """File name, ``-`` for standard input, or empty."""
    notices: tuple[str, ...] = ()
    """What a reader must know about how the text was read, one line each."""
    corrections: tuple[Correction, ...] = ()
    """What somebody corrected in the conditions as read, in order."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A conclusion as written, with the conditions in force; a Statement is one, an Obligation has one."""

    text: str
    """The conclusion, exactly as its author wrote it."""
    conditions: tuple[str, ...] = ()
    """The conditions in force, as written; empty for a closed claim."""
    step: int | None = None
    """1-based index of the step the claim stands in; None for a claim on its own."""
    span: Span | None = None
    """Where ``text`` stands in the step's text: ``step.text[span.start:span.end] == text``."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of mathematics on its own, to be stated in Lean."""

    text: str
    """The whole sentence, LaTeX intact."""
    id: str = ""
    """The name its source gives it, or one made from the source's name."""
    domain: str = ""
    """The field of mathematics, as its source says it; empty where it does not."""
    source: str = ""
    """File name, ``-`` for standard input, or empty."""
    line: int | None = None
    """1-based line of the source where it starts; None where it came from no file."""

    @property
    def claim(self) -> Claim:
        """The same as a claim without conditions: a statement says its own."""
        return Claim(self.text)
