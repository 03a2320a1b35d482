"""Settings: ``fidelean.toml``, then the environment, then flags; what comes later counts.

    [models]                       # main, judge, prover, drafter
    main = "openai:gpt-5"

    [asking]                       # see AskingPolicy
    concurrency = 8

    [budget.run]                   # and [budget.proof]: tokens, usd, seconds
    usd = 5

    [prices."openai:gpt-5"]        # US dollars for a million tokens
    input = 1.25
    output = 10

    [connections."openai:gpt-5"]   # base_url, api_key_env, reply_mode, timeout_s
    reply_mode = "tool"

In the environment the parts of a key stand behind ``FIDELEAN_``, two underscores between them: ``FIDELEAN_BUDGET__RUN__USD``. Keys that do
not exist are an error, so that no misspelt budget is no budget.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal, InvalidOperation
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, cast, get_args, get_type_hints

from fidelean.errors import UsageError
from fidelean.policy import AskingPolicy, Budget

__all__ = ["ConnectionSettings", "ModelNames", "Price", "Settings", "read_settings"]

T = TypeVar("T")

SETTINGS_FILE = "fidelean.toml"
_PREFIX = "FIDELEAN_"


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs."""

    input: Decimal
    """US dollars for a million tokens read."""
    output: Decimal
    """US dollars for a million tokens written."""


@dataclass(frozen=True, slots=True)
class ConnectionSettings:
    """How a model is reached, where that is not the usual way."""

    base_url: str | None = None
    """Where the server is."""
    api_key_env: str | None = None
    """Name of the environment variable that holds the key."""
    reply_mode: str | None = None
    """How the model is brought to reply with an object: native, prompted, tool or action."""
    timeout_s: float = 600.0
    """Longest wait of the connection for something to come (seconds)."""


@dataclass(frozen=True, slots=True)
class ModelNames:
    """Which model plays which role; a role without one is played by the main model."""

    main: str | None = None
    """Decomposes, ranks, reviews and gives the final synthesis."""
    judge: str | None = None
    """Compares a claim with a Lean statement."""
    prover: str | None = None
    """Writes Lean proofs."""
    drafter: str | None = None
    """Writes Lean statements."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a user can set about language models."""

    models: ModelNames = field(default_factory=ModelNames)
    """Which model plays which role."""
    asking: AskingPolicy = field(default_factory=AskingPolicy)
    """Bounds of asking, budgets included."""
    prices: Mapping[str, Price] = field(default_factory=dict[str, Price])
    """Prices by model, before those of the public list."""
    connections: Mapping[str, ConnectionSettings] = field(default_factory=dict[str, ConnectionSettings])
    """How models are reached, by model."""


def read_settings(
    file: Path | None = None, *, environ: Mapping[str, str] | None = None, flags: Mapping[str, object] | None = None
) -> Settings:
    """Read the settings of a run.

    ``file`` None takes ``fidelean.toml`` of the current folder, if there is one. Flags are given by key, ``asking.concurrency``; None
    leaves a key alone. Raises ``UsageError`` naming the key and where it stands.
    """
    table = _from_file(file)
    _lay_over(table, _from_environment(os.environ if environ is None else environ))
    for key, value in (flags or {}).items():
        if value is not None:
            _set(table, tuple(key.split(".")), (value, "flag"))
    return _settings(table)


_Leaf = tuple[object, str]
_Table = dict[str, "_Table | _Leaf"]


def _from_file(file: Path | None) -> _Table:
    path = file or Path(SETTINGS_FILE)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        if file is None:
            return {}
        raise UsageError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    return _marked(content, str(path))


def _marked(table: Mapping[str, object], place: str) -> _Table:
    """Write beside every value where it stands."""
    return {
        name: _marked(cast("Mapping[str, object]", value), place) if isinstance(value, Mapping) else (value, place)
        for name, value in table.items()
    }


def _from_environment(environ: Mapping[str, str]) -> _Table:
    table: _Table = {}
    if name := environ.get(f"{_PREFIX}MODEL"):
        _set(table, ("models", "main"), (name, f"{_PREFIX}MODEL"))
    for name, value in sorted(environ.items()):
        if name.startswith(_PREFIX) and "__" in name:
            _set(table, tuple(name.removeprefix(_PREFIX).lower().split("__")), (value, name))
    return table


