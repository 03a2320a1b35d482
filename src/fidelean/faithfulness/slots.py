"""A Lean statement cut into slots, without a model: every binder, every hypothesis inside the conclusion, every conjunct of what is left.

A judge says which piece of the text stands behind each slot; what it leaves out is therefore known, and not a matter of its diligence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from fidelean.faithfulness.records import Part
from fidelean.lean.declarations import Command
from fidelean.lean.guard import normalise, screen
from fidelean.lean.records import LeanStatement
from fidelean.lean.tokens import LexFault, TokenKind, tokenize
from fidelean.lean.vocabulary import DECLARATIONS

__all__ = ["LeanSlot", "SlotKind", "lean_slots", "statement_slots", "uncommented"]

_OPENERS, _CLOSERS = "({[⟨⦃", ")}]⟩⦄"
_QUANTIFIERS = frozenset({"∀", "∃", "∃!", "fun", "λ", "Σ", "Π"})
_ARROWS = frozenset({"→", "->"})
_CARRIER_WORDS = frozenset("Nat Int Rat Real Complex Bool Fin List Set Finset ℕ ℤ ℚ ℝ ℂ → -> × ( )".split())
_FIELD_CLASSES = frozenset(
    "Lean.Grind.Field Lean.Grind.IsCharP Lean.Grind.CommRing Lean.Grind.OrderedRing LE LT Std.LawfulOrderLT Std.IsLinearOrder "
    "Field IsCharP CommRing OrderedRing LawfulOrderLT IsLinearOrder".split()
)


class SlotKind(StrEnum):
    """What a slot of a Lean statement is."""

    STRUCTURE = "structure"
    """The generic field and its classes: nothing in the text has to stand behind them."""
    DEFINITION = "definition"
    """A helper definition: it may encode something of the text, and nothing has to stand behind it."""
    VARIABLE = "variable"
    """A variable with its domain."""
    HYPOTHESIS = "hypothesis"
    """Something assumed."""
    CONCLUSION = "conclusion"
    """Something to be shown."""


@dataclass(frozen=True, slots=True)
class LeanSlot:
    """One piece of a Lean statement."""

    id: str
    """``L1``, ``L2`` ... in the order of the text."""
    kind: SlotKind
    """What it is."""
    text: str
    """Its tokens with single blanks between them; comments are gone."""
    says: str
    """The same without the brackets and the names it binds."""
    names: tuple[str, ...] = ()
    """The names it binds."""

    @property
    def part(self) -> Part:
        """Whether it belongs to what is assumed or to what is shown."""
        return Part.CONCLUSION if self.kind is SlotKind.CONCLUSION else Part.PREMISE


def uncommented(text: str) -> str:
    """The text without its comments: what a judge reads must not hold words that Lean does not.

    Raises:
        LexFault: the text cannot be read.
    """
    kept = (" " if token.kind in (TokenKind.COMMENT, TokenKind.DOC) else token.text for token in tokenize(text))
    lines = (line.rstrip() for line in "".join(kept).split("\n"))
    return "\n".join(line for line in lines if line)


def lean_slots(signature: str) -> tuple[LeanSlot, ...]:
    """Cut what stands between a theorem's name and ``:=``; empty where it cannot be read."""
    try:
        words = [token.text for token in tokenize(signature) if token.kind not in (TokenKind.SPACE, TokenKind.COMMENT, TokenKind.DOC)]
    except LexFault:
        return ()
    carriers: set[str] = set()
    pieces = list(_signature(words, carriers))
    return tuple(LeanSlot(f"L{number}", *piece) for number, piece in enumerate(pieces, start=1))


def statement_slots(statement: LeanStatement) -> tuple[LeanSlot, ...]:
    """The slots of a whole statement: what stands before the theorem may define, and ``variable`` may assume. Empty where it is unread."""
    own = lean_slots(statement.signature)
    if not own:
        return ()
    carriers: set[str] = set()
    pieces = [piece for command in screen(normalise(statement.text)).commands for piece in _context(command, carriers)]
    before = [LeanSlot(f"C{number}", *piece) for number, piece in enumerate(pieces, start=1)]
    return (*before, *own)


def _context(command: Command, carriers: set[str]) -> Iterator[_Piece]:
    words = [token.text for token in (*command.signature, *command.body) if token.kind is not TokenKind.DOC]
    if command.keyword == "variable":
        yield from _signature(words, carriers)
    elif command.keyword in DECLARATIONS and not command.is_theorem:
        name = command.name.text if command.name is not None else ""
        yield SlotKind.DEFINITION, " ".join([command.keyword, name, *words]), " ".join(words), (name,)


