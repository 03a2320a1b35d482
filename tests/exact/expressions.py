"""Random closed expressions with two faces that know nothing of each other: what is written, and what it is worth.

The value comes from ``Fraction`` alone; nothing of the package is used, so it is an oracle for it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["Written", "expression", "written_value"]

_LIMIT = 10**9
"""Numerators and denominators stay below this, so that no renderer writes a monster."""


@dataclass(frozen=True, slots=True)
class Written:
    """A text with its value."""

    text: str
    """What an author would write."""
    value: Fraction
    """What it is worth."""
    binds: int
    """How tightly it holds together: 0 a sum, 1 a product, 2 a leading sign, 3 a power or a factorial, 4 what is in brackets, a numeral."""


Draw = random.Random


def expression(draw: Draw, depth: int, *, latex: bool) -> Written:
    """A random expression of at most ``depth`` levels; its value is small."""
    while True:
        made = _any(draw, depth, latex)
        if made is not None and max(abs(made.value.numerator), made.value.denominator) < _LIMIT:
            return made


def _any(draw: Draw, depth: int, latex: bool) -> Written | None:
    if depth <= 0 or draw.random() < 0.15:
        return _numeral(draw, latex)
    return draw.choice(_MAKERS)(draw, depth - 1, latex)


def _numeral(draw: Draw, latex: bool) -> Written:
    kind = draw.random()
    if kind < 0.7:
        return _integer(draw.choice((draw.randint(0, 12), draw.randint(0, 99), draw.randint(0, 99_999))), draw, latex)
    places = draw.randint(1, 3)
    digits = draw.randint(0, 99_999)
    whole, tail = divmod(digits, 10**places)
    text = f"{whole}.{tail:0{places}d}"
    return Written(text, Fraction(digits, 10**places), 4)


def _integer(value: int, draw: Draw, latex: bool) -> Written:
    text = str(value)
    if value >= 1000:
        separator = draw.choice(("", "", ",", "{,}" if latex else ",", r"\," if latex else ""))
        text = f"{value:,}".replace(",", separator)
    return Written(text, Fraction(value), 4)


def _small(draw: Draw, low: int, high: int) -> Written:
    value = draw.randint(low, high)
    return Written(str(value), Fraction(value), 4)


def _inside(draw: Draw, inner: Written, latex: bool) -> Written:
    """The same in brackets."""
    left, right = draw.choice((("(", ")"), ("[", "]"), *(((r"\left(", r"\right)"), (r"\bigl(", r"\bigr)"), ("{", "}")) if latex else ())))
    return Written(f"{left}{inner.text}{right}", inner.value, 4)


def _at_least(draw: Draw, inner: Written, binds: int, latex: bool) -> Written:
    return inner if inner.binds >= binds else _inside(draw, inner, latex)


def _operator(draw: Draw, latex: bool, *signs: str) -> str:
    sign = draw.choice(signs)
    return f" {sign} " if sign.startswith("\\") or draw.random() < 0.5 else sign


def _sum(draw: Draw, depth: int, latex: bool) -> Written:
    left, right = expression(draw, depth, latex=latex), expression(draw, depth, latex=latex)
    minus = draw.random() < 0.5
    right = _at_least(draw, right, 1, latex)
    if right.binds == 2:
        right = _inside(draw, right, latex)
    sign = _operator(draw, latex, "-", "−") if minus else _operator(draw, latex, "+")
    return Written(f"{left.text}{sign}{right.text}", left.value - right.value if minus else left.value + right.value, 0)


def _product(draw: Draw, depth: int, latex: bool) -> Written:
    left = _at_least(draw, expression(draw, depth, latex=latex), 1, latex)
    right = _at_least(draw, expression(draw, depth, latex=latex), 3, latex)
    signs = ("*", "×", "·", r"\cdot", r"\times") if latex else ("*", "×", "·", "⋅")
    return Written(f"{left.text}{_operator(draw, latex, *signs)}{right.text}", left.value * right.value, 1)


def _side_by_side(draw: Draw, depth: int, latex: bool) -> Written:
    """Factors in round brackets, without a sign between them."""
    left, right = (expression(draw, depth, latex=latex) for _ in "ab")
    brackets = draw.choice(((r"\left(", r"\right)"), ("(", ")"))) if latex else ("(", ")")
    return Written("".join(f"{brackets[0]}{factor.text}{brackets[1]}" for factor in (left, right)), left.value * right.value, 1)


def _quotient(draw: Draw, depth: int, latex: bool) -> Written | None:
    top, bottom = expression(draw, depth, latex=latex), expression(draw, depth, latex=latex)
    if bottom.value == 0:
        return None
    value = top.value / bottom.value
    if latex and draw.random() < 0.7:
        command = draw.choice((r"\frac", r"\dfrac", r"\tfrac", r"\frac ", r"\cfrac"))
        if command == r"\frac" and top.text.isdigit() and bottom.text.isdigit() and len(top.text) == len(bottom.text) == 1:
            return Written(rf"\frac{top.text}{bottom.text}", value, 3)
        return Written(f"{command}{{{top.text}}}{{{bottom.text}}}", value, 3)
    sign = draw.choice(("/", "÷", r"\div ")) if latex else draw.choice(("/", "÷", " / "))
    return Written(f"{_at_least(draw, top, 1, latex).text}{sign}{_at_least(draw, bottom, 3, latex).text}", value, 1)


def _negative(draw: Draw, depth: int, latex: bool) -> Written:
    inner = _at_least(draw, expression(draw, depth, latex=latex), 3, latex)
    return Written(f"-{inner.text}", -inner.value, 2)


def _power(draw: Draw, depth: int, latex: bool) -> Written | None:
    base = _at_least(draw, expression(draw, depth, latex=latex), 4, latex)
    exponent = draw.randint(-3, 5)
    if base.value == 0 and exponent <= 0:
        return None
    raised = base.value**exponent
    if not latex and exponent >= 0 and draw.random() < 0.5:
        return Written(base.text + "⁰¹²³⁴⁵"[exponent], raised, 3)
    if latex:
        return Written(f"{base.text}^{exponent if exponent >= 0 and draw.random() < 0.5 else f'{{{exponent}}}'}", raised, 3)
    return Written(f"{base.text}^{exponent if exponent >= 0 else f'({exponent})'}", raised, 3)


def _root(draw: Draw, depth: int, latex: bool) -> Written:
    index = draw.choice((2, 2, 2, 3, 4))
    base = Fraction(draw.randint(0, 30), draw.randint(1, 6))
    if index == 3 and draw.random() < 0.3:
        base = -base
    radicand = base**index
    inner = str(radicand) if draw.random() < 0.5 else f"{radicand * 7} - {radicand * 6}" if radicand >= 0 else str(radicand)
    if latex:
        return Written(rf"\sqrt{'' if index == 2 else f'[{index}]'}{{{inner}}}", base, 3)
    return Written(f"sqrt({inner})" if index == 2 else f"({inner})^(1/{index})" if index != 3 else f"cbrt({inner})", base, 3)


def _factorial(draw: Draw, depth: int, latex: bool) -> Written:
    n = draw.randint(0, 10)
    return Written(f"{n}!", Fraction(math.factorial(n)), 3)


def _binomial(draw: Draw, depth: int, latex: bool) -> Written:
    n = draw.randint(0, 20)
    k = draw.randint(0, n + 2)
    text = draw.choice((rf"\binom{{{n}}}{{{k}}}", rf"\dbinom{{{n}}}{{{k}}}", rf"{{{n} \choose {k}}}")) if latex else f"binom({n}, {k})"
    return Written(text, Fraction(math.comb(n, k)), 4)


def _divisors(draw: Draw, depth: int, latex: bool) -> Written:
    numbers = [draw.randint(1, 200) for _ in range(draw.randint(2, 3))]
    name, function = draw.choice((("gcd", math.gcd), ("lcm", math.lcm), ("max", max), ("min", min)))
    command = rf"\operatorname{{{name}}}" if name == "lcm" else rf"\{name}"
    return Written(f"{command if latex else name}({', '.join(map(str, numbers))})", Fraction(function(*numbers)), 4)


def _whole_part(draw: Draw, depth: int, latex: bool) -> Written:
    inner = expression(draw, depth, latex=latex)
    if draw.random() < 0.5:
        left, right = (r"\lfloor ", r"\rfloor") if latex else ("⌊", "⌋")
        return Written(f"{left}{inner.text}{right}", Fraction(math.floor(inner.value)), 4)
    left, right = (r"\lceil ", r"\rceil") if latex else ("⌈", "⌉")
    return Written(f"{left}{inner.text}{right}", Fraction(math.ceil(inner.value)), 4)


def _absolute(draw: Draw, depth: int, latex: bool) -> Written:
    inner = expression(draw, depth, latex=latex)
    left, right = draw.choice((("|", "|"), (r"\left|", r"\right|"), (r"\lvert ", r"\rvert "))) if latex else ("|", "|")
    if "|" in inner.text or "vert" in inner.text:
        return inner
    return Written(f"{left}{inner.text}{right}", abs(inner.value), 4)


def _percent(draw: Draw, depth: int, latex: bool) -> Written:
    n = draw.randint(0, 300)
    return Written(f"({n}{chr(92) if latex else ''}%)", Fraction(n, 100), 4)


def _finite_sum(draw: Draw, depth: int, latex: bool) -> Written:
    low, length = draw.randint(-3, 5), draw.randint(0, 7)
    high = low + length - 1
    factor, shift = draw.randint(1, 5), draw.randint(0, 5)
    terms = [Fraction(factor * k * k + shift) for k in range(low, high + 1)]
    product = draw.random() < 0.3
    if not latex:
        return _divisors(draw, depth, latex)
    value = math.prod(terms, start=Fraction(1)) if product else sum(terms, Fraction(0))
    return Written(rf"(\{'prod' if product else 'sum'}_{{k={low}}}^{{{high}}} ({factor}k^2 + {shift}))", value, 4)


def _modulo(draw: Draw, depth: int, latex: bool) -> Written:
    a, m = draw.randint(0, 500), draw.randint(1, 30)
    return Written(rf"({a} \bmod {m})" if latex else f"({a} mod {m})", Fraction(a % m), 4)


_MAKERS: tuple[Callable[[Draw, int, bool], Written | None], ...] = (
    *(_sum,) * 5,
    *(_product,) * 4,
    *(_quotient,) * 4,
    *(_power,) * 3,
    _side_by_side,
    _negative,
    _root,
    _factorial,
    _binomial,
    _divisors,
    _whole_part,
    _absolute,
    _percent,
    _finite_sum,
    _modulo,
)


def written_value(draw: Draw, value: Fraction, *, latex: bool) -> str:
    """A rational as an author would give it: a fraction, or an integer."""
    if value.denominator == 1:
        return str(value)
    sign, size = ("-", -value) if value < 0 else ("", value)
    if latex and draw.random() < 0.7:
        return rf"{sign}\frac{{{size.numerator}}}{{{size.denominator}}}"
    return f"{sign}{size.numerator}/{size.denominator}"
