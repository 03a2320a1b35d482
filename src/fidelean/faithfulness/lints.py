"""A deterministic look at a Lean statement: faults that need no judge (formalize-statement, "Deterministic lints").

Critical are those that make a proof worthless whatever the text says; the others are hints for the next draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fidelean.faithfulness.records import Lint, LintKind, LintSeverity
from fidelean.faithfulness.slots import LeanSlot, SlotKind, lean_slots
from fidelean.informal.records import Claim
from fidelean.lean.records import LeanStatement
from fidelean.outcome import Reason
from fidelean.proving.definedness import guards_of
from fidelean.proving.evaluation import holds
from fidelean.proving.reading import read_signature
from fidelean.proving.rendering import render_proposition
from fidelean.proving.signature import Signature
from fidelean.proving.terms import mentioned

__all__ = ["lint", "lint_words", "plain"]

_LATEX = {
    r"\cdot": "*", r"\times": "*", r"\leq": "≤", r"\le": "≤", r"\geq": "≥", r"\ge": "≥", r"\neq": "≠", r"\ne": "≠", r"\mid": "∣",
    r"\left": "", r"\right": "", r"\,": "", r"\;": "", r"\!": "", r"\quad": "", "<=": "≤", ">=": "≥", "!=": "≠",
}  # fmt: skip
_FORMULA = re.compile(r"\$+([^$]+)\$+|\\\(([\s\S]+?)\\\)|\\\[([\s\S]+?)\\\]")
_NUMERAL = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w])")
_IF_THEN = re.compile(r"\b(?:if|suppose|assume|since|given)\b(.+?)\b(?:then|we have|it follows|,)(.+)", re.IGNORECASE | re.DOTALL)
_DENOMINATOR_ADVICE = "add the hypothesis or show it, since Lean divides by zero"


def lint(statement: LeanStatement, claim: Claim | None = None) -> tuple[Lint, ...]:
    """Every lint of a statement; with the claim also those that compare the two. Empty where the signature cannot be cut into slots."""
    slots = lean_slots(statement.signature)
    signature = read_signature(statement.signature.strip()).signature
    found = [
        *_assumed(slots, claim),
        *_false_premises(slots, signature),
        *_self_answering(slots, claim),
        *_unused(slots),
        *_junk(slots, signature),
    ]
    if claim is not None:
        found += [*_converse(slots, claim), *_literals(statement, claim)]
    return tuple(dict.fromkeys(found))


def plain(text: str) -> str:
    r"""A formula without what notation adds: ``$2\cdot x^{2}$`` and ``2 * x^2`` give the same. For comparing, not for reading."""
    text = re.sub(r"\\[dt]?frac\{([^{}]+)\}\{([^{}]+)\}", r"\1/\2", text)
    for command, sign in _LATEX.items():
        text = re.sub(re.escape(command) + (r"(?![A-Za-z])" if command[-1].isalpha() else ""), sign, text)
    return re.sub(r"[\s$*{}()]|\\[()\[\]]|[.,;]$", "", text)


def _of(slots: Sequence[LeanSlot], *kinds: SlotKind) -> list[LeanSlot]:
    return [slot for slot in slots if slot.kind in kinds]


def _assumed(slots: Sequence[LeanSlot], claim: Claim | None) -> Iterator[Lint]:
    """The text may itself state its conclusion as a condition; then the statement is right to, and the step says nothing."""
    hypotheses = {form for slot in _of(slots, SlotKind.HYPOTHESIS) for form in _turned(slot.says)}
    conclusions = _of(slots, SlotKind.CONCLUSION)
    given, shown = _said(claim) if claim is not None else (set[str](), set[str]())
    is_said = bool(shown & given)
    if conclusions and all(slot.says in hypotheses for slot in conclusions):
        severity = LintSeverity.WARNING if is_said else LintSeverity.CRITICAL
        yield Lint(LintKind.CONCLUSION_ASSUMED, severity, "the conclusion is among the hypotheses", conclusions[0].text)


def _turned(says: str) -> tuple[str, ...]:
    left, sign, right = says.partition(" = ")
    return (says, f"{right} = {left}") if sign and " = " not in right and not re.search(r"[∧∨→↔∀∃<>≤≥≠]", says) else (says,)


def _false_premises(slots: Sequence[LeanSlot], signature: Signature | None) -> Iterator[Lint]:
    for slot in _of(slots, SlotKind.HYPOTHESIS):
        left, sign, right = _relation(slot.says)
        if slot.says in ("False", "¬ True") or (left == right and sign in ("≠", "<", ">")):
            yield Lint(LintKind.FALSE_PREMISE, LintSeverity.CRITICAL, "everything follows from it", slot.text)
    for hypothesis in signature.hypotheses if signature else ():
        if not mentioned(hypothesis.proposition) and holds(hypothesis.proposition, {}) is False:
            text = render_proposition(hypothesis.proposition)
            if text == "False":
                continue  # said already, by its slot
            yield Lint(LintKind.FALSE_PREMISE, LintSeverity.CRITICAL, "it is false, so everything follows from it", text)


def _relation(says: str) -> tuple[str, str, str]:
    match = re.fullmatch(r"([^=≠<>≤≥∧∨→↔∀∃]+) ([=≠<>≤≥]) ([^=≠<>≤≥∧∨→↔∀∃]+)", says)
    return (match[1], match[2], match[3]) if match else (says, "", "")


def _self_answering(slots: Sequence[LeanSlot], claim: Claim | None) -> Iterator[Lint]:
    """A text that itself says ``a = a`` is stated rightly so."""
    conclusions = _of(slots, SlotKind.CONCLUSION)
    for slot in conclusions:
        left, sign, right = _relation(slot.says)
        pinned = re.fullmatch(r"∃!? (\w+)(?: : \w+)? , (\w+) = (.+)", slot.says)
        is_own = slot.says == "True" or (left == right and sign in ("=", "≤", "≥"))
        is_pinned = pinned is not None and pinned[1] == pinned[2] and not re.search(rf"\b{re.escape(pinned[1])}\b|[∧∨→↔]", pinned[3])
        if (is_own or is_pinned) and len(conclusions) == 1:
            is_said = claim is not None and plain(claim.text) == plain(slot.says)
            severity = LintSeverity.WARNING if is_said else LintSeverity.CRITICAL
            yield Lint(LintKind.SELF_ANSWERING, severity, "it holds by its own shape", slot.text)


def _unused(slots: Sequence[LeanSlot]) -> Iterator[Lint]:
    for slot in _of(slots, SlotKind.VARIABLE):
        others = {word for other in slots if other is not slot for word in other.says.split(" ")}
        for name in slot.names:
            if name not in others:
                yield Lint(LintKind.UNUSED_VARIABLE, LintSeverity.WARNING, f"nothing is said about {name}", slot.text)


def _junk(slots: Sequence[LeanSlot], signature: Signature | None) -> Iterator[Lint]:
    """Where Lean's total functions may decide; whether they do, the kernel is asked beside the proof."""
    if signature is None:
        yield from _unread_junk(slots)
        return
    has_field = signature.generic is not None or "Rat" in signature.carriers
    for guard in guards_of(signature):
        text = render_proposition(guard.proposition)
        if guard.reason is Reason.JUNK_SUBTRACTION:
            yield Lint(
                LintKind.NAT_SUBTRACTION, LintSeverity.WARNING, f"a difference is cut off at 0 unless {text}; state it over Int", text
            )
        elif "∣" in text and not has_field:
            yield Lint(LintKind.TRUNCATED_DIVISION, LintSeverity.WARNING, f"a quotient is rounded unless {text}", text)
        else:
            yield Lint(LintKind.DENOMINATOR, LintSeverity.WARNING, f"a term is meaningful only where {text}: {_DENOMINATOR_ADVICE}", text)


