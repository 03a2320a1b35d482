"""The scripts of the probes: from a statement, read or not, to Lean texts that would each show a fault or its absence.

Hypotheses are told from data by Lean itself: a script asks for a proposition behind each name, and fails where one cannot be cleared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fidelean.faithfulness.probe_binders import Binder, binders_of, leading_steps
from fidelean.faithfulness.probe_records import ProbeKind
from fidelean.lean.framing import Frame
from fidelean.proving.reading import split_signature

__all__ = ["ProbeScript", "is_contradiction", "scripts_for"]

_CORE = ("first | trivial | rfl | contradiction | omega | decide +kernel | simp_all", "grind")
_FINITE = ("first | trivial | rfl | omega | decide +kernel | simp", "grind")
_MATHLIB = ("first | norm_num | positivity | linarith | nlinarith",)
_COMPUTED = "by first | trivial | decide +kernel | omega | grind | simp"
_COMPUTED_IN_MATHLIB = "by first | trivial | norm_num | decide | omega | positivity | simp"
_NUMBERS = frozenset({"Nat", "Int", "Rat", "ℕ", "ℤ", "ℚ", "ℝ", "Real"})
_NATURALS = frozenset({"Nat", "ℕ"})
_RELATIONS = ("=", "≠", "<", ">", "≤", "≥", "∣", "∧", "∨", "¬", "↔", "→", "∃", "∀", "∈", "Even", "Odd", "Prime")
_TUPLES = ((0, 0, 0, 0, 0, 0), (1, 1, 1, 1, 1, 1), (2, 2, 2, 2, 2, 2), (1, 2, 3, 4, 5, 6), (-1, 1, -2, 2, -3, 3), (5, 3, 2, 1, 0, 4))


@dataclass(frozen=True, slots=True)
class ProbeScript:
    """One Lean text and what its acceptance would show."""

    kind: ProbeKind
    """The probe it belongs to."""
    shows_fault: bool
    """Whether it would show the fault; otherwise its absence."""
    head: str
    """Everything up to the line of ``:=``."""
    frozen: str
    """The statement that the proof must prove, token for token."""
    text: str
    """The whole text."""
    detail: str
    """What is then known, in one line."""
    values: tuple[tuple[str, str], ...] = ()
    """The values that it takes, by variable."""


def is_contradiction(signature: str) -> bool:
    """Whether a signature's conclusion is ``False``: then contradictory hypotheses are what it claims."""
    parts = split_signature(signature)
    return parts is not None and leading_steps(parts[1])[1] == "False"


def scripts_for(frame: Frame, heartbeats: int) -> tuple[ProbeScript, ...]:
    """All scripts for a statement; empty where its binders cannot be told apart."""
    parts = split_signature(frame.signature)
    binders = binders_of(parts[0]) if parts else None
    if parts is None or binders is None:
        return ()
    return tuple(_Maker(frame, heartbeats, binders, parts[1]).all())


