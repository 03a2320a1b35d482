"""Of which kind a transition's obligation is, and what else its words ask for: the rules over patterns, words, conditions and goals."""

from __future__ import annotations

import re

from fidelean.decomposition.records import ConditionKind, RiskFlag, Transition, TransitionKind
from fidelean.informal.maths.tree import Relation
from fidelean.obligations.records import ObligationKind

__all__ = [
    "asserts_nothing",
    "drops_a_case",
    "facts_of",
    "gives_a_reason",
    "kind_of",
    "said_by",
    "says_disjoint",
    "translation_confidence",
    "words_of",
]

_CASE_WORDS = re.compile(
    r"\bcase (?:analysis|distinction|split)|"
    r"\b(?:two|three|four|five|several|following|consider|distinguish|into|by|possible|exhaust\w*)\b[^.]{0,40}\bcases\b|\beither\b.+?\bor\b",
    re.IGNORECASE | re.DOTALL,
)
_WITNESS_WORDS = re.compile(
    r"^\W*(?:(?:now|then|so|next|we|also|first|can|may)\b\W*)*(?!taking (?:the|both|square|cube|roots|log))"
    r"(?:introduc|choos|tak|let|defin|pick|set)(?:e|es|ing)?\b",
    re.IGNORECASE,
)
_REWRITE_WORDS = re.compile(
    r"\b(?:rewrit|simplif|factor(?!ial|s\b)|expand|substitut|evaluat|plug(?:ging)?\b|multiply(?:ing)? out|collect|combin|cancel)",
    re.IGNORECASE,
)
_IMPOSSIBLE = re.compile(
    r"\b(?:impossible|cannot (?:occur|happen|hold)|contradict|discard|rule[sd]? out|exclude|eliminat|rejected?)", re.IGNORECASE
)
_DISJOINT = re.compile(
    r"\b(?:exactly one|mutually exclusive|disjoint|partition|not both|without overlap|no overlap|distinct cases)", re.IGNORECASE
)
_BECAUSE = re.compile(r"\b(?:because|since|due to|owing to|by the|as a consequence of|thanks to)\b", re.IGNORECASE)
_HARD_WORDS = re.compile(
    r"\\(?:log|ln|sin|cos|tan|exp|int|lim|pi|infty|partial|angle|triangle|mathcal)\b|"
    r"\b(?:logarithm|limit|converge\w*|continuous\w*|differentiab\w*|derivative|integral|probability|triangle|circle|angle|area|perimeter|"
    r"polygon|graph|colou?r\w*|topolog\w*|compact|open set|permutation)",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"\$|\\\(|\\\[|[=<>≤≥]")
_LONG = 400
_OPENS_A_GOAL = frozenset((TransitionKind.INDUCTION, TransitionKind.IFF_SPLIT))


def kind_of(transition: Transition) -> ObligationKind:
    """The kind of a transition's obligation, by the first rule that fits: cases, witness, goal and facts, rewriting, else a fact."""
    text = words_of(transition)
    has_facts, changes_goal = bool(facts_of(transition)), _changes_goal(transition)
    if transition.kind is TransitionKind.CASE_SPLIT or (transition.kind is TransitionKind.SIMPLE_IMPLICATION and _CASE_WORDS.search(text)):
        return ObligationKind.CASE_SPLIT
    if transition.kind is TransitionKind.EXISTENTIAL_INSTANTIATION or _WITNESS_WORDS.search(text):
        return ObligationKind.WITNESS
    if changes_goal:
        return ObligationKind.FACT_PLUS_REDUCTION if has_facts else ObligationKind.GOAL_REDUCTION
    if _REWRITE_WORDS.search(text) or _is_calculation(transition):
        return ObligationKind.REWRITE
    return ObligationKind.DERIVED_FACT if has_facts or transition.claim is not None else ObligationKind.ENTAILMENT


def drops_a_case(text: str) -> bool:
    """Whether the words dismiss a case as impossible."""
    return _IMPOSSIBLE.search(text) is not None


def says_disjoint(text: str) -> bool:
    """Whether the words say that the cases exclude each other."""
    return _DISJOINT.search(text) is not None


def gives_a_reason(text: str) -> bool:
    """Whether the words give a reason."""
    return _BECAUSE.search(text) is not None


def translation_confidence(text: str) -> float:
    """How well a claim is expected to translate into core Lean, from its words alone (0 to 1): a prior, until a review knows better."""
    confidence = 1.0 if _FORMULA.search(text) else 0.6
    confidence *= 0.5 ** min(3, len(set(_HARD_WORDS.findall(text))))
    return confidence * (0.7 if len(text) > _LONG else 1.0)


def facts_of(transition: Transition) -> tuple[str, ...]:
    """What the transition concludes and adds to the conditions, without repeats."""
    return tuple(dict.fromkeys(condition.text for condition in transition.new if condition.kind is ConditionKind.DERIVED))


def _changes_goal(transition: Transition) -> bool:
    """A lemma's own goal stands beside the goal, which stays."""
    changed = any(goal != transition.goal_before for goal in transition.goals_after)
    return changed and (transition.kind in _OPENS_A_GOAL or transition.kind is TransitionKind.SIMPLE_IMPLICATION)


def _is_calculation(transition: Transition) -> bool:
    """Whether it concludes a chain of equalities."""
    chains = transition.fact.alternatives if transition.fact is not None else ()
    return len(chains) == 1 and len(chains[0].relations) > 1 and set(chains[0].relations) <= {Relation.EQUAL, Relation.ABOUT}


def asserts_nothing(transition: Transition) -> bool:
    """A supposition claims nothing, unless it is said to lose no generality."""
    if not (words_of(transition) or facts_of(transition) or transition.cases):
        return True  # a tree by rules knows nothing of a step without formulas
    is_supposed = bool(transition.new) and all(condition.kind is ConditionKind.ASSUMPTION for condition in transition.new)
    return (
        is_supposed
        and transition.claim is None
        and transition.kind is TransitionKind.SIMPLE_IMPLICATION
        and RiskFlag.UNSUPPORTED not in transition.risks
        and not _changes_goal(transition)
    )


def words_of(transition: Transition) -> str:
    """The words of the transition: its substep, else its claim with what stands in front, else its step."""
    if transition.text:
        return transition.text
    return f"{transition.cue} {transition.claim.text}".strip() if transition.claim is not None else transition.step_text


def said_by(transition: Transition) -> str:
    """What it claims, else its words."""
    return transition.claim.text if transition.claim is not None else words_of(transition)
