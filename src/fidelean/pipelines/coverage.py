r"""How much of what a proof asserts was checked.

Counted is what the text says, not what was looked at, so that neither words nor padding help:

- each formula that a step claims is one assertion. It counts as checked if it was decided: passed or refuted, without a conflict.
- a claim that says the same on both sides, up to order and 0 and 1, or one that holds and was counted before, asserts nothing new and
  counts nowhere.
- a claim that repeats a formula of the problem or a condition it was made under counts as unchecked, whatever was found: it argues nothing.
  So does one without a number (0 and 1 aside) or letter that occurs in the problem or in a claim before: it is about something else.
- what is left of a sentence when its claims are taken out is one more assertion, unchecked, for each started ``PROSE_CHARS`` characters,
  unless it is made of connecting words, delimiters and numbers of items alone. Suppositions, denials, hidden text, code and whatever is
  not known are such a rest.
- where a step hides or quotes (invisible signs, colours, phantoms, code), no claim that holds counts as checked.
- a step in which nothing is counted counts as one unchecked assertion.
- that the proof answers its problem is one assertion of the whole. It counts as checked only where the problem is nothing but "compute
  $E$" or "show that $A = B$", and the last claim passed and goes from E to a number, or from A to B by way of something else. Where it
  was not checked, it is open what each claim has to do with the problem, said or not: a step has at least one unchecked assertion, and
  as many as claims that count as checked. So calculations without a word count no more than with their words, and no number of true
  claims covers more than half of a proof.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fidelean.decomposition.records import Condition
from fidelean.evidence.records import NO_CHECKER, Evidence
from fidelean.informal.claims import find_claims
from fidelean.informal.maths.tree import Chain, Relation
from fidelean.informal.records import Proof, Span, Step
from fidelean.outcome import Passed, Refuted
from fidelean.verdict.records import ProofVerdict, StepVerdict

__all__ = ["Coverage", "Share", "coverage_of"]

PROSE_CHARS = 80
"""As much prose as one assertion: about a short sentence without its connecting words."""

_CONNECTING = frozenset(
    "we have get gets gives give obtain so thus hence therefore then and is that this which it follows first firstly second secondly next "
    "finally lastly now also since because as by computing calculating simplifying adding subtracting multiplying dividing".split()
)
_REST = re.compile(
    r"\\(?:begin|end)\{(?:align|aligned|equation|gather|gathered|displaymath|math)\*?\}|\\(?:implies|Rightarrow|Longrightarrow|therefore|q?quad|"
    r"blacksquare|square|qed|[\[\]()\\,;:! ])|\$+|[&⇒⟹∴∎□■,;:.]|\*\*"
)
_ITEM = re.compile(r"(?m)^[ \t]*(?:[-*•]|(?:\*\*|#+ )?(?:Step[ ])?\d{1,2}[.):])(?=\s|\*\*|$)")
_SENTENCE_END = re.compile(r"[.?!;](?=\s|$)|\n\s*\n")
_HIDING = re.compile(
    r"\\(?:h?phantom|vphantom|(?:text)?color|tiny|verb|iffalse|begin\{(?:verbatim|lstlisting|comment))|`|<!--|"
    r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]"
)
_ATOM = re.compile(r"\\?[^\W\d_]+|\d+(?:\.\d+)?")
_SPACING = re.compile(r"\\(?:left|right|displaystyle|[,;:! ])(?![A-Za-z])|[\s$]")
_TIMES = re.compile(r"\\(?:cdot|times)(?![A-Za-z])|[·×]")
_BRACED = re.compile(r"\{(\w)\}")
_THOUSANDS = re.compile(r"(?<=\d)(?:,|\{,\})(?=\d{3})")
_FORMULA = r"(?:\$\$?(?P<dollars>[^$]+)\$\$?|\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\])"
_COMPUTE = re.compile(
    rf"(?:compute|calculate|evaluate|find|determine|what\s+is|how\s+much\s+is)(?:\s+the\s+value\s+of)?:?\s*{_FORMULA}\s*[.?]?",
    re.IGNORECASE | re.DOTALL,
)
_SHOW = re.compile(rf"(?:show|prove)\s+that:?\s*{_FORMULA}\s*\.?", re.IGNORECASE | re.DOTALL)
_NUMERAL = re.compile(r"-?(?:\d+(?:\.\d+)?(?:/\d+)?|\\[dt]?frac(?:\d|\{\d+\}){2})")


@dataclass(frozen=True, slots=True)
class Share:
    """Assertions, and how many of them were checked."""

    asserted: int
    """How many."""
    checked: int
    """How many of them were decided by a checker."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of what a proof asserts was checked."""

    steps: tuple[Share, ...]
    """For each step, in order; at least one assertion each."""
    answers: bool
    """Whether it was checked that the proof answers its problem, which is one assertion more."""

    @property
    def asserted(self) -> int:
        """All assertions, with the one that the problem is answered."""
        return 1 + sum(share.asserted for share in self.steps)

    @property
    def checked(self) -> int:
        """Those of them that were decided."""
        return int(self.answers) + sum(share.checked for share in self.steps)

    @property
    def share(self) -> float:
        """Checked over asserted (0 to 1)."""
        return self.checked / self.asserted


