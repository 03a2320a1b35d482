"""From a model's name to the model: ``openai:gpt-5``, ``replay:run.jsonl``, ``exchange:inbox``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from fidelean.errors import UsageError
from fidelean.llm.conversation import ReplyMode
from fidelean.llm.desk import Desk
from fidelean.llm.exchange import ExchangeModel
from fidelean.llm.model import LanguageModel
from fidelean.llm.prices import PriceTable
from fidelean.llm.providers import PROVIDERS, Connection, connect
from fidelean.llm.records import ModelRole
from fidelean.llm.replay import ReplayModel
from fidelean.runs.ledger import Ledger
from fidelean.settings import ConnectionSettings, Settings

__all__ = ["NAMES", "desk_from", "model_from", "models_from"]

NAMES = "openai:MODEL, anthropic:MODEL, google:MODEL, openai-compatible:MODEL@http://HOST:PORT/v1, replay:FILE or exchange:DIR"
"""The forms of a name, for whoever got one wrong."""


def model_from(name: str, settings: Settings | None = None, *, role: ModelRole = ModelRole.MAIN) -> LanguageModel:
    """Give the model that a name stands for; ``role`` matters for recordings, which hold the replies of each.

    Nothing is sent. Raises ``UsageError`` where the name, the key or an address is missing or wrong, ``InputError`` where a recording
    cannot be read.
    """
    kind, _, rest = name.partition(":")
    if not rest or kind not in (*PROVIDERS, "replay", "exchange"):
        raise UsageError(f"there is no model {name!r}: a name is {NAMES}")
    if kind == "replay":
        return ReplayModel.from_file(Path(rest), role)
    if kind == "exchange":
        return ExchangeModel(Path(rest))
    known = (settings or Settings()).connections.get(name, ConnectionSettings())
    model, address = rest, known.base_url
    if kind == "openai-compatible":
        model, _, given = rest.partition("@")
        address = given or address
    if "@" in urlsplit(address or "").netloc:
        raise UsageError(f"{kind}:{model}: an address with a password would stand in the ledger: name its variable as api_key_env instead")
    return connect(kind, model, _connection(name, known, address), name=name)


def models_from(settings: Settings) -> dict[ModelRole, LanguageModel]:
    """Give the model of every role that the settings name. Raises ``UsageError`` where no main model is named."""
    named = {role: name for role in ModelRole if (name := getattr(settings.models, role.value)) is not None}
    if ModelRole.MAIN not in named:
        raise UsageError(f"no model is named: give --model, FIDELEAN_MODEL or models.main in fidelean.toml: {NAMES}")
    models: dict[ModelRole, LanguageModel] = {}
    shared: dict[str, LanguageModel] = {}
    for role in ModelRole:
        name = named.get(role, named[ModelRole.MAIN])
        if name.startswith("replay:"):
            models[role] = model_from(name, settings, role=role)
        else:
            models[role] = shared[name] = shared.get(name) or model_from(name, settings)
    return models


def desk_from(settings: Settings, *, ledger: Ledger | None = None, models: Mapping[ModelRole, LanguageModel] | None = None) -> Desk:
    """Open the desk that the settings describe. Raises ``UsageError`` as ``models_from`` does, and where a price is not known."""
    return Desk(models or models_from(settings), ledger=ledger, policy=settings.asking, prices=PriceTable(settings.prices))


def _connection(name: str, known: ConnectionSettings, address: str | None) -> Connection:
    key = None
    if known.api_key_env is not None and not (key := os.environ.get(known.api_key_env)):
        raise UsageError(f"{name}: its key should be in the environment variable {known.api_key_env}, which is not set")
    mode = None
    if known.reply_mode is not None:
        if known.reply_mode not in list(ReplyMode):
            raise UsageError(f"{name}: there is no reply mode {known.reply_mode!r}: {', '.join(ReplyMode)}")
        mode = ReplyMode(known.reply_mode)
    return Connection(address, key, mode, known.timeout_s)
