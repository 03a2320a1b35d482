"""What equations imply together, over every field of characteristic 0: ideals of polynomials by Gröbner bases.

A sieve, not a verdict: it chooses which questions are worth a proof in Lean. Bounds end a basis that grows; then nothing is known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from fidelean.exact.novalue import NoValue
from fidelean.exact.polynomials import difference
from fidelean.informal.maths.tree import Expression, names
from fidelean.outcome import Reason
from fidelean.policy import ArithmeticPolicy

if TYPE_CHECKING:
    from flint import fmpz_mpoly

__all__ = ["Equation", "contradict", "implied_value", "imply"]

Equation = tuple[Expression, Expression]
"""Both sides of an equation."""

_LIMITS = (40, 200, 2_000)
"""Most polynomials, most terms of one, most bits of a coefficient."""


def contradict(equations: Sequence[Equation], policy: ArithmeticPolicy) -> bool:
    """Whether the equations have no common solution in any field of characteristic 0 where their terms are defined.

    False also means "not found out". Raises ``NoValue`` where a side is no quotient of polynomials.
    """
    basis = _basis(equations, _variables(equations), policy)
    return basis is not None and any(polynomial.is_constant() for polynomial in basis)


def imply(premises: Sequence[Equation], conclusion: Equation, policy: ArithmeticPolicy) -> bool:
    """Whether the conclusion's polynomial lies in the ideal of the premises; False also means "not found out"."""
    from flint import fmpz_mpoly_vec

    variables = _variables([*premises, conclusion])
    target = _numerator(conclusion, variables, policy)
    if target.is_zero():
        return True
    basis = _basis(premises, variables, policy) if premises else None
    if not basis:
        return False
    vector = fmpz_mpoly_vec(basis, target.context())
    return (
        any(polynomial.is_constant() for polynomial in basis)
        or cast("fmpz_mpoly", _untyped(target).reduction_primitive_part(vector)).is_zero()
    )


def implied_value(premises: Sequence[Equation], name: str, policy: ArithmeticPolicy) -> Fraction | None:
    """The one rational value that the premises leave to a variable, where they leave one and it is found."""
    variables = _variables(premises)
    basis = _basis(premises, variables, policy)
    if name not in variables or not basis:
        return None
    place = variables.index(name)
    for polynomial in _reduced(basis):
        monomials = [tuple(map(int, monomial)) for monomial in polynomial.monoms()]
        if all(exponent == 0 or (index == place and exponent == 1) for monomial in monomials for index, exponent in enumerate(monomial)):
            terms = {monomial[place]: int(coefficient) for monomial, coefficient in zip(monomials, polynomial.coeffs(), strict=True)}
            if terms.get(1):
                return Fraction(-terms.get(0, 0), terms[1])
    return None


def _reduced(basis: Sequence[fmpz_mpoly]) -> list[fmpz_mpoly]:
    """The basis with every polynomial reduced by the others."""
    from flint import fmpz_mpoly_vec

    return list(fmpz_mpoly_vec(basis, basis[0].context()).autoreduction())


def _untyped(value: object) -> Any:  # noqa: ANN401 - the library's stubs lack these methods
    return value


def _variables(equations: Sequence[Equation]) -> tuple[str, ...]:
    return tuple(sorted(frozenset[str]().union(*(names(side) for equation in equations for side in equation))))


def _numerator(equation: Equation, variables: tuple[str, ...], policy: ArithmeticPolicy) -> fmpz_mpoly:
    from flint import Ordering, fmpz_mpoly, fmpz_mpoly_ctx

    found = difference(*equation, policy)
    context = fmpz_mpoly_ctx.get(tuple(f"v{index}" for index in range(max(1, len(variables)))), Ordering.degrevlex)
    places = [variables.index(name) for name in found.variables]
    terms: dict[tuple[int, ...], int] = {}
    coefficients = found.numerator.coeffs()
    scale = math.lcm(*(int(coefficient.q) for coefficient in coefficients))
    for monomial, coefficient in zip(found.numerator.monoms(), coefficients, strict=True):
        exponents = [0] * max(1, len(variables))
        for place, exponent in zip(places, monomial, strict=False):
            exponents[place] = int(exponent)
        terms[tuple(exponents)] = int(coefficient.p) * (scale // int(coefficient.q))
    return context.from_dict(terms) if terms else fmpz_mpoly(0, context)


def _basis(equations: Sequence[Equation], variables: tuple[str, ...], policy: ArithmeticPolicy) -> list[fmpz_mpoly] | None:
    from flint import fmpz_mpoly_vec

    polynomials = [p for p in (_numerator(equation, variables, policy) for equation in equations) if not p.is_zero()]
    if not polynomials:
        return []
    if max(p.total_degree() for p in polynomials) > 16 or len(variables) > 8:
        raise NoValue(Reason.TOO_LARGE, "equations of high degree or in many variables")
    vector = fmpz_mpoly_vec(polynomials, polynomials[0].context())
    basis, complete = vector.buchberger_naive(limits=_LIMITS)
    found = cast("list[fmpz_mpoly]", list(_untyped(basis)))
    return found if complete or any(p.is_constant() for p in found) else None
