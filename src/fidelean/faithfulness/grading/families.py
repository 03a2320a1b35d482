"""Families of models: judges of one family share their faults, and a judge shares those of a drafter of its family."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fidelean.errors import UsageError
from fidelean.faithfulness.grading.records import Preset

__all__ = ["family_of", "require_independent"]

_FAMILIES = {
    "gpt": "gpt",
    "chatgpt": "gpt",
    "o": "gpt",
    "codex": "gpt",
    "claude": "claude",
    "gemini": "gemini",
    "gemma": "gemini",
    "llama": "llama",
    "qwen": "qwen",
    "qwq": "qwen",
    "mistral": "mistral",
    "mixtral": "mistral",
    "magistral": "mistral",
    "codestral": "mistral",
    "deepseek": "deepseek",
    "kimi": "kimi",
    "kimina": "qwen",
    "grok": "grok",
    "glm": "glm",
    "phi": "phi",
}
"""First word of a model's name → its family. Kimina models are trained from Qwen."""


def family_of(name: str) -> str:
    """Give the family of a model by its name: ``openai:gpt-5.2`` and ``openai-compatible:openai/gpt-oss@http://...`` are both ``gpt``.

    A name of no known family is a family of its own.
    """
    kind, _, rest = name.partition(":")
    model = rest.partition("@")[0].rpartition("/")[2].lower()
    word = re.match(r"[a-z]+", model)
    if kind in ("replay", "exchange", "scripted") or word is None:
        return name
    return _FAMILIES.get(word[0], word[0])


def require_independent(judges: Sequence[str], drafter: str | None, preset: Preset) -> None:
    """Raise ``UsageError`` where the judges are not two or more of different families, or one is of the drafter's.

    No judge at all is no fault. The preset ``paper`` allows the drafter's family; the verdict then marks the dependence.
    """
    if not judges:
        return
    if len(judges) < 2:
        raise UsageError("one judge is no consensus: name a second one, of another family")
    families = [family_of(judge) for judge in judges]
    if len(set(families)) < len(families):
        twice = next(family for family in families if families.count(family) > 1)
        raise UsageError(f"two judges of one family ({twice}) are not independent: name one of another family")
    if drafter is not None and preset is not Preset.PAPER and family_of(drafter) in families:
        raise UsageError(
            f"a judge is of the family that drafted the statement ({family_of(drafter)}): "
            "name a judge of another family, or choose the preset paper, which marks the dependence"
        )
