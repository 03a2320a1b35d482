"""From names to models, and from settings to a desk."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from fidelean.errors import InputError, UsageError
from fidelean.llm.conversation import ReplyMode
from fidelean.llm.exchange import ExchangeModel
from fidelean.llm.model import LanguageModel
from fidelean.llm.naming import desk_from, model_from, models_from
from fidelean.llm.providers import ProviderModel
from fidelean.llm.records import ModelRole
from fidelean.llm.replay import ReplayModel
from fidelean.llm.scripted import ScriptedModel
from fidelean.settings import ConnectionSettings, ModelNames, Price, Settings

LOCAL = "openai-compatible:qwen@http://localhost:8000/v1"


@pytest.mark.parametrize("name", ["gpt-5", "openai", "openai:", "cohere:x", "", "scripted:double"])
def test_a_name_that_is_none_is_said_in_one_line(name: str) -> None:
    with pytest.raises(UsageError, match=r"^there is no model .*: a name is openai:MODEL, .* exchange:DIR$"):
        model_from(name)


async def test_a_server_by_its_address() -> None:
    model = model_from(LOCAL)
    assert isinstance(model, ProviderModel)
    assert isinstance(model, LanguageModel)
    assert (model.name, model.mode) == (LOCAL, ReplyMode.NATIVE)
    await model.aclose()


async def test_a_server_by_its_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "k")
    connection = ConnectionSettings("http://localhost:8000/v1", "MY_KEY", "action")
    model = model_from("openai-compatible:qwen", Settings(connections={"openai-compatible:qwen": connection}))
    assert isinstance(model, ProviderModel)
    assert (model.name, model.mode) == ("openai-compatible:qwen", ReplyMode.ACTION)
    await model.aclose()


@pytest.mark.parametrize(
    ("connection", "fault"),
    [
        (ConnectionSettings(api_key_env="NOT_SET_ANYWHERE"), "environment variable NOT_SET_ANYWHERE, which is not set"),
        (ConnectionSettings(reply_mode="xml"), "no reply mode 'xml': native, prompted, tool, action"),
        (ConnectionSettings("http://me:secret@localhost/v1"), "a password would stand in the ledger"),
    ],
)
def test_a_connection_that_does_not_fit(connection: ConnectionSettings, fault: str) -> None:
    with pytest.raises(UsageError, match=fault) as caught:
        model_from(
            LOCAL if connection.base_url is None else "openai-compatible:q",
            Settings(connections={LOCAL: connection, "openai-compatible:q": connection}),
        )
    assert "secret" not in str(caught.value)


def test_recordings_and_exchanges(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"recording": 1, "author": "me"}\n', encoding="utf8")
    assert isinstance(model_from(f"replay:{tmp_path / 'r.jsonl'}"), ReplayModel)
    assert isinstance(model_from(f"exchange:{tmp_path / 'inbox'}"), ExchangeModel)
    with pytest.raises(InputError):
        model_from(f"replay:{tmp_path / 'none.jsonl'}")


async def test_roles_may_differ_and_share(tmp_path: Path) -> None:
    people = f"exchange:{tmp_path}"
    models = models_from(Settings(ModelNames(main=LOCAL, judge=people, drafter=people)))
    assert models[ModelRole.PROVER] is models[ModelRole.MAIN]
    assert models[ModelRole.JUDGE] is models[ModelRole.DRAFTER] is not models[ModelRole.MAIN]
    for model in models.values():
        await model.aclose()


def test_no_model_is_named() -> None:
    with pytest.raises(UsageError, match="no model is named: give --model"):
        models_from(Settings(ModelNames(judge=LOCAL)))


async def test_the_desk_that_the_settings_describe() -> None:
    with pytest.raises(UsageError, match="price of openai-compatible:qwen@http://localhost:8000/v1 is not known"):
        desk_from(Settings(ModelNames(main=LOCAL)))
    free = Price(Decimal(0), Decimal(0))
    async with desk_from(Settings(ModelNames(main=LOCAL), prices={LOCAL: free})) as desk:
        assert desk.model(ModelRole.JUDGE).name == LOCAL
    async with desk_from(Settings(), models={ModelRole.MAIN: ScriptedModel({})}) as desk:
        assert desk.model(ModelRole.JUDGE).name == "scripted:double"
