"""``fidelean doctor --model``: one cheap call, and what it showed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from fidelean.cli.app import app
from fidelean.errors import UsageError
from llm.faulty_server import FaultyServer, Handling, said, status

GOOD = json.dumps({"total": 42, "formula": r"\frac{\nu}{2} \neq \theta \times \beta"})


def doctor(folder: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["doctor", *arguments, "--config", str(folder / "fidelean.toml")])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def try_out(folder: Path, handling: Handling, *arguments: str, settings: str = "") -> tuple[int, str, str]:
    with FaultyServer.running(handling) as server:
        name = f"openai-compatible:tiny@{server.url}"
        (folder / "fidelean.toml").write_text(settings.replace("NAME", name), encoding="utf8")
        code, output = doctor(folder, "--model", name, *arguments)
        assert len(server.bodies) == 1, "one call and no more"
    return code, output, name


def test_what_works(tmp_path: Path) -> None:
    code, output, name = try_out(tmp_path, said(GOOD), settings='[prices."NAME"]\ninput = 1\noutput = 2\n')
    assert code == 0
    lines = output.splitlines()
    assert lines[0] == f"model      {name}"
    assert lines[1].startswith("answered   tiny after ")
    assert lines[1].endswith("11 tokens read, 7 written, 0.000025 US dollars")
    assert lines[2:] == [
        "reply      native: an object of the form asked for; LaTeX in it came back as it was",
        "sum        right",
        "price      known",
    ]


def test_a_price_that_is_not_known_is_said_and_how_to_give_it(tmp_path: Path) -> None:
    code, output, name = try_out(tmp_path, said(GOOD))
    assert code == 0
    assert f'to do      give its price in fidelean.toml: [prices."{name}"]' in output


def test_a_model_that_replies_in_prose(tmp_path: Path) -> None:
    code, output, _ = try_out(tmp_path, said("The sum is 42."), settings='[connections."NAME"]\nreply_mode = "prompted"\n')
    assert code == 3
    assert "reply      prompted: the reply holds no JSON object" in output
    assert "reply_mode = one of native, tool, action" in output


@pytest.mark.parametrize("handling", [status(401, "bad key"), status(500), lambda handler: handler.send(200, b"<html>")])
def test_a_server_that_does_not_answer(tmp_path: Path, handling: Handling) -> None:
    code, output, _ = try_out(tmp_path, handling)
    assert code == 3
    assert "\nanswered " not in output
    assert len([line for line in output.splitlines() if line.startswith("reply ")]) == 1


def test_the_same_for_programs(tmp_path: Path) -> None:
    code, output, name = try_out(tmp_path, said(GOOD), "--format", "json")
    assert code == 0
    document = json.loads(output)
    assert (document["model"], document["object_read"], document["latex_kept"], document["price"]) == (name, True, True, None)


def test_an_exchange_is_not_asked(tmp_path: Path) -> None:
    (tmp_path / "fidelean.toml").write_text("", encoding="utf8")
    code, output = doctor(tmp_path, "--model", f"exchange:{tmp_path / 'inbox'}")
    assert (code, output) == (0, "model      exchange:inbox can be used; nothing is called to find that out\n")
    assert list((tmp_path / "inbox").iterdir()) == []


def test_a_name_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "fidelean.toml").write_text("", encoding="utf8")
    with pytest.raises(UsageError, match="there is no model 'gpt'"):
        doctor(tmp_path, "--model", "gpt")
