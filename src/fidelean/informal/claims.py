"""Finding the formulas that a step claims, in LaTeX and in prose, anchored to the text.

A claim here is a chain of relations between sides. Sides are cut at words, punctuation and delimiters; a side that may be a part of a
longer formula makes its chain a fragment, which is listed but never decided.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fidelean.informal.context import Sentences
from fidelean.informal.maths.parser import MEASURES, NotRead, is_unit_text, parse_expression
from fidelean.informal.maths.tokens import Token, tokenize
from fidelean.informal.maths.tree import Binary, Chain, Expression, Name, Negate, Number, Relation, Unit, names
from fidelean.informal.records import Claim, Span
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
_BOUNDARIES = frozenset(("arrow", "env", "stop", "other", "bold", "break"))
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
    tokens = _settle_dollars(text, tokenize(text))
    sentences = Sentences(text)
    found: list[FoundClaim] = []
    for run in _Cutter(text, tokens).runs_with_relations():
        found.extend(_claims_of_run(sentences, run, step))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Run:
    """Tokens without a boundary between them."""

    tokens: list[Token]
    """In the order of the text."""
    before: Token | None
    """The token in front, a delimiter skipped."""
    glued_before: bool
    """Whether a colon or the like stands right against the first token."""
    delimited: bool
    """Whether the run starts right behind a delimiter of mathematics."""
    after: Token | None
    """The token behind."""


# Dollars


def _settle_dollars(text: str, tokens: list[Token]) -> list[Token]:
    """Tell currency from delimiters, and words of prose from letters of formulas."""
    settled: list[Token] = []
    inside = False
    euler = _speaks_of_euler(text)
    for position, token in enumerate(tokens):
        if token.kind == "delim":
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


# Runs


class _Cutter:
    """Cuts the tokens of a text into runs."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.runs: list[_Run] = []
        self.current: list[Token] = []
        self.opened: int | None = None
        self.depth = 0
        self.related = False

    def runs_with_relations(self) -> list[_Run]:
        for position, token in enumerate(self.tokens):
            kind = token.kind
            if kind == "word" and not self.current:
                self.opened, self.depth = position, 0
            elif kind in ("delim", "align", "newline", "break"):
                if self.cuts(position, kind):
                    self.close(position)
            elif self.belongs(position, token):
                self.add(token)
            else:
                self.close(position)
        self.close(None)
        return self.runs

    def cuts(self, position: int, kind: str) -> bool:
        """Whether a delimiter or a line end ends a run; an equals sign behind either carries it on."""
        if kind == "delim":
            return not _is_glue(self.tokens, position)
        following = position + 1
        while following < len(self.tokens) and self.tokens[following].kind in ("align", "newline"):
            following += 1
        return kind != "align" and (following == len(self.tokens) or self.tokens[following].kind != "rel")

    def belongs(self, position: int, token: Token) -> bool:
        """Whether a token is a part of a formula."""
        kind = token.kind
        if kind in ("word", "text"):
            return _is_unit_here(self.tokens, position, self.current)
        if kind == "sep":
            return self.depth > 0 and _in_arguments(self.tokens, position)
        if kind == "op" and token.text in "*-" and not self.current:
            return not _is_bullet(self.text, token)
        return kind not in _BOUNDARIES

    def add(self, token: Token) -> None:
        if token.kind == "open":
            self.depth += 1
        elif token.kind == "close":
            self.depth = max(0, self.depth - 1)
        elif token.kind == "rel":
            self.related = True
        self.current.append(token)

    def close(self, position: int | None) -> None:
        """End a run in front of the token at ``position``, or at the end of the text."""
        if self.related:
            self.runs.append(self.run(None if position is None else self.tokens[position]))
        self.current, self.depth, self.opened, self.related = [], 0, position, False

    def run(self, boundary: Token | None) -> _Run:
        if self.opened is None:
            return _Run(self.current, None, glued_before=False, delimited=False, after=boundary)
        opened = self.tokens[self.opened]
        if opened.kind == "delim":
            before = self.tokens[self.opened - 1] if self.opened > 0 else None
            return _Run(self.current, before, glued_before=False, delimited=True, after=boundary)
        glued = opened.kind in ("sep", "other") and opened.end == self.current[0].start and self.text[opened.start : opened.end] in ":,'#_"
        return _Run(self.current, opened, glued_before=glued, delimited=False, after=boundary)


