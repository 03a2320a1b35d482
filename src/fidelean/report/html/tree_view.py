"""ProofTree → rows of inferences, cases nested below their split."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from fidelean.decomposition.records import Condition, ConditionKind, ProofState, ProofTree, Transition, TransitionKind
from fidelean.report.html.claim_view import condition_views, formula_markup
from fidelean.report.html.highlighting import typeset_text
from fidelean.report.html.typesetting import Typeset
from fidelean.report.html.views import ClaimView, TransitionView, TreeView
from fidelean.report.html.words import NOTHING_CLAIMED, pattern_words

if TYPE_CHECKING:
    from fidelean.pipelines.study import Study

__all__ = ["tree_view"]


def tree_view(tree: ProofTree, claims: Mapping[str, ClaimView], prefix: str, typeset: Typeset, study: Study | None = None) -> TreeView:
    """Show a tree. ``claims`` are what is said about its transitions, by name; ``study`` says which of them were audited."""
    builder = _Builder(tree, claims, prefix, typeset, study)
    given = tree.states[0].conditions if tree.states else ()
    ordered = sorted(tree.transitions, key=lambda item: (item.step, item.kind is not TransitionKind.CASE_SPLIT))
    return TreeView(Markup(), condition_views(given, set(), typeset), tuple(builder.rows(ordered, set(given))))


class _Builder:
    """Gives each inference its place: below a case, if the state it starts from supposes it."""

    def __init__(self, tree: ProofTree, claims: Mapping[str, ClaimView], prefix: str, typeset: Typeset, study: Study | None) -> None:
        self.states: dict[str, ProofState] = {state.id: state for state in tree.states}
        self.claims = claims
        self.prefix = prefix
        self.typeset = typeset
        self.study = study

    def rows(self, transitions: Sequence[Transition], known: set[Condition]) -> Iterable[TransitionView]:
        placed: set[str] = set()
        for position, transition in enumerate(transitions):
            if transition.id in placed:
                continue
            later = transitions[position + 1 :]
            cases = [(case.text, [item for item in later if self._supposes(item, case.text)]) for case in transition.cases]
            placed |= {item.id for _, below in cases for item in below}
            before = self._before(transition)
            added = [condition for condition in before if condition not in known]
            known |= set(before)
            yield self._row(transition, added, tuple(self._case(text, below, known) for text, below in cases))

    def _case(self, text: str, below: Sequence[Transition], known: set[Condition]) -> TreeView:
        return TreeView(formula_markup(text, self.typeset), (), tuple(self.rows(below, set(known))))

    def _row(self, transition: Transition, added: Sequence[Condition], branches: tuple[TreeView, ...]) -> TransitionView:
        claim = self.claims.get(transition.id)
        concluded = transition.claim
        before = self._before(transition)
        return TransitionView(
            anchor=claim.anchor if claim else "",
            name=transition.id,
            step=transition.step,
            step_anchor=f"{self.prefix}step-{transition.step}",
            pattern=pattern_words(transition),
            outcome=claim.outcome if claim else NOTHING_CLAIMED,
            markup=formula_markup(concluded.text, self.typeset) if concluded else self._words(transition),
            before=condition_views(before, set()),
            added=condition_views([item for item in added if item.kind is not ConditionKind.DERIVED], set(), self.typeset),
            branches=branches,
            audit=self._audit(transition),
            distrust=self.study is not None and transition.id in self.study.untrusted,
        )

    def _words(self, transition: Transition) -> Markup:
        if self.study is None or not transition.text:
            return Markup("words only")
        return typeset_text(" ".join(transition.text.split()), (), self.typeset).markup

    def _audit(self, transition: Transition) -> str:
        if self.study is None or transition.id not in self.study.window.transitions:
            return ""
        suspicion = self.study.scan.of(transition.id) if self.study.scan is not None else None
        word = "set off the audit" if transition.id == self.study.window.trigger else "audited"
        return word if suspicion is None else f"{word}, suspicion {suspicion.score:.2f}"

    def _before(self, transition: Transition) -> tuple[Condition, ...]:
        state = self.states.get(transition.before)
        return state.conditions if state else ()

    def _supposes(self, transition: Transition, case: str) -> bool:
        """Whether the state that an inference starts from is within a case."""
        state = self.states.get(transition.before)
        branch = state.branch if state else ()
        return case in branch or any(item.kind is ConditionKind.ASSUMPTION and item.text == case for item in self._before(transition))
