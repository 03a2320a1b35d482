"""Closing tactics for integers: residues, intervals, divisors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import lcm

from fidelean.proving.facts import relations, starts_with_premises, with_facts
from fidelean.proving.polynomials import NotPolynomial, quotient_of
from fidelean.proving.signature import Signature
from fidelean.proving.terms import Applied, Binary, Numeral, Proposition, Related, Term, Variable, conjuncts, subterms, terms_of

__all__ = ["by_intervals", "by_residues", "by_size_of_divisors", "by_witnessed_divisors", "linear_integers"]

_INTEGERS = frozenset({"Nat", "Int"})
_MIRRORED = {"<": ">", "≤": "≥", ">": "<", "≥": "≤"}
MAX_CASES = 64
MAX_VALUES = 144
MAX_INTERVAL = 40


def linear_integers(signature: Signature) -> Iterator[str]:
    """Linear statements over Nat and Int."""
    if not signature.carriers <= _INTEGERS or signature.generic or not signature.carriers:
        return
    if all(_is_linear(term) for proposition in signature.propositions for term in terms_of(proposition)):
        yield "intros; omega" if starts_with_premises(signature.conclusion) else "omega"


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
    closing = f"first | omega | (simp [{rules}, {facts}]; done) | (simp [{rules}, {facts}] at * <;> omega)"
    return "\n".join([*lines, f"{' <;> '.join(patterns)} <;> {closing}"])


def by_intervals(signature: Signature) -> Iterator[str]:
    """Integers between literal bounds: one case a value."""
    ranges = {name: bounds for name, kind in signature.variables if kind in _INTEGERS and (bounds := _bounds(signature, name, str(kind)))}
    sizes = 1
    lines: list[str] = []
    patterns: list[str] = []
    for at, (name, (low, high)) in enumerate(sorted(ranges.items(), key=lambda item: item[1][1] - item[1][0])):
        count = high - low + 1
        if not 0 < count <= MAX_INTERVAL or sizes * count > MAX_VALUES:
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
        yield with_facts(facts)


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


def _moduli(proposition: Proposition) -> Iterator[int]:
    for related in relations(proposition):
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
        relation = _MIRRORED.get(relation, relation)
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
