"""What the words around a formula do to it: assert it, suppose it, deny it, or move it into another arithmetic.

Everything here errs towards "not asserted": a sentence that is not understood must not turn a formula into an error of the author.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache

from fidelean.informal.records import Span

__all__ = ["Arithmetic", "Sentences", "arithmetic_of", "sentences_of"]

_SENTENCE_END = re.compile(r"[.?!](?=[\s\"')\]]|$)|\n\s*\n")
_BEFORE = re.compile(
    r"\b(?:suppose|supposing|assume[ds]?|assuming|whether|would\s+(?:imply|mean|require|give|lead|contradict|need|force|make|yield|follow|get|have\s+to|then)|were|unless|imagine|pretend|contradict\w*|impossible|false|incorrect\w*|wrong\w*|mistake\w*|"
    r"not\s+(?:the\s+case|true|possible|equal|have|hold|satisf\w+|be)|cannot|can't|never|doesn't|does\s+not|do\s+not|don't|is\s+not|isn't|are\s+not|aren't|"
    r"no\s+(?:way|solution)|instead\s+of|rather\s+than|hypothetical\w*)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"\bif\b", re.IGNORECASE)
_CONSEQUENCE = re.compile(r"\bthen\b|,|\bwe\s+(?:get|have|obtain)\b", re.IGNORECASE)
_DENIED = re.compile(r"\\neq?\b|≠|\\not\s*=")
_TRIAL = re.compile(r"\b(?:verify|check|see|test|determine)\s+(?:if|whether)\b", re.IGNORECASE)
_AFTER = re.compile(
    r"contradict|impossible|absurd|\bnot\s+(?:true|possible|correct|valid|the\s+case|equal|hold|an?\b|satisf|work|what|match)|\bfalse\b|\bdoes(?:n't|\s+not)\b|\bisn't\b|"
    r"\bis\s+not\b|\bincorrect|\bwrong\b|\bcannot\b|\bno\s+solution|\bfails?\b|\bmistake|\bnever\b|\bbut\s+(?:we|this|it|the)\b",
    re.IGNORECASE,
)
_MODULAR = re.compile(
    r"\bmod(?:ulo|ulus|ular)?\b|\\[pb]?mod\b|\\equiv|≡|\bcongruen|\\mathbb\s*\{?\s*[ZF]\s*\}?\s*(?:/|_)|ℤ\s*/|ℤ_|\bZ_\d|\bF_\d|\bGF\(|finite\s+field|\bin\s+the\s+(?:field|ring|group)\b",
    re.IGNORECASE,
)
_MODULUS = re.compile(
    r"(?:\bmod(?:ulo|ulus)?|\\pmod|\\bmod|\\mod|\\mathbb\s*\{?\s*[ZF]\s*\}?\s*(?:/|_)|ℤ\s*/|ℤ_|\bZ_|\bF_)\s*[${(\\]*\s*(\d{1,9})",
    re.IGNORECASE,
)
_BASE = re.compile(
    r"\bbase[-\s]+(?:\$?\\?\(?\d+|[a-z]\b|two|three|four|five|six|seven|eight|nine|eleven|twelve|sixteen)|\bbinary\b|\boctal\b|\bhexadecimal\b|\d\s*_\s*\{?(?:\d|[a-z]\b)",
    re.IGNORECASE,
)
_OPERATION = re.compile(r"\boperat(?:ion|or)s?\b|\bdefine[sd]?\b[^.]{0,40}[*∗]|\\star|\\oplus|\\odot", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Which arithmetic a text calculates in."""

    modular: bool
    """Whether it speaks of congruences, residues or finite fields."""
    moduli: tuple[int, ...]
    """The moduli it names as numerals."""
    other_base: bool
    """Whether it speaks of numerals in another base."""
    own_operation: bool
    """Whether it defines an operation of its own, which may use a usual sign."""

    def __or__(self, other: Arithmetic) -> Arithmetic:
        return Arithmetic(
            modular=self.modular or other.modular,
            moduli=self.moduli + other.moduli,
            other_base=self.other_base or other.other_base,
            own_operation=self.own_operation or other.own_operation,
        )


@lru_cache(maxsize=1024)
def arithmetic_of(text: str) -> Arithmetic:
    """Which arithmetic ``text`` calculates in, as far as its words tell."""
    modular = _MODULAR.search(text) is not None
    return Arithmetic(
        modular=modular,
        moduli=tuple(int(m) for m in _MODULUS.findall(text)) if modular else (),
        other_base=_BASE.search(text) is not None,
        own_operation=_OPERATION.search(text) is not None,
    )


class _Places:
    """Where a pattern occurs in a text, found in one pass and only when first asked for."""

    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self.pattern = pattern
        self.text = text

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        return [match.span() for match in self.pattern.finditer(self.text)]

    def occurs(self, start: int, end: int) -> bool:
        """Whether a whole occurrence lies in ``text[start:end]``."""
        first = bisect_left(self.spans, (start, start))
        return first < len(self.spans) and self.spans[first][1] <= end

    def last_end(self, start: int, end: int) -> int | None:
        """Where the last whole occurrence in ``text[start:end]`` ends."""
        last = bisect_left(self.spans, (end, end)) - 1
        return self.spans[last][1] if last >= 0 and self.spans[last][0] >= start and self.spans[last][1] <= end else None


class Sentences:
    """The sentences of a text, ended by ``. ? !`` before white space or by an empty line, and what they do to a formula."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.ends = [match.end() for match in _SENTENCE_END.finditer(text)]
        self.before, self.after, self.denied = (_Places(pattern, text) for pattern in (_BEFORE, _AFTER, _DENIED))
        self.condition, self.consequence, self.trial = (_Places(pattern, text) for pattern in (_IF, _CONSEQUENCE, _TRIAL))

    def around(self, span: Span) -> Span:
        """The sentence, or the run of sentences, that holds ``span``."""
        first, last = bisect_right(self.ends, span.start), bisect_left(self.ends, span.end)
        return Span(self.ends[first - 1] if first else 0, self.ends[last] if last < len(self.ends) else len(self.text))

    def asserts(self, span: Span) -> bool:
        """Whether the author asserts the formula at ``span``, and does not suppose, deny, ask or refute it."""
        text, sentence = self.text, self.around(span)
        if self.before.occurs(sentence.start, span.start) or self.is_conditional(sentence.start, span.start):
            return False
        if self.after.occurs(span.end, sentence.end) or self.denied.occurs(span.end, min(span.end + 40, sentence.end)):
            return False
        if text[max(span.end, sentence.end - 40) : sentence.end].rstrip().endswith("?"):
            return False
        stop = text.find(".", sentence.end, sentence.end + 80)
        if self.after.occurs(sentence.end, stop if stop >= 0 else sentence.end + 80):
            return False
        return not self.trial.occurs(max(0, sentence.start - 200), span.start)

    def is_conditional(self, start: int, end: int) -> bool:
        """Whether an "if" in ``text[start:end]`` is still open: neither "then" nor a comma nor "we get" has followed it."""
        opened = self.condition.last_end(start, end)
        return opened is not None and not self.consequence.occurs(opened, end)


@lru_cache(maxsize=256)
def sentences_of(text: str) -> Sentences:
    """The sentences of a text, found once: every formula of a step asks about the same ones."""
    return Sentences(text)
