"""Finding the formulas that a step claims, in LaTeX and in prose, anchored to the text.

A claim here is a chain of relations between sides. Sides are cut at words, punctuation and delimiters; a side that may be a part of a
longer formula makes its chain a fragment, which is listed but never decided.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fidelean.informal.context import Sentences, sentences_of
from fidelean.informal.maths.tokens import tokenize
from fidelean.informal.maths.tree import Chain, Expression, Negate, Number, Unit
from fidelean.informal.maths.unit_words import MEASURES
from fidelean.informal.records import Claim, Span
from fidelean.informal.runs import Run, cut
from fidelean.informal.settling import settle
from fidelean.informal.sides import Side, chain_of, cut_modulus, modulus_of, split, trim, unboxed
from fidelean.outcome import Inconclusive, Reason

__all__ = ["FoundClaim", "find_claims"]


@dataclass(frozen=True, slots=True)
class FoundClaim:
    """A formula in a step's text."""

    claim: Claim
    """The formula as written, anchored in the text."""
    chain: Chain | None
    """Its tree, with spans into the whole text; None where it was not read."""
    unread: Inconclusive | None
    """Why it cannot be decided as a numeric claim, where that shows already in the text."""


_RELATION_HINT = re.compile(r"[=<>≤≥≠≈≡∣]|\\(?:le|ge|lt|gt|ne|approx|equiv|mid|sim)")
_ACTS_ON_NEXT = frozenset(
    "times plus minus by over squared cubed root twice thrice double triple half negative per to than from power factorial "
    "less more".split()
)
_PART_OF = frozenset(
    "root half third quarter fourth fifth sixth seventh eighth ninth tenth thirds quarters fifths percent twice logarithm log "
    "square cube double".split()
)
_SCALES = frozenset(
    "hundred thousand million billion trillion dozen dozens times plus minus remainder more less percent modulo squared cubed "
    "factorial choose divided "
    "multiplied of over per pairs pair decades century score couple to th st nd rd half halves thirds quarters".split()
)
_LEADS_TO_CLAIM = frozenset(
    "so that have get gives give since because and then thus hence therefore is are obtain implies means is: as where".split()
)
_REMAINDER = re.compile(
    r"^[\s\\(){}$,.]*(?:\\text\s*\{)?\s*(?:,|with|and|leaving)?\s*(?:a\s+|the\s+)?(?:remainder|rem\b|r\s*\.?\s*=?\s*\d|mod\b)",
    re.IGNORECASE,
)
_MEASURE = "|".join(sorted(MEASURES, key=len, reverse=True))
_MIXED_TAIL = re.compile(
    rf"^\s*(?:and\s+(?:a\s+(?:half|third|quarter)|\d+\s*/\s*\d+(?!\s*[=<>]))|(?:{_MEASURE})\b\s*(?:and\s+|,\s*)?\d)", re.IGNORECASE
)


def find_claims(text: str, *, step: int | None = None) -> tuple[FoundClaim, ...]:
    """Every chain of relations in ``text``, in order.

    Args:
        text: a step as its author wrote it.
        step: 1-based index of the step, noted on each claim.
    """
    if not _RELATION_HINT.search(text):
        return ()
    tokens = settle(text, tokenize(text))
    sentences = sentences_of(text)
    found: list[FoundClaim] = []
    for run in cut(text, tokens):
        found.extend(_claims_of_run(sentences, run, step))
    return tuple(found)


def _claims_of_run(sentences: Sentences, run: Run, step: int | None) -> list[FoundClaim]:
    tokens, modulus_tokens = cut_modulus(unboxed(trim(run.tokens)))
    sides = split(tokens)
    if len(sides) < 2:
        return []
    modulus = modulus_of(modulus_tokens)
    found: list[FoundClaim] = []
    first = 0
    while first < len(sides):
        last = first
        while last < len(sides) and sides[last].unread is None:
            last += 1
        if last - first > 1:
            ends_run = last == len(sides)
            found.append(
                _numeric_claim(
                    sentences, run, sides[first:last], modulus if ends_run else None, step, starts_run=first == 0, ends_run=ends_run
                )
            )
        first = last + 1
    if not _is_definition_in_words(sides):
        unread = next((side.unread for side in sides if side.unread is not None), None)
        if unread is not None:
            found.insert(0, _unread_claim(sentences.text, sides, modulus, unread, step))
    return found


