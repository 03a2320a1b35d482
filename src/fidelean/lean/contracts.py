"""The two contracts: when a Lean text counts as a statement, and when as a proof.

Pure functions over what the guard read and what Lean said; no engine is asked. Every objection is listed, not only the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fidelean.lean.declarations import Command
from fidelean.lean.guard import Screening, normalise, screen
from fidelean.lean.records import Acceptance, AcceptanceReason, Elaboration, LeanSource, Objection, SourceKind, Status
from fidelean.lean.tokens import Token, TokenKind
from fidelean.lean.vocabulary import DECLARATIONS, PLACEHOLDERS

__all__ = ["STANDARD_AXIOMS", "accept", "accept_proof", "accept_statement"]

STANDARD_AXIOMS = frozenset({"propext", "Classical.choice", "Quot.sound"})
"""What ordinary mathematics in Lean rests on."""

_SORRY_BODIES = ((":=", "sorry"), (":=", "by", "sorry"))
_NOT_RUN = {
    Status.TIMEOUT: AcceptanceReason.TIMEOUT,
    Status.OUT_OF_MEMORY: AcceptanceReason.OUT_OF_MEMORY,
    Status.CRASHED: AcceptanceReason.CRASHED,
    Status.UNAVAILABLE: AcceptanceReason.UNAVAILABLE,
}


def accept(source: LeanSource, elaboration: Elaboration, *, frozen: str | None = None) -> Acceptance:
    """Judge ``source`` by the contract of its kind; ``frozen`` is the statement a proof must prove, or None where none is given."""
    if source.kind is SourceKind.STATEMENT:
        return accept_statement(source.text, elaboration)
    return accept_proof(source.text, elaboration, frozen=frozen)


def accept_statement(text: str, elaboration: Elaboration) -> Acceptance:
    """Statement contract (formalize-statement, "Statement-only contract"): one final theorem that ends in ``sorry``, and nothing hollow."""
    screening = screen(normalise(text))
    return _acceptance([*_common(screening, elaboration), *_statement_objections(screening)])


def accept_proof(text: str, elaboration: Elaboration, *, frozen: str | None = None, axioms: frozenset[str] = STANDARD_AXIOMS) -> Acceptance:
    """Proof contract (formalize-statement, "Proof contract"): no error, no ``sorry``, the frozen statement, axioms where the engine tells.

    Where ``elaboration.axioms`` is None the engine cannot tell, and the guard stands in for the audit.
    """
    screening = screen(normalise(text))
    objections = [*_common(screening, elaboration), *_proof_objections(screening, elaboration, axioms)]
    if frozen is not None:
        objections.extend(_frozen_objections(screening, screen(normalise(frozen))))
    return _acceptance(objections)


def _acceptance(objections: Sequence[Objection]) -> Acceptance:
    return Acceptance(not objections, tuple(dict.fromkeys(objections)))


def _common(screening: Screening, elaboration: Elaboration) -> Iterator[Objection]:
    for refusal in screening.refusals or elaboration.refusals:
        yield Objection(AcceptanceReason.REFUSED, f"{refusal.kind}: {refusal.detail}", refusal.position.line)
    for module in elaboration.missing_modules:
        yield Objection(AcceptanceReason.MISSING_MODULE, f"there is no module {module} in this engine's library")
    if elaboration.status in _NOT_RUN:
        yield Objection(_NOT_RUN[elaboration.status], elaboration.detail or "nothing is known about the text")
    elif elaboration.status is Status.ERRORS and not elaboration.missing_modules:
        first = next((d for d in elaboration.diagnostics if d.severity == "error"), None)
        line = first.message.strip().split("\n")[0][:200] if first else elaboration.detail
        yield Objection(AcceptanceReason.DOES_NOT_ELABORATE, line, first.position.line if first else None)
    elif elaboration.status is Status.REFUSED and not (screening.refusals or elaboration.refusals):
        yield Objection(AcceptanceReason.REFUSED, elaboration.detail or "the guard refused the text")


def _declarations(screening: Screening) -> list[Command]:
    return [command for command in screening.commands if command.keyword in DECLARATIONS]


def _final(screening: Screening) -> Command | None:
    declarations = _declarations(screening)
    return declarations[-1] if declarations and declarations[-1].is_theorem else None


def _words(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.text for token in tokens if token.kind is not TokenKind.DOC)


def _sorries(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.kind is TokenKind.NAME and token.text == "sorry"]


def _no_theorem(screening: Screening) -> Iterator[Objection]:
    declarations = _declarations(screening)
    last = declarations[-1] if declarations else None
    what = "there is no declaration" if last is None else f"the last declaration is a {last.keyword}"
    yield Objection(AcceptanceReason.NO_THEOREM, what, last.position.line if last else None)


def _statement_objections(screening: Screening) -> Iterator[Objection]:
    if screening.refusals and not screening.tokens:
        return
    final = _final(screening)
    if final is None:
        yield from _no_theorem(screening)
        return
    for command in _declarations(screening)[:-1]:
        if command.is_theorem or command.keyword == "example":
            yield Objection(
                AcceptanceReason.SECOND_THEOREM, f"a statement file holds one theorem, not also a {command.keyword}", command.position.line
            )
        elif _is_placeholder(command):
            name = command.name.text if command.name else command.keyword
            yield Objection(AcceptanceReason.PLACEHOLDER, f"{name} is defined by a placeholder", command.position.line)
    allowed = 1 if _words(final.body) in _SORRY_BODIES else 0
    if not allowed:
        yield Objection(AcceptanceReason.PROOF_GIVEN, "the theorem must end in := sorry or := by sorry", final.position.line)
    for token in _sorries(screening.tokens)[: -allowed or None]:
        yield Objection(AcceptanceReason.SORRY, "sorry outside the final proof", token.position.line)


def _is_placeholder(command: Command) -> bool:
    """Whether a helper's body is a stock value, behind any number of ``fun ... =>``, brackets and a type ascription."""
    words = list(_words(command.body))
    if command.keyword not in ("def", "abbrev") or not words:
        return False
    words = words[1:] if words[0] == ":=" else words
    while words:
        if words[0] in ("fun", "λ") and (arrow := next((at for at, word in enumerate(words) if word in ("=>", "↦")), None)) is not None:
            words = words[arrow + 1 :]
        elif words[0] == "by" and len(words) > 1 and words[1] == "exact":
            words = words[2:]
        elif words[0] == "(" and words[-1] == ")" and len(words) > 2:
            words = words[1 : words.index(":")] if ":" in words else words[1:-1]
        else:
            break
    return "".join(words) in PLACEHOLDERS


