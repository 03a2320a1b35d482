"""Operands of a formula: numerals, names, brackets, functions, finite sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from functools import lru_cache

from fidelean.informal.maths.cursor import END, Cursor, NotRead
from fidelean.informal.maths.tokens import Token
from fidelean.informal.maths.tree import Apply, BigOperator, Binary, Constant, Expression, Name, Negate, Number, Unit, names
from fidelean.outcome import Reason

__all__ = ["OPERANDS", "Operands", "is_plain_fraction", "numeral"]

_CLOSES = {"(": ")", "[": "]", "{": "}", "\\{": "\\}", "⌊": "⌋", "⌈": "⌉", "|": "|"}
_TRIGONOMETRIC = frozenset(("sin", "cos", "tan", "cot", "sec", "csc"))
_ONE_ARGUMENT = _TRIGONOMETRIC | {"ln", "log", "lg", "exp", "arcsin", "arccos", "arctan", "floor", "ceil", "abs"}
_MANY_ARGUMENTS = frozenset(("gcd", "lcm", "max", "min"))
OPERANDS = frozenset(("open", "func", "const", "name", "big", "bar", "num", "vulgar", "group", "unit"))
"""Kinds of tokens that start an operand."""


class Operands(Cursor, ABC):
    """Reads operands; how operands are joined is left to the parser."""

    @abstractmethod
    def additive(self) -> Expression:
        """Read a sum."""

    @abstractmethod
    def product(self) -> Expression:
        """Read a product."""

    @abstractmethod
    def power(self) -> Expression:
        """Read an operand with what follows it."""

    @abstractmethod
    def postfix(self, operand: Expression) -> Expression:
        """Read what belongs to an operand behind it."""

    def primary(self) -> Expression:
        """Read one operand, without what follows it."""
        token = self.take()
        match token.kind:
            case "num":
                return self.number(token)
            case "const":
                return Constant(token.text)
            case "name":
                return self.name(token)
            case "vulgar":
                top, bottom = token.text.split("/")
                return Binary("/", Number(int(top)), Number(int(bottom)))
            case "open":
                self.position -= 1
                return self.bracketed()
            case "bar" | "close" if token.text == "|":
                return self.absolute()
            case "func":
                return self.function(token.text)
            case "big":
                return self.big_operator(token.text)
            case "group":
                return self.group("{")
            case "unit":
                return Unit(self.currency_amount(), token.text)
            case "op" | "rel" | "end":
                self.position -= 1
                raise NotRead(Reason.FRAGMENT, "an operand is missing")
            case _:
                self.position -= 1
                raise self.not_read("no operand")

    def currency_amount(self) -> Expression:
        """Read the numeral behind a currency sign."""
        sign = self.at("op", "-")
        if sign:
            self.position += 1
        if self.here.kind != "num":
            raise self.not_read("a currency without an amount")
        amount = self.number(self.take())
        return Negate(amount) if sign else amount

    def name(self, token: Token) -> Expression:
        """Read a letter with its subscript and primes."""
        text = token.text
        if self.at("op", "_"):
            self.position += 1
            start = self.position
            if self.at("open", "{"):
                self.skip_group()
            elif self.take() is END:
                raise NotRead(Reason.FRAGMENT, "a subscript is missing")
            text += "_" + "".join(t.text for t in self.tokens[start : self.position] if t.text not in "{}")
        if self.here.kind == "prime":
            self.position += 1
            text += "'"
        return Name(text)

    def skip_group(self) -> None:
        """Go past a group in braces."""
        depth = 0
        while True:
            token = self.take()
            if token is END:
                raise NotRead(Reason.NOT_READ, "a brace is not closed")
            depth += (token.text == "{") - (token.text == "}")
            if depth == 0:
                return

    def number(self, token: Token) -> Expression:
        """Read a numeral, with a fraction right behind it as a mixed number or a factor."""
        tree: Expression = numeral(token.text)
        following = self.here
        if following.kind == "overline":
            return self.repeating(token)
        if "." in token.text:
            if following.kind == "dots":
                raise self.not_read("an unfinished decimal")
            return tree
        if following.kind == "func" and following.text == "frac":
            self.position += 1
            fraction = self.function("frac")
            if not names(fraction) and is_plain_fraction(fraction):
                return self.either(Binary("+", tree, fraction), Binary("*", tree, fraction))
            return Binary("*", tree, fraction)
        if following.kind == "vulgar":
            return Binary("+", tree, self.primary())
        if following.kind == "num" and following.start > token.end and self.peek().text == "/" and self.peek(2).kind == "num":
            fraction = Binary("/", numeral(self.take().text), numeral((self.take(), self.take())[1].text))
            return self.either(Binary("+", tree, fraction), Binary("*", tree, fraction))
        if self.at("op", "_"):
            raise NotRead(Reason.OTHER_ARITHMETIC, "a numeral with a subscript")
        return tree

    def repeating(self, token: Token) -> Expression:
        r"""``0.1\overline{6}``: the exact rational that the period means."""
        self.position += 1
        if "." not in token.text:
            raise self.not_read("a bar over a number")
        self.expect("open", "{")
        period = self.take()
        self.expect("close", "}")
        if period.kind != "num" or not period.text.isdigit():
            raise self.not_read("no period of digits")
        whole, _, tail = token.text.partition(".")
        scale = 10 ** len(tail)
        repeated = Fraction(numeral(period.text).value, scale * (10 ** len(period.text) - 1))
        return Number(Fraction(int(whole + tail), scale) + repeated)

    def bracketed(self) -> Expression:
        """Read what stands in brackets of any kind."""
        opening = self.take().text
        self.depth += 1
        if self.depth > self.max_depth:
            raise NotRead(Reason.TOO_LARGE, "nested too deeply")
        bars, self.bars = self.bars, 0
        inside = self.additive()
        self.bars = bars
        if opening == "{" and self.here.kind in ("choose", "over"):
            kind = self.take().kind
            bottom = self.additive()
            inside = Apply("binom", (inside, bottom)) if kind == "choose" else Binary("/", inside, bottom)
        if self.here.kind == "sep":
            raise self.not_read("a list or a tuple")
        self.expect("close", _CLOSES[opening])
        self.depth -= 1
        match opening:
            case "⌊":
                return Apply("floor", (inside,))
            case "⌈":
                return Apply("ceil", (inside,))
            case "|":
                return Apply("abs", (inside,))
            case "\\{":
                raise NotRead(Reason.NOT_READ, "a set or a fractional part")
            case _:
                return inside

    def absolute(self) -> Expression:
        """Read what stands between two bars."""
        self.bars += 1
        inside = self.additive()
        self.bars -= 1
        if not (self.here.kind in ("bar", "close") and self.here.text == "|"):
            raise self.not_read("expected '|'")
        self.position += 1
        return Apply("abs", (inside,))

    def group(self, opening: str) -> Expression:
        """Read a group in the brackets given."""
        if not self.at("open", opening):
            raise self.not_read(f"expected {opening!r}")
        return self.bracketed()

    def argument(self) -> Expression:
        r"""A LaTeX argument: a group, or the next single digit or letter (``\frac12``)."""
        token = self.here
        if token.kind == "open" and token.text == "{":
            return self.group("{")
        if token.kind == "num" and "." not in token.text:
            digit, rest = token.text[0], token.text[1:]
            if rest:
                self.tokens[self.position] = Token("num", rest, token.start + 1, token.end)
            else:
                self.position += 1
            return Number(int(digit))
        if token.kind in ("name", "const", "func"):
            return self.deeper_primary()
        raise self.not_read("no argument")

    def deeper_primary(self) -> Expression:
        """Read an operand one level down."""
        self.depth += 1
        if self.depth > self.max_depth:
            raise NotRead(Reason.TOO_LARGE, "nested too deeply")
        tree = self.primary()
        self.depth -= 1
        return tree

    def arguments(self) -> tuple[Expression, ...]:
        """Read a list of arguments in brackets."""
        if not (self.at("open", "(") or self.at("open", "{") or self.at("open", "[")):
            raise self.not_read("no argument list")
        self.depth += 1
        if self.depth > self.max_depth:
            raise NotRead(Reason.TOO_LARGE, "nested too deeply")
        closing = _CLOSES[self.take().text]
        found = [self.additive()]
        while self.here.kind == "sep":
            self.position += 1
            found.append(self.additive())
        self.expect("close", closing)
        self.depth -= 1
        return tuple(found)

    # Functions

    def function(self, name: str) -> Expression:
        """Read the arguments of a function and give its value as a tree."""
        if name == "frac":
            top = self.argument()
            return Binary("/", top, self.argument())
        if name in ("sqrt", "cbrt"):
            return self.radical(name)
        if name == "binom":
            found = self.arguments() if self.at("open", "(") else (self.argument(), self.argument())
            if len(found) != 2:
                raise self.not_read("a binomial needs two arguments")
            return Apply("binom", found)
        if name in _MANY_ARGUMENTS:
            found = self.arguments()
            if len(found) < 2:
                raise self.not_read(f"{name} needs two arguments")
            return Apply(name, found)
        if name in _ONE_ARGUMENT:
            return self.elementary(name)
        raise self.not_read(f"the function {name} is not known")

    def radical(self, name: str) -> Expression:
        """Read a root."""
        index: Expression = Number(3 if name == "cbrt" else 2)
        if self.at("open", "["):
            self.position += 1
            index = self.additive()
            self.expect("close", "]")
        token = self.here
        if token.kind == "open":
            return Apply("root", (self.bracketed(), index))
        if token.kind == "num" and len(token.text) > 1:
            # "\sqrt50" renders as √5 followed by 0 and is meant as √50: both are kept
            self.position += 1
            whole = Apply("root", (numeral(token.text), index))
            if "." in token.text:
                return whole
            first, rest = Number(int(token.text[0])), Number(int(token.text[1:]))
            return self.either(whole, Binary("*", Apply("root", (first, index)), rest))
        return Apply("root", (self.deeper_primary(), index))

    def elementary(self, name: str) -> Expression:
        """Read the argument of a logarithm, an exponential or a trigonometric function."""
        base: Expression | None = None
        power: Expression | None = None
        if self.at("op", "_"):
            self.position += 1
            base = self.argument() if not self.at("open", "(") else self.bracketed()
        if self.at("op", "^"):
            self.position += 1
            power = self.group("{") if self.at("open", "{") else self.argument()
            if not (isinstance(power, Number) and power.value == 2):
                raise self.not_read("a power of a function name", Reason.AMBIGUOUS)
        bare = not self.at("open", "(") and not self.at("open", "{") and self.here.kind != "bar"
        argument = self.power() if bare else self.postfix(self.primary())
        if bare and isinstance(argument, Number) and self.here.kind in ("const", "name"):
            argument = Binary("*", argument, self.power())  # \sin 2\pi, \cos 3x
        following = self.here
        if (
            bare and ((following.kind in OPERANDS and following.kind != "func") or (following.kind == "op" and following.text in "*/÷"))
        ) or (not bare and following.kind == "op" and following.text == "^"):
            raise self.not_read(f"where the argument of {name} ends", Reason.AMBIGUOUS)
        if name in ("log", "lg"):
            tree: Expression = (
                self.either(Apply("log", (argument, Number(10))), Apply("log", (argument, Constant("e"))))
                if base is None
                else Apply("log", (argument, base))
            )
        elif base is not None:
            raise self.not_read(f"{name} with a subscript")
        else:
            tree = Apply(name, (argument,))
            if name in _TRIGONOMETRIC and isinstance(argument, Number) and argument.value:
                tree = self.either(tree, Apply(name, (Apply("degree", (argument,)),)))
        return tree if power is None else Binary("^", tree, power)

    def big_operator(self, operator: str) -> Expression:
        """Read a finite sum or product."""
        self.expect("op", "_")
        self.expect("open", "{")
        index = self.take()
        if index.kind != "name" or not self.at("rel", "="):
            self.position -= 1
            raise self.not_read("a sum over something other than a range")
        self.position += 1
        low = self.additive()
        self.expect("close", "}")
        self.expect("op", "^")
        high = self.group("{") if self.at("open", "{") else self.argument()
        body = self.product()
        following = self.here
        if following.kind == "op" and following.text in ("+", "-", "mod"):
            raise self.not_read("where the sum ends", Reason.AMBIGUOUS)
        return BigOperator(operator, index.text, low, high, body)


@lru_cache(maxsize=10_000)
def numeral(text: str) -> Number:
    """A numeral as a number; raises ``NotRead`` where it is longer than is read."""
    if len(text) > 4_000:
        raise NotRead(Reason.TOO_LARGE, "a numeral of more than 4,000 digits")
    if "." not in text:
        return Number(int(text))
    whole, _, tail = text.partition(".")
    return Number(Fraction(int(whole + tail), 10 ** len(tail)), len(tail))


def is_plain_fraction(tree: Expression) -> bool:
    """Whether a tree is a numeral over a numeral."""
    return isinstance(tree, Binary) and isinstance(tree.left, Number) and isinstance(tree.right, Number)
