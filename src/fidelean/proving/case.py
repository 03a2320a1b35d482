"""One obligation on its way: what is to be tried next, what was closed, and what follows from it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fidelean.lean.contracts import accept_proof
from fidelean.lean.guard import screen
from fidelean.lean.records import Elaboration, Severity, Status
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import ProvingPolicy
from fidelean.proving.definedness import guards_of, unread_junk
from fidelean.proving.evaluation import holds
from fidelean.proving.portfolio import scripts_of
from fidelean.proving.problem import problem_of
from fidelean.proving.reading import read_signature
from fidelean.proving.records import ProofAttempt, ProvingObligation
from fidelean.proving.refutation import script_of, values_of
from fidelean.proving.rendering import render_proposition
from fidelean.proving.statements import Stated, is_one_signature, negation, stated, under_conditions
from fidelean.proving.terms import Falsum, Proposition, Unread
from fidelean.proving.transfer import transfer_of_proof, transfer_of_refutation
from fidelean.proving.witness import find_counterexample, find_example, find_values

__all__ = ["Case", "Task"]

CLAIM, NEGATION, VACUITY, GUARD = "claim", "negation", "vacuity", "guard"

_REASONS = {
    Status.REFUSED: Reason.REFUSED,
    Status.TIMEOUT: Reason.TIMEOUT,
    Status.OUT_OF_MEMORY: Reason.OUT_OF_MEMORY,
    Status.CRASHED: Reason.CRASHED,
    Status.UNAVAILABLE: Reason.UNAVAILABLE,
}


@dataclass(frozen=True, slots=True)
class Task:
    """One script for Lean."""

    role: str
    """What it would establish: ``claim``, ``negation``, ``vacuity``, or ``guard-<number>``."""
    entry: str
    """The entry of the portfolio."""
    stated: Stated
    """The frozen statement."""
    script: str
    """The tactics."""

    @property
    def text(self) -> str:
        """The whole text."""
        return self.stated.with_script(self.script)


class Case:
    """The state of one obligation between rounds."""

    def __init__(self, obligation: ProvingObligation, policy: ProvingPolicy, *, needs_conditions: bool = True) -> None:
        started = time.monotonic()
        self._obligation = obligation
        self._policy = policy
        self._text = obligation.signature.strip()
        self._is_one = is_one_signature(self._text)
        refusals = screen(stated(self._text, heartbeats=self._policy.heartbeats).frozen).refusals if self._is_one else ()
        self._refusal = refusals[0].detail if refusals else ""
        reading = read_signature(self._text)
        self._signature, self._unread = reading.signature, reading.reason
        self._guards = guards_of(self._signature) if self._signature else ()
        self._problem = problem_of(self._signature) if self._signature else None
        self._witness = find_counterexample(self._problem, policy) if self._problem else None
        self._has_conditions = needs_conditions and not self._is_closed and not self._is_satisfiable()
        self._round = 0
        self._closed: dict[str, Task] = {}
        self._tried: list[str] = []
        self._statuses: list[Status] = []
        self._complaint = ""
        self._seconds = time.monotonic() - started

    @property
    def _is_closed(self) -> bool:
        return self._signature is not None and not self._signature.binders

    def _is_satisfiable(self) -> bool:
        if self._signature is not None and not self._signature.hypotheses:
            return True
        return self._witness is not None or (self._problem is not None and find_example(self._problem, self._policy) is not None)

    def next_tasks(self) -> list[Task]:
        """What to try now; empty once nothing more would change the outcome."""
        while self._is_one and not self._refusal and not self._complaint and self._round <= self._policy.rounds and not self._is_decided():
            self._round += 1
            tasks = list(self._negation_tasks() if self._round == 1 else self._proof_tasks(self._round - 1))
            if tasks:
                return tasks
        return []

    @property
    def awaits_refutation(self) -> bool:
        """Whether a counterexample is on its way to the kernel, so that a proof is not to be expected."""
        return self._witness is not None and NEGATION not in self._closed and self._round == 1

    def _is_decided(self) -> bool:
        if NEGATION in self._closed or VACUITY in self._closed:
            return True
        return CLAIM in self._closed and not self._open_guards()

    def _open_guards(self) -> list[int]:
        return [number for number in range(len(self._guards)) if f"{GUARD}-{number}" not in self._closed]

    def _negation_tasks(self) -> Iterator[Task]:
        """Round 1 of a claim with a counterexample; anything else starts with its proof."""
        statement = stated(negation(self._text, self._signature), name="claim_fails", heartbeats=self._heartbeats)
        if self._witness is not None and self._problem is not None:
            yield Task(NEGATION, "witness", statement, script_of(self._problem, self._witness))
            return
        if self._signature is not None and isinstance(self._signature.conclusion, Unread):
            yield Task(NEGATION, "decide", statement, "decide +kernel")
        yield from self._proof_tasks(1)
        self._round += 1

    def _proof_tasks(self, round_number: int) -> Iterator[Task]:
        if CLAIM not in self._closed:
            statement = stated(self._text, heartbeats=self._heartbeats)
            for script in scripts_of(self._signature, round_number):
                yield Task(CLAIM, script.entry, statement, script.text)
            if self._has_conditions:
                yield from self._side_tasks(VACUITY, Falsum(), round_number)
        for number in self._open_guards():
            yield from self._side_tasks(f"{GUARD}-{number}", self._guards[number].proposition, round_number)

    def _side_tasks(self, role: str, conclusion: Proposition, round_number: int) -> Iterator[Task]:
        text = under_conditions(self._text, render_proposition(conclusion))
        signature = replace(self._signature, text=text, conclusion=conclusion) if self._signature else None
        statement = stated(text, name=f"claim_{role.replace('-', '_')}", heartbeats=self._heartbeats)
        for script in scripts_of(signature, round_number):
            yield Task(role, script.entry, statement, script.text)

    @property
    def _heartbeats(self) -> int:
        return self._policy.heartbeats

    def take(self, task: Task, elaboration: Elaboration) -> None:
        """Note what Lean said about a task; a proof counts only under the proof contract."""
        self._tried.append(f"{task.role}/{task.entry}")
        self._statuses.append(elaboration.status)
        self._seconds += elaboration.seconds
        if accept_proof(task.text, elaboration, frozen=task.stated.frozen).accepted:
            self._closed.setdefault(task.role, task)
        elif task.role == CLAIM and (complaint := _complaint(elaboration, task.stated)):
            self._complaint = complaint

    def attempt(self) -> ProofAttempt:
        """What came of it."""
        outcome, task = self._outcome()
        signature, is_refuted = self._signature, isinstance(outcome, Refuted)
        transfer = None
        if isinstance(outcome, Passed):
            transfer = transfer_of_proof(signature)
        elif is_refuted:
            transfer = transfer_of_refutation(signature, self._problem)
        return ProofAttempt(
            id=self._obligation.id,
            outcome=outcome,
            entry=task.entry if task else "",
            script=task.text if task else "",
            witness=self._values() if is_refuted else {},
            seconds=self._seconds,
            transfer=transfer,
            tried=tuple(self._tried),
        )

    def _values(self) -> dict[str, str]:
        return values_of(self._problem, self._witness) if self._problem is not None and self._witness is not None else {}

    def _outcome(self) -> tuple[Outcome, Task | None]:
        if not self._is_one:
            return Inconclusive(Reason.NOT_READ, "the text is not one signature"), None
        if self._refusal:
            return Inconclusive(Reason.REFUSED, self._refusal), None
        if (task := self._closed.get(NEGATION)) is not None:
            values = ", ".join(f"{name} = {value}" for name, value in self._values().items())
            return Refuted(values or "the kernel computes that it is false"), task
        if (task := self._closed.get(VACUITY)) is not None:
            return Inconclusive(Reason.VACUOUS, "the conditions contradict each other: everything follows from them"), task
        if (task := self._closed.get(CLAIM)) is not None:
            return self._junk() or Passed(self._detail(task)), task
        return self._open_outcome(), None

    def _detail(self, task: Task) -> str:
        doubt = "; the conditions were not shown to be satisfiable" if self._has_conditions else ""
        return f"kernel-checked, closed by {task.entry}{doubt}"

    def _junk(self) -> Inconclusive | None:
        """Why a closed claim may rest on a conventional value of Lean, or None where it does not."""
        if self._signature is None:
            return unread_junk(self._text, self._unread)
        for number in self._open_guards():
            guard = self._guards[number]
            return Inconclusive(guard.reason, f"{render_proposition(guard.proposition)} {self._guard_doubt(guard.proposition)}")
        return None

    def _guard_doubt(self, proposition: Proposition) -> str:
        problem = self._problem
        if problem is not None and self._signature is not None:
            found = find_values(problem.carriers, (*problem.conditions,), self._policy)
            if found is not None and holds(proposition, found.values) is False:
                return f"fails at {', '.join(f'{name} = {value}' for name, value in found.values.items())}"
        return "is not known under the conditions"

    def _open_outcome(self) -> Inconclusive:
        if self._complaint:
            return Inconclusive(Reason.DID_NOT_ELABORATE, self._complaint)
        said = set(self._statuses)
        if len(said) == 1 and (reason := _REASONS.get(said.pop())) is not None:
            return Inconclusive(reason, "this became of every script")
        unread = f"; the signature was not read ({self._unread}), so no counterexample was looked for" if self._unread else ""
        cut_short = sum(status in _REASONS for status in self._statuses)
        limits = f"; {cut_short} of {len(self._statuses)} scripts did not come to their end" if cut_short else ""
        return Inconclusive(Reason.GAVE_UP, f"neither a proof nor a counterexample was found{limits}{unread}")


def _complaint(elaboration: Elaboration, statement: Stated) -> str:
    """Lean's first line about an error in the statement itself; empty where there is none."""
    for diagnostic in elaboration.diagnostics:
        if diagnostic.severity is Severity.ERROR and diagnostic.position.line <= statement.lines:
            return diagnostic.message.strip().split("\n")[0][:200]
    return ""
