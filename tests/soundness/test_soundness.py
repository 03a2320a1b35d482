"""No exploit is accepted, and the honest texts beside them are.

One folder per exploit: ``main.lean``, ``statement.lean`` where a statement is frozen, and ``expected.toml`` with the contract (``as``),
whether it may be accepted, and the reason that must be among those given. All of them run as one batch.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fidelean.lean.contracts import accept
from fidelean.lean.guard import normalise, screen
from fidelean.lean.records import LeanSource, SourceKind

if TYPE_CHECKING:
    from fidelean.lean.embedded import EmbeddedEngine
    from fidelean.lean.records import Acceptance, Elaboration

ROOT = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Case:
    """One folder."""

    name: str
    """Its name."""
    source: LeanSource
    """``main.lean`` and its contract."""
    frozen: str | None
    """``statement.lean``, or None."""
    accepted: bool
    """Whether it is an honest text."""
    reason: str | None
    """A reason that must be given against it."""


def read(folder: Path) -> Case:
    expected = tomllib.loads((folder / "expected.toml").read_text(encoding="utf-8"))
    statement = folder / "statement.lean"
    frozen = statement.read_text(encoding="utf-8") if statement.is_file() else None
    source = LeanSource((folder / "main.lean").read_text(encoding="utf-8"), SourceKind(expected["as"]), folder.name)
    return Case(folder.name, source, frozen, expected["accepted"], expected.get("reason"))


CASES = [read(path.parent) for path in sorted(ROOT.glob("*/expected.toml"))]
EXPLOITS = [case for case in CASES if not case.accepted]
CONTROLS = [case for case in CASES if case.accepted]


@pytest.fixture(scope="module")
def judged(engine: EmbeddedEngine) -> dict[str, tuple[Elaboration, Acceptance]]:
    elaborations = engine.elaborate_now([case.source for case in CASES])
    return {
        case.name: (elaboration, accept(case.source, elaboration, frozen=case.frozen))
        for case, elaboration in zip(CASES, elaborations, strict=True)
    }


def test_there_are_exploits_and_controls() -> None:
    assert len(EXPLOITS) >= 60
    assert len(CONTROLS) >= 15


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("case", EXPLOITS, ids=lambda case: case.name)
def test_an_exploit_is_not_accepted(case: Case, judged: dict[str, tuple[Elaboration, Acceptance]]) -> None:
    elaboration, acceptance = judged[case.name]
    assert not acceptance.accepted, f"FALSE ACCEPTANCE: {elaboration}"
    assert case.reason in {objection.reason for objection in acceptance.objections}, [str(objection) for objection in acceptance.objections]


@pytest.mark.live
@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("case", CONTROLS, ids=lambda case: case.name)
def test_an_honest_text_is_accepted(case: Case, judged: dict[str, tuple[Elaboration, Acceptance]]) -> None:
    elaboration, acceptance = judged[case.name]
    assert acceptance.accepted, ([str(objection) for objection in acceptance.objections], elaboration.diagnostics)


NEEDS_LEAN = frozenset({"shadow_library_name"})
"""Refused only once Lean was asked what its library holds."""


@pytest.mark.parametrize("case", [case for case in EXPLOITS if case.reason == "refused"], ids=lambda case: case.name)
def test_the_guard_alone_refuses(case: Case) -> None:
    refusals = screen(normalise(case.source.text)).refusals
    assert bool(refusals) is (case.name not in NEEDS_LEAN)


@pytest.mark.parametrize("case", CONTROLS, ids=lambda case: case.name)
def test_the_guard_lets_an_honest_text_through(case: Case) -> None:
    assert screen(normalise(case.source.text)).refusals == ()
