"""Words that can be units or counted nouns, and words that never are."""

from __future__ import annotations

import re

__all__ = ["MEASURES", "is_unit_text", "singular"]

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


def singular(unit: str) -> str:
    """A unit without the ending of a plural, as far as an ending tells."""
    return unit[:-1] if len(unit) > 3 and unit.endswith("s") and not unit.endswith("ss") else unit
