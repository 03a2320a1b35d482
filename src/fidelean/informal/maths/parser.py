"""Tokens of informal mathematics → a chain of expressions, or the reason why not.

A strict grammar: what it does not know, it does not guess. Where common usage gives a text two readings (mixed numbers,
``a / b(c)``, ``120 - 10 %``), the tree keeps both and a checker decides only if they agree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from fidelean.informal.maths.tokens import Token, tokenize
from fidelean.informal.maths.tree import (
    Ambiguous,
    Apply,
    BigOperator,
    Binary,
    Chain,
    Constant,
    Expression,
    Name,
    Negate,
    Number,
    Relation,
    Unit,
    is_deeper,
    names,
)
from fidelean.informal.records import Span
from fidelean.outcome import Reason

__all__ = ["MEASURES", "NotRead", "is_unit_text", "parse_chain", "parse_expression"]


class NotRead(Exception):
    """The text is outside the grammar; ``reason`` says how, ``detail`` where."""

    def __init__(self, reason: Reason, detail: str) -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(detail)


_MAX_LEVELS = 120
"""Deepest tree that is read; a sum of n terms has n levels."""
_MAX_CHOICES = 6
"""Most places of one expression, or chain, that have two readings."""
_END = Token("end", "", -1, -1)
_RELATION = {relation.value: relation for relation in Relation}
_CLOSES = {"(": ")", "[": "]", "{": "}", "\\{": "\\}", "⌊": "⌋", "⌈": "⌉", "|": "|"}
_TRIGONOMETRIC = frozenset(("sin", "cos", "tan", "cot", "sec", "csc"))
_ONE_ARGUMENT = _TRIGONOMETRIC | {"ln", "log", "lg", "exp", "arcsin", "arccos", "arctan", "floor", "ceil", "abs"}
_MANY_ARGUMENTS = frozenset(("gcd", "lcm", "max", "min"))
_ENDS_OPERAND = frozenset(("end", "rel", "close"))
_BETWEEN_OPERANDS = frozenset(("+", "-", "*", "/", "÷"))
_OPERANDS = frozenset(("open", "func", "const", "name", "big", "bar", "num", "vulgar", "group", "unit"))
_FUNCTION_LETTERS = frozenset("fghFGHPQRTφψ") | {"\\varphi", "\\phi", "\\psi"}
_NOT_A_UNIT = frozenset(
    "and or with if since where when is are remainder so then because for mod but by of times plus minus more less to r not "
    "than as the a an "
    "that which we have has equals equal squared cubed hundred thousand million billion trillion dozen half halves quarter "
    "thirds th st nd rd "
    "pair pairs decade decades century centuries score couple gross in at on from modulo left leaves leaving gives give get "
    "gets mean means instead be was were will would should over under between base".split()
)
MEASURES = frozenset(
    "h hr hrs hour hours min mins minute minutes s sec secs second seconds day days week weeks month months year years ft "
    "foot feet inch inches yd yard "
    "yards mi mile miles m cm mm km meter meters metre metres g kg mg gram grams lb lbs pound pounds oz ounce ounces ton tons "
    "l ml liter liters litre "
    "litres gallon gallons quart quarts pint pints cup cups mph kph dollar dollars cent cents euro euros degree degrees".split()
)
"""Units that may stand right against a numeral."""
_UNIT_TEXT = re.compile(r"[A-Za-z][A-Za-z .\-]{0,28}", re.ASCII)


def is_unit_text(text: str) -> bool:
    """Whether ``text`` can be read as a unit or a counted noun: at most three words, none of them with a meaning of its own."""
    words = text.split()
    return (
        0 < len(words) <= 3
        and all(word.lower().strip(".") not in _NOT_A_UNIT for word in words)
        and bool(_UNIT_TEXT.fullmatch(text.strip()))
    )


def parse_chain(text: str | Sequence[Token], *, max_depth: int = 60) -> Chain:
    """Read sides joined by relations.

    Args:
        text: the author's text, or its tokens.
        max_depth: deepest nesting that is read.

    Returns:
        The chain, at least two sides.

    Raises:
        NotRead: the text is outside the grammar, or holds no relation.
    """
    tokens = tokenize(text) if isinstance(text, str) else text
    return _Parser([t for t in tokens if t.kind not in ("delim", "newline", "align")], max_depth).chain()


def parse_expression(text: str | Sequence[Token], *, max_depth: int = 60) -> Expression:
    """Read one expression without a relation; raises ``NotRead`` like ``parse_chain``."""
    tokens = tokenize(text) if isinstance(text, str) else text
    return _Parser([t for t in tokens if t.kind not in ("delim", "newline", "align")], max_depth).whole_expression()


class _Parser:
    def __init__(self, tokens: list[Token], max_depth: int) -> None:
        self.tokens = [*tokens, _END]
        self.position = 0
        self.depth = 0
        self.max_depth = max_depth
        self.bars = 0
        self.choices = 0

    # Moving about

    @property
    def here(self) -> Token:
        return self.tokens[self.position]

    def peek(self, ahead: int = 1) -> Token:
        index = self.position + ahead
        return self.tokens[index] if index < len(self.tokens) else _END

    def take(self) -> Token:
        token = self.here
        if token is not _END:
            self.position += 1
        return token

    def at(self, kind: str, text: str) -> bool:
        token = self.here
        return token.kind == kind and token.text == text

    def expect(self, kind: str, text: str) -> None:
        if not self.at(kind, text):
            raise self.not_read(f"expected {text!r}")
        self.position += 1

    def not_read(self, detail: str, reason: Reason = Reason.NOT_READ) -> NotRead:
        token = self.here
        if reason is Reason.NOT_READ:
            if token.kind == "dots":
                return NotRead(Reason.HAS_ELLIPSIS, "dots stand for unwritten terms")
            if token.kind == "quant":
                return NotRead(Reason.QUANTIFIED, "a quantifier occurs")
            if token.kind in ("word", "text"):
                return NotRead(Reason.HAS_WORDS, f"the words {token.text.strip()!r} stand where a number should")
            if token.kind in ("cmd", "env") and "matrix" in token.text:
                return NotRead(Reason.OTHER_ARITHMETIC, "a matrix occurs")
        place = f"{token.text!r}" if token.kind != "end" else "the end"
        return NotRead(reason, f"{detail} at {place}")

    # Chains

    def chain(self) -> Chain:
        if self.here is _END:
            raise NotRead(Reason.NO_RELATION, "nothing is claimed")
        self.reject_leading_operator()
        sides: list[Expression] = []
        relations: list[Relation] = []
        spans: list[Span] = []
        while True:
            side, span = self.side()
            sides.append(side)
            spans.append(span)
            relation = self.relation()
            if relation is None:
                break
            relations.append(relation)
        modulus = self.modulus()
        if self.here is not _END:
            raise self.not_read("cannot read on")
        if not relations:
            raise NotRead(Reason.NO_RELATION, "nothing is claimed")
        last = sides[-1]
        if modulus is None and Relation.CONGRUENT in relations and isinstance(last, Binary) and last.operator == "mod":
            sides[-1], modulus = last.left, last.right
        return Chain(tuple(sides), tuple(relations), tuple(spans), modulus)

    def whole_expression(self) -> Expression:
        if self.here is _END:
            raise NotRead(Reason.FRAGMENT, "nothing is written")
        tree = self.bounded()
        if self.here is not _END:
            raise self.not_read("cannot read on")
        return tree

    def reject_leading_operator(self) -> None:
        first, second = self.tokens[0], self.peek()
        if first.kind == "rel":
            raise NotRead(Reason.FRAGMENT, "starts with a relation")
        if first.kind == "op" and not (first.text in "+-" and second.start == first.end):
            raise NotRead(Reason.FRAGMENT, "starts with an operator")

    def side(self) -> tuple[Expression, Span]:
        if self.here is _END:
            raise NotRead(Reason.FRAGMENT, "ends with a relation")
        start = self.here.start
        tree = self.bounded()
        return tree, Span(start, self.tokens[self.position - 1].end)

    def bounded(self) -> Expression:
        """An expression that whoever walks through it can recurse into."""
        tree = self.additive()
        if len(self.tokens) > _MAX_LEVELS and is_deeper(tree, _MAX_LEVELS):
            raise NotRead(Reason.TOO_LARGE, f"more than {_MAX_LEVELS} operations inside each other")
        return tree

    def relation(self) -> Relation | None:
        token = self.here
        if token.kind == "rel":
            self.position += 1
            return _RELATION[token.text]
        if token.kind == "bar" and not self.bars:
            self.position += 1
            return Relation.DIVIDES
        if token.kind == "cmd" and token.text == "\\not" and self.peek().text == "=":
            self.position += 2
            return Relation.NOT_EQUAL
        if token.kind == "op" and token.text == "!" and self.peek().text == "=" and self.peek().start == token.end:
            self.position += 2
            return Relation.NOT_EQUAL
        return None

    def modulus(self) -> Expression | None:
        if self.here.kind == "pmod":
            self.position += 1
            return self.argument()
        if self.at("open", "(") and (self.peek().text == "mod" or self.peek().text.lower() == "modulo"):
            self.position += 2
            value = self.additive()
            self.expect("close", ")")
            return value
        return None

    # Sums and products

    def additive(self) -> Expression:
        left = self.product()
        while True:
            token = self.here
            if token.kind != "op" or token.text not in ("+", "-", "±", "mod"):
                return left
            if token.text == "±":
                raise self.not_read("both signs are meant", Reason.AMBIGUOUS)
            self.position += 1
            right = self.product()
            left = self.modulo(left, right) if token.text == "mod" else self.sum(token.text, left, right)

    def sum(self, operator: str, left: Expression, right: Expression) -> Expression:
        plain = Binary(operator, left, right)
        if _is_percent(right) and not _has_percent(left):
            return self.either(plain, Binary("*", left, Binary(operator, Number(1), right)))
        return plain

    def modulo(self, left: Expression, right: Expression) -> Expression:
        whole = Binary("mod", left, right)
        if isinstance(left, Binary) and left.operator in ("+", "-"):
            return self.either(whole, Binary(left.operator, left.left, Binary("mod", left.right, right)))
        return whole

    def either(self, first: Expression, second: Expression) -> Expression:
        """Two readings of one text; their number is bounded, because each doubles the work of whoever walks through the tree."""
        self.choices += 1
        if self.choices > _MAX_CHOICES:
            raise NotRead(Reason.AMBIGUOUS, "too many readings")
        return Ambiguous(first, second)

    def product(self) -> Expression:
        left = self.signed()
        while True:
            token = self.here
            kind = token.kind
            if kind == "op" and token.text in ("*", "÷"):
                self.position += 1
                left = self.divided(left, self.signed()) if token.text == "÷" else Binary("*", left, self.signed())
            elif kind == "op" and token.text == "/":
                self.position += 1
                left = self.divided(left, self.signed())
            elif kind in ("word", "text") and token.text.strip().lower() == "of" and _is_share(left):
                self.position += 1
                left = Binary("*", left, self.signed())
            elif kind in _OPERANDS and not (kind == "bar" and self.bars) and not self.starts_modulus():
                left = self.juxtaposed(left)
            else:
                return left

    def starts_modulus(self) -> bool:
        return self.at("open", "(") and self.peek().text.lower() in ("mod", "modulo")

    def divided(self, left: Expression, right: Expression) -> Expression:
        quotient = Binary("/", left, right)
        token = self.here
        if token.kind not in _OPERANDS or (token.kind == "bar" and self.bars) or self.starts_modulus():
            return quotient
        factor = self.power()
        return self.either(Binary("*", quotient, factor), Binary("/", left, Binary("*", right, factor)))

    def juxtaposed(self, left: Expression) -> Expression:
        if self.here.kind in ("num", "unit", "bar"):
            raise self.not_read("two operands stand side by side")
        if isinstance(left, Name) and self.at("open", "(") and left.name.split("_")[0] in _FUNCTION_LETTERS:
            call: Expression = Apply("call", (left, *self.arguments()))
            if self.at("op", "^"):
                self.position += 1
                call = self.exponent(call)
            return call
        return Binary("*", left, self.power())

    def signed(self) -> Expression:
        token = self.here
        if token.kind == "num" and self.stands_alone():
            self.position += 1
            return _numeral(token.text)
        if token.kind == "op" and token.text in ("+", "-"):
            self.position += 1
            if self.here.kind == "op" and self.here.text in ("+", "-"):
                raise (
                    self.not_read("two signs in a row", Reason.AMBIGUOUS)
                    if token.end != self.here.start
                    else self.not_read("two signs in a row")
                )
            operand = self.power()
            return operand if token.text == "+" else Negate(operand)
        return self.power()

    def stands_alone(self) -> bool:
        """Whether nothing behind the operand here belongs to it; most numerals are read this way, without looking further."""
        following = self.tokens[self.position + 1]
        return following.kind in _ENDS_OPERAND or (following.kind == "op" and following.text in _BETWEEN_OPERANDS)

    # Powers and what follows an operand

    def power(self) -> Expression:
        self.depth += 1
        if self.depth > self.max_depth:
            raise NotRead(Reason.TOO_LARGE, "nested too deeply")
        base = self.postfix(self.primary())
        token = self.here
        if token.kind == "super":
            self.position += 1
            base = self.postfix(Binary("^", base, _integer(token)))
        elif token.kind == "op" and token.text == "^":
            self.position += 1
            base = self.exponent(base)
        self.depth -= 1
        return base

    def exponent(self, base: Expression) -> Expression:
        if self.here.kind == "circ":
            self.position += 1
            return Apply("degree", (base,))
        if self.at("open", "{") and self.peek().kind == "circ" and self.peek(2).text == "}":
            self.position += 3
            return self.postfix(Apply("degree", (base,)))
        if isinstance(base, Unit):  # the power belongs to the unit: 80 cm^3
            self.power()
            return base
        power = self.group("{") if self.at("open", "{") else self.signed()
        result = Binary("^", base, power)
        if self.at("op", "!") or self.tokens[self.position - 1].text in ("!", "%"):
            raise self.not_read("a factorial or a percent sign behind a power", Reason.AMBIGUOUS)
        return self.postfix(result)

    def postfix(self, operand: Expression) -> Expression:
        while True:
            token = self.here
            if token.kind == "op" and token.text == "!" and not self.is_unequal():
                self.position += 1
                if self.at("op", "!"):
                    raise self.not_read("a double factorial")
                operand = Apply("factorial", (operand,))
            elif token.kind == "op" and token.text == "%":
                self.position += 1
                operand = Apply("percent", (operand,))
            elif token.kind == "degree":
                self.position += 1
                operand = Apply("degree", (operand,))
            elif token.kind in ("word", "text") and not (token.text.strip().lower() == "of" and _is_share(operand)):
                operand = Unit(operand, self.unit())
            else:
                return operand

    def is_unequal(self) -> bool:
        """Whether ``!`` starts ``!=``: it stands apart from the operand and close to the equals sign."""
        token, following, previous = self.here, self.peek(), self.tokens[self.position - 1]
        return following.text == "=" and following.start == token.end and token.start > previous.end

    def unit(self) -> str:
        first, previous = self.here, self.tokens[self.position - 1]
        words: list[str] = []
        if first.kind == "word" and first.text.lower() not in MEASURES and (first.start == previous.end or len(first.text) < 3):
            raise NotRead(Reason.HAS_VARIABLE, f"{first.text!r} may be a product of variables")
        while self.here.kind in ("word", "text"):
            words.append(self.take().text.strip())
        text = " ".join(words)
        if not is_unit_text(text):
            raise NotRead(Reason.HAS_WORDS, f"the words {text!r} are no unit")
        while self.at("op", "/") and self.peek().kind in ("word", "text"):
            self.position += 1
            text += "/" + self.take().text.strip()
        return _singular(text.lower())

    # Operands

    def primary(self) -> Expression:
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
        sign = self.at("op", "-")
        if sign:
            self.position += 1
        if self.here.kind != "num":
            raise self.not_read("a currency without an amount")
        amount = self.number(self.take())
        return Negate(amount) if sign else amount

    def name(self, token: Token) -> Expression:
        text = token.text
        if self.at("op", "_"):
            self.position += 1
            start = self.position
            if self.at("open", "{"):
                self.skip_group()
            elif self.take() is _END:
                raise NotRead(Reason.FRAGMENT, "a subscript is missing")
            text += "_" + "".join(t.text for t in self.tokens[start : self.position] if t.text not in "{}")
        if self.here.kind == "prime":
            self.position += 1
            text += "'"
        return Name(text)

    def skip_group(self) -> None:
        depth = 0
        while True:
            token = self.take()
            if token is _END:
                raise NotRead(Reason.NOT_READ, "a brace is not closed")
            depth += (token.text == "{") - (token.text == "}")
            if depth == 0:
                return

    def number(self, token: Token) -> Expression:
        tree: Expression = _numeral(token.text)
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
            if not names(fraction) and _is_plain_fraction(fraction):
                return self.either(Binary("+", tree, fraction), Binary("*", tree, fraction))
            return Binary("*", tree, fraction)
        if following.kind == "vulgar":
            return Binary("+", tree, self.primary())
        if following.kind == "num" and following.start > token.end and self.peek().text == "/" and self.peek(2).kind == "num":
            fraction = Binary("/", _numeral(self.take().text), _numeral((self.take(), self.take())[1].text))
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
        repeated = Fraction(_numeral(period.text).value, scale * (10 ** len(period.text) - 1))
        return Number(Fraction(int(whole + tail), scale) + repeated)

    def bracketed(self) -> Expression:
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
        self.bars += 1
        inside = self.additive()
        self.bars -= 1
        if not (self.here.kind in ("bar", "close") and self.here.text == "|"):
            raise self.not_read("expected '|'")
        self.position += 1
        return Apply("abs", (inside,))

    def group(self, opening: str) -> Expression:
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
        self.depth += 1
        if self.depth > self.max_depth:
            raise NotRead(Reason.TOO_LARGE, "nested too deeply")
        tree = self.primary()
        self.depth -= 1
        return tree

    def arguments(self) -> tuple[Expression, ...]:
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
            whole = Apply("root", (_numeral(token.text), index))
            if "." in token.text:
                return whole
            first, rest = Number(int(token.text[0])), Number(int(token.text[1:]))
            return self.either(whole, Binary("*", Apply("root", (first, index)), rest))
        return Apply("root", (self.deeper_primary(), index))

    def elementary(self, name: str) -> Expression:
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
            bare and ((following.kind in _OPERANDS and following.kind != "func") or (following.kind == "op" and following.text in "*/÷"))
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


def _numeral(text: str) -> Number:
    if len(text) > 4_000:
        raise NotRead(Reason.TOO_LARGE, "a numeral of more than 4,000 digits")
    whole, point, tail = text.partition(".")
    if not point:
        return Number(int(whole))
    return Number(Fraction(int(whole + tail), 10 ** len(tail)), len(tail))


def _integer(token: Token) -> Expression:
    try:
        value = int(token.text)
    except ValueError:
        raise NotRead(Reason.NOT_READ, "a superscript that is no integer") from None
    return Number(value) if value >= 0 else Negate(Number(-value))


def _singular(unit: str) -> str:
    return unit[:-1] if len(unit) > 3 and unit.endswith("s") and not unit.endswith("ss") else unit


def _is_plain_fraction(tree: Expression) -> bool:
    return isinstance(tree, Binary) and isinstance(tree.left, Number) and isinstance(tree.right, Number)


def _is_share(tree: Expression) -> bool:
    """Whether "of" behind the operand means "times": a percentage or a fraction."""
    return (isinstance(tree, Apply) and tree.function == "percent") or _is_plain_fraction(tree)


def _is_percent(tree: Expression) -> bool:
    return isinstance(tree, Apply) and tree.function == "percent"


def _has_percent(tree: Expression) -> bool:
    return _is_percent(tree) or (isinstance(tree, Binary) and (_has_percent(tree.left) or _has_percent(tree.right)))
