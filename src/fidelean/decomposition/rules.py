"""Proof → ProofTree by deterministic rules, without a model.

One transition per formula that a step concludes; a step without one is a transition without a conclusion. Scope errs towards less: an
assumption ends with its step, so a condition is never used outside the place its author made it for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fidelean.decomposition.corrections import corrected
from fidelean.decomposition.domains import declared_domains
from fidelean.decomposition.records import (
    Condition,
    ConditionKind,
    Fact,
    GoalRelation,
    ProofState,
    ProofTree,
    Transition,
    TransitionKind,
)
from fidelean.decomposition.roles import (
    Role,
    announces_cases,
    is_alternative,
    names_case,
    quantified_phrases,
    role_of,
    starts_case,
    states_goal,
)
from fidelean.informal.claims import FoundClaim, find_claims
from fidelean.informal.context import Sentences, sentences_of
from fidelean.informal.records import Claim, Proof, Span, Step
from fidelean.outcome import Reason

__all__ = ["decompose"]

_KINDS = {Role.DEFINITION: ConditionKind.DEFINITION, Role.ASSUMPTION: ConditionKind.ASSUMPTION}


def decompose(proof: Proof, *, conditions: bool = True) -> ProofTree:
    """The tree of a proof: the problem's conditions at the root, then one state per conclusion.

    With ``conditions`` false the states carry none: enough where every claim is a calculation, and a third faster. A reader's corrections
    of the conditions apply everywhere.
    """
    builder = _Builder(proof.problem.text, conditions=conditions)
    for step in proof.steps:
        builder.add(step)
    builder.end_cases()
    tree = ProofTree(tuple(builder.states), tuple(builder.transitions))
    return (
        corrected(tree, proof.corrections, tuple(_given("\n\n".join(one.add for one in proof.corrections)))) if proof.corrections else tree
    )


@dataclass(frozen=True, slots=True)
class _Formula:
    """A formula with its role."""

    found: tuple[FoundClaim, ...]
    """The formula; several that "or" joins."""
    role: Role
    """What it is in its sentence."""
    lead: str
    """The words in front."""
    span: Span
    """Where it stands, alternatives included."""
    behind: str = ""
    """The text right behind."""

    @property
    def fact(self) -> Fact | None:
        chains = [found.chain for found in self.found]
        read = tuple(chain for chain in chains if chain is not None)
        return Fact(read, " or ".join(found.claim.text for found in self.found)) if len(read) == len(chains) else None


def _formulas(text: str, step: int | None) -> Iterator[_Formula]:
    """The formulas of a text with their roles; the numeric part of a longer chain follows the chain."""
    sentences = sentences_of(text)
    waiting: _Formula | None = None
    nested: list[FoundClaim] = []
    for found in find_claims(text, step=step):
        span = found.claim.span or Span(0, 0)
        if waiting is not None and span.end <= waiting.span.end:
            nested.append(found)
            continue
        start = sentences.around(span).start
        same_sentence = waiting is not None and waiting.span.end > start
        lead = text[max(start, waiting.span.end if waiting else 0) : span.start]
        if waiting is not None and same_sentence and is_alternative(lead):
            waiting = _Formula((*waiting.found, found), waiting.role, waiting.lead, Span(waiting.span.start, span.end))
            continue
        if waiting is not None:
            yield from _with_nested(waiting, nested, text)
        nested = []
        role = role_of(lead, waiting.role if waiting is not None and same_sentence else None)
        waiting = _Formula((found,), _settled(found, role), lead, span)
    if waiting is not None:
        yield from _with_nested(waiting, nested, text)


def _with_nested(formula: _Formula, nested: list[FoundClaim], text: str) -> Iterator[_Formula]:
    yield replace(formula, behind=text[formula.span.end : formula.span.end + 40])
    for found in nested:
        yield _Formula((found,), _settled(found, formula.role), formula.lead, found.claim.span or Span(0, 0))


def _settled(found: FoundClaim, role: Role) -> Role:
    """A calculation is a claim wherever it stands; what the sentence supposes or denies never is."""
    if found.unread is None:
        return Role.CLAIM
    return Role.ASSUMPTION if found.unread.reason is Reason.NOT_ASSERTED and role is Role.CLAIM else role


class _Builder:
    """The tree as it grows, step by step."""

    def __init__(self, problem: str, *, conditions: bool) -> None:
        self.keeps_conditions = conditions
        self.states: list[ProofState] = [ProofState("root", tuple(_given(problem)) if conditions else (), problem)]
        self.transitions: list[Transition] = []
        self.cases: list[tuple[_Formula, ProofState, int]] = []  # the open case split: each case, the state it starts from, its step
        self.announced: int | None = None  # the step that says that cases follow

    def add(self, step: Step) -> None:
        """Append the transitions of a step."""
        opened = self.states[-1]
        state, previous, number = opened, self._last_conclusion(), 0
        if self.keeps_conditions:
            state = _with(state, (*_declarations(step), *_unread_definitions(step)))
        if announces_cases(step.text) and not self.cases:
            self.announced = step.index
        for formula in _formulas(step.text, step.index):
            if formula.role is not Role.CLAIM:
                if names_case(formula.lead):
                    self.cases.append((formula, opened, step.index))
                if self.keeps_conditions:
                    state = _with(state, (_condition(formula, _KINDS[formula.role], step.index),))
                previous = None  # what follows is drawn from the supposition, not from the conclusion before it
                continue
            number += 1
            transition, state = self._conclude(step, number, formula, state, previous)
            previous = transition
        if number == 0:
            self.transitions.append(self._silent(step, opened))
        self._close(step, opened, state)

    def _conclude(
        self, step: Step, number: int, formula: _Formula, state: ProofState, previous: Transition | None
    ) -> tuple[Transition, ProofState]:
        identifier = f"{step.index}.{number}"
        first = formula.found[0]
        self._remember(state)
        derived = (_condition(formula, ConditionKind.DERIVED, step.index, identifier),) if self.keeps_conditions else ()
        after = ProofState(f"after {identifier}", (*state.conditions, *derived), state.goal, state.branch)
        transition = Transition(
            id=identifier,
            step=step.index,
            kind=TransitionKind.SIMPLE_IMPLICATION,
            goal_relation=GoalRelation.SAME_GOAL,
            before=state.id,
            after=(after.id,),
            claim=first.claim,
            fact=formula.fact,
            unread=first.unread,
            cue=formula.lead,
            premise=previous.id if previous is not None else None,
        )
        self.states.append(after)
        self.transitions.append(transition)
        return transition, after

    def end_cases(self) -> None:
        """Close the case split, if one with several cases is open: its transition asks that the cases cover."""
        facts = [formula.fact for formula, _, _ in self.cases]
        read = tuple(fact for fact in facts if fact is not None)
        if len(self.cases) > 1 and len(read) == len(facts):
            _, state, first = self.cases[0]
            step = self.announced if self.announced is not None and self.announced <= first else first
            formula = self.cases[0][0]
            self.transitions.append(
                Transition(
                    id=f"{step}.cases",
                    step=step,
                    kind=TransitionKind.CASE_SPLIT,
                    goal_relation=GoalRelation.CASE_SPLIT,
                    before=state.id,
                    after=(),
                    claim=Claim(" or ".join(fact.text for fact in read), step=step, span=formula.span if step == first else None),
                    fact=Fact(tuple(chain for fact in read for chain in fact.alternatives), " or ".join(fact.text for fact in read)),
                    cases=read,
                )
            )
        self.cases = []

    def _remember(self, state: ProofState) -> None:
        if all(state.id != known.id for known in self.states[-3:]):
            self.states.append(state)

    def _silent(self, step: Step, state: ProofState) -> Transition:
        identifier = f"{step.index}.1"
        self.states.append(ProofState(f"after {identifier}", state.conditions, state.goal, state.branch))
        return Transition(
            identifier, step.index, TransitionKind.SIMPLE_IMPLICATION, GoalRelation.SAME_GOAL, state.id, (f"after {identifier}",), None
        )

    def _close(self, step: Step, opened: ProofState, state: ProofState) -> None:
        """End the scope of a step: assumptions fall; in a case or a supposition, conclusions fall with them."""
        scoped = starts_case(step.text)
        kept = tuple(
            condition
            for condition in state.conditions
            if condition.step != step.index or (not scoped and condition.kind in (ConditionKind.DEFINITION, ConditionKind.DERIVED))
        )
        del opened
        self.states.append(ProofState(f"end of {step.index}", kept, state.goal, state.branch))

    def _last_conclusion(self) -> Transition | None:
        return self.transitions[-1] if self.transitions and self.transitions[-1].claim is not None else None


def _quantified(formula: _Formula) -> frozenset[str]:
    """The letters that the words in front of a formula, or right behind it, quantify over."""
    phrases = quantified_phrases(f"{formula.lead} ; {formula.behind}")
    return frozenset(letter for words in phrases for letter in _LETTER.findall(words))


_INTRODUCES = re.compile(r"\b(?:let(?!['’]s)(?!\s+us\b)|denote|suppose|assume|call|where|represents?|stands?\s+for)\b", re.IGNORECASE)


def _declarations(step: Step) -> Iterator[Condition]:
    """The domains that a step declares."""
    for domain in declared_domains(step.text):
        yield Condition(ConditionKind.DEFINITION, step.index, domain.words, domain=domain)


def _unread_definitions(step: Step) -> Iterator[Condition]:
    """Sentences that give letters a meaning in words: "let $x$ be the number of apples"."""
    if _INTRODUCES.search(step.text) is None:
        return
    for start, end in _sentence_bounds(step.text, sentences_of(step.text)):
        sentence = step.text[start:end]
        if _INTRODUCES.search(sentence) and _says_more(sentence):
            letters = _letters_of_sentence(sentence)
            if letters:
                yield Condition(ConditionKind.DEFINITION, step.index, sentence.strip(), letters)


def _with(state: ProofState, conditions: tuple[Condition, ...]) -> ProofState:
    if not conditions:
        return state
    added = (*state.conditions, *conditions)
    return ProofState(f"{state.id}+{len(added)}", added, state.goal, state.branch)


def _condition(formula: _Formula, kind: ConditionKind, step: int, transition: str | None = None) -> Condition:
    fact = formula.fact
    if fact is None:
        text = " or ".join(found.claim.text for found in formula.found)
        return Condition(kind, step, text, _letters(text), transition=transition)
    return Condition(kind, step, fact.text, fact=fact, transition=transition, quantified=_quantified(formula))


_MATHS = re.compile(r"\$([^$]+)\$|\\\((.+?)\\\)|\\\[(.+?)\\\]", re.DOTALL)
_LETTER = re.compile(
    r"\\(?:alpha|beta|gamma|delta|epsilon|theta|lambda|mu|nu|xi|rho|sigma|tau|phi|psi|omega)\b|(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])"
)


def _letters(maths: str) -> frozenset[str]:
    return frozenset(_LETTER.findall(re.sub(r"\\(?:text|mathrm|operatorname)\{[^}]*\}", " ", maths)))


def _letters_of_sentence(sentence: str) -> frozenset[str]:
    return frozenset[str]().union(*(_letters("".join(part or "" for part in match.groups())) for match in _MATHS.finditer(sentence)))


_NEUTRAL = frozenset(
    "let if suppose assume that and or are is be the a an of for all any every such where with satisfy satisfies satisfying "
    "given find determine compute evaluate calculate solve what value values real number numbers integer integers positive "
    "negative nonzero non zero rational complex nonnegative natural arbitrary distinct some equation equations system "
    "following condition conditions expression simplify expand factor then show prove we have has to in terms over reals it "
    "there exist exists which its as by from consider possible each both two three four variable variables constant constants "
    "sum product difference how many problem when also hold holds true so".split()
)


def _given(problem: str) -> Iterator[Condition]:
    """The conditions of a problem: its formulas, its domains, and its sentences about variables that say more than was read."""
    sentences = sentences_of(problem)
    unread: set[int] = set()
    for domain in declared_domains(problem):
        yield Condition(ConditionKind.GIVEN, 0, domain.words, domain=domain)
    for formula in _formulas(problem, None):
        if not states_goal(problem[sentences.around(formula.span).start : formula.span.start]):
            yield _condition(formula, ConditionKind.GIVEN, 0)
    for start, end in _sentence_bounds(problem, sentences):
        sentence = problem[start:end]
        if start not in unread and _says_more(sentence):
            unread.add(start)
            letters = _letters_of_sentence(sentence)
            if letters:
                yield Condition(ConditionKind.GIVEN, 0, sentence.strip(), letters)


def _sentence_bounds(text: str, sentences: Sentences) -> Iterator[tuple[int, int]]:
    start = 0
    for end in (*sentences.ends, len(text)):
        if text[start:end].strip():
            yield start, end
        start = end


_ASKS = re.compile(
    r"^\W*(?:find|determine|compute|evaluate|calculate|simplify|express|what|how|enter|give|solve|which|is|are|does|do|can)\b",
    re.IGNORECASE,
)
_RESTRICTS = re.compile(
    r"\b(?:if|such\s+that|given|where|when|suppose|that|with|for\s+which|satisf\w+|so\s+that|provided|whose|assum\w+)\b", re.IGNORECASE
)


def _says_more(sentence: str) -> bool:
    """Whether a sentence has words that may carry a condition; one that only asks has none."""
    if _ASKS.match(sentence) and not _RESTRICTS.search(sentence):
        return False
    words = re.findall(r"[A-Za-z]{2,}", re.sub(r"\\[A-Za-z]+", " ", _MATHS.sub(" ", sentence)))
    return any(word.lower() not in _NEUTRAL for word in words)
