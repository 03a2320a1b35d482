"""The lexer of informal mathematics: LaTeX, Unicode and plain text alike, offsets kept.

Nothing is normalised before it is read, so every token knows where it stands in the author's text.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FUNCTIONS", "Token", "tokenize"]


class Token(NamedTuple):
    """A piece of text with its kind."""

    kind: str
    """``num name word func op rel open close text cmd sep delim dots quant super unit arrow break other``."""
    text: str
    """Canonical spelling for known tokens (``*`` for ``\\times``), else as written."""
    start: int
    """Offset of the first code point."""
    end: int
    """Offset past the last code point."""


FUNCTIONS = frozenset(
    "sqrt cbrt root gcd lcm min max log ln lg exp floor ceil abs binom sin cos tan cot sec csc arcsin arccos arctan mod pi pmod".split()
)

_OPERATORS = {
    **dict.fromkeys(("*", "×", "·", "⋅", "∗", "∙", "•", "\\times", "\\cdot", "\\ast", "\\*"), "*"),
    **dict.fromkeys(("÷", "\\div"), "÷"),
    **dict.fromkeys(("-", "−", "\\minus"), "-"),
    **dict.fromkeys(("/", "∕", "⁄"), "/"),
    **dict.fromkeys(("\\bmod", "\\mod"), "mod"),
    **dict.fromkeys(("%", "\\%", "٪"), "%"),
    **dict.fromkeys(("^", "ˆ"), "^"),
    "+": "+",
    "!": "!",
    "_": "_",
    "±": "±",
    "\\pm": "±",
    "\\mp": "±",
}
_RELATIONS = {
    "=": "=",
    **dict.fromkeys(("<", "\\lt"), "<"),
    **dict.fromkeys((">", "\\gt"), ">"),
    **dict.fromkeys(("≤", "≦", "⩽", "<=", "\\le", "\\leq", "\\leqslant", "\\leqq"), "≤"),
    **dict.fromkeys(("≥", "≧", "⩾", ">=", "\\ge", "\\geq", "\\geqslant", "\\geqq"), "≥"),
    **dict.fromkeys(("≠", "\\ne", "\\neq", "/=", "=/="), "≠"),
    **dict.fromkeys(("≈", "≃", "≅", "\\approx", "\\simeq", "\\approxeq", "~="), "≈"),
    **dict.fromkeys(("≡", "\\equiv"), "≡"),
    **dict.fromkeys(("∣", "\\mid"), "∣"),
    **dict.fromkeys(("∤", "\\nmid"), "∤"),
    **dict.fromkeys(("==",), "="),
}
_OPEN = {**dict.fromkeys("([{", ""), "\\{": "", "\\lbrace": "", "\\lbrack": ""}
_BRACKETS = {
    "(": ("open", "("),
    "[": ("open", "["),
    "{": ("open", "{"),
    ")": ("close", ")"),
    "]": ("close", "]"),
    "}": ("close", "}"),
    "\\{": ("open", "\\{"),
    "\\}": ("close", "\\}"),
    "\\lbrace": ("open", "\\{"),
    "\\rbrace": ("close", "\\}"),
    "\\lbrack": ("open", "["),
    "\\rbrack": ("close", "]"),
    **dict.fromkeys(("\\lfloor", "⌊"), ("open", "⌊")),
    **dict.fromkeys(("\\rfloor", "⌋"), ("close", "⌋")),
    **dict.fromkeys(("\\lceil", "⌈"), ("open", "⌈")),
    **dict.fromkeys(("\\rceil", "⌉"), ("close", "⌉")),
    **dict.fromkeys(("\\lvert",), ("open", "|")),
    **dict.fromkeys(("\\rvert",), ("close", "|")),
    **dict.fromkeys(("|", "\\vert"), ("bar", "|")),
    **dict.fromkeys(("\\$", "€", "£", "¥"), ("unit", "$")),
    **dict.fromkeys(("°", "\\degree"), ("degree", "°")),
    **dict.fromkeys(("√",), ("func", "sqrt")),
    **dict.fromkeys(("∛",), ("func", "cbrt")),
    **dict.fromkeys(("π", "\\pi"), ("const", "pi")),
    **dict.fromkeys(("∑", "\\sum", "\\Sigma"), ("big", "sum")),
    **dict.fromkeys(("∏", "\\prod"), ("big", "prod")),
    **dict.fromkeys(("\\frac", "\\dfrac", "\\tfrac", "\\cfrac"), ("func", "frac")),
    **dict.fromkeys(("\\binom", "\\dbinom", "\\tbinom"), ("func", "binom")),
    **dict.fromkeys(("\\choose",), ("choose", "choose")),
    **dict.fromkeys(("\\over",), ("over", "over")),
    **dict.fromkeys(("\\overline", "\\bar"), ("overline", "overline")),
    **dict.fromkeys(("…", "\\ldots", "\\cdots", "\\dots", "\\dotsc", "\\dotsb", "\\vdots", "⋯", "..."), ("dots", "…")),
    **dict.fromkeys(("\\forall", "∀"), ("quant", "∀")),
    **dict.fromkeys(("\\exists", "∃"), ("quant", "∃")),
    **dict.fromkeys((",", ";", "\\quad", "\\qquad", ":", "\\colon"), ("sep", ",")),
    ".": ("stop", "."),
    "?": ("stop", "?"),
    "&": ("align", "&"),
    "\\\\": ("break", "\\\\"),
    **dict.fromkeys(("$", "$$", "\\(", "\\)", "\\[", "\\]"), ("delim", "$")),
    **dict.fromkeys(("'", "′", "\\prime"), ("prime", "'")),
    **dict.fromkeys(
        ("\\Rightarrow", "\\implies", "⇒", "→", "\\to", "\\rightarrow", "=>", "->", "\\Longrightarrow", "\\iff", "⇔", "\\Leftrightarrow"),
        ("arrow", "⇒"),
    ),
    **dict.fromkeys(("\\therefore", "∴", "\\because"), ("arrow", "∴")),
    "\\boxed": ("group", "boxed"),
    "\\mathbf": ("group", "mathbf"),
    "\\pmod": ("pmod", "pmod"),
    "\\circ": ("circ", "∘"),
    "½": ("vulgar", "1/2"),
    "¼": ("vulgar", "1/4"),
    "¾": ("vulgar", "3/4"),
    "⅓": ("vulgar", "1/3"),
    "⅔": ("vulgar", "2/3"),
}
_FUNCTION_COMMANDS = {f"\\{name}": name for name in FUNCTIONS if name not in ("pmod", "pi", "mod")}
_SPACE_COMMANDS = frozenset(
    "\\, \\; \\: \\! \\/ \\> ~ \\left \\right \\big \\Big \\bigg \\Bigg \\bigl \\bigr \\Bigl \\Bigr \\biggl \\biggr "
    "\\displaystyle \\textstyle \\limits \\nolimits \\allowbreak \\nonumber \\hfill \\hspace \\vspace".split()
) | {"\\ ", "\\\n"}
_FIXED: dict[str, tuple[str, str]] = {
    **{key: ("op", value) for key, value in _OPERATORS.items()},
    **{key: ("rel", value) for key, value in _RELATIONS.items()},
    **_BRACKETS,
    **{key: ("func", value) for key, value in _FUNCTION_COMMANDS.items()},
}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_TOKEN = re.compile(
    r"""
    [A-Za-z]+ | \n
  | \\(?:text|mathrm|textbf|textit|mathit|mbox|hbox|textrm|operatorname|mathsf|texttt|emph|tag)\*?\s*\{[^{}]*\}
  | \\(?:left|right|[bB]igg?[lrm]?)\s*(?:[()\[\]|.⌊⌋⌈⌉]|\\(?:[{}|]|[lr](?:brace|brack|floor|ceil|vert)(?![A-Za-z])|vert(?![A-Za-z])))
  | \\(?:begin|end)\s*\{[^{}]*\}
  | \\[A-Za-z]+ | \\[\s\S]
  | [0-9]{1,3}(?:(?:,|\{,\}|\\,|\\!)[0-9]{3})+(?![0-9])(?:\.[0-9]+)?
  | [0-9]+\.(?=\s*\\(?:overline|bar)\b)
  | [0-9]+(?:\.[0-9]+)? | \.[0-9]+
  | [⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+
  | \.\.\.+ | \*\*+ | \$\$ | => | -> | =/= | == | <= | >= | ~= | \S
    """,
    re.VERBOSE | re.DOTALL,
)
_SIZE = re.compile(r"\\(?:left|right|[bB]igg?[lrm]?)\s*")
_SIDE = re.compile(r"\\(?:(left|[bB]igg?l)|right|[bB]igg?r)")
_GROUPED = re.compile(r",|\{,\}|\\,|\\!")


def tokenize(text: str) -> list[Token]:
    """Cut ``text`` into tokens; white space and spacing commands are dropped, line ends stay as ``newline`` tokens.

    Never fails: what is not known becomes a token of kind ``other`` or ``cmd``. Linear in the length of ``text``.
    """
    tokens: list[Token] = []
    append, learned, make = tokens.append, _LEARNED, _make
    for match in _TOKEN.finditer(text):
        piece = match.group()
        known = learned.get(piece)
        if known is None:
            known = _classified(piece)
            if len(learned) < _MAX_LEARNED:
                learned[piece] = known
        if known[0]:
            append(make((*known, *match.span())))
    return tokens


_make = cast("Callable[[tuple[str, str, int, int]], Token]", partial(tuple.__new__, Token))  # pyright: ignore[reportUnknownMemberType]
"""Makes a token without its constructor, which takes three times as long: there are many of them."""
_MAX_LEARNED = 50_000
_LEARNED: dict[str, tuple[str, str]] = {}
"""Kind and canonical spelling of the pieces met so far, the kind empty for white space; a piece alone decides, so nothing goes stale."""


def _classified(piece: str) -> tuple[str, str]:
    if piece in _FIXED:
        return _FIXED[piece]
    first = piece[0]
    if first in "0123456789" or (first == "." and len(piece) > 1 and piece[1] in "0123456789"):
        return "num", piece if piece.isdigit() else _GROUPED.sub("", piece)
    if first == "\\":
        token = _command(piece, 0, len(piece))
        return ("", "") if token is None else (token.kind, token.text)
    if first.isascii() and first.isalpha():
        return _letters(piece)
    if first in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻":
        return "super", piece.translate(_SUPERSCRIPTS)
    simple = {"\n": ("newline", piece), ".": ("dots", "…"), "*": ("bold", piece)}
    return simple.get(first) or ("name" if first.isalpha() else "other", piece)


def _letters(piece: str) -> tuple[str, str]:
    if len(piece) == 1:
        return ("const" if piece == "e" else "name"), piece
    lowered = piece.lower()
    if lowered == "pi":
        return "const", "pi"
    if lowered == "mod":
        return "op", "mod"
    return ("func", lowered) if lowered in FUNCTIONS else ("word", piece)


_GREEK = frozenset(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi rho sigma tau upsilon phi varphi chi psi "
    "omega Gamma Delta Theta Lambda Xi Phi Psi Omega ell hbar infty triangle angle".split()
)


def _sized(bracket: str, piece: str, start: int, end: int) -> Token | None:
    r"""A bracket with its size, one token that starts where the size does; ``\left.`` is no bracket at all."""
    if bracket == ".":
        return None
    kind, text = _FIXED.get(bracket, ("other", bracket))
    if kind == "bar" and (side := _SIDE.match(piece)):
        kind = "open" if side.group(1) else "close"
    return Token(kind, text, start, end)


def _command(piece: str, start: int, end: int) -> Token | None:
    if piece in _SPACE_COMMANDS:
        return None
    size = _SIZE.match(piece)
    if size is not None and size.end() < len(piece):
        return _sized(piece[size.end() :], piece, start, end)
    brace = piece.find("{")
    if brace > 0:
        content = piece[brace + 1 : -1]
        if piece.startswith(("\\begin", "\\end")):
            return (
                Token("env", piece[1:4], start, end)
                if "matrix" not in content and "cases" not in content
                else Token("cmd", piece, start, end)
            )
        if content.strip().lower() in ("lcm", "gcd", "mod", "max", "min", "ln", "log", "floor", "ceil"):
            name = content.strip().lower()
            return Token("op", "mod", start, end) if name == "mod" else Token("func", name, start, end)
        return Token("text", content, start, end)
    if piece[1:] in _GREEK:
        return Token("name", piece, start, end)
    return Token("cmd", piece, start, end)