class _Maker:
    def __init__(self, frame: Frame, heartbeats: int, binders: Sequence[Binder], conclusion: str) -> None:
        self._frame, self._heartbeats, self._binders, self._conclusion = frame, heartbeats, binders, conclusion
        steps, self._goal = leading_steps(conclusion)
        self._steps = tuple(f"probe_{number}" for number in range(1, steps + 1))
        self._names = (*(name for binder in binders for name in binder.names if name != "_"), *self._steps)
        self._is_mathlib = any(module.split(".")[0] == "Mathlib" for module in frame.imports)
        self._computed = _COMPUTED_IN_MATHLIB if self._is_mathlib else _COMPUTED

    def all(self) -> Iterator[ProbeScript]:
        """Every script, those that show a fault first."""
        yield from self._assumed()
        yield from self._contradictory()
        yield from self._without_hypotheses()
        if not self._frame.has_variables:
            yield from self._no_hypotheses()
            yield from self._negated()
            yield from self._at_values()
        yield from self._proved()

    def _assumed(self) -> Iterator[ProbeScript]:
        if self._names:
            yield self._own(ProbeKind.CONCLUSION_ASSUMED, ("assumption",), "a hypothesis is the conclusion")

    def _contradictory(self) -> Iterator[ProbeScript]:
        if self._names and self._goal != "False":
            for closer in self._closers(_CORE):
                lines = ("exfalso", closer)
                yield self._own(ProbeKind.CONTRADICTORY_HYPOTHESES, lines, "the hypotheses imply False, whatever the conclusion is")

    def _without_hypotheses(self) -> Iterator[ProbeScript]:
        if not self._names:
            return
        some = "first | " + " | ".join(f"({_asks(name)}; clear probe_is)" for name in self._names)
        away = [f"first | ({_asks(name)}; clear probe_is {name}) | (fail_if_success {_asks(name)})" for name in reversed(self._names)]
        for closer in self._closers(_FINITE):
            detail = "the conclusion is proved with every hypothesis taken away"
            yield self._own(ProbeKind.CLOSED_WITHOUT_HYPOTHESES, (some, *away, closer), detail)

    def _no_hypotheses(self) -> Iterator[ProbeScript]:
        """Where Lean finds a proposition behind no name, there are no hypotheses; a nameless binder could be one, and so could a step."""
        if self._steps or any(binder.bracket == "[" or "_" in binder.names for binder in self._binders):
            return
        script = "\n".join([*(f"fail_if_success {_asks(name)}" for name in self._names), "exact True.intro"])
        signature = f"{' '.join(binder.text for binder in self._binders)} : True"
        for kind in (ProbeKind.CONTRADICTORY_HYPOTHESES, ProbeKind.CLOSED_WITHOUT_HYPOTHESES, ProbeKind.CONCLUSION_ASSUMED):
            yield self._new("probe_none", signature, kind, script, "there are no hypotheses", shows_fault=False)

    def _negated(self) -> Iterator[ProbeScript]:
        signature = f": ¬ ({_universal(self._binders, self._conclusion)})"
        for closer in self._closers(_FINITE):
            yield self._new("probe_negation", signature, ProbeKind.NEGATION_PROVABLE, closer, "its negation is proved")

    def _proved(self) -> Iterator[ProbeScript]:
        for closer in self._closers(_CORE):
            for kind in (ProbeKind.NEGATION_PROVABLE, ProbeKind.COUNTEREXAMPLE):
                yield self._own(kind, (closer,), "the statement itself is proved", shows_fault=False)

    def _at_values(self) -> Iterator[ProbeScript]:
        """The statement at small numbers: broken there; its hypotheses met there; its conclusion broken there without them."""
        data = [binder for binder in self._binders if binder.type in _NUMBERS]
        given = [binder for binder in self._binders if binder.type not in _NUMBERS]
        if not data or not all(binder.names and any(sign in binder.type for sign in _RELATIONS) for binder in given):
            return
        for numbers in _TUPLES:
            values = _valued(data, numbers)
            if values is None:
                continue
            words = ", ".join(f"{name} = {value}" for name, value in values)
            everything = self._applied(self._binders, dict(values))
            broken = f"intro probe_h\nexact absurd ({everything}) ({self._computed})"
            whole = f": ¬ ({_universal(self._binders, self._conclusion)})"
            for kind in (ProbeKind.COUNTEREXAMPLE, ProbeKind.NEGATION_PROVABLE):
                yield self._new("probe_values", whole, kind, broken, f"it fails at {words}", values=values)
            if given:
                empty = f": ¬ ({_universal(self._binders, 'False')})"
                met = f"intro probe_h\nexact {everything}"
                kind = ProbeKind.CONTRADICTORY_HYPOTHESES
                yield self._new("probe_met", empty, kind, met, f"they hold at {words}", shows_fault=False, values=values)
                bare = f": ¬ ({_universal(data, self._conclusion)})"
                script = f"intro probe_h\nexact absurd ({self._applied(data, dict(values))}) ({self._computed})"
                kind, detail = ProbeKind.CLOSED_WITHOUT_HYPOTHESES, f"without them the conclusion fails at {words}"
                yield self._new("probe_bare", bare, kind, script, detail, shows_fault=False, values=values)

    def _applied(self, binders: Sequence[Binder], values: dict[str, str]) -> str:
        arguments = [values.get(name, f"({self._computed})") for binder in binders for name in binder.names]
        return " ".join(["@probe_h", *arguments])

    def _closers(self, core: tuple[str, ...]) -> tuple[str, ...]:
        return (*core, *(_MATHLIB if self._is_mathlib else ()))

    def _own(self, kind: ProbeKind, lines: Sequence[str], detail: str, *, shows_fault: bool = True) -> ProbeScript:
        """A proof of the statement itself, in a way that shows something about it."""
        steps = (f"intro {' '.join(self._steps)}",) if self._steps else ()
        return self._new("probe_claim", self._frame.signature, kind, "\n".join([*steps, *lines]), detail, shows_fault=shows_fault)

    def _new(
        self,
        name: str,
        signature: str,
        kind: ProbeKind,
        script: str,
        detail: str,
        *,
        shows_fault: bool = True,
        values: tuple[tuple[str, str], ...] = (),
    ) -> ProbeScript:
        head = self._frame.head(name, signature, heartbeats=self._heartbeats)
        frozen = self._frame.with_script(head, "sorry")
        return ProbeScript(kind, shows_fault, head, frozen, self._frame.with_script(head, script), detail, values)


def _asks(name: str) -> str:
    """A tactic that succeeds where the name stands for a proof, and fails where it stands for data."""
    return f"(have probe_is : True := (fun (p : Prop) (_ : p) => True.intro) _ {name})"


def _universal(binders: Sequence[Binder], conclusion: str) -> str:
    text = " ".join(binder.text for binder in binders)
    return f"∀ {text}, {conclusion}" if text else conclusion


def _valued(data: Sequence[Binder], numbers: Sequence[int]) -> tuple[tuple[str, str], ...] | None:
    """Values of the variables, in brackets; None where there are too many or a natural number would be negative."""
    named = [(name, binder.type in _NATURALS) for binder in data for name in binder.names]
    if len(named) > len(numbers) or any(is_natural and value < 0 for (_, is_natural), value in zip(named, numbers, strict=False)):
        return None
    return tuple((name, str(value) if value >= 0 else f"({value})") for (name, _), value in zip(named, numbers, strict=False))
