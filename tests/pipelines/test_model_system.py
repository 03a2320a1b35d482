"""Systems with models from Python. The model is a double: its replies are written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from fidelean.errors import UsageError
from fidelean.llm.scripted import ScriptedModel
from fidelean.pipelines.evaluate_proof import evaluate_proof
from fidelean.verdict.records import Basis

PROBLEM, STEPS = "How much is 9 times 25, less 5?", ["It is $9 \\cdot 25 = 235$.", "Less 5 that is $230$."]


def test_a_direct_judge_names_a_step_by_opinion() -> None:
    verdict = evaluate_proof(PROBLEM, STEPS, system="direct", model=ScriptedModel({"direct": "step 2"}))
    assert (verdict.first_error, verdict.basis) == (2, Basis.OPINION)
    assert verdict.unresolved_steps == (1, 2)


def test_arithmetic_decides_before_any_opinion() -> None:
    """The script has a reply for the synthesis only: every other stage fails, and is noted."""
    model = ScriptedModel({"synthesis": {"first_error": None, "reason": "fine"}})
    verdict = evaluate_proof(PROBLEM, STEPS, system="full", model=model)
    assert (verdict.first_error, verdict.basis, verdict.opinion) == (1, Basis.EVIDENCE, None)
    assert any("tree of proof states: no_reply" in notice for notice in verdict.notices)
    assert "synthesis" not in [request.prompt.stage for request in model.requests]


def test_a_run_folder_asks_nothing_twice(tmp_path: Path) -> None:
    first, second = ScriptedModel({"direct": "correct"}), ScriptedModel({})
    for model in (first, second):
        verdict = evaluate_proof(PROBLEM, STEPS, system="direct", model=model, run_folder=tmp_path / "run")
        assert verdict.first_error is None
    assert (len(first.requests), len(second.requests)) == (1, 0)


def test_a_system_that_does_not_exist_is_named() -> None:
    with pytest.raises(UsageError, match="there is no system 'fast': rules, direct"):
        evaluate_proof(PROBLEM, STEPS, system="fast", model=ScriptedModel({}))


def test_a_system_with_models_needs_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FIDELEAN_MODEL", raising=False)
    with pytest.raises(UsageError, match="no model is named"):
        evaluate_proof(PROBLEM, STEPS, system="direct")
