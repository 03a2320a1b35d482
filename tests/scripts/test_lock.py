"""The locks hold what ``pyproject.toml`` asks for, with hashes, and say nothing about where it comes from."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from source_tree import PROJECT

LOCKS = ("requirements.lock", "requirements-dev.lock")
MODEL_LOCK = "requirements-model.lock"
MANIFEST: dict[str, Any] = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf8"))


def entries(lock: str) -> dict[str, str]:
    """Each package's entry, hashes included, by its name (and marker, where a package occurs twice)."""
    text = (PROJECT / lock).read_text(encoding="utf8").replace("\\\n", "")
    return {line.split("--hash")[0].strip(): line for line in text.splitlines() if line.strip() and not line.startswith("#")}


def versions(lock: str) -> dict[str, set[str]]:
    pinned: dict[str, set[str]] = {}
    for requirement in map(Requirement, entries(lock)):
        pinned.setdefault(canonicalize_name(requirement.name), set()).add(str(requirement.specifier).removeprefix("=="))
    return pinned


def asked_for(group: str) -> list[str]:
    members: list[str | dict[str, str]] = MANIFEST["dependency-groups"][group]
    return [name for member in members for name in ([member] if isinstance(member, str) else asked_for(member["include-group"]))]


@pytest.mark.parametrize(("lock", "group"), [(LOCKS[0], "build"), (LOCKS[1], "dev")])
def test_the_lock_holds_what_is_asked_for(lock: str, group: str) -> None:
    pinned = versions(lock)
    wanted = [Requirement(text) for text in [*MANIFEST["project"]["dependencies"], *asked_for(group)]]
    assert len(wanted) > len(MANIFEST["project"]["dependencies"])
    unmet = [str(one) for one in wanted if not any(version in one.specifier for version in pinned.get(canonicalize_name(one.name), set()))]
    assert unmet == [], "run make lock"


def test_both_locks_agree() -> None:
    runtime, development = versions(LOCKS[0]), versions(LOCKS[1])
    assert {name: development.get(name) for name in runtime} == runtime


def test_the_models_lock_holds_its_group_and_nothing_else() -> None:
    pinned = versions(MODEL_LOCK)
    wanted = [Requirement(text) for text in asked_for("model")]
    assert {canonicalize_name(one.name) for one in wanted} == set(pinned)
    assert [str(one) for one in wanted if not any(version in one.specifier for version in pinned[canonicalize_name(one.name)])] == []


@pytest.mark.parametrize(("lock", "least"), [(LOCKS[0], 10), (LOCKS[1], 20), (MODEL_LOCK, 2)])
def test_every_entry_has_hashes_and_no_address(lock: str, least: int) -> None:
    found = entries(lock)
    assert len(found) >= least
    assert [name for name, line in found.items() if not re.search(r"--hash=sha256:[0-9a-f]{64}\b", line)] == []
    assert "://" not in (PROJECT / lock).read_text(encoding="utf8")
