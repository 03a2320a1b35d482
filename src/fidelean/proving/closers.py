"""The closing tactics, one function an entry: from a signature to the scripts worth trying on it. What does not apply gives none.

Every script is ordinary Lean that the source guard lets through. The order is in ``portfolio``; the measurements behind it: core-lean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import lcm

from fidelean.proving.polynomials import NotPolynomial, quotient_of
from fidelean.proving.signature import Signature
from fidelean.proving.terms import (
    Applied,
    Binary,
    Joined,
    Negated,
    Numeral,
    Proposition,
    Quantified,
    Quantifier,
    Related,
    Term,
    Unread,
    Variable,
    conjuncts,
    subterms,
    terms_of,
)

__all__ = [
    "by_decision",
    "by_induction",
    "by_instances",
    "by_intervals",
    "by_parts",
    "by_products",
    "by_residues",
    "by_size_of_divisors",
    "by_squares",
    "by_unrolling",
    "by_witnessed_divisors",
    "linear_integers",
    "ring_and_order",
]

_SQUARE = "Lean.Grind.OrderedRing.sq_nonneg"
_INTEGERS = frozenset({"Nat", "Int"})
MAX_HINTS = 12
MAX_CASES = 64
MAX_INTERVAL = 40
MAX_UNROLLED = 24


def by_decision(signature: Signature) -> Iterator[str]:
    """Closed statements: the kernel computes."""
    if not signature.variables and not signature.hypotheses:
        yield "decide +kernel"


def linear_integers(signature: Signature) -> Iterator[str]:
    """Linear statements over Nat and Int."""
    if not signature.carriers <= _INTEGERS or signature.generic or not signature.carriers:
        return
    if all(_is_linear(term) for proposition in signature.propositions for term in terms_of(proposition)):
        yield "intros; omega" if _starts_with_premises(signature.conclusion) else "omega"


def ring_and_order(signature: Signature) -> Iterator[str]:
    """Commutative rings, fields, linear order, cases: everything but a text that was not read."""
    if not isinstance(signature.conclusion, Unread):
        yield "grind"


def by_parts(signature: Signature) -> Iterator[str]:
    """Conjunctions and equivalences, part by part."""
    if isinstance(signature.conclusion, Joined) and signature.conclusion.connective.value in "∧↔":
        yield "constructor <;> grind"


def by_squares(signature: Signature) -> Iterator[str]:
    """Inequalities: squares of variables, of their differences, of their distances to constants, are not negative."""
    if not _is_ordered(signature) or not _has_order(signature.conclusion):
        return
    names = [name for name, kind in signature.variables if isinstance(kind, str) and kind != "Nat"]
    differences = [f"{left} - {right}" for left, right in combinations(names, 2)]
    sums = [f"{left} + {right}" for left, right in combinations(names, 2)]
    shifts = [f"{name} - {value}" for name in names for value in _small_literals(signature)] if len(names) < 3 else []
    whole = [f"{' + '.join(names)}", f"{names[0]} - 2 * {names[-1]}", f"2 * {names[0]} - {names[-1]}"] if len(names) > 1 else []
    for hints in ([*differences, *shifts[:4]], [*names, *differences, *sums, *shifts, *whole]):
        if hints:
            yield _with_facts([f"{_SQUARE} (a := {hint})" for hint in hints[:MAX_HINTS]])


def by_products(signature: Signature) -> Iterator[str]:
    """Inequalities between products: what is known to be positive stays so when multiplied, also by a square."""
    if not _is_ordered(signature) or not _has_order(signature.conclusion):
        return
    names = [name for name, kind in signature.variables if isinstance(kind, str) and kind != "Nat"]
    signs = [(hypothesis.name, sign) for hypothesis in signature.hypotheses if (sign := _sign_of(hypothesis.proposition))]
    facts = [
        f"Lean.Grind.OrderedRing.mul_{'pos' if strict else 'nonneg'} {left} {right}"
        for (left, strict), (right, other) in combinations(signs, 2)
        if strict == other
    ]
    squares = [f"{_SQUARE} (a := {left} - {right})" for left, right in combinations(names, 2)]
    times = [
        f"Lean.Grind.OrderedRing.mul_nonneg (Std.le_of_lt {name}) ({square})"
        if strict
        else f"Lean.Grind.OrderedRing.mul_nonneg {name} ({square})"
        for name, strict in signs
        for square in squares
    ]
    if facts or times:
        yield _with_facts([*facts, *squares, *times][:MAX_HINTS])


def by_instances(signature: Signature) -> Iterator[str]:
    """Universal hypotheses at 0, 1, -1 and the statement's own constants: comparing coefficients, functional equations."""
    facts: list[str] = []
    for hypothesis in signature.hypotheses:
        carriers = _leading_carriers(hypothesis.proposition)
        if not carriers or hypothesis.name == "_":
            continue
        points = _points(signature, carriers[0], 4 if len(carriers) == 1 else 2)
        facts.extend(f"{hypothesis.name} {' '.join(values)}" for values in product(points, repeat=len(carriers)))
    if facts:
        yield _with_facts(facts[:20])