def _is_glue(tokens: Sequence[Token], position: int) -> bool:
    """Whether a delimiter stands between an operand and a sign, as in ``$2+3$ = $5$``."""
    previous = tokens[position - 1] if position else None
    following = tokens[position + 1] if position + 1 < len(tokens) else None
    if tokens[position].text == "shut":
        return following is not None and following.kind == "rel"
    return previous is not None and previous.kind == "rel"


def _in_arguments(tokens: Sequence[Token], position: int) -> bool:
    """Whether a comma stands inside a bracket that a function such as gcd opened."""
    depth = 0
    for index in range(position - 1, max(-1, position - 60), -1):
        token = tokens[index]
        if token.kind == "close":
            depth += 1
        elif token.kind == "open":
            if depth == 0:
                return index > 0 and tokens[index - 1].kind in ("func", "name")
            depth -= 1
    return False


def _is_unit_here(tokens: Sequence[Token], position: int, current: list[Token]) -> bool:
    """Whether a word stands behind a number and in front of a sign or the end of a formula: a unit."""
    token = tokens[position]
    if not current or current[-1].kind not in ("num", "word", "text", "close") or not is_unit_text(token.text):
        return token.text.strip().lower() == "of" and bool(current) and (current[-1].text == "%" or _ends_in_fraction(current))
    if token.kind == "text":
        return True
    for ahead in range(position + 1, min(position + 4, len(tokens))):
        following = tokens[ahead]
        if following.kind in ("op", "rel") and following.text != "!":
            return True
        if following.kind == "close":
            return current[-1].kind == "num" or current[-1].kind == "word"
        if following.kind != "word" or not is_unit_text(following.text):
            return False
    return False


def _ends_in_fraction(current: list[Token]) -> bool:
    return len(current) > 2 and current[-1].kind == "num" and current[-2].text == "/" and current[-3].kind == "num"


def _is_bullet(text: str, token: Token) -> bool:
    line = text.rfind("\n", 0, token.start) + 1
    return (line == token.start or text[line : token.start].isspace()) and text[token.end : token.end + 1].isspace()