def _is_definition_in_words(sides: list[Side]) -> bool:
    """Whether, as in "Total cost = 3 * 4 = 12", the words in front only name what the numbers are."""
    return not sides[0].tokens and all(side.unread is None for side in sides[1:])


def _numeric_claim(
    sentences: Sentences, run: Run, sides: list[Side], modulus: Expression | None, step: int | None, *, starts_run: bool, ends_run: bool
) -> FoundClaim:
    span = Span(sides[0].tokens[0].start, sides[-1].tokens[-1].end)
    claim = Claim(sentences.text[span.start : span.end], step=step, span=span)
    chain = chain_of(sides, modulus)
    return FoundClaim(claim, chain, _doubt(sentences, run, chain, span, starts_run=starts_run, ends_run=ends_run))


def _unread_claim(text: str, sides: list[Side], modulus: Expression | None, unread: Inconclusive, step: int | None) -> FoundClaim:
    tokens = [token for side in sides for token in ((side.relation,) if side.relation else ()) + tuple(side.tokens)]
    span = Span(tokens[0].start, tokens[-1].end)
    chain = chain_of(sides, modulus) if all(side.tree is not None for side in sides) else None
    return FoundClaim(Claim(text[span.start : span.end], step=step, span=span), chain, unread)


def _doubt(sentences: Sentences, run: Run, chain: Chain, span: Span, *, starts_run: bool, ends_run: bool) -> Inconclusive | None:
    """Why a numeric chain may be less than the author's formula, or not the author's assertion."""
    if starts_run and (run.glued_before or _acts_on_first(sentences.text, run, chain)):
        return Inconclusive(Reason.FRAGMENT, "words in front may belong to the formula")
    if ends_run and _continues(sentences.text, run, span):
        return Inconclusive(Reason.FRAGMENT, "words behind may belong to the formula")
    if starts_run and sentences.text.startswith("\\boxed", span.start):
        return Inconclusive(Reason.FRAGMENT, "a box in front may stand for what is asked")
    if all(_is_bare(side) for side in chain.sides):
        return Inconclusive(Reason.NOT_ASSERTED, "a relation between two numerals, with no calculation to check")
    if not sentences.asserts(span):
        return Inconclusive(Reason.NOT_ASSERTED, "the sentence supposes, denies or asks")
    return None


def _is_bare(tree: object) -> bool:
    while isinstance(tree, Negate | Unit):
        tree = tree.operand
    return isinstance(tree, Number)


def _acts_on_first(text: str, run: Run, chain: Chain) -> bool:
    before = run.before
    if before is None:
        return False
    bare = _is_bare(chain.sides[0])
    if before.kind == "sep":
        return bare and text[before.start : before.end] == ","
    if before.kind in ("op", "rel", "num", "close", "unit", "super"):
        return not (run.delimited and before.kind in ("close", "rel", "num"))
    if before.kind not in ("word", "text", "func"):
        return False
    first = run.tokens[0]
    if first.text == "(" and first.start == before.end:
        return True  # the argument of a function with a name: atan(1/1)
    word = before.text.strip().lower().split()[-1:] or [""]
    if word[0] in _ACTS_ON_NEXT or before.kind == "func":
        return True
    preceding = text[max(0, before.start - 40) : before.start].lower()
    previous_words = re.findall(r"[a-z]+|\d+|%", preceding)
    if word[0] == "of" and previous_words and (previous_words[-1] in _PART_OF or previous_words[-1] == "%"):
        return True
    if re.search(r"\d\s*$", preceding) and word[0] in MEASURES:
        return True
    return bare and not run.delimited and word[0] not in _LEADS_TO_CLAIM


def _continues(text: str, run: Run, span: Span) -> bool:
    tail = text[span.end : span.end + 60]
    if _REMAINDER.match(tail) or _MIXED_TAIL.match(tail):
        return True
    after = run.after
    if after is None:
        return False
    if after.kind == "sep":
        return text[after.start : after.end] == ":" and after.start == span.end and text[after.end : after.end + 1].isdigit()
    if after.kind in ("word", "text"):
        words = after.text.strip().lower().split()
        return bool(words) and words[0] in _SCALES
    return False