def by_unrolling(signature: Signature) -> Iterator[str]:
    """Recurrences: the universal hypotheses at every integer between those at which the function is mentioned."""
    points = sorted({point for proposition in signature.propositions for point in _function_points(proposition)})
    if not points or points[-1] - points[0] > MAX_UNROLLED:
        return
    low = points[0] - 2 if points[0] >= 2 else min(points[0], 0)
    facts = [
        f"{hypothesis.name} {value if value >= 0 else f'({value})'}"
        for hypothesis in signature.hypotheses
        if len(_leading_carriers(hypothesis.proposition)) == 1 and hypothesis.name != "_"
        for value in range(low, points[-1])
    ]
    if facts:
        yield _with_facts(facts)


def by_residues(signature: Signature, factors: Sequence[int] = (1,)) -> Iterator[str]:
    """Remainders: every variable takes each of its residues, modulo the statement's own modulus times each of ``factors``."""
    names = [name for name, kind in signature.variables if kind in _INTEGERS]
    moduli = {modulus for proposition in signature.propositions for modulus in _moduli(proposition)}
    if not moduli or not names or not signature.carriers <= _INTEGERS:
        return
    ring = "Int" if "Int" in signature.carriers else "Nat"
    base = lcm(*moduli)
    for modulus in (base * factor for factor in factors):
        if modulus ** len(names) <= MAX_CASES:
            yield _residue_script(names, modulus, ring)


def _residue_script(names: Sequence[str], modulus: int, ring: str) -> str:
    lines: list[str] = []
    for at, name in enumerate(names):
        cases = " ∨ ".join(f"{name} % {modulus} = {residue}" for residue in range(modulus))
        lines.append(f"have hr{at} : {cases} := by omega")
    patterns = [f"rcases hr{at} with {' | '.join([f'hr{at}'] * modulus)}" for at in range(len(names))]
    subtraction = ", Int.sub_emod" if ring == "Int" else ""
    dvd = "Int.dvd_iff_emod_eq_zero" if ring == "Int" else "Nat.dvd_iff_mod_eq_zero"
    kind = "emod" if ring == "Int" else "mod"
    rules = f"{dvd}, {ring}.pow_succ, {ring}.mul_{kind}, {ring}.add_{kind}{subtraction}"
    facts = ", ".join(f"hr{at}" for at in range(len(names)))
    closing = f"first | omega | (simp [{rules}, {facts}]; done) | (simp [{rules}, {facts}] at *; omega)"
    return "\n".join([*lines, f"{' <;> '.join(patterns)} <;> {closing}"])