def _proof_objections(screening: Screening, elaboration: Elaboration, axioms: frozenset[str]) -> Iterator[Objection]:
    if _final(screening) is None and (screening.tokens or not screening.refusals):
        yield from _no_theorem(screening)
    for token in _sorries(screening.tokens):
        yield Objection(AcceptanceReason.SORRY, "sorry in a proof", token.position.line)
    for position in elaboration.sorries:
        yield Objection(AcceptanceReason.SORRY, "Lean reports that a declaration uses sorry", position.line)
    for axiom in elaboration.axioms or ():
        if axiom not in axioms:
            yield Objection(AcceptanceReason.AXIOM, f"the proof rests on the axiom {axiom}")


def _frozen_objections(screening: Screening, frozen: Screening) -> Iterator[Objection]:
    """The frozen theorem must stand there token for token, last, and nothing around it may change what it says."""
    target, final = _final(frozen), _final(screening)
    if target is None:
        yield Objection(AcceptanceReason.STATEMENT_CHANGED, "the frozen statement has no final theorem to compare with")
        return
    if final is None:
        return
    if final.meaning != target.meaning:
        yield Objection(AcceptanceReason.STATEMENT_CHANGED, _difference(target.meaning, final.meaning), final.position.line)
    yield from _context_objections(screening, frozen)


def _difference(expected: Sequence[str], found: Sequence[str]) -> str:
    for wanted, got in zip(expected, found, strict=False):
        if wanted != got:
            return f"the frozen statement has {wanted[:60]} where the proof has {got[:60]}"
    return "the proof's statement is longer or shorter than the frozen one"


def _context_objections(screening: Screening, frozen: Screening) -> Iterator[Objection]:
    """All commands of the frozen file stay, in order; only theorems whose names occur nowhere in it may come in between."""
    if screening.imports != frozen.imports:
        yield Objection(AcceptanceReason.CONTEXT_CHANGED, "the imports are not those of the frozen statement")
    used = Counter(part for token in frozen.tokens for part in token.text.split("."))
    waiting = [(command.keyword, _whole(command)) for command in frozen.commands if command is not _final(frozen)]
    for command in screening.commands:
        if command is _final(screening):
            continue
        if waiting and waiting[0] == (command.keyword, _whole(command)):
            waiting.pop(0)
        elif not command.is_theorem or command.name is None or any(token.text == "@[" for token in command.prefix):
            yield Objection(AcceptanceReason.CONTEXT_CHANGED, f"{command.keyword} is not in the frozen statement", command.position.line)
        elif any(part in used for part in command.name.text.split(".")):
            yield Objection(
                AcceptanceReason.CONTEXT_CHANGED, f"{command.name.text} takes a name of the frozen statement", command.position.line
            )
    for keyword, _ in waiting:
        yield Objection(AcceptanceReason.CONTEXT_CHANGED, f"a {keyword} of the frozen statement is missing")


def _whole(command: Command) -> tuple[str, ...]:
    return (*command.meaning, *_words(command.body))
