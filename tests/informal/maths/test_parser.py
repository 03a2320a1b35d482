"""What is read as what, and what is left alone for which reason."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fidelean.informal.maths.parser import NotRead, parse_chain, parse_expression
from fidelean.informal.maths.tree import Ambiguous, Apply, Binary, Expression, Name, Negate, Number, Relation, Unit, names, readings
from fidelean.outcome import Reason

ONE, TWO, THREE = Number(1), Number(2), Number(3)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1+2*3", Binary("+", ONE, Binary("*", TWO, THREE))),
        ("1-2-3", Binary("-", Binary("-", ONE, TWO), THREE)),
        ("2^{3^2}", Binary("^", TWO, Binary("^", THREE, TWO))),
        ("2^3^2", Binary("^", TWO, Binary("^", THREE, TWO))),
        ("-2^2", Negate(Binary("^", TWO, TWO))),
        ("2³", Binary("^", TWO, THREE)),
        (r"\frac12", Binary("/", ONE, TWO)),
        (r"\frac{1}{2}\cdot 3", Binary("*", Binary("/", ONE, TWO), THREE)),
        (r"\left(1+2\right)(3)", Binary("*", Binary("+", ONE, TWO), THREE)),
        (r"\left|{-3}\right|", Apply("abs", (Negate(THREE),))),
        ("||1|-|2||", Apply("abs", (Binary("-", Apply("abs", (ONE,)), Apply("abs", (TWO,))),))),
        (r"\sqrt[3]{2}", Apply("root", (TWO, THREE))),
        ("√2", Apply("root", (TWO, TWO))),
        (r"{3 \choose 2}", Apply("binom", (THREE, TWO))),
        (r"{1 \over 2}", Binary("/", ONE, TWO)),
        (r"\sin 2x", Apply("sin", (Binary("*", TWO, Name("x")),))),
        (r"\sin x \cos y", Binary("*", Apply("sin", (Name("x"),)), Apply("cos", (Name("y"),)))),
        ("3!", Apply("factorial", (THREE,))),
        ("50%", Apply("percent", (Number(50),))),
        (r"\$3", Unit(THREE, "$")),
        (r"3\text{ cm}", Unit(THREE, "cm")),
        ("1,234.5", Number(Fraction(2469, 2), 1)),
        (r"1{,}000", Number(1000)),
        (r"0.1\overline{6}", Number(Fraction(1, 6))),
        ("x_{12}'", Name("x_12'")),
        ("2x", Binary("*", TWO, Name("x"))),
        (r"\boxed{3}", THREE),
    ],
)
def test_common_notation_has_one_tree(text: str, tree: Expression) -> None:
    assert parse_expression(text) == tree
    assert type(parse_expression(text)) is type(tree)


@pytest.mark.parametrize("text", [r"3\frac12", "3 1/2", "1/2(3)", "120-10%", "1+2 mod 3", r"\sqrt50", "log 2", "sin 2"])
def test_two_usages_give_two_readings(text: str) -> None:
    tree = parse_expression(text)
    assert isinstance(tree, Ambiguous)
    assert len(readings(tree)) == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.NO_RELATION),
        ("2+2", Reason.NO_RELATION),
        ("= 3", Reason.FRAGMENT),
        ("3 =", Reason.FRAGMENT),
        ("+ 3 = 3", Reason.FRAGMENT),
        ("* 3 = 3", Reason.FRAGMENT),
        ("1 + = 3", Reason.FRAGMENT),
        (r"1+\ldots+10=55", Reason.HAS_ELLIPSIS),
        (r"\forall x, x=1", Reason.QUANTIFIED),
        (r"\text{cost} = 3", Reason.HAS_WORDS),
        (r"\pm 3 = 3", Reason.FRAGMENT),
        (r"1 \pm 3 = 4", Reason.AMBIGUOUS),
        (r"\sin^{-1} 1 = 2", Reason.AMBIGUOUS),
        (r"\sin x y = 1", Reason.AMBIGUOUS),
        ("2^3! = 64", Reason.AMBIGUOUS),
        ("12_5 = 7", Reason.OTHER_ARITHMETIC),
        ("(1, 2) = (1, 2)", Reason.NOT_READ),
        ("1 2 = 2", Reason.NOT_READ),
        ("3!! = 3", Reason.NOT_READ),
        (r"\begin{pmatrix}1\end{pmatrix} = 1", Reason.OTHER_ARITHMETIC),
        ("1 = " + "(" * 70 + "1" + ")" * 70, Reason.TOO_LARGE),
        ("+".join(["1"] * 200) + "=200", Reason.TOO_LARGE),
    ],
)
def test_what_is_not_read_says_why(text: str, reason: Reason) -> None:
    with pytest.raises(NotRead) as raised:
        parse_chain(text)
    assert raised.value.reason is reason


def test_a_chain_keeps_its_relations_and_where_its_sides_stand() -> None:
    text = r"1 < 2 \le 3 = x"
    chain = parse_chain(text)
    assert chain.relations == (Relation.LESS, Relation.LESS_EQUAL, Relation.EQUAL)
    assert [text[span.start : span.end] for span in chain.spans] == ["1", "2", "3", "x"]
    assert chain.modulus is None


@pytest.mark.parametrize("text", [r"9 \equiv 2 \pmod{7}", r"9 \equiv 2 \mod 7", "9 ≡ 2 (mod 7)", "9 = 2 (modulo 7)"])
def test_a_modulus_belongs_to_the_whole_chain(text: str) -> None:
    chain = parse_chain(text)
    assert chain.sides == (Number(9), TWO)
    assert chain.modulus == Number(7)


@pytest.mark.parametrize("text", [r"2 \not= 3", "2 != 3", "2 ≠ 3", r"2 \neq 3"])
def test_inequality_is_no_factorial(text: str) -> None:
    assert parse_chain(text).relations == (Relation.NOT_EQUAL,)


def test_an_index_is_bound_in_its_sum_only() -> None:
    assert names(parse_expression(r"\sum_{k=1}^{n} k")) == {"n"}
    assert names(parse_expression(r"(\sum_{k=1}^{3} k) \cdot k")) == {"k"}
