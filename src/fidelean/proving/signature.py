"""The record of a Lean signature, and the parts from which statements about it are made.

A signature is what stands between a theorem's name and ``:=``. The statements made here (negation at ℚ, ``conditions → False``, a guard
under the conditions) reuse its binders as written, so that nothing about them is read twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from fidelean.proving.rendering import render_proposition
from fidelean.proving.terms import Proposition

__all__ = [
    "Binder",
    "FunctionType",
    "Hypothesis",
    "Instance",
    "Signature",
    "TypeVariable",
    "Variables",
    "render_binders",
    "render_signature",
]


@dataclass(frozen=True, slots=True)
class FunctionType:
    """The type of a function variable."""

    arguments: tuple[str, ...]
    """Carriers of the arguments."""
    result: str
    """Carrier of the value."""

    def __str__(self) -> str:
        return " → ".join([*self.arguments, self.result])


@dataclass(frozen=True, slots=True)
class TypeVariable:
    """``{K : Type}``."""

    name: str
    """The name of the generic carrier."""


@dataclass(frozen=True, slots=True)
class Instance:
    """``[Class K]``."""

    words: tuple[str, ...]
    """The class and its arguments, as written."""


@dataclass(frozen=True, slots=True)
class Variables:
    """``(x y : T)``."""

    names: tuple[str, ...]
    """The names, as written."""
    type: str | FunctionType
    """A carrier, or the type of a function."""
    is_implicit: bool = False
    """Whether the brackets are curly."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """``(h : P)``."""

    name: str
    """The name of the hypothesis."""
    proposition: Proposition
    """What it says."""


Binder = TypeVariable | Instance | Variables | Hypothesis


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature that was read whole."""

    text: str
    """As written."""
    binders: tuple[Binder, ...]
    """In the order written."""
    conclusion: Proposition
    """What is behind the colon."""

    @property
    def generic(self) -> str | None:
        """The name of the generic field, or None where every carrier is concrete."""
        return next((binder.name for binder in self.binders if isinstance(binder, TypeVariable)), None)

    @property
    def is_ordered(self) -> bool:
        """Whether the generic field carries an order."""
        return any(isinstance(binder, Instance) and binder.words[0].endswith("OrderedRing") for binder in self.binders)

    @property
    def variables(self) -> tuple[tuple[str, str | FunctionType], ...]:
        """Every variable with its type, in order."""
        groups = (binder for binder in self.binders if isinstance(binder, Variables))
        return tuple((name, group.type) for group in groups for name in group.names)

    @property
    def carriers(self) -> frozenset[str]:
        """The carriers of the variables that are no functions."""
        return frozenset(kind for _, kind in self.variables if isinstance(kind, str))

    @property
    def functions(self) -> tuple[tuple[str, FunctionType], ...]:
        """Every function variable with its type, in order."""
        return tuple((name, kind) for name, kind in self.variables if isinstance(kind, FunctionType))

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """The hypotheses, in order."""
        return tuple(binder for binder in self.binders if isinstance(binder, Hypothesis))

    @property
    def propositions(self) -> tuple[Proposition, ...]:
        """What the hypotheses say, then the conclusion."""
        return (*(hypothesis.proposition for hypothesis in self.hypotheses), self.conclusion)


def _render_binder(binder: Binder) -> str:
    match binder:
        case TypeVariable(name):
            return f"{{{name} : Type}}"
        case Instance(words):
            return f"[{' '.join(words)}]"
        case Variables(names, kind, is_implicit):
            inner = f"{' '.join(names)} : {kind}"
            return f"{{{inner}}}" if is_implicit else f"({inner})"
        case Hypothesis(name, proposition):
            return f"({name} : {render_proposition(proposition)})"


def render_signature(signature: Signature) -> str:
    """Write the tree as Lean text; reading it again gives an equal tree (the text of the record aside)."""
    binders = " ".join(_render_binder(binder) for binder in signature.binders)
    return f"{binders} : {render_proposition(signature.conclusion)}".lstrip()


def render_binders(signature: Signature) -> str:
    """The binders alone, as Lean text."""
    return " ".join(_render_binder(binder) for binder in signature.binders)
