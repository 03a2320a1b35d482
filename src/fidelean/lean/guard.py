"""The source guard: what Lean text may be run at all. It allows by list and refuses the rest, each time with a reason and a line.

Acceptance rests on this and not on Lean's silence: a local instance that makes 0 mean 1, an option that silences ``sorry``, or
compiled code behind ``decide`` elaborate without a word. The rules and what each is for: ``design/source-guard.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from fidelean.lean.declarations import Command, commands_of, depths, header_of
from fidelean.lean.records import Position, Refusal, RefusalKind
from fidelean.lean.shadowing import shadowing
from fidelean.lean.tokens import LexFault, Token, TokenKind, meaningful, tokenize
from fidelean.lean.vocabulary import (
    ALLOWED_ATTRIBUTES,
    ALLOWED_COMMANDS,
    ALLOWED_DERIVINGS,
    ALLOWED_OPTIONS,
    DECLARATIONS,
    FORBIDDEN_COMMANDS,
    FORBIDDEN_IMPORTS,
    FORBIDDEN_WORDS,
    GUARD_VERSION,
    MODIFIERS,
)

__all__ = ["GUARD_VERSION", "ROOM_PREFIX", "Screening", "normalise", "screen"]

_MOST_REFUSALS = 50
_REACH = 200
"""How many tokens behind its start a list of attributes, classes or options is read; a longer one is refused."""

ROOM_PREFIX = "fidelean_room"
"""Namespaces of snippets in a batch start with this; no snippet may write it."""


@dataclass(frozen=True, slots=True)
class Screening:
    """What the guard found in one text."""

    refusals: tuple[Refusal, ...]
    """Objections; empty where the text may be run."""
    imports: tuple[str, ...]
    """Modules imported at the head, in order, without repeats."""
    import_positions: tuple[Position, ...]
    """Where each of them stands."""
    commands: tuple[Command, ...]
    """The commands behind the head; empty where the text could not be read."""
    tokens: tuple[Token, ...]
    """The meaningful tokens; empty where the text could not be read."""
    needs_own_process: bool
    """Whether it has effects that outlive its namespace, so that no neighbour may share its process."""


def normalise(text: str) -> str:
    """Line ends as Lean counts them: CRLF becomes LF and a leading byte-order mark goes."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n")


def screen(text: str, *, max_bytes: int = 200_000) -> Screening:
    """Screen one normalised text; pure, and linear in its length."""
    if len(text.encode("utf-8", "surrogatepass")) > max_bytes:
        return _unread(Refusal(RefusalKind.TOO_LONG, Position(1, 0), f"the text has more than {max_bytes} bytes"))
    try:
        tokens = meaningful(tokenize(text))
    except LexFault as fault:
        return _unread(Refusal(fault.kind, fault.position, fault.detail))
    levels = depths(tokens)
    if isinstance(levels, Token):
        return _unread(Refusal(RefusalKind.UNCLOSED, levels.position, f"the bracket {levels.text} has no partner"))
    modules, head = header_of(tokens)
    body = tokens[head:]
    try:
        commands = commands_of(body, levels[head:])
    except LexFault as fault:
        return _unread(Refusal(fault.kind, fault.position, fault.detail))
    found = chain((r for module in modules for r in _import_objections(module)), _objections(body, levels[head:], commands))
    refusals = list(islice(found, _MOST_REFUSALS))
    positions = {module.text: module.position for module in reversed(modules)}
    names = tuple(dict.fromkeys(module.text for module in modules))
    ordered = tuple(sorted(refusals, key=lambda refusal: refusal.position))
    own_process = any(token.text == "@[" for token in body)
    return Screening(ordered, names, tuple(positions[name] for name in names), commands, tokens, own_process)


def _unread(refusal: Refusal) -> Screening:
    return Screening((refusal,), (), (), (), (), needs_own_process=False)