def by_intervals(signature: Signature) -> Iterator[str]:
    """Integers between literal bounds: one case a value."""
    ranges = {name: bounds for name, kind in signature.variables if kind in _INTEGERS and (bounds := _bounds(signature, name, str(kind)))}
    sizes = 1
    lines: list[str] = []
    patterns: list[str] = []
    for at, (name, (low, high)) in enumerate(sorted(ranges.items(), key=lambda item: item[1][1] - item[1][0])):
        count = high - low + 1
        if not 0 < count <= MAX_INTERVAL or sizes * count > MAX_CASES:
            continue
        sizes *= count
        lines.append(f"have hv{at} : {' ∨ '.join(f'{name} = {value}' for value in range(low, high + 1))} := by omega")
        patterns.append(f"rcases hv{at} with {' | '.join(['rfl'] * count)}")
    if patterns:
        yield "\n".join([*lines, f"{' <;> '.join(patterns)} <;> first | omega | decide +kernel | grind"])


def by_size_of_divisors(signature: Signature) -> Iterator[str]:
    """A divisor of a positive integer is not larger than it."""
    facts = [
        f"{part.carrier}.le_of_dvd (by first | omega | grind) {hypothesis.name}"
        for hypothesis in signature.hypotheses
        if isinstance(part := hypothesis.proposition, Related) and part.relation == "∣" and hypothesis.name != "_"
    ]
    if facts:
        yield _with_facts(facts)


def by_witnessed_divisors(signature: Signature) -> Iterator[str]:
    """Divisibility as a multiple: each divisor in the conditions gets its cofactor by name."""
    hypotheses = [
        hypothesis.name
        for hypothesis in signature.hypotheses
        if isinstance(hypothesis.proposition, Related) and hypothesis.proposition.relation == "∣" and hypothesis.name != "_"
    ]
    if not hypotheses or len(hypotheses) > 4:
        return
    opened = "\n".join(f"obtain ⟨c{at}, hc{at}⟩ := {name}" for at, name in enumerate(hypotheses))
    cofactors = [f"c{at}" for at in range(len(hypotheses))]
    yield f"{opened}\ngrind"
    if isinstance(signature.conclusion, Related) and signature.conclusion.relation == "∣":
        sums = [*cofactors, *(f"{a} {sign} {b}" for a, b in combinations(cofactors, 2) for sign in "+-*")]
        tries = " | ".join(f"exact ⟨{each}, by grind⟩" for each in sums[:8])
        yield f"{opened}\nfirst | {tries}"


def by_induction(signature: Signature) -> Iterator[str]:
    """Induction on a natural number that no hypothesis speaks of."""
    spoken = {part for h in signature.hypotheses for term in terms_of(h.proposition) for part in subterms(term)}
    for name, kind in signature.variables:
        if kind == "Nat" and Variable(name) not in spoken:
            yield f"induction {name} with\n| zero => first | omega | grind\n| succ n ih => first | omega | grind"


def _with_facts(facts: Sequence[str]) -> str:
    return "\n".join([*(f"have := {fact}" for fact in facts), "grind"])


def _is_linear(term: Term) -> bool:
    match term:
        case Binary("*", left, right):
            return (_is_constant(left) or _is_constant(right)) and _is_linear(left) and _is_linear(right)
        case Binary("/" | "%", left, right):
            return _is_constant(right) and _is_linear(left)
        case Binary("^", left, right):
            return _is_constant(left) and _is_constant(right)
        case Binary(_, left, right):
            return _is_linear(left) and _is_linear(right)
        case Applied():
            return False
        case _:
            return True


def _is_constant(term: Term) -> bool:
    return not any(isinstance(part, Variable | Applied) for part in subterms(term))


def _starts_with_premises(proposition: Proposition) -> bool:
    match proposition:
        case Quantified(Quantifier.ALL, _, _, _):
            return True
        case Joined(connective, _, _):
            return connective.value == "→"
        case _:
            return False


def _is_ordered(signature: Signature) -> bool:
    return signature.is_ordered if signature.generic else bool(signature.carriers & {"Int", "Rat"})


def _has_order(proposition: Proposition) -> bool:
    match proposition:
        case Related(relation, _, _, _):
            return relation in "<≤>≥" or relation == "="
        case Negated(body) | Quantified(_, _, _, body):
            return _has_order(body)
        case Joined(_, left, right):
            return _has_order(left) or _has_order(right)
        case _:
            return False


