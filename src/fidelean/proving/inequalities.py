"""Closing tactics for inequalities: squares that are not negative, products of what is positive."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from fidelean.proving.branches import solved
from fidelean.proving.facts import small_literals, with_facts
from fidelean.proving.refutation import render_polynomial
from fidelean.proving.rendering import render_term
from fidelean.proving.signature import Signature
from fidelean.proving.terms import Binary, Joined, Negated, Numeral, Proposition, Quantified, Related, conjuncts

__all__ = ["by_crossed_squares", "by_products", "by_squares", "by_substituted_squares"]

_SQUARE = "Lean.Grind.OrderedRing.sq_nonneg"
_PRODUCT = "Lean.Grind.OrderedRing.mul"
MAX_HINTS = 12


def by_squares(signature: Signature) -> Iterator[str]:
    """Inequalities: squares of variables, of their differences, of their distances to constants, are not negative."""
    if not _is_ordered(signature) or not (_has_order(signature.conclusion) or signature.is_ordered):
        return
    names = [name for name, kind in signature.variables if isinstance(kind, str) and kind != "Nat"]
    differences = [f"{left} - {right}" for left, right in combinations(names, 2)]
    sums = [f"{left} + {right}" for left, right in combinations(names, 2)]
    shifts = [f"{name} - {value}" for name in names for value in small_literals(signature)] if len(names) < 3 else []
    whole = [f"{' + '.join(names)}", f"{names[0]} - 2 * {names[-1]}", f"2 * {names[0]} - {names[-1]}"] if len(names) > 1 else []
    for hints in ([*differences, *shifts[:4]], [*names, *differences, *sums, *shifts, *whole]):
        if hints:
            yield with_facts([f"{_SQUARE} (a := {hint})" for hint in hints[:MAX_HINTS]])


def by_products(signature: Signature) -> Iterator[str]:
    """Inequalities: products of two differences that the conditions make positive, and of one of them with a square."""
    if not _is_ordered(signature) or not _has_order(signature.conclusion):
        return
    known = [sign for hypothesis in signature.hypotheses for part in conjuncts(hypothesis.proposition) if (sign := _difference(part))][:5]
    names = [name for name, kind in signature.variables if isinstance(kind, str) and kind != "Nat"]
    lines = [f"have hp{at} : 0 {'<' if strict else '≤'} {text} := by grind" for at, (text, strict) in enumerate(known)]
    weak = [f"(Std.le_of_lt hp{at})" if strict else f"hp{at}" for at, (_, strict) in enumerate(known)]
    facts = [f"{_PRODUCT}_nonneg {left} {right}" for left, right in combinations(weak, 2)]
    facts += [f"{_PRODUCT}_pos hp{i} hp{j}" for i, j in combinations(range(len(known)), 2) if known[i][1] and known[j][1]]
    squares = [f"({_SQUARE} (a := {left} - {right}))" for left, right in combinations(names, 2)]
    facts += [f"{_PRODUCT}_nonneg {sign} {square}" for sign in weak for square in squares]
    facts += [f"{_PRODUCT}_nonneg {sign} {sign}" for sign in weak]
    if known:
        yield "\n".join([*lines, with_facts(facts[:MAX_HINTS])])


def by_crossed_squares(signature: Signature) -> Iterator[str]:
    """Inequalities of Cauchy's kind: squares of differences of products."""
    names = [name for name, kind in signature.variables if isinstance(kind, str) and kind != "Nat"]
    if not _is_ordered(signature) or not _has_order(signature.conclusion) or not 2 < len(names) < 7:
        return
    products = [f"{left}*{right}" for left, right in combinations(names, 2)]
    crossed = [f"{left} - {right}" for left, right in combinations(products, 2)]
    disjoint = [text for text in crossed if len(set(text.replace(" - ", "*").split("*"))) == 4]
    for hints in (disjoint, crossed):
        if hints:
            yield with_facts([f"{_SQUARE} (a := {hint})" for hint in hints[:MAX_HINTS]])


def by_substituted_squares(signature: Signature) -> Iterator[str]:
    """Inequalities under linear equations: the equations are solved, then squares of what stays free."""
    if not _is_ordered(signature) or not _has_order(signature.conclusion):
        return
    names = [name for name, kind in signature.variables if isinstance(kind, str) and kind != "Nat"]
    branch = solved([part for hypothesis in signature.hypotheses for part in conjuncts(hypothesis.proposition)], names)
    if branch is None or not branch.definitions:
        return
    lines = [
        f"have hs{at} : {name} = {render_polynomial(expression)} := by grind\nsubst hs{at}"
        for at, (name, expression) in enumerate(branch.definitions)
    ]
    free = [name for name in names if name in branch.free]
    literals = small_literals(signature, 400)
    centres = [str(value) for value in literals[:4]] + [f"{value}/2" for value in literals]
    hints = [*(f"{a} - {b}" for a, b in combinations(free, 2)), *(f"{name} - {centre}" for name in free for centre in centres), *free]
    yield "\n".join([*lines, with_facts([f"{_SQUARE} (a := {hint})" for hint in hints[:MAX_HINTS]])])


def _is_ordered(signature: Signature) -> bool:
    return signature.is_ordered if signature.generic else bool(signature.carriers & {"Int", "Rat"})


def _has_order(proposition: Proposition) -> bool:
    match proposition:
        case Related(relation, _, _, _):
            return relation in "<≤>≥"
        case Negated(body) | Quantified(_, _, _, body):
            return _has_order(body)
        case Joined(_, left, right):
            return _has_order(left) or _has_order(right)
        case _:
            return False


def _difference(proposition: Proposition) -> tuple[str, bool] | None:
    """What an order relation makes positive, and whether strictly: ``y - x`` for ``x ≤ y``. None for anything else."""
    if not isinstance(proposition, Related) or proposition.relation not in "<≤>≥":
        return None
    small, large = (proposition.left, proposition.right) if proposition.relation in "<≤" else (proposition.right, proposition.left)
    text = render_term(large) if small == Numeral(0) else render_term(Binary("-", large, small))
    return text, proposition.relation in "<>"