def _objections(tokens: Sequence[Token], levels: Sequence[int], commands: Sequence[Command]) -> Iterator[Refusal]:
    for token in tokens:
        yield from _word_objections(token)
    for at, token in enumerate(tokens):
        yield from _place_objections(tokens, levels, at, token)
    yield from _ending_objections(tokens)
    yield from _scope_objections(commands)
    for command in commands:
        yield from _command_objections(command)
    yield from shadowing(tokens, commands)


def _import_objections(module: Token) -> Iterator[Refusal]:
    yield from _word_objections(module)
    if module.text.split(".")[0] in FORBIDDEN_IMPORTS:
        yield Refusal(RefusalKind.IMPORT, module.position, f"{module.text} brings commands the guard does not know")


def _word_objections(token: Token) -> Iterator[Refusal]:
    """What no token may be, wherever it stands."""
    if token.kind is TokenKind.SYMBOL and token.text in ("#", "`"):
        what = "commands that start with # print or run code" if token.text == "#" else "quotations build code"
        yield Refusal(RefusalKind.COMMAND, token.position, what)
    if token.kind is not TokenKind.NAME:
        return
    if "«" in token.text:
        yield Refusal(RefusalKind.CHARACTER, token.position, "quoted names are not read")
    if token.text in FORBIDDEN_COMMANDS:
        kind = RefusalKind.IMPORT if token.text in ("import", "prelude", "module") else RefusalKind.COMMAND
        yield Refusal(kind, token.position, f"{token.text} is not allowed here")
    for part in token.text.split("."):
        if part in FORBIDDEN_WORDS or part.startswith(ROOM_PREFIX):
            yield Refusal(RefusalKind.WORD, token.position, f"the word {part} is not allowed")


def _place_objections(tokens: Sequence[Token], levels: Sequence[int], at: int, token: Token) -> Iterator[Refusal]:
    """What a token may not be where it stands."""
    text, following = token.text, tokens[at + 1] if at + 1 < len(tokens) else None
    if text in ALLOWED_COMMANDS - {"open", "set_option"} and levels[at] > 0:
        yield Refusal(RefusalKind.COMMAND, token.position, f"{text} inside brackets")
    if text == "@[":
        yield from _attribute_objections(tokens, levels, at)
    elif text == "set_option":
        yield from _option_objections(token, tokens[at + 1 : at + 3])
    elif text == "open":
        yield from _open_objections(tokens, at)
    elif text == "deriving":
        yield from _deriving_objections(tokens, at)
    elif text == "config" and following is not None and following.text == ":=":
        yield from _configuration_objections(token, tokens[at + 2 : at + _REACH])
    elif text == "scoped" and (at == 0 or tokens[at - 1].text != "open"):
        yield Refusal(RefusalKind.COMMAND, token.position, "scoped is not allowed here")
    elif text == "in" and following is not None and following.text in ALLOWED_COMMANDS - DECLARATIONS - MODIFIERS - {"open", "set_option"}:
        yield Refusal(RefusalKind.SHAPE, token.position, f"in before {following.text}: the scope it opens would not be seen to end")


def _attribute_objections(tokens: Sequence[Token], levels: Sequence[int], at: int) -> Iterator[Refusal]:
    end = at + 1
    while levels[end] > levels[at] and end < at + _REACH:
        end += 1
    inside = " ".join(token.text for token in tokens[at + 1 : end])
    for attribute in inside.split(" , "):
        if attribute not in ALLOWED_ATTRIBUTES:
            yield Refusal(RefusalKind.ATTRIBUTE, tokens[at].position, f"the attribute {attribute or '(none)'} is not in the allowed list")


def _option_objections(token: Token, behind: Sequence[Token]) -> Iterator[Refusal]:
    name = behind[0].text if behind else ""
    if name not in ALLOWED_OPTIONS:
        yield Refusal(RefusalKind.OPTION, token.position, f"the option {name or '(none)'} is not in the allowed list")
    elif len(behind) < 2 or not (behind[1].kind is TokenKind.NUMBER or behind[1].text in ("true", "false")):
        yield Refusal(RefusalKind.OPTION, token.position, f"the value of {name} is not a literal")


