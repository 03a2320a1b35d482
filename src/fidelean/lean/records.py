"""What goes into a Lean engine and what comes out: the nouns of the Lean room.

Lines are 1-based, columns are 0-based and counted in Unicode code points, as Lean counts them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

__all__ = [
    "Acceptance",
    "AcceptanceReason",
    "Diagnostic",
    "Elaboration",
    "LeanSource",
    "LeanStatement",
    "Objection",
    "Position",
    "Refusal",
    "RefusalKind",
    "Severity",
    "SourceKind",
    "Status",
]


class SourceKind(StrEnum):
    """What a text is taken as."""

    STATEMENT = "statement"
    """One declaration that ends in ``sorry``, with helper definitions."""
    PROOF = "proof"
    """A theorem with its proof, with helper definitions and lemmas."""


class Status(StrEnum):
    """What became of a text in an engine. Only ``OK`` and ``ERRORS`` are Lean's own words about it."""

    OK = "ok"
    """Lean read the whole text and reported no error; ``sorry`` may occur."""
    ERRORS = "errors"
    """Lean, or the header check in front of it, reported at least one error."""
    REFUSED = "refused"
    """The source guard did not let the text through: it was not run, or Lean's library already has a name that it declares."""
    TIMEOUT = "timeout"
    """The time limit was reached."""
    OUT_OF_MEMORY = "out_of_memory"
    """The memory cap was reached, or Lean ran out of stack."""
    CRASHED = "crashed"
    """The process died while the text was in it, also when alone."""
    UNAVAILABLE = "unavailable"
    """There is no engine to ask."""


class Severity(StrEnum):
    """Lean's three severities."""

    ERROR = "error"
    """The text does not elaborate."""
    WARNING = "warning"
    """The text elaborates; ``sorry`` is reported this way."""
    INFORMATION = "information"
    """Output the text asked for."""


class RefusalKind(StrEnum):
    """Why the source guard refuses a text."""

    TOO_LONG = "too_long"
    """More bytes than the policy allows."""
    CHARACTER = "character"
    """A character outside the allowed alphabet: invisible, reordering, a look-alike or unknown."""
    UNCLOSED = "unclosed"
    """A comment, string, quoted name or bracket is not closed."""
    SCOPE = "scope"
    """A namespace or section is closed without being open, or left open."""
    COMMAND = "command"
    """A command outside the allowed list."""
    IMPORT = "import"
    """An import that is not a plain one at the head of the text."""
    ATTRIBUTE = "attribute"
    """An attribute outside the allowed list."""
    OPTION = "option"
    """A ``set_option`` outside the allowed list."""
    WORD = "word"
    """A word that brings in unchecked code, axioms, or neighbours' declarations."""
    CONFIGURATION = "configuration"
    """A tactic configuration that is not a plain list of literals."""
    SHADOWING = "shadowing"
    """A declaration, binder or namespace takes the name of something everybody relies on."""
    INSTANCE = "instance"
    """Text that could change what numerals, operators or relations mean."""
    SHAPE = "shape"
    """A construction whose end the guard cannot see, such as ``open ... in`` with nothing behind it."""