_Piece = tuple[SlotKind, str, str, tuple[str, ...]]


def _signature(words: list[str], carriers: set[str]) -> Iterator[_Piece]:
    at = 0
    while at < len(words) and words[at] in _OPENERS:
        end = _closing(words, at)
        yield _binder(words[at : end + 1], carriers)
        at = end + 1
    if at < len(words) and words[at] == ":":
        yield from _conclusion(words[at + 1 :], carriers)


def _closing(words: list[str], at: int) -> int:
    depth = 0
    for place in range(at, len(words)):
        depth += (words[place] in _OPENERS) - (words[place] in _CLOSERS)
        if depth == 0:
            return place
    return len(words) - 1


def _binder(words: list[str], carriers: set[str]) -> _Piece:
    inner = words[1:-1]
    text = f"{words[0]}{' '.join(inner)}{words[-1]}"
    if words[0] == "[":
        known = inner[:1] != [] and inner[0] in _FIELD_CLASSES and not (inner[0].endswith("IsCharP") and inner[-1] != "0")
        return (SlotKind.STRUCTURE if known else SlotKind.HYPOTHESIS), text, " ".join(inner), ()
    colon = inner.index(":") if ":" in inner else len(inner)
    return _typed(tuple(inner[:colon]), inner[colon + 1 :], text, carriers)


def _typed(names: tuple[str, ...], kind: list[str], text: str, carriers: set[str]) -> _Piece:
    if kind[:1] in (["Type"], ["Sort"]):
        carriers.update(names)
        return SlotKind.STRUCTURE, text, " ".join(kind), names
    is_carrier = all(word in _CARRIER_WORDS or word in carriers or word.isdigit() for word in kind)
    return (SlotKind.VARIABLE if is_carrier else SlotKind.HYPOTHESIS), text, " ".join(kind), names


def _conclusion(words: list[str], carriers: set[str]) -> Iterator[_Piece]:
    """Leading ``∀`` and ``→`` are binders and hypotheses in another dress."""
    while True:
        words = _unwrapped(words)
        if words[:1] == ["∀"] and (comma := _top(words, {","})) is not None:
            yield from _quantified(words[1:comma], carriers)
            words = words[comma + 1 :]
        elif (arrow := _top(words, _ARROWS)) is not None and not _binds_wider(words):
            yield SlotKind.HYPOTHESIS, " ".join(words[:arrow]), " ".join(_unwrapped(words[:arrow])), ()
            words = words[arrow + 1 :]
        else:
            break
    while (sign := _top(words, {"∧"})) is not None and not _binds_wider(words) and _top(words, {"∨"}) is None:
        yield SlotKind.CONCLUSION, " ".join(words[:sign]), " ".join(_unwrapped(words[:sign])), ()
        words = words[sign + 1 :]
    if words:
        yield SlotKind.CONCLUSION, " ".join(words), " ".join(_unwrapped(words)), ()


def _quantified(words: list[str], carriers: set[str]) -> Iterator[_Piece]:
    if words[:1] and words[0] in _OPENERS:
        at = 0
        while at < len(words) and words[at] in _OPENERS:
            end = _closing(words, at)
            yield _binder(words[at : end + 1], carriers)
            at = end + 1
    elif ":" in words:
        colon = words.index(":")
        yield _typed(tuple(words[:colon]), words[colon + 1 :], " ".join(words), carriers)
    else:
        # ``∀ x > 0`` bounds its variable; ``∀ x y`` leaves the domain to Lean
        kind = SlotKind.VARIABLE if all(word.isidentifier() for word in words) else SlotKind.HYPOTHESIS
        yield kind, " ".join(words), " ".join(words), tuple(words[:1])


def _unwrapped(words: list[str]) -> list[str]:
    while len(words) > 2 and words[0] == "(" and _closing(words, 0) == len(words) - 1:
        words = words[1:-1]
    return words


def _top(words: list[str], wanted: frozenset[str] | set[str]) -> int | None:
    depth = 0
    for at, word in enumerate(words):
        depth += (word in _OPENERS) - (word in _CLOSERS)
        if depth == 0 and word in wanted:
            return at
    return None


def _binds_wider(words: list[str]) -> bool:
    """Whether something at the top level takes in more than an arrow or a conjunction does."""
    return _top(words, {"↔", "<->"} | _QUANTIFIERS) is not None
