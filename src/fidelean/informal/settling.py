"""Which dollar is a currency and which a delimiter, which letters are a word and which a product: settled before formulas are cut."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fidelean.informal.maths.tokens import Token

__all__ = ["settle"]


_UNSETTLED = frozenset(("delim", "const", "word", "name", "newline", "align"))


def settle(text: str, tokens: list[Token]) -> list[Token]:
    """Tell currency from delimiters, and words of prose from letters of formulas."""
    settled: list[Token] = []
    inside = False
    euler = _speaks_of_euler(text)
    for position, token in enumerate(tokens):
        if token.kind not in _UNSETTLED:
            settled.append(token)
        elif token.kind == "delim":
            raw = text[token.start : token.end]
            if raw == "$" and not inside and _is_currency(text, tokens, position):
                settled.append(Token("unit", "$", token.start, token.end))
                continue
            inside = raw in ("\\(", "\\[") or (raw.startswith("$") and not inside)
            settled.append(Token("delim", "open" if inside else "shut", token.start, token.end))
        elif token.kind == "const" and token.text == "e" and not euler:
            settled.append(Token("name", "e", token.start, token.end))
        elif token.kind == "word" and token.text == "percent" and not inside:
            settled.append(Token("op", "%", token.start, token.end))
        elif token.kind == "name" and not inside and _is_times_sign(tokens, position):
            settled.append(Token("op", "*", token.start, token.end))
        elif token.kind == "name" and not inside and token.text in "aAI" and position + 1 < len(tokens) and _starts_apart(tokens, position):
            settled.append(Token("word", token.text, token.start, token.end))
        elif inside and token.kind in ("newline", "align"):
            continue
        elif inside and token.kind == "word" and len(token.text) <= 3 and token.text.isupper():
            settled.append(Token("name", token.text, token.start, token.end))  # a segment, an angle or a triangle: $AB$
        elif inside and token.kind == "word":
            settled.extend(Token("name", token.text[i], token.start + i, token.start + i + 1) for i in range(len(token.text)))
        else:
            settled.append(token)
    return settled


_EULER = re.compile(r"(?<![A-Za-z\\])e\s*\^|\\ln\b|\bln\b|\bEuler|2\.71")
_LETTER_E = re.compile(r"(?<![A-Za-z\\])e\s*=(?!=)|[=,]\s*e\b|(?<![A-Za-z\\])[df]\s*[=,+]")


def _speaks_of_euler(text: str) -> bool:
    """Whether a letter e is Euler's number: there are powers of it or logarithms, and it is not given a value."""
    return _EULER.search(text) is not None and _LETTER_E.search(text) is None


def _is_currency(text: str, tokens: Sequence[Token], position: int) -> bool:
    token = tokens[position]
    following = tokens[position + 1] if position + 1 < len(tokens) else None
    if following is None or following.kind != "num" or following.start != token.end:
        return False
    shut = text.find("$", token.end)
    if shut < 0:
        return True
    content = text[token.end : shut]
    return bool(re.search(r"[\s=+\-*/×(]$", content)) or bool(re.search(r"(?<![\\{A-Za-z])[A-Za-z]{3,}", content)) or "\n" in content


def _is_times_sign(tokens: Sequence[Token], position: int) -> bool:
    if tokens[position].text not in ("x", "X") or position == 0 or position + 1 >= len(tokens):
        return False
    return tokens[position - 1].kind in ("num", "close") and tokens[position + 1].kind in ("num", "unit")


def _starts_apart(tokens: Sequence[Token], position: int) -> bool:
    following = tokens[position + 1]
    return following.start > tokens[position].end and following.kind in ("num", "word", "unit", "delim")
