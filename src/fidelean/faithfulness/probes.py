"""Probes: does a Lean statement hold for a reason that has nothing to do with its text, or not at all? Lean answers, no model.

All scripts of a statement go to the engine in one batch, through the source guard; what is shown is shown by a proof under the contract.
Failing to show a fault never shows its absence: that takes a proof of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fidelean.faithfulness.probe_records import Probe, ProbeKind
from fidelean.faithfulness.probe_scripts import ProbeScript, is_contradiction, scripts_for
from fidelean.faithfulness.probe_search import Question, questions_of, tasks_of
from fidelean.lean.contracts import accept_proof
from fidelean.lean.engine import LeanEngine
from fidelean.lean.framing import Frame, frame_of
from fidelean.lean.records import Elaboration, LeanSource, LeanStatement, Severity, SourceKind, Status
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import Policy, ProvingPolicy
from fidelean.proving.reading import read_signature
from fidelean.proving.terms import Unread

__all__ = ["probe"]

_ROUNDS = 2
_HEARTBEATS = 10_000
_REASONS = {
    Status.REFUSED: Reason.REFUSED,
    Status.TIMEOUT: Reason.TIMEOUT,
    Status.OUT_OF_MEMORY: Reason.OUT_OF_MEMORY,
    Status.CRASHED: Reason.CRASHED,
    Status.UNAVAILABLE: Reason.UNAVAILABLE,
    Status.ERRORS: Reason.DID_NOT_ELABORATE,
}
_NOTHING = Inconclusive(Reason.GAVE_UP, "neither the fault nor its absence was shown")


async def probe(statement: LeanStatement, engine: LeanEngine, policy: Policy | None = None) -> tuple[Probe, ...]:
    """Run every probe on a statement; one answer each, in the order of ``ProbeKind``.

    A statement that does not elaborate on the engine gives inconclusive answers that say so.

    Raises:
        EngineError: the engine failed in a way that no single script explains.
    """
    frame = frame_of(statement)
    if frame is None:
        return tuple(Probe(kind, Inconclusive(Reason.NOT_READ, "the text is not a statement")) for kind in ProbeKind)
    proving = (policy or Policy()).proving
    bounds = replace(proving, rounds=min(proving.rounds, _ROUNDS), heartbeats=min(proving.heartbeats, _HEARTBEATS))
    return await _Run(statement, frame, engine, bounds).probes()


class _Run:
    def __init__(self, statement: LeanStatement, frame: Frame, engine: LeanEngine, policy: ProvingPolicy) -> None:
        self._statement, self._frame, self._engine = statement, frame, engine
        signature = read_signature(frame.signature).signature if frame.is_bare else None
        is_read = signature is not None and not isinstance(signature.conclusion, Unread)
        self._questions = questions_of(signature, policy) if signature is not None and is_read else ()
        self._scripts = scripts_for(frame, policy.heartbeats)
        self._is_contradiction = is_contradiction(frame.signature)
        self._seconds = dict.fromkeys(ProbeKind, 0.0)
        self._said: dict[ProbeKind, list[tuple[ProbeScript, Elaboration]]] = {kind: [] for kind in ProbeKind}

    async def probes(self) -> tuple[Probe, ...]:
        tasks = [(question, task) for question in self._questions for task in tasks_of(question, _ROUNDS)]
        texts = list(dict.fromkeys(script.text for script in self._scripts))
        sources = [
            LeanSource(self._statement.text, SourceKind.STATEMENT, "statement"),
            *(LeanSource(task.text, name=task.role) for _, task in tasks),
            *(LeanSource(text, name="probe") for text in texts),
        ]
        own, *answers = await self._engine.elaborate(sources)
        if own.status is not Status.OK:
            outcome = Inconclusive(_REASONS[own.status], _first_words(own))
            return tuple(Probe(kind, outcome, engine=self._engine.name) for kind in ProbeKind)
        for (question, task), answer in zip(tasks, answers, strict=False):
            question.case.take(task, answer)
        by_text = dict(zip(texts, answers[len(tasks) :], strict=True))
        for script in self._scripts:
            self._said[script.kind].append((script, by_text[script.text]))
        return tuple(self._answer(kind) for kind in ProbeKind)

    def _answer(self, kind: ProbeKind) -> Probe:
        said = self._said[kind]
        found = [*self._by_search(kind), *self._by_script(kind, said)]
        if kind is ProbeKind.CONTRADICTORY_HYPOTHESES and self._is_contradiction:
            found = [Probe(kind, Passed("that its hypotheses contradict each other is what the statement claims"))]
        best = next((p for shows in (Refuted, Passed) for p in found if isinstance(p.outcome, shows)), None)
        seconds = sum(answer.seconds for _, answer in said) + sum(q.attempt.seconds for q in self._questions if q.role == _ROLES.get(kind))
        chosen = best or Probe(kind, _open(said))
        return replace(chosen, seconds=round(seconds, 3), engine=self._engine.name)

    def _by_script(self, kind: ProbeKind, said: Sequence[tuple[ProbeScript, Elaboration]]) -> Iterator[Probe]:
        for script, answer in said:
            if accept_proof(script.text, answer, frozen=script.frozen).accepted:
                outcome = Refuted(script.detail) if script.shows_fault else Passed(script.detail)
                yield Probe(kind, outcome, dict(script.values), artefact=script.text)
            elif kind is ProbeKind.CONCLUSION_ASSUMED and script.shows_fault and _no_assumption(answer):
                yield Probe(kind, Passed("no hypothesis is the conclusion, up to what Lean unfolds by itself"))

    def _by_search(self, kind: ProbeKind) -> Iterator[Probe]:
        if not self._questions:
            return
        question = next((question for question in self._questions if question.role == _ROLES.get(kind)), None)
        if question is not None:
            yield from _searched(kind, question)
        elif kind in (ProbeKind.CONTRADICTORY_HYPOTHESES, ProbeKind.CLOSED_WITHOUT_HYPOTHESES):
            yield Probe(kind, Passed("there are no hypotheses"))


_ROLES = {
    ProbeKind.CONTRADICTORY_HYPOTHESES: "hypotheses",
    ProbeKind.CLOSED_WITHOUT_HYPOTHESES: "conclusion",
    ProbeKind.NEGATION_PROVABLE: "claim",
    ProbeKind.COUNTEREXAMPLE: "claim",
}
_ABSENT = {
    "hypotheses": "the hypotheses hold at {}",
    "conclusion": "without its hypotheses the conclusion fails at {}",
    "claim": "the statement itself is proved: {}",
}
_PRESENT = {
    "hypotheses": "the hypotheses imply False: {}",
    "conclusion": "the conclusion is proved with every hypothesis taken away: {}",
    "claim": "it fails at {}",
}


def _searched(kind: ProbeKind, question: Question) -> Iterator[Probe]:
    """Of the claim a proof shows the absence of the faults, of the two others the fault."""
    found, attempt = question.found, question.attempt
    if isinstance(found, Inconclusive):
        return
    is_fault = isinstance(found, Refuted) if question.role == "claim" else isinstance(found, Passed)
    words = (_PRESENT if is_fault else _ABSENT)[question.role].format(found.detail)
    yield Probe(kind, Refuted(words) if is_fault else Passed(words), dict(attempt.witness), artefact=attempt.script)


def _no_assumption(answer: Elaboration) -> bool:
    errors = [diagnostic for diagnostic in answer.diagnostics if diagnostic.severity is Severity.ERROR]
    return answer.status is Status.ERRORS and len(errors) == 1 and "`assumption` failed" in errors[0].message


def _open(said: Sequence[tuple[ProbeScript, Elaboration]]) -> Outcome:
    """Why nothing is known: what became of every script where that is the same, else that nothing was shown."""
    statuses = {answer.status for _, answer in said}
    if len(statuses) == 1 and (status := statuses.pop()) not in (Status.OK, Status.ERRORS):
        return Inconclusive(_REASONS[status], "this became of every script")
    return _NOTHING


def _first_words(answer: Elaboration) -> str:
    error = next((diagnostic for diagnostic in answer.diagnostics if diagnostic.severity is Severity.ERROR), None)
    refusal = answer.refusals[0].detail if answer.refusals else answer.detail
    return error.message.strip().split("\n")[0][:200] if error else refusal
