"""Proofs in JSON and JSON lines, every string with the place it stands at.

Forms, told apart by their keys; labels and other keys are not read:

- ours: ``{"id": ..., "problem": ..., "steps": [...]}``, or ``"proof"`` with the whole text in place of ``"steps"``;
- ProcessBench and ProofLoc: ``problem`` and ``steps``;
- BIG-Bench multistep arithmetic: ``input`` and ``steps``.
"""

from __future__ import annotations

import json
import json.scanner
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from json.decoder import scanstring  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
from typing import Any, cast

from fidelean.errors import InputError
from fidelean.informal.reading.source import Source

__all__ = ["PlacedText", "ProofRecord", "json_records", "json_texts"]

_PROBLEM_KEYS = ("problem", "input", "question", "statement")
_READ_KEYS = (*_PROBLEM_KEYS, "id", "steps", "proof", "claim", "step")
_SPACE = re.compile(r"[ \t\n]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LOST_BACKSLASH = re.compile(r"[\b\f]|\t(?:imes|ext|heta|frac|riangle)|\r(?:ight|ho)|\n(?:eq|abla|ot)\b")


class PlacedText(str):
    """A JSON string that knows where its first character stands in the source."""

    __slots__ = ("offset",)
    offset: int


@dataclass(frozen=True, slots=True)
class ProofRecord:
    """One record, its keys checked, its proof not yet cut."""

    position: int
    """1-based number of the record in its source."""
    line: int
    """1-based line on which the record starts."""
    id: str | None
    """The name the record gives itself."""
    problem: PlacedText | None
    """The problem; None where the record holds none."""
    proof: PlacedText | tuple[PlacedText, ...]
    """The whole proof, or its steps."""
    notices: tuple[str, ...] = ()
    """What a reader must know, one line each."""


def json_records(source: Source, *, by_line: bool) -> Iterator[ProofRecord | InputError]:
    """Read the records of a source; a record that cannot be read is given as an ``InputError`` in its place, and the others are read."""
    for position, (start, value) in enumerate(_line_values(source) if by_line else _whole_values(source), start=1):
        if isinstance(value, InputError):
            yield value
            continue
        try:
            yield _record(source, position, start, value)
        except InputError as error:
            yield error


def json_texts(source: Source, key: str) -> Iterator[PlacedText | InputError]:
    """Read the string under ``key`` of every line; a line without one is given as an ``InputError`` in its place."""
    for start, value in _line_values(source):
        line = source.line_number(start)
        text = cast("dict[str, object]", value).get(key) if isinstance(value, dict) else None
        if isinstance(value, InputError):
            yield value
        elif not isinstance(text, PlacedText):
            yield InputError(f'is not an object with a string under "{key}"', source=source.name, line=line)
        elif not text.isascii() and _SURROGATE.search(text):
            yield InputError(f'"{key}" holds half of a surrogate pair, which is no character', source=source.name, line=line)
        else:
            yield text


class _Numeral(str):
    """A JSON number as written: identifiers keep their digits, and no digits are turned into a number nobody needs."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class _KeyTwice:
    """Stands for an object in which a key that is read occurs twice."""

    key: str
    """The key."""


def _object(pairs: list[tuple[str, object]]) -> object:
    keys = [key for key, _ in pairs if key in _READ_KEYS]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    return dict(pairs) if twice is None else _KeyTwice(twice)


class _Decoder(json.JSONDecoder):
    """A decoder that places every string; ``base`` is where the text it decodes starts in the source."""

    def __init__(self) -> None:
        super().__init__(object_pairs_hook=_object, parse_int=_Numeral)
        self.base = 0
        self.parse_string = self._placed
        # Only the scanner written in Python asks the decoder how to read a string; typeshed leaves it out.
        self.scan_once = cast("Any", json.scanner).py_make_scanner(self)

    def _placed(self, text: str, start: int, strict: bool = True) -> tuple[PlacedText, int]:
        value, end = cast("tuple[str, int]", scanstring(text, start, strict))
        placed = PlacedText(value)
        placed.offset = self.base + start
        return placed, end


def _line_values(source: Source) -> Iterator[tuple[int, object]]:
    decoder = _Decoder()
    for start, line in zip(source.line_starts, source.text.split("\n"), strict=True):
        if line.strip():
            decoder.base = start
            yield start, _only_value(source, decoder, line)


def _whole_values(source: Source) -> Iterator[tuple[int, object]]:
    decoder, text = _Decoder(), source.text
    start = _skip_space(text, 0)
    if text[start] != "[":
        yield start, _only_value(source, decoder, text)
        return
    place = _skip_space(text, start + 1)
    if text[place : place + 1] == "]":
        yield start, InputError("holds no proof", source=source.name)
    while text[place : place + 1] != "]":
        value, end = _value(source, decoder, text, place)
        yield place, value
        if isinstance(value, InputError):
            return
        end = _skip_space(text, end)
        if text[end : end + 1] not in (",", "]"):
            yield end, _not_json(source, end, "a comma or ] is missing")
            return
        place = end if text[end] == "]" else _skip_space(text, end + 1)
    if text[place + 1 :].strip():
        yield place, _not_json(source, _skip_space(text, place + 1), "there is more text behind the array")


def _only_value(source: Source, decoder: _Decoder, text: str) -> object:
    value, end = _value(source, decoder, text, _skip_space(text, 0))
    if text[end:].strip() and not isinstance(value, InputError):
        return _not_json(source, decoder.base + _skip_space(text, end), "there is more text behind the value; one object a line is .jsonl")
    return value


def _value(source: Source, decoder: _Decoder, text: str, start: int) -> tuple[object, int]:
    try:
        return decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return _not_json(source, decoder.base + error.pos, error.msg), len(text)
    except RecursionError:
        return _not_json(source, decoder.base + start, "it is nested too deeply"), len(text)


def _not_json(source: Source, offset: int, message: str) -> InputError:
    line = source.line_number(offset)
    column = offset - source.line_starts[line - 1] + 1
    return InputError(f"is not JSON at column {column}: {message}", source=source.name, line=line)


def _skip_space(text: str, start: int) -> int:
    match = _SPACE.match(text, start)
    return match.end() if match else start


def _record(source: Source, position: int, start: int, value: object) -> ProofRecord:
    line = source.line_number(start)

    def fault(message: str, place: int = line) -> InputError:
        return InputError(f"record {position}: {message}", source=source.name, line=place)

    if isinstance(value, _KeyTwice):
        raise fault(f"the key {value.key!r} occurs twice")
    if not isinstance(value, dict):
        raise fault("is not an object with a problem and steps")
    fields = cast("dict[str, object]", value)
    problem_key = next((key for key in _PROBLEM_KEYS if key in fields), None)
    problem = _text(fields[problem_key], problem_key, fault) if problem_key else None
    proof = _steps(fields["steps"], fault) if "steps" in fields else _text(fields.get("proof"), "proof", fault)
    name = fields.get("id")
    strings = [proof] if isinstance(proof, PlacedText) else list(proof)
    return ProofRecord(
        position=position,
        line=line,
        id=_surrogate_free(str(name), "id", fault) if isinstance(name, str) and name else None,
        problem=problem,
        proof=proof,
        notices=tuple(_lost_backslash_notices(strings)),
    )


_Fault = Callable[..., InputError]


def _steps(value: object, fault: _Fault) -> tuple[PlacedText, ...]:
    if not isinstance(value, list) or not value:
        raise fault('"steps" is not a list of strings with at least one step')
    elements = cast("list[object]", value)
    return tuple(_text(element, f"steps[{index}]", fault) for index, element in enumerate(elements))


def _text(value: object, key: str, fault: _Fault) -> PlacedText:
    if value is None and key == "proof":
        raise fault('has neither "steps" nor "proof"')
    if not isinstance(value, PlacedText):
        raise fault(f'"{key}" is not a string')
    _surrogate_free(value, key, fault)
    return value


def _surrogate_free(text: str, key: str, fault: _Fault) -> str:
    if not text.isascii() and _SURROGATE.search(text):
        raise fault(f'"{key}" holds half of a surrogate pair, which is no character')
    return text


def _lost_backslash_notices(strings: list[PlacedText]) -> Iterator[str]:
    suspects = [str(index) for index, text in enumerate(strings, start=1) if _LOST_BACKSLASH.search(text)]
    if suspects:
        yield f"step {', '.join(suspects)}: control characters where LaTeX commands may have been; JSON writes a backslash as two"