class AcceptanceReason(StrEnum):
    """Why a text is not accepted under a contract."""

    REFUSED = "refused"
    """The source guard did not let it through."""
    MISSING_MODULE = "missing_module"
    """It imports a module that the engine does not have."""
    DOES_NOT_ELABORATE = "does_not_elaborate"
    """Lean reported errors."""
    TIMEOUT = "timeout"
    """The time limit was reached: nothing is known."""
    OUT_OF_MEMORY = "out_of_memory"
    """The memory cap was reached: nothing is known."""
    CRASHED = "crashed"
    """The process died: nothing is known."""
    UNAVAILABLE = "unavailable"
    """There is no engine: nothing is known."""
    NO_THEOREM = "no_theorem"
    """The last declaration is not a theorem or lemma."""
    SECOND_THEOREM = "second_theorem"
    """A statement file has more than one theorem, or an example."""
    PROOF_GIVEN = "proof_given"
    """A statement must end in ``sorry``; this one has a proof."""
    SORRY = "sorry"
    """``sorry`` occurs in a proof, or in a statement file outside the final proof."""
    PLACEHOLDER = "placeholder"
    """A helper definition stands for something it does not define."""
    STATEMENT_CHANGED = "statement_changed"
    """The theorem is not the frozen one token for token."""
    CONTEXT_CHANGED = "context_changed"
    """What stands around the frozen theorem, and may change its meaning, is not what it was."""
    AXIOM = "axiom"
    """The proof rests on an axiom outside the allowed list."""


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a text."""

    line: int
    """1-based line."""
    column: int
    """0-based column, in code points."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of Lean about a text."""

    severity: Severity
    """Lean's severity."""
    position: Position
    """Where it starts, in the text's own lines."""
    end: Position | None
    """Where it ends, or None where Lean gives no end."""
    message: str
    """Lean's words: untrusted text."""
    kind: str = ""
    """Lean's own tag, such as ``hasSorry``; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One objection of the source guard."""

    kind: RefusalKind
    """Why, from the closed list."""
    position: Position
    """Where."""
    detail: str
    """The same for a reader, in one line."""


@dataclass(frozen=True, slots=True)
class LeanSource:
    """A Lean text and what it is taken as."""

    text: str
    """The whole text, as given."""
    kind: SourceKind = SourceKind.PROOF
    """The contract it is meant for."""
    name: str = ""
    """What to call it in reports: a file name or an identifier."""


@dataclass(frozen=True, slots=True)
class LeanStatement:
    """One declaration that ends in ``sorry``, with what stands before it."""

    text: str
    """The whole text, as given."""
    name: str
    """The declared name."""
    signature: str
    """Binders and type, from behind the name up to ``:=``, as written."""


@dataclass(frozen=True, slots=True)
class Elaboration:
    """What Lean said about one text."""

    status: Status
    """What became of it."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Lean's messages, in its order."""
    sorries: tuple[Position, ...] = ()
    """Where Lean reports that a declaration uses ``sorry``."""
    axioms: tuple[str, ...] | None = None
    """The axioms the final declaration rests on, or None where the engine cannot tell."""
    seconds: float = 0.0
    """Lean's own time on this text: neither queue, start nor import (seconds)."""
    peak_memory_mb: float | None = None
    """Peak resident memory of the process that read it, neighbours included, or None where unknown (MiB)."""
    engine: str = ""
    """Name and version of the engine."""
    refusals: tuple[Refusal, ...] = ()
    """What the guard objected to; empty unless ``status`` is ``REFUSED``."""
    missing_modules: tuple[str, ...] = ()
    """Imported modules that the engine does not have."""
    detail: str = ""
    """One line about a timeout, crash or missing engine; empty otherwise."""

    @property
    def elaborates(self) -> bool:
        """Whether Lean is known to have read the whole text without an error."""
        return self.status is Status.OK

    @property
    def sorry_free(self) -> bool | None:
        """Whether no declaration uses ``sorry``, or None where Lean did not finish."""
        return not self.sorries if self.status in (Status.OK, Status.ERRORS) else None


@dataclass(frozen=True, slots=True)
class Objection:
    """One reason why a text is not accepted."""

    reason: AcceptanceReason
    """Why, from the closed list."""
    detail: str
    """The same for a reader, in one line."""
    line: int | None = None
    """1-based line, or None where it has no place."""

    def __str__(self) -> str:
        place = "" if self.line is None else f"line {self.line}: "
        return f"{self.reason}: {place}{self.detail}"


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Whether a text meets a contract."""

    accepted: bool
    """True only where there is no objection."""
    objections: tuple[Objection, ...] = field(default=())
    """Everything that stands against it."""
