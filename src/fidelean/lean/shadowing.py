"""Whether a text could make familiar words and signs mean something else: names taken over, and instances smuggled in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from fidelean.lean.declarations import Command
from fidelean.lean.records import Refusal, RefusalKind
from fidelean.lean.tokens import Token, TokenKind
from fidelean.lean.vocabulary import DECLARATIONS, NOTATION_CLASSES, PROTECTED_NAMES

__all__ = ["declared_names", "shadowing"]

_BINDERS = frozenset(
    {"∀", "∃", "∃!", "fun", "λ", "Σ", "Π", "let", "have", "letI", "haveI", "obtain", "intro", "rintro", "set", "∑", "∏", "∃₁"}
)
_BRACKETS = frozenset({"(", "{", "⦃", "["})
_INSTANCE_WORDS = frozenset({"letI", "haveI", "inferInstance", "inferInstanceAs", "leOfOrd", "ltOfOrd", "maxOfLe", "minOfLe", "beqOfOrd"})
_INSTANCE_NAME = re.compile(r"inst[A-Z]")
_FORGETFUL_NAME = re.compile(r"to[A-Z]")
_REACH = 60
"""How many tokens a run of names or a binder may have; a longer one is refused."""
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
    for back in range(at, max(-1, at - _REACH), -1):
        if tokens[back].kind is not TokenKind.NAME or tokens[back].text in _BINDERS:
            return tokens[back].text
    return "" if at < _REACH else "("


def _run_end(tokens: Sequence[Token], at: int) -> str:
    for token in tokens[at : at + _REACH]:
        if token.kind is not TokenKind.NAME:
            return token.text
    return "" if len(tokens) <= at + _REACH else ":"


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
    is_deriving = False
    for at, token in enumerate(tokens):
        if token.kind is not TokenKind.NAME:
            is_deriving = is_deriving and token.text == ","
            if token.text == "⟨" and in_proof and at and tokens[at - 1].text == ":=":
                yield Refusal(RefusalKind.INSTANCE, token.position, "a value without a name for its type in a statement")
            continue
        is_deriving = is_deriving or token.text == "deriving"
        if token.text in ("let", "have"):
            yield from _local_objections(tokens, at, in_statement=in_proof)
        if _names_an_instance(token):
            yield Refusal(RefusalKind.INSTANCE, token.position, f"{token.text} where meaning is fixed")
        elif not is_deriving:
            yield from _class_objections(tokens, at, helpers)
    if command.keyword == "variable":
        yield from _variable_objections(tokens)


def _names_an_instance(token: Token) -> bool:
    return token.text in _INSTANCE_WORDS or any(_INSTANCE_NAME.match(part) for part in token.text.split("."))


def _local_objections(tokens: Sequence[Token], at: int, *, in_statement: bool) -> Iterator[Refusal]:
    """A local value becomes an instance if its type is a class; so in a statement the type must be written, and plain."""
    word, behind = tokens[at], tokens[at + 1 : at + _REACH]
    if word.text == "have" and in_statement:
        yield Refusal(RefusalKind.INSTANCE, word.position, "have in a statement")
        return
    end = next((place for place, token in enumerate(behind) if token.text == ":="), len(behind))
    colon = next((place for place, token in enumerate(behind[:end]) if token.text == ":"), None)
    if colon is None:
        if in_statement:
            yield Refusal(RefusalKind.INSTANCE, word.position, "let without a type in a statement")
    elif in_statement and any(not _is_plain(token) for token in behind[colon + 1 : end]):
        yield Refusal(RefusalKind.INSTANCE, word.position, "let with a type that is not plain in a statement")


def _is_plain(token: Token) -> bool:
    return token.text in _CARRIERS or token.kind is TokenKind.NUMBER or token.text in ("→", "×", "(", ")", "->")


def _class_objections(tokens: Sequence[Token], at: int, helpers: set[str]) -> Iterator[Refusal]:
    """A notation class may only be asked of a bound type: ``[LE K]``, ``[inst : Add K]``, and its parts only by their plain names."""
    token, before = tokens[at], tokens[at - 1].text if at else ""
    head, _, field = token.text.partition(".")
    if head in NOTATION_CLASSES and field:
        if field == "mk" or before == "@" or _FORGETFUL_NAME.match(field):
            yield Refusal(RefusalKind.INSTANCE, token.position, f"{token.text} builds or overrides what notation means")
        return
    if token.text.rpartition(".")[2] not in NOTATION_CLASSES:
        return
    opening = at - 1
    if opening >= 1 and tokens[opening].text == ":" and tokens[opening - 1].kind is TokenKind.NAME:
        opening -= 2
    arguments = list(takewhile(lambda argument: argument.text != "]", tokens[at + 1 : at + _REACH]))
    if opening < 0 or tokens[opening].text != "[":
        yield Refusal(RefusalKind.INSTANCE, token.position, f"{token.text} outside an instance binder")
    elif any(argument.text in _CARRIERS | helpers or argument.kind is TokenKind.NUMBER for argument in arguments):
        yield Refusal(RefusalKind.INSTANCE, token.position, f"an instance of {token.text} for a type that has its own")


def _variable_objections(tokens: Sequence[Token]) -> Iterator[Refusal]:
    """An instance among the section variables joins every theorem unseen, unless it is about another variable."""
    bound: set[str] = set()
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text in ("(", "{", "⦃"):
            bound.update(name.text for name in takewhile(lambda name: name.text != ":", tokens[at + 1 : at + _REACH]))
        elif token.text == "[":
            inside = [name.text for name in takewhile(lambda name: name.text != "]", tokens[at + 1 : at + _REACH])]
            if not bound.intersection(inside):
                yield Refusal(RefusalKind.INSTANCE, token.position, "an instance variable about nothing that is bound beside it")
        at += 1


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