def _small_literals(signature: Signature) -> list[int]:
    found = {
        part.value
        for proposition in signature.propositions
        for term in terms_of(proposition)
        for part in subterms(term)
        if isinstance(part, Numeral)
    }
    return [value for value in sorted({1, *found}) if 0 < value <= 12][:4]


def _sign_of(proposition: Proposition) -> str | bool | None:
    """True for ``0 < x``, False for ``0 ≤ x``, None for anything else."""
    if not isinstance(proposition, Related):
        return None
    small, large = (proposition.left, proposition.right) if proposition.relation in "<≤" else (proposition.right, proposition.left)
    if small != Numeral(0) or not isinstance(large, Variable) or proposition.relation not in "<≤>≥":
        return None
    return proposition.relation in "<>"


def _leading_carriers(proposition: Proposition) -> list[str]:
    carriers: list[str] = []
    while isinstance(proposition, Quantified) and proposition.quantifier is Quantifier.ALL:
        carriers.append(proposition.carrier)
        proposition = proposition.body
    return carriers


def _points(signature: Signature, carrier: str, extra: int) -> list[str]:
    literals = [part.value for term in terms_of(signature.conclusion) for part in subterms(term) if isinstance(part, Numeral)]
    small = [0, 1] if carrier == "Nat" else [0, 1, -1]
    values = list(dict.fromkeys([*small, *(value for value in literals if value <= 1_000)]))[: len(small) + extra]
    names = [name for name, kind in signature.variables if kind == carrier][:extra]
    return [*(str(value) if value >= 0 else f"({value})" for value in values), *names]


def _function_points(proposition: Proposition) -> Iterator[int]:
    for term in terms_of(proposition):
        for part in subterms(term):
            if isinstance(part, Applied) and len(part.arguments) == 1:
                try:
                    value = quotient_of(part.arguments[0])[0].value
                except NotPolynomial:
                    continue
                if isinstance(value, int):
                    yield value


def _moduli(proposition: Proposition) -> Iterator[int]:
    for related in _relations(proposition):
        if related.relation == "∣" and isinstance(related.left, Numeral) and 1 < related.left.value <= MAX_CASES:
            yield related.left.value
        for side in (related.left, related.right):
            for part in subterms(side):
                if (
                    isinstance(part, Binary)
                    and part.operator == "%"
                    and isinstance(part.right, Numeral)
                    and 1 < part.right.value <= MAX_CASES
                ):
                    yield part.right.value


def _relations(proposition: Proposition) -> Iterator[Related]:
    match proposition:
        case Related():
            yield proposition
        case Negated(body) | Quantified(_, _, _, body):
            yield from _relations(body)
        case Joined(_, left, right):
            yield from _relations(left)
            yield from _relations(right)
        case _:
            return


def _bounds(signature: Signature, name: str, carrier: str) -> tuple[int, int] | None:
    """The literal bounds that the hypotheses give a variable, both ends included."""
    low, high = (0, None) if carrier == "Nat" else (None, None)
    for hypothesis in signature.hypotheses:
        for part in conjuncts(hypothesis.proposition):
            if not isinstance(part, Related):
                continue
            least, most = _bound(part, name)
            low = least if low is None else max(low, least) if least is not None else low
            high = most if high is None else min(high, most) if most is not None else high
    return None if low is None or high is None else (low, high)


def _bound(related: Related, name: str) -> tuple[int | None, int | None]:
    relation, left, right = related.relation, related.left, related.right
    if isinstance(right, Variable):
        relation = {"<": ">", "≤": "≥", ">": "<", "≥": "≤"}.get(relation, relation)
        left, right = right, left
    value = _literal(right)
    if left != Variable(name) or value is None:
        return None, None
    return {"<": (None, value - 1), "≤": (None, value), ">": (value + 1, None), "≥": (value, None)}.get(relation, (None, None))


def _literal(term: Term) -> int | None:
    try:
        top, bottom = quotient_of(term)
    except NotPolynomial:
        return None
    return top.value if isinstance(top.value, int) and bottom.value == 1 else None
