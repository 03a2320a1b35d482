"""Whether a proof rests on a claim: its author does not mark it as a remark, or its value is used later.

A deterministic reading of the text (FaithSieve, evidence fusion, with the load-bearing rule of our own): the label of a proof asks for the
first *material* break, and a false side remark that nothing uses breaks nothing. A calculation that nobody calls a remark is taken to
serve its step: of ten such calculations whose value never returned, in public proofs, three were the labelled error and none was harmless.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fidelean.informal.records import Span

__all__ = ["is_load_bearing", "returns"]

_ASIDE = re.compile(
    r"\b(?:incidentally|by\s+the\s+way|as\s+an\s+aside|aside\b|in\s+passing|side\s+remark|as\s+a\s+(?:remark|curiosity|side\s+note)|remark\b|curiously|"
    r"for\s+(?:comparison|instance|example)|e\.g\.|not(?:e|ice)\s+(?:also\s+)?that|observe\s+(?:also\s+)?that|recall\b|interestingly|one\s+(?:may|can|could)\s+also)",
    re.IGNORECASE,
)
_SENTENCE_START = re.compile(r"[.?!]\s|\n\s*\n|\(")
_MANY = 4
"""As many decimals as name a number by themselves."""
_NUMERAL = re.compile(r"\d+(?:\.\d+)?")


def is_load_bearing(text: str, span: Span, result: Span, later_texts: Sequence[str]) -> bool:
    """Whether the proof rests on the claim at ``text[span]``.

    Args:
        text: the step's text.
        span: the claim.
        result: its last side, which is what the rest of the proof can use.
        later_texts: the texts of the steps behind this one.
    """
    return not _is_aside(text, span) or returns(text, span, result, later_texts)


def returns(text: str, span: Span, result: Span, later_texts: Sequence[str]) -> bool:
    """Whether what a claim ends in, ``text[result]``, occurs again behind it; of a numeral with many decimals, also the decimals alone."""
    value = re.sub(r"\s+|\{,\}|(?<=\d),(?=\d{3})", "", text[result.start : result.end])
    return any(_occurs(value, later) for later in (text[span.end :], *later_texts))


def _is_aside(text: str, span: Span) -> bool:
    """Whether the sentence, or the bracket, that holds the claim is marked as a remark."""
    starts = [match.end() for match in _SENTENCE_START.finditer(text, 0, span.start)]
    return _ASIDE.search(text[starts[-1] if starts else 0 : span.start]) is not None


def _occurs(value: str, text: str) -> bool:
    if _NUMERAL.fullmatch(value):
        flat = text.replace(",", "").replace("{}", "")
        decimals = value.partition(".")[2]
        if len(decimals) >= _MANY and decimals in flat:
            return True
        return re.search(rf"(?<![\d.]){re.escape(value)}(?!\.?\d)", flat) is not None
    return value in re.sub(r"\s+", "", text)