@dataclass(frozen=True, slots=True)
class _Formula:
    """A formula as it compares with others."""

    sides: tuple[str, ...]
    """Its sides as written, spacing aside, or all of it as one side where it was not read."""
    relations: tuple[str, ...]
    """The relations between them, and the modulus where there is one."""

    @property
    def key(self) -> tuple[object, ...]:
        """The same for an equation that is read from right to left, or says a side twice, be it in another order or with 0 and 1."""
        if set(self.relations) != {Relation.EQUAL}:
            return (self.relations, self.sides)
        first_of_its_kind = {_skeleton(side): side for side in reversed(self.sides)}
        return (Relation.EQUAL, *sorted(first_of_its_kind.values()))

    @property
    def atoms(self) -> frozenset[str]:
        """Its numbers and letters, apart from 0 and 1, which occur everywhere."""
        return _atoms("=".join(self.sides))


@dataclass(frozen=True, slots=True)
class _Found:
    """A claim with what was found out about it."""

    formula: _Formula
    """What it says."""
    span: Span | None
    """Where it stands in its step."""
    conditions: tuple[Condition, ...]
    """What it was made under."""
    passed: bool
    """Whether it was decided to hold."""
    refuted: bool
    """Whether it was decided to be false."""

    @property
    def says_nothing(self) -> bool:
        """Whether both sides are the same, or it holds and they have the same numbers and letters: ``2 + 3 = 3 + 2 = 3 + 2 + 0``."""
        sides = self.formula.sides
        compared = {_skeleton(side) for side in sides} if self.passed else {(side,) for side in sides}
        return len(sides) > 1 and len(compared) == 1 and not self.refuted


def coverage_of(proof: Proof, verdict: ProofVerdict, *, strength_bar: float = 0.0) -> Coverage:
    """Count what ``proof`` asserts and what the evidence of ``verdict`` decided; evidence weaker than ``strength_bar`` decides nothing.

    Raises ``ValueError`` where the two have different numbers of steps.
    """
    counter = _Counter(proof)
    pairs = zip(proof.steps, verdict.steps, strict=True)
    steps = tuple(counter.count(step.text, list(_found(step, decided, strength_bar))) for step, decided in pairs)
    if counter.last is not None and _answers(proof.problem.text.strip(), counter.last):
        return Coverage(steps, answers=True)
    return Coverage(tuple(Share(max(share.asserted, 2 * share.checked), share.checked) for share in steps), answers=False)


