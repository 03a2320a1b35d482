"""Reading a whole signature strictly: what is not understood completely is not read, with the reason."""

from __future__ import annotations

from dataclasses import dataclass

from fidelean.proving.formulas import CARRIERS, Scope, is_name, read_proposition
from fidelean.proving.lexing import NotRead, Tokens, cut
from fidelean.proving.signature import Binder, FunctionType, Hypothesis, Instance, Signature, TypeVariable, Variables
from fidelean.proving.terms import Unread
from fidelean.proving.typing_rules import settle

__all__ = ["Reading", "read_signature", "split_signature"]

_OPENERS, _CLOSERS = "({[⟨", ")}]⟩"
_CLASSES = frozenset(
    {
        ("Lean.Grind.Field",),
        ("Lean.Grind.IsCharP", "0"),
        ("LE",),
        ("LT",),
        ("Std.LawfulOrderLT",),
        ("Std.IsLinearOrder",),
        ("Lean.Grind.OrderedRing",),
    }
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of a signature's text."""

    signature: Signature | None
    """The tree, or None where something was not understood."""
    reason: str = ""
    """What was not understood; empty where everything was."""


def read_signature(text: str) -> Reading:
    """Read ``BINDERS : CONCLUSION`` as it stands behind a theorem's name. Closed statements outside the grammar pass through unread."""
    try:
        return Reading(_read(text))
    except NotRead as fault:
        reason = str(fault)
    binders, conclusion = split_signature(text) or ("?", "")
    if not binders and conclusion:
        return Reading(Signature(text, (), Unread(conclusion)))
    return Reading(None, reason)


def split_signature(text: str) -> tuple[str, str] | None:
    """Cut a signature at the colon outside all brackets into binders and conclusion, or None where there is none."""
    depth = 0
    for at, character in enumerate(text):
        if character in _OPENERS:
            depth += 1
        elif character in _CLOSERS:
            depth -= 1
        elif character == ":" and depth == 0 and text[at : at + 2] != ":=":
            return text[:at].strip(), text[at + 1 :].strip()
    return None


def _read(text: str) -> Signature:
    tokens = cut(text)
    scope = Scope({})
    binders: list[Binder] = []
    while tokens.next in ("(", "{", "["):
        binder = _binder(tokens, scope)
        binders.append(binder)
        scope = _extended(scope, binder)
    tokens.expect(":")
    conclusion = settle(read_proposition(tokens, scope), scope)
    if tokens.next:
        raise NotRead(f"{tokens.next} stands behind the conclusion")
    _check_classes(binders, scope.generic)
    return Signature(text, tuple(binders), conclusion)


def _extended(scope: Scope, binder: Binder) -> Scope:
    if isinstance(binder, TypeVariable):
        if scope.generic is not None:
            raise NotRead("there are two generic carriers")
        return Scope(scope.types, binder.name)
    if isinstance(binder, Variables):
        if len(set(binder.names)) < len(binder.names) or any(name in scope.types for name in binder.names):
            raise NotRead("a name is bound twice")
        return Scope({**scope.types, **dict.fromkeys(binder.names, binder.type)}, scope.generic)
    return scope


def _binder(tokens: Tokens, scope: Scope) -> Binder:
    opener = tokens.take()
    if opener == "[":
        return _instance(tokens)
    closer = ")" if opener == "(" else "}"
    names: list[str] = []
    while is_name(tokens.next):
        names.append(tokens.take())
    if not names:
        raise NotRead(f"{tokens.next or 'the end'} stands where a name should")
    tokens.expect(":")
    binder = _typed(tokens, scope, tuple(names), is_implicit=opener == "{")
    tokens.expect(closer)
    return binder


def _typed(tokens: Tokens, scope: Scope, names: tuple[str, ...], *, is_implicit: bool) -> Binder:
    if tokens.next == "Type" and is_implicit and len(names) == 1:
        tokens.take()
        return TypeVariable(names[0])
    if scope.is_carrier(tokens.next):
        carriers = [tokens.take()]
        while tokens.accept("→"):
            carriers.append(tokens.take())
        if not all(scope.is_carrier(carrier) for carrier in carriers):
            raise NotRead("a function type is more than an arrow between carriers")
        kind = carriers[0] if len(carriers) == 1 else FunctionType(tuple(carriers[:-1]), carriers[-1])
        return Variables(names, kind, is_implicit)
    if is_implicit or len(names) != 1:
        raise NotRead(f"the type {tokens.next} is not read")
    return Hypothesis(names[0], settle(read_proposition(tokens, scope), scope))


def _instance(tokens: Tokens) -> Instance:
    words: list[str] = []
    while tokens.next not in ("]", ""):
        words.append(tokens.take())
    tokens.expect("]")
    if not words:
        raise NotRead("an instance binder is empty")
    return Instance(tuple(words))


def _check_classes(binders: list[Binder], generic: str | None) -> None:
    """The generic carrier must be a field of characteristic 0, or an ordered one: what else holds of it is not known here."""
    found = {tuple(word for word in binder.words if word != generic) for binder in binders if isinstance(binder, Instance)}
    if generic is None and not found:
        return
    if generic in CARRIERS or not found <= _CLASSES or ("Lean.Grind.Field",) not in found:
        raise NotRead("the generic carrier is not one of the fields we state")
    if ("Lean.Grind.IsCharP", "0") not in found and ("Lean.Grind.OrderedRing",) not in found:
        raise NotRead("the generic field may have another characteristic than 0")
