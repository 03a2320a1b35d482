"""Lean texts about a signature: the claim, ``conditions → False``, a guard, the negation. Each is frozen before a proof is tried.

``:=`` stands on a line of its own, so that an error above it is known to be one of the statement.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fidelean.lean.declarations import statement_of
from fidelean.lean.tokens import LexFault
from fidelean.proving.problem import with_carrier
from fidelean.proving.reading import split_signature
from fidelean.proving.rendering import render_proposition
from fidelean.proving.signature import Binder, FunctionType, Hypothesis, Instance, Signature, TypeVariable, Variables, render_binders

__all__ = ["NAME", "Stated", "at_rationals", "is_one_signature", "negation", "stated", "under_conditions"]

NAME = "claim"


@dataclass(frozen=True, slots=True)
class Stated:
    """A theorem before its proof."""

    head: str
    """Everything up to the line of ``:=``."""

    @property
    def frozen(self) -> str:
        """The statement a proof is compared with, token for token."""
        return self.with_script("sorry")

    @property
    def lines(self) -> int:
        """How many lines the statement takes."""
        return self.head.count("\n") + 1

    def with_script(self, script: str) -> str:
        """The whole text with a tactic script; the script's lines are indented here."""
        body = "\n".join(f"  {line}" for line in script.split("\n"))
        return f"{self.head}\n    := by\n{body}\n"


def stated(signature: str, *, name: str = NAME, heartbeats: int) -> Stated:
    """State a signature as a theorem."""
    return Stated(f"set_option maxHeartbeats {heartbeats} in\ntheorem {name} {signature}")


def is_one_signature(text: str) -> bool:
    """Whether a text is one signature and nothing else, so that it cannot bring in declarations of its own."""
    if split_signature(text) is None:
        return False
    try:
        statement = statement_of(f"theorem {NAME} {text}\n    := by\n  sorry\n")
    except LexFault:
        return False
    return statement is not None and statement.name == NAME and statement.signature == text.strip()


def under_conditions(text: str, conclusion: str) -> str:
    """The signature with the same binders, as written, and another conclusion."""
    parts = split_signature(text)
    binders = parts[0] if parts else ""
    return f"{binders} : {conclusion}".lstrip()


def negation(text: str, signature: Signature | None) -> str:
    """The signature of ``¬ (∀ BINDERS, CONCLUSION)``; a generic field is taken at ℚ (the transfer rule says what that tells)."""
    if signature is not None and signature.generic is not None:
        concrete = at_rationals(signature)
        return _denied(render_binders(concrete), render_proposition(concrete.conclusion))
    binders, conclusion = split_signature(text) or ("", text)
    return _denied(binders, conclusion)


def _denied(binders: str, conclusion: str) -> str:
    return f": ¬ (∀ {binders}, {conclusion})" if binders else f": ¬ ({conclusion})"


def at_rationals(signature: Signature) -> Signature:
    """The signature with ``Rat`` in the place of the generic field and without its instances."""
    generic = signature.generic
    binders = tuple(_at_rationals(binder, generic) for binder in signature.binders if not isinstance(binder, TypeVariable | Instance))
    return replace(signature, binders=binders, conclusion=with_carrier(signature.conclusion, generic, "Rat"))


def _at_rationals(binder: Binder, generic: str | None) -> Binder:
    if isinstance(binder, Hypothesis):
        return replace(binder, proposition=with_carrier(binder.proposition, generic, "Rat"))
    if not isinstance(binder, Variables):
        return binder
    kind = binder.type
    if isinstance(kind, FunctionType):
        arguments = tuple("Rat" if carrier == generic else carrier for carrier in kind.arguments)
        return replace(binder, type=FunctionType(arguments, "Rat" if kind.result == generic else kind.result))
    return replace(binder, type="Rat" if kind == generic else kind)