class _Counter:
    """Counts step by step, and remembers what was said before."""

    def __init__(self, proof: Proof) -> None:
        problem = proof.problem.text
        self.texts = {0: problem} | {step.index: step.text for step in proof.steps}
        self.given = {_formula(problem, found.claim.text, found.chain).key for found in find_claims(problem)}
        self.known = set(_atoms(problem))
        self.seen: set[tuple[object, ...]] = set()
        self.last: _Found | None = None

    def count(self, text: str, claims: Sequence[_Found]) -> Share:
        """Count one step; its claims in the order of the text."""
        asserted = checked = 0
        hidden = _HIDING.search(text) is not None
        for claim in claims:
            if claim.says_nothing or (claim.passed and claim.formula.key in self.seen):
                continue
            asserted += 1
            checked += self._argues(claim) and (claim.refuted or not hidden)
            self.last = claim
        asserted += _unread(text, [claim.span for claim in claims if claim.span is not None])
        return Share(max(asserted, 1), checked)

    def _argues(self, claim: _Found) -> bool:
        """Whether a claim counts as checked; remembers it."""
        key, atoms = claim.formula.key, claim.formula.atoms
        related = not self.known.isdisjoint(atoms)
        if related:
            self.known |= atoms
        if not claim.passed:
            return claim.refuted
        self.seen.add(key)
        return related and key not in self.given and key not in self._granted(claim)

    def _granted(self, claim: _Found) -> Iterator[tuple[object, ...]]:
        """The conditions that nothing established: given, defined or assumed."""
        for condition in claim.conditions:
            if condition.transition is None:
                chains = condition.fact.alternatives if condition.fact is not None else ()
                yield _formula(self.texts[condition.step], condition.text, chains[0] if len(chains) == 1 else None).key


def _found(step: Step, decided: StepVerdict, strength_bar: float) -> Iterator[_Found]:
    groups: dict[str, list[Evidence]] = {}
    for item in decided.evidence:
        groups.setdefault(item.obligation.id, []).append(item)
    for items in groups.values():
        obligation = items[0].obligation
        reliable = [item.outcome for item in items if item.checker != NO_CHECKER and item.strength >= strength_bar]
        passed = any(isinstance(outcome, Passed) for outcome in reliable)
        refuted = any(isinstance(outcome, Refuted) for outcome in reliable)
        yield _Found(
            _formula(step.text, obligation.claim.text, obligation.chain if obligation.claim.span else None),
            obligation.claim.span,
            obligation.conditions,
            passed=passed and not refuted,
            refuted=refuted and not passed,
        )


def _formula(text: str, written: str, chain: Chain | None) -> _Formula:
    """The formula ``written``, whose chain, if it was read, has its spans in ``text``."""
    if chain is None:
        return _Formula((_flat(written),), ())
    modulus = () if chain.modulus is None else (repr(chain.modulus),)
    return _Formula(tuple(_flat(text[span.start : span.end]) for span in chain.spans), (*chain.relations, *modulus))


def _unread(text: str, spans: Sequence[Span]) -> int:
    """How many assertions the words of a step are, its claims taken out."""
    signs = list(text)
    for span in spans:
        signs[span.start : span.end] = " " * (span.end - span.start)
    left = _ITEM.sub(" ", "".join(signs))
    return sum(math.ceil(_prose_chars(sentence) / PROSE_CHARS) for sentence in _SENTENCE_END.split(left))


def _prose_chars(sentence: str) -> int:
    words = _REST.sub(" ", sentence).split()
    return sum(len(word) for word in words if word.lower() not in _CONNECTING)


def _answers(problem: str, last: _Found) -> bool:
    sides = last.formula.sides
    if not last.passed or set(last.formula.relations) != {Relation.EQUAL}:
        return False
    if asked := _COMPUTE.fullmatch(problem):
        return _flat(_inner(asked)) in sides[:-1] and _NUMERAL.fullmatch(sides[-1]) is not None
    shown = _SHOW.fullmatch(problem)
    goal = tuple(_flat(side) for side in _inner(shown).split("=")) if shown else ()
    return len(goal) == 2 and (sides[0], sides[-1]) in (goal, goal[::-1]) and len({_skeleton(side) for side in sides}) > 2


def _inner(match: re.Match[str]) -> str:
    return match["dollars"] or match["round"] or match["square"] or ""


def _flat(text: str) -> str:
    return _BRACED.sub(r"\1", _TIMES.sub("*", _SPACING.sub("", text)))


def _skeleton(side: str) -> tuple[str, ...]:
    """The numbers and letters of a side as often as they occur, apart from 0 and 1."""
    return tuple(sorted(atom for atom in _ATOM.findall(_THOUSANDS.sub("", side)) if not atom.startswith("\\") and atom not in ("0", "1")))


def _atoms(text: str) -> frozenset[str]:
    return frozenset(_skeleton(text))