# Claims


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a chain."""

    relation: Token | None
    """The relation in front; None for the first side."""
    tokens: list[Token]
    """Its tokens, a modulus at the end left out."""
    tree: Expression | None
    """Its tree, where it was read."""
    unread: Inconclusive | None
    """Why it is not a number; None for a closed expression."""


def _claims_of_run(sentences: Sentences, run: _Run, step: int | None) -> list[FoundClaim]:
    tokens, modulus_tokens = _cut_modulus(_unboxed(_trim(run.tokens)))
    sides = _split(tokens)
    if len(sides) < 2:
        return []
    modulus = _modulus(modulus_tokens)
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


def _is_definition_in_words(sides: list[_Side]) -> bool:
    """Whether, as in "Total cost = 3 * 4 = 12", the words in front only name what the numbers are."""
    return not sides[0].tokens and all(side.unread is None for side in sides[1:])


def _split(tokens: list[Token]) -> list[_Side]:
    """Sides with the relation in front of each; relations inside brackets do not split."""
    cut: list[tuple[Token | None, list[Token]]] = [(None, [])]
    depth = 0
    for token in tokens:
        kind = token.kind
        if kind == "rel" and depth <= 0:
            cut.append((token, []))
            continue
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        cut[-1][1].append(token)
    return [_read_side(relation, side) for relation, side in cut]


def _read_side(relation: Token | None, tokens: list[Token]) -> _Side:
    if not tokens:
        return _Side(relation, tokens, None, Inconclusive(Reason.HAS_WORDS, "a side in words"))
    first = tokens[0]
    if relation is None and first.kind == "op" and not (first.text in "+-" and len(tokens) > 1 and tokens[1].start == first.end):
        return _Side(relation, tokens, None, Inconclusive(Reason.FRAGMENT, "starts with an operator"))
    try:
        tree = parse_expression(tokens)
    except NotRead as answer:
        return _Side(relation, tokens, None, Inconclusive(answer.reason, answer.detail))
    free = names(tree) if any(token.kind in ("name", "cmd") for token in tokens) else ()
    unread = Inconclusive(Reason.HAS_VARIABLE, f"{', '.join(sorted(free)[:5])} has no value here") if free else None
    return _Side(relation, tokens, tree, unread)


def _trim(tokens: list[Token]) -> list[Token]:
    """Without brackets of the prose around: opening ones at the start that are not closed, and all behind one that was not opened."""
    unclosed: list[int] = []
    end = len(tokens)
    for index, token in enumerate(tokens):
        if token.kind == "open":
            unclosed.append(index)
        elif token.kind == "close":
            if unclosed:
                unclosed.pop()
            else:
                end = index
                break
    start = 0
    while start < len(unclosed) and unclosed[start] == start:
        start += 1
    inner = unclosed[start] if start < len(unclosed) else None
    return tokens[start : end if inner is None else inner]


def _unboxed(tokens: list[Token]) -> list[Token]:
    """The inside of a box around a whole formula."""
    if len(tokens) < 5 or tokens[0].kind != "group" or tokens[-1].text != "}":
        return tokens
    depth = 0
    for token in tokens[1:-1]:
        depth += (token.kind == "open") - (token.kind == "close")
        if depth == 0:
            return tokens
    return tokens[2:-1]


def _cut_modulus(tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    r"""A modulus at the end, "(mod 7)" or "\pmod{7}", apart from the chain."""
    for index in range(len(tokens) - 1, 0, -1):
        token = tokens[index]
        if token.kind == "rel":
            break
        if token.kind == "pmod" or (token.text == "(" and index + 1 < len(tokens) and tokens[index + 1].text.lower() in ("mod", "modulo")):
            return tokens[:index], tokens[index:]
    return tokens, []


def _modulus(tokens: list[Token]) -> Expression | None:
    """The modulus's tree; a name where it cannot be read, so that nothing is decided with it."""
    if not tokens:
        return None
    inner = tokens[1:] if tokens[0].kind == "pmod" else tokens[2:-1]
    try:
        return parse_expression(inner)
    except NotRead:
        return Name("an unread modulus")


def _chain(sides: list[_Side], modulus: Expression | None) -> Chain:
    last = sides[-1].tree
    relations = tuple(Relation(side.relation.text) for side in sides[1:] if side.relation is not None)
    trees = [side.tree for side in sides if side.tree is not None]
    if modulus is None and Relation.CONGRUENT in relations and isinstance(last, Binary) and last.operator == "mod":
        trees[-1], modulus = last.left, last.right
    return Chain(tuple(trees), relations, tuple(Span(side.tokens[0].start, side.tokens[-1].end) for side in sides), modulus)


def _numeric_claim(
    sentences: Sentences, run: _Run, sides: list[_Side], modulus: Expression | None, step: int | None, *, starts_run: bool, ends_run: bool
) -> FoundClaim:
    span = Span(sides[0].tokens[0].start, sides[-1].tokens[-1].end)
    claim = Claim(sentences.text[span.start : span.end], step=step, span=span)
    chain = _chain(sides, modulus)
    return FoundClaim(claim, chain, _doubt(sentences, run, chain, span, starts_run=starts_run, ends_run=ends_run))


def _unread_claim(text: str, sides: list[_Side], modulus: Expression | None, unread: Inconclusive, step: int | None) -> FoundClaim:
    tokens = [token for side in sides for token in ((side.relation,) if side.relation else ()) + tuple(side.tokens)]
    span = Span(tokens[0].start, tokens[-1].end)
    chain = _chain(sides, modulus) if all(side.tree is not None for side in sides) else None
    return FoundClaim(Claim(text[span.start : span.end], step=step, span=span), chain, unread)


def _doubt(sentences: Sentences, run: _Run, chain: Chain, span: Span, *, starts_run: bool, ends_run: bool) -> Inconclusive | None:
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


def _acts_on_first(text: str, run: _Run, chain: Chain) -> bool:
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


def _continues(text: str, run: _Run, span: Span) -> bool:
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
