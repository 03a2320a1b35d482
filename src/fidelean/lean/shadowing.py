"""Whether a text could make familiar words and signs mean something else: names taken over, and instances smuggled in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from fidelean.lean.declarations import Command
from fidelean.lean.records import Refusal, RefusalKind
from fidelean.lean.tokens import Token, TokenKind
from fidelean.lean.vocabulary import DECLARATIONS, NOTATION_CLASSES, PROTECTED_NAMES

__all__ = ["declared_names", "shadowing"]

_BINDERS = frozenset(
    {"∀", "∃", "∃!", "fun", "λ", "Σ", "Π", "let", "have", "letI", "haveI", "obtain", "intro", "rintro", "set", "∑", "∏", "∃₁"}
)
_BRACKETS = frozenset({"(", "{", "⦃", "["})
_INSTANCE_WORDS = frozenset({"letI", "haveI", "inferInstanceAs"})
_CARRIERS = frozenset(
    {"Nat", "Int", "Rat", "Real", "Complex", "Bool", "Fin", "List", "String", "Char", "Set", "Finset", "BitVec", "ℕ", "ℤ", "ℚ", "ℝ", "ℂ"}
)


def shadowing(tokens: Sequence[Token], commands: Sequence[Command]) -> Iterator[Refusal]:
    """Refusals of kind ``SHADOWING`` and ``INSTANCE``."""
    for at, token in enumerate(tokens):
        if token.text in PROTECTED_NAMES and token.kind is TokenKind.NAME and _is_bound(tokens, at):
            yield Refusal(RefusalKind.SHADOWING, token.position, f"{token.text} is bound to something else")
    helpers = {command.name.text for command in commands if command.name is not None}
    for command in commands:
        yield from _name_objections(command)
        yield from _instance_objections(command, helpers)


def _is_bound(tokens: Sequence[Token], at: int) -> bool:
    """Whether the name at ``at`` stands where a binder, field or constructor is introduced."""
    following = tokens[at + 1].text if at + 1 < len(tokens) else ""
    before = tokens[at - 1].text if at else ""
    if before in _BINDERS or (following == ":" and before not in (")", "]", "}")) or (following == ":=" and before not in ("(", ":", "=")):
        return before not in (":", "→", "=", "↔", "≤", "<", "∧", "∨")
    return _run_head(tokens, at) in _BINDERS | _BRACKETS and _run_end(tokens, at) in (":", ",", "=>", "↦", ":=", "∈")  # a run of names


def _run_head(tokens: Sequence[Token], at: int) -> str:
    while at >= 0 and (tokens[at].kind is TokenKind.NAME and tokens[at].text not in _BINDERS):
        at -= 1
    return tokens[at].text if at >= 0 else ""


def _run_end(tokens: Sequence[Token], at: int) -> str:
    while at < len(tokens) and tokens[at].kind is TokenKind.NAME:
        at += 1
    return tokens[at].text if at < len(tokens) else ""


def _name_objections(command: Command) -> Iterator[Refusal]:
    taken = command.name
    if command.keyword == "namespace" and command.signature:
        taken = command.signature[0]
    if taken is not None:
        for part in taken.text.split("."):
            if part in PROTECTED_NAMES:
                yield Refusal(RefusalKind.SHADOWING, taken.position, f"{part} is a name that readers rely on")
    if command.keyword in ("inductive", "structure"):
        parts = (*command.signature, *command.body)
        for before, token in pairwise(parts):
            if before.text == "|" and token.text in PROTECTED_NAMES:
                yield Refusal(RefusalKind.SHADOWING, token.position, f"the constructor {token.text} takes a name that readers rely on")


def _instance_objections(command: Command, helpers: set[str]) -> Iterator[Refusal]:
    """What would give numerals, operators or relations another meaning, wherever meaning is fixed: not inside proofs of theorems."""
    in_proof = command.is_theorem or command.keyword == "example"
    tokens = command.signature if in_proof else (*command.signature, *command.body)
    for at, token in enumerate(tokens):
        before = tokens[at - 1].text if at else ""
        if token.text in _INSTANCE_WORDS:
            yield Refusal(RefusalKind.INSTANCE, token.position, f"{token.text} where meaning is fixed")
        head, _, field = token.text.partition(".")
        if head not in NOTATION_CLASSES or token.kind is not TokenKind.NAME:
            continue
        if field == "mk" or (field and before == "@"):
            yield Refusal(RefusalKind.INSTANCE, token.position, f"{token.text} builds or overrides what notation means")
        elif not field:
            yield from _class_objections(tokens, at, helpers)


def _class_objections(tokens: Sequence[Token], at: int, helpers: set[str]) -> Iterator[Refusal]:
    """A notation class may only be asked of a bound type: ``[LE K]``, ``[inst : Add K]``."""
    opening = at - 1
    if opening >= 1 and tokens[opening].text == ":" and tokens[opening - 1].kind is TokenKind.NAME:
        opening -= 2
    arguments: list[Token] = []
    for token in tokens[at + 1 :]:
        if token.text == "]":
            break
        arguments.append(token)
    is_binder = opening >= 0 and tokens[opening].text == "["
    if not is_binder:
        yield Refusal(RefusalKind.INSTANCE, tokens[at].position, f"{tokens[at].text} outside an instance binder")
    elif any(token.text in _CARRIERS | helpers or token.kind is TokenKind.NUMBER for token in arguments):
        yield Refusal(RefusalKind.INSTANCE, tokens[at].position, f"an instance of {tokens[at].text} for a type that has its own")


def declared_names(commands: Sequence[Command]) -> tuple[str, ...]:
    """The full names a text declares, namespaces in front."""
    spaces: list[str] = []
    names: list[str] = []
    for command in commands:
        if command.keyword in ("namespace", "section"):
            is_space = command.keyword == "namespace" and command.signature
            spaces.append(command.signature[0].text if is_space else "")
        elif command.keyword == "end" and spaces:
            spaces.pop()
        elif command.keyword in DECLARATIONS and command.name is not None:
            names.append(".".join([*(space for space in spaces if space), command.name.text]))
    return tuple(dict.fromkeys(names))
