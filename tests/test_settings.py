"""Settings: a file, the environment, flags, in that order; and every mistake is named."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from fidelean.errors import UsageError
from fidelean.llm.recordings import read_recording
from fidelean.policy import AskingPolicy, Budget
from fidelean.settings import ConnectionSettings, ModelNames, Price, Settings, read_settings

WHOLE = """
[models]
main = "openai:gpt-5"
judge = "anthropic:claude-sonnet-4-5"

[asking]
concurrency = 8
call_timeout_s = 30

[budget.run]
usd = 5.5
tokens = 1_000_000

[budget.proof]
seconds = 600

[prices."openai:gpt-5"]
input = 1.25
output = 10

[connections."openai:gpt-5"]
reply_mode = "tool"
"""


def settings_of(tmp_path: Path, text: str, environ: dict[str, str] | None = None) -> Settings:
    file = tmp_path / "fidelean.toml"
    file.write_text(text, encoding="utf8")
    return read_settings(file, environ=environ or {})


def test_a_whole_file(tmp_path: Path) -> None:
    assert settings_of(tmp_path, WHOLE) == Settings(
        ModelNames("openai:gpt-5", "anthropic:claude-sonnet-4-5"),
        AskingPolicy(concurrency=8, call_timeout_s=30.0, run=Budget(tokens=1_000_000, usd=Decimal("5.5")), proof=Budget(seconds=600.0)),
        {"openai:gpt-5": Price(Decimal("1.25"), Decimal(10))},
        {"openai:gpt-5": ConnectionSettings(reply_mode="tool")},
    )


def test_no_file_is_the_usual_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert read_settings(environ={}) == Settings()
    (tmp_path / "fidelean.toml").write_text('[models]\nmain = "openai:gpt-5"', encoding="utf8")
    assert read_settings(environ={}).models.main == "openai:gpt-5"


def test_the_environment_counts_more_and_flags_the_most(tmp_path: Path) -> None:
    environ = {
        "FIDELEAN_ASKING__CONCURRENCY": "3",
        "FIDELEAN_BUDGET__RUN__USD": "0.25",
        "FIDELEAN_MODEL": "google:gemini-2.5-flash",
        "FIDELEAN_CACHE": "x",
    }
    file = tmp_path / "fidelean.toml"
    file.write_text(WHOLE, encoding="utf8")
    settings = read_settings(
        file, environ=environ, flags={"asking.concurrency": 2, "models.judge": "openai:gpt-5", "budget.run.tokens": None}
    )
    assert settings.asking.concurrency == 2
    assert settings.asking.call_timeout_s == 30.0
    assert settings.asking.run == Budget(tokens=1_000_000, usd=Decimal("0.25"))
    assert settings.models == ModelNames("google:gemini-2.5-flash", "openai:gpt-5")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[askin]\nattempts = 1", "no setting askin"),
        ("attempts = 1", "no setting attempts"),
        ("[asking]\nattemps = 1", "no setting asking.attemps"),
        ("[asking.run]\nusd = 1", "no setting asking.run"),
        ("[budget.runs]\nusd = 1", "no setting budget.runs"),
        ("[budget.run]\nUSD = 1", "no setting budget.run.USD"),
        ('[budget.run]\nusd = "much"', "budget.run.usd has to be a number of 0 or more, not 'much'"),
        ("[budget.run]\nusd = -1", "budget.run.usd has to be a number of 0 or more, not -1"),
        ("[budget.run]\nusd = nan", "budget.run.usd has to be"),
        ("[budget.run]\nusd = inf", "budget.run.usd has to be"),
        ("[asking]\nattempts = 1.5", "asking.attempts has to be a whole number"),
        ("[asking]\nattempts = true", "asking.attempts has to be a whole number"),
        ("[models]\nmain = 3", "models.main has to be a text"),
        ("[models.main]\nx = 3", "models.main is a value, not a table"),
        ("budget = 3", "budget is a table, not a value"),
        ('[prices."openai:x"]\ninput = 1', "prices.openai:x.output is missing"),
        ("[connections.x]\napi_key = 'k'", "no setting connections.x.api_key"),
        ("not toml", "cannot be read"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(UsageError) as caught:
        settings_of(tmp_path, text)
    assert fault in str(caught.value)
    assert "fidelean.toml" in str(caught.value)


def test_mistakes_of_the_environment_and_of_flags_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^FIDELEAN_BUDGET__RUN__EUR: there is no setting budget.run.eur; there are seconds, tokens"):
        settings_of(tmp_path, "", {"FIDELEAN_BUDGET__RUN__EUR": "1"})
    with pytest.raises(UsageError, match=r"^flag: there is no setting asking.speed"):
        read_settings(environ={}, flags={"asking.speed": 1})
    with pytest.raises(UsageError, match=r"there is no such file"):
        read_settings(tmp_path / "other.toml", environ={})


def test_what_the_documents_show_is_read(project: Path, tmp_path: Path) -> None:
    page = (project / "docs" / "models.md").read_text(encoding="utf8")
    blocks = dict(re.findall(r"```(toml|jsonl)\n(.*?)```", page, re.DOTALL))
    settings = settings_of(tmp_path, blocks["toml"])
    assert (settings.models.judge, settings.asking.proof.tokens) == ("anthropic:claude-sonnet-4-5", 200_000)
    (local,) = settings.prices
    assert settings.connections[local].api_key_env == "MY_SERVER_KEY"
    (tmp_path / "r.jsonl").write_text(blocks["jsonl"], encoding="utf8")
    assert read_recording(tmp_path / "r.jsonl").author == "written by hand for this repository"