def _unread_junk(slots: Sequence[LeanSlot]) -> Iterator[Lint]:
    kinds = {word for slot in _of(slots, SlotKind.VARIABLE) for word in slot.says.split(" ")}
    words = {word for slot in _of(slots, SlotKind.HYPOTHESIS, SlotKind.CONCLUSION) for word in slot.says.split(" ")}
    if "-" in words and kinds & {"Nat", "ℕ"}:
        yield Lint(LintKind.NAT_SUBTRACTION, LintSeverity.WARNING, "a difference of natural numbers is cut off at 0; state it over Int")
    if "/" in words and kinds & {"Nat", "ℕ", "Int", "ℤ"}:
        yield Lint(LintKind.TRUNCATED_DIVISION, LintSeverity.WARNING, "a quotient of integers is rounded")


def _converse(slots: Sequence[LeanSlot], claim: Claim) -> Iterator[Lint]:
    given, shown = _said(claim)
    hypotheses = {plain(slot.says) for slot in _of(slots, SlotKind.HYPOTHESIS)}
    conclusions = {plain(slot.says) for slot in _of(slots, SlotKind.CONCLUSION)}
    if shown and shown <= hypotheses and conclusions and conclusions <= given - shown:
        yield Lint(LintKind.CONVERSE, LintSeverity.CRITICAL, "it assumes what the text concludes and concludes what the text assumes")


def _said(claim: Claim) -> tuple[set[str], set[str]]:
    """The formulas that the text assumes and those that it concludes, as plain text."""
    given = {form for condition in claim.conditions for form in _formulas(condition)}
    parts = _IF_THEN.search(claim.text)
    if parts is None:
        return given, set(_formulas(claim.text))
    return given | set(_formulas(parts[1])), set(_formulas(parts[2]))


def _formulas(text: str) -> Iterator[str]:
    found = [match.group(match.lastindex or 0) for match in _FORMULA.finditer(text)] or [text]
    yield from (plain(formula) for formula in found if re.search(r"[=<>≤≥≠]|\\(?:le|ge|ne|mid)", formula))


def _literals(statement: LeanStatement, claim: Claim) -> Iterator[Lint]:
    stated = set(_NUMERAL.findall(statement.text))
    digits = set(re.findall(r"\d+", statement.text))
    for number in dict.fromkeys(_NUMERAL.findall(claim.text)):
        if number not in stated and not set(re.findall(r"\d+", number)) <= digits:
            yield Lint(LintKind.LITERAL_MISSING, LintSeverity.WARNING, f"the claim's number {number} does not occur in the statement")


def lint_words(lints: Sequence[Lint]) -> str:
    """The lints for a drafter, one a line."""
    return "\n".join(f"- {item.kind}: {item.message}{f' ({item.piece})' if item.piece else ''}" for item in lints)
