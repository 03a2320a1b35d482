"""What the package offers, and what it costs to load."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

import source_tree

HEAVY = frozenset({"flint", "sympy", "numpy", "pydantic", "pydantic_ai", "psutil", "fastapi", "mcp"})
"""Packages that only the command that needs them may load."""

HELP_SECONDS = 0.5 * (2 if os.environ.get("CI") else 1)
"""A bound, not a benchmark: machines of continuous integration are shared."""

PUBLIC = [module for module in source_tree.modules() if not module.name.startswith("fidelean.cli") and module.tree.body[1:]]


@pytest.mark.parametrize("module", PUBLIC, ids=lambda module: module.name)
def test_every_name_in_all_exists_and_is_ours_to_offer(module: source_tree.Module) -> None:
    loaded = importlib.import_module(module.name)
    offered: list[str] | None = getattr(loaded, "__all__", None)
    assert offered is not None, f"{module.name} does not say what it offers"
    assert sorted(set(offered)) == sorted(offered)
    assert [name for name in offered if not hasattr(loaded, name)] == []
    assert [name for name in offered if name.startswith("_") and name != "__version__"] == []


def loaded_by(statement: str) -> set[str]:
    """Names of all modules that a fresh interpreter holds after the statement, less those it starts with."""
    program = f"import sys; before = set(sys.modules)\n{statement}\nimport json; print(json.dumps(sorted(set(sys.modules) - before)))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = loaded_by("import fidelean")
    assert "fidelean" in loaded
    assert {name.partition(".")[0] for name in loaded} & (HEAVY | {"typer", "rich"}) == set()


def test_importing_the_package_starts_nothing() -> None:
    program = """
import sys, threading
events = []
sys.addaudithook(lambda name, arguments: events.append((name, str(arguments[:1]))))
import fidelean
wanted = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.", "sqlite3.", "os.mkdir", "os.remove", "os.rename")
print([event for event in events if event[0].startswith(wanted) and "__pycache__" not in event[1] and ".pyc" not in event[1]])
print(threading.active_count())
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["[]", "1"]


def test_help_loads_nothing_heavy() -> None:
    loaded = loaded_by("from fidelean.cli.app import app\nsys.argv = ['fidelean', '--help']\ntry: app()\nexcept SystemExit: pass")
    assert "fidelean.cli.app" in loaded
    assert {name.partition(".")[0] for name in loaded} & HEAVY == set()


def test_help_comes_at_once() -> None:
    """Measured in processor time: one thread, so the same as by the clock on a machine that does nothing else."""
    command = Path(sys.executable).with_name("fidelean")
    seconds: list[float] = []
    for _ in range(3):
        before = children_seconds()
        done = subprocess.run([command, "--help"], check=True, capture_output=True, text=True)
        seconds.append(children_seconds() - before)
        assert "Usage: fidelean" in done.stdout
    assert min(seconds) < HELP_SECONDS


def children_seconds() -> float:
    used = os.times()
    return used.children_user + used.children_system


def test_a_verdict_rests_on_records_alone() -> None:
    graph = grimp.build_graph("fidelean", cache_dir=None)
    read = graph.find_upstream_modules("fidelean.verdict", as_package=True)
    assert read, "the rules read some records"
    assert {name for name in read if not source_tree.is_record_module(name)} == set()


def test_loading_the_rules_loads_no_checker_and_no_engine() -> None:
    rules = [module.name for module in source_tree.modules() if module.name.startswith("fidelean.verdict")]
    loaded = loaded_by(f"import {', '.join(rules)}")
    folders = {module.name for module in source_tree.modules() if module.path.name == "__init__.py"}
    ours = {name for name in loaded if name.split(".")[0] == "fidelean"} - folders - set(rules)
    assert {name for name in ours if not source_tree.is_record_module(name)} == set()
    assert {name.partition(".")[0] for name in loaded} & (HEAVY | {"subprocess", "socket", "sqlite3", "asyncio"}) == set()
