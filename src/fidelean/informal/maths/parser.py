"""Tokens of informal mathematics → a chain of expressions, or the reason why not.

A strict grammar: what it does not know, it does not guess. Where common usage gives a text two readings (mixed numbers,
``a / b(c)``, ``120 - 10 %``), the tree keeps both and a checker decides only if they agree.
"""

from __future__ import annotations

from collections.abc import Sequence

from fidelean.informal.maths.cursor import END, MAX_LEVELS, NotRead
from fidelean.informal.maths.operands import OPERANDS, Operands, is_plain_fraction, numeral
from fidelean.informal.maths.tokens import Token, tokenize
from fidelean.informal.maths.tree import Apply, Binary, Chain, Expression, Name, Negate, Number, Relation, Unit, is_deeper
from fidelean.informal.maths.unit_words import MEASURES, is_unit_text, singular
from fidelean.informal.records import Span
from fidelean.outcome import Reason

__all__ = ["NotRead", "parse_chain", "parse_expression"]

_RELATION = {relation.value: relation for relation in Relation}
_ENDS_OPERAND = frozenset(("end", "rel", "close"))
_BETWEEN_OPERANDS = frozenset(("+", "-", "*", "/", "÷"))
_FUNCTION_LETTERS = frozenset("fghFGHPQRTφψ") | {"\\varphi", "\\phi", "\\psi"}


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


class _Parser(Operands):
    """Chains, sums, products, powers."""

    # Chains

    def chain(self) -> Chain:
        if self.here is END:
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
        if self.here is not END:
            raise self.not_read("cannot read on")
        if not relations:
            raise NotRead(Reason.NO_RELATION, "nothing is claimed")
        last = sides[-1]
        if modulus is None and Relation.CONGRUENT in relations and isinstance(last, Binary) and last.operator == "mod":
            sides[-1], modulus = last.left, last.right
        return Chain(tuple(sides), tuple(relations), tuple(spans), modulus)

    def whole_expression(self) -> Expression:
        if self.here is END:
            raise NotRead(Reason.FRAGMENT, "nothing is written")
        tree = self.bounded()
        if self.here is not END:
            raise self.not_read("cannot read on")
        return tree

    def reject_leading_operator(self) -> None:
        first, second = self.tokens[0], self.peek()
        if first.kind == "rel":
            raise NotRead(Reason.FRAGMENT, "starts with a relation")
        if first.kind == "op" and not (first.text in "+-" and second.start == first.end):
            raise NotRead(Reason.FRAGMENT, "starts with an operator")

    def side(self) -> tuple[Expression, Span]:
        if self.here is END:
            raise NotRead(Reason.FRAGMENT, "ends with a relation")
        start = self.here.start
        tree = self.bounded()
        return tree, Span(start, self.tokens[self.position - 1].end)

    def bounded(self) -> Expression:
        """An expression that whoever walks through it can recurse into."""
        tree = self.additive()
        if len(self.tokens) > MAX_LEVELS and is_deeper(tree, MAX_LEVELS):
            raise NotRead(Reason.TOO_LARGE, f"more than {MAX_LEVELS} operations inside each other")
        return tree

    def relation(self) -> Relation | None:
        token = self.tokens[self.position]
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
            token = self.tokens[self.position]
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

    def product(self) -> Expression:
        left = self.signed()
        while True:
            token = self.tokens[self.position]
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
            elif kind in OPERANDS and not (kind == "bar" and self.bars) and not self.starts_modulus():
                left = self.juxtaposed(left)
            else:
                return left

    def starts_modulus(self) -> bool:
        return self.at("open", "(") and self.peek().text.lower() in ("mod", "modulo")

    def divided(self, left: Expression, right: Expression) -> Expression:
        quotient = Binary("/", left, right)
        token = self.tokens[self.position]
        if token.kind not in OPERANDS or (token.kind == "bar" and self.bars) or self.starts_modulus():
            return quotient
        factor = self.power()
        return self.either(Binary("*", quotient, factor), Binary("/", left, Binary("*", right, factor)))

    def juxtaposed(self, left: Expression) -> Expression:
        if self.here.kind in ("num", "unit", "bar"):
            raise self.not_read("two operands stand side by side")
        if (
            isinstance(left, Name)
            and self.at("open", "(")
            and (left.name.split("_")[0] in _FUNCTION_LETTERS or self.looks_like_call(left.name))
        ):
            call: Expression = Apply("call", (left, *self.arguments()))
            if self.at("op", "^"):
                self.position += 1
                call = self.exponent(call)
            return call
        return Binary("*", left, self.power())

    def looks_like_call(self, name: str) -> bool:
        """Whether a capital stands before one letter in brackets, as in "A(x)": nobody writes such a product."""
        return name[0].isupper() and self.peek().kind == "name" and self.peek(2).text == ")"

    def signed(self) -> Expression:
        token = self.tokens[self.position]
        if token.kind == "num" and self.stands_alone():
            self.position += 1
            return numeral(token.text)
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
        token = self.tokens[self.position]
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
            token = self.tokens[self.position]
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
        return singular(text.lower())

    # Operands


def _integer(token: Token) -> Expression:
    try:
        value = int(token.text)
    except ValueError:
        raise NotRead(Reason.NOT_READ, "a superscript that is no integer") from None
    return Number(value) if value >= 0 else Negate(Number(-value))


def _is_share(tree: Expression) -> bool:
    """Whether "of" behind the operand means "times": a percentage or a fraction."""
    return (isinstance(tree, Apply) and tree.function == "percent") or is_plain_fraction(tree)


def _is_percent(tree: Expression) -> bool:
    return isinstance(tree, Apply) and tree.function == "percent"


def _has_percent(tree: Expression) -> bool:
    return _is_percent(tree) or (isinstance(tree, Binary) and (_has_percent(tree.left) or _has_percent(tree.right)))