def _open_objections(tokens: Sequence[Token], at: int) -> Iterator[Refusal]:
    behind = tokens[at + 1 : at + _REACH]
    for token in behind:
        if token.text in ("hiding", "renaming"):
            yield Refusal(RefusalKind.SHADOWING, token.position, f"open ... {token.text} changes what names mean")
        if token.kind is not TokenKind.NAME or token.text == "in" or token.text in ALLOWED_COMMANDS:
            return
    if len(behind) == _REACH - 1:
        yield Refusal(RefusalKind.SHAPE, tokens[at].position, "open with more names than the guard reads")


def _deriving_objections(tokens: Sequence[Token], at: int) -> Iterator[Refusal]:
    expects_class = True
    for token in tokens[at + 1 : at + _REACH]:
        if expects_class and token.text not in ALLOWED_DERIVINGS:
            yield Refusal(RefusalKind.INSTANCE, token.position, f"deriving {token.text} is not in the allowed list")
            return
        if not expects_class and token.text != ",":
            return
        expects_class = not expects_class


def _configuration_objections(token: Token, behind: Sequence[Token]) -> Iterator[Refusal]:
    """``config := { a := true, b := 3 }`` and nothing cleverer: other terms would be evaluated by the tactic."""
    if behind and behind[0].text == "{":
        at = 1
        while at + 2 < len(behind) and behind[at].kind is TokenKind.NAME and behind[at + 1].text == ":=":
            value = behind[at + 2]
            if value.kind is not TokenKind.NUMBER and value.text not in ("true", "false"):
                break
            at += 4 if at + 3 < len(behind) and behind[at + 3].text == "," else 3
        if at < len(behind) and behind[at].text == "}":
            return
    yield Refusal(RefusalKind.CONFIGURATION, token.position, "a configuration must be { option := literal, ... }")


def _ending_objections(tokens: Sequence[Token]) -> Iterator[Refusal]:
    """A text may not end in something that would take in what follows it."""
    if tokens and (tokens[-1].kind is TokenKind.DOC or tokens[-1].text in MODIFIERS | {"in", "@["}):
        yield Refusal(RefusalKind.SHAPE, tokens[-1].position, f"the text ends in {tokens[-1].text[:20]}, which needs something behind it")


def _scope_objections(commands: Sequence[Command]) -> Iterator[Refusal]:
    opened: list[tuple[str, Position]] = []
    for command in commands:
        name = command.signature[0].text if command.signature else ""
        if command.keyword in ("namespace", "section"):
            if len(command.signature) > 1 or command.prefix or (command.keyword == "namespace" and not name):
                yield Refusal(RefusalKind.SCOPE, command.position, f"a {command.keyword} line that is not plain")
            opened.append((name, command.position))
        elif command.keyword == "end":
            if len(command.signature) > 1 or not opened or opened[-1][0] != name:
                yield Refusal(RefusalKind.SCOPE, command.position, f"end {name} closes nothing that is open")
            else:
                opened.pop()
    for name, position in opened:
        yield Refusal(RefusalKind.SCOPE, position, f"the namespace or section {name} is not closed".replace("  ", " "))


def _command_objections(command: Command) -> Iterator[Refusal]:
    if not command.keyword:
        yield Refusal(RefusalKind.COMMAND, command.position, f"text before the first command: {command.prefix[0].text[:20]}")
    elif command.keyword in DECLARATIONS - {"example"} and command.name is None:
        yield Refusal(RefusalKind.SHAPE, command.position, f"a {command.keyword} without a name")
    elif command.keyword not in DECLARATIONS and any(
        token.kind is TokenKind.DOC or token.text in MODIFIERS | {"@["} for token in command.prefix
    ):
        yield Refusal(RefusalKind.SHAPE, command.position, f"a modifier before {command.keyword}")