def _set(table: _Table, path: tuple[str, ...], leaf: _Leaf) -> None:
    for part in path[:-1]:
        inner = table.setdefault(part, {})
        if not isinstance(inner, dict):
            raise UsageError(f"{leaf[1]}: {part} is no table")
        table = inner
    table[path[-1]] = leaf


def _lay_over(table: _Table, upper: _Table) -> None:
    for name, value in upper.items():
        lower = table.get(name)
        if isinstance(value, dict) and isinstance(lower, dict):
            _lay_over(lower, value)
        else:
            table[name] = value


_TABLES = ("models", "asking", "budget", "prices", "connections")


def _settings(table: _Table) -> Settings:
    _refuse_unknown(table, _TABLES, "")
    parts = {name: _inner(table, name, "") for name in _TABLES}
    budget = parts["budget"]
    _refuse_unknown(budget, ("run", "proof"), "budget.")
    limits = {name: _record(Budget, _inner(budget, name, "budget."), f"budget.{name}.") for name in budget}
    return Settings(
        models=_record(ModelNames, parts["models"], "models."),
        asking=replace(_record(AskingPolicy, parts["asking"], "asking."), **limits),
        prices={name: _record(Price, _inner(parts["prices"], name, "prices."), f"prices.{name}.") for name in parts["prices"]},
        connections={
            name: _record(ConnectionSettings, _inner(parts["connections"], name, "connections."), f"connections.{name}.")
            for name in parts["connections"]
        },
    )


def _inner(table: _Table, name: str, prefix: str) -> _Table:
    inner = table.get(name, {})
    if not isinstance(inner, dict):
        raise UsageError(f"{inner[1]}: {prefix}{name} is a table, not a value")
    return inner


def _refuse_unknown(table: _Table, known: Iterable[str], prefix: str) -> None:
    names = list(known)
    for name, value in table.items():
        if name not in names:
            raise UsageError(f"{_place(value)}: there is no setting {prefix}{name}; there are {', '.join(sorted(names))}")


def _place(value: _Table | _Leaf) -> str:
    while isinstance(value, dict):
        if not value:
            return "settings"
        value = next(iter(value.values()))
    return value[1]


def _record(form: type[T], table: _Table, prefix: str) -> T:
    """Make a record of a table. Raises ``UsageError`` for a key that does not exist, does not fit or is missing."""
    hints = get_type_hints(form)
    # What is a table of its own elsewhere is no key here.
    known = {one.name: hints[one.name] for one in fields(cast("Any", form)) if hints[one.name] is not Budget}
    _refuse_unknown(table, known, prefix)
    values = {name: _value(known[name], leaf, f"{prefix}{name}") for name, leaf in table.items()}
    try:
        return form(**values)
    except TypeError:
        missing = next(one.name for one in fields(cast("Any", form)) if one.name not in values)
        raise UsageError(f"{_place(table)}: {prefix}{missing} is missing") from None


def _value(hint: object, leaf: _Table | _Leaf, key: str) -> object:
    if isinstance(leaf, dict):
        raise UsageError(f"{_place(leaf)}: {key} is a value, not a table")
    value, place = leaf
    kind = next(one for one in (get_args(hint) or (hint,)) if one is not NoneType)
    try:
        return _as(kind, value)
    except (ValueError, InvalidOperation, TypeError):
        raise UsageError(f"{place}: {key} has to be {_KINDS[kind]}, not {value!r}") from None


_KINDS: dict[object, str] = {
    int: "a whole number of 0 or more",
    float: "a number of 0 or more",
    Decimal: "a number of 0 or more",
    str: "a text",
}


def _as(kind: object, value: object) -> object:
    """Read a value as what a field holds; texts come from the environment."""
    if kind is str:
        if not isinstance(value, str):
            raise TypeError
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        raise TypeError
    number = Decimal(str(value))
    if not number.is_finite() or number < 0:
        raise ValueError
    if kind is int:
        if number != int(number):
            raise ValueError
        return int(number)
    return float(number) if kind is float else number
