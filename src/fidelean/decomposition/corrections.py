"""Conditions that a reader corrects: one that was misread is dropped, one that was missed is added."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from fidelean.decomposition.records import Condition, ProofTree
from fidelean.errors import InputError
from fidelean.informal.records import Correction

__all__ = ["corrected", "correction_notices", "read_corrections"]


class _CorrectionForm(BaseModel):
    model_config = ConfigDict(extra="forbid")

    drop: str = Field(default="", max_length=4_000)
    add: str = Field(default="", max_length=4_000)

    @model_validator(mode="after")
    def says_one_thing(self) -> _CorrectionForm:
        if bool(self.drop.strip()) == bool(self.add.strip()):
            raise ValueError('give either "drop" or "add"')
        return self


_FORM = TypeAdapter(list[_CorrectionForm])


def read_corrections(text: str, *, source: str) -> tuple[Correction, ...]:
    """Read corrections from JSON: ``[{"drop": "x: natural"}, {"add": "$x$ is a real number."}]``. Raises ``InputError``."""
    try:
        return tuple(Correction(one.drop.strip(), one.add.strip()) for one in _FORM.validate_json(text))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"no list of corrections: {place + ': ' if place else ''}{first['msg']}", source=source) from None


def corrected(tree: ProofTree, corrections: Sequence[Correction], added: tuple[Condition, ...]) -> ProofTree:
    """The tree with the corrections carried out in every state; ``added`` are the conditions read from what they add."""
    dropped = {one.drop for one in corrections if one.drop}
    states = [
        replace(state, conditions=(*added, *(condition for condition in state.conditions if condition.text not in dropped)))
        for state in tree.states
    ]
    return replace(tree, states=tuple(states))


def correction_notices(tree: ProofTree, corrections: Sequence[Correction], added: Sequence[Condition]) -> tuple[str, ...]:
    """What a reader must know about corrections, given the tree without them: what was changed, and what changes nothing."""
    known = {condition.text for state in tree.states for condition in state.conditions}
    missing = [json.dumps(one.drop, ensure_ascii=False) for one in corrections if one.drop and one.drop not in known]
    unread = [json.dumps(condition.text, ensure_ascii=False) for condition in added if not condition.was_read]
    said = ["the conditions were corrected by hand"] if corrections else []
    said += [f"no condition reads {text}: nothing was dropped" for text in missing]
    return (*said, *(f"the condition {text} was added but could not be read" for text in unread))
