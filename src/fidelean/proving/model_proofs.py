"""The proof loop: the portfolio first, then scripts by a model, each checked against the frozen statement (FaithSieve, Lean branch).

A script counts only under the proof contract. What is not proved stays open: failing is never evidence against a claim. Beside every
proof by a model it is asked whether the same script proves ``conditions → False``, and whether every term means what the text meant.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, ConfigDict, Field

from fidelean.lean.contracts import accept_proof
from fidelean.lean.engine import LeanEngine
from fidelean.lean.guard import normalise, screen
from fidelean.lean.messages import errors_as_text
from fidelean.lean.records import LeanSource, LeanStatement, Status
from fidelean.llm.model import Asker
from fidelean.llm.prompts import load_prompt
from fidelean.llm.records import Prompt
from fidelean.outcome import Inconclusive, Outcome, Passed, Reason, Refuted
from fidelean.policy import Policy
from fidelean.proving.attempt import prove
from fidelean.proving.definedness import guards_of, unread_junk
from fidelean.proving.frozen import Frozen, freeze
from fidelean.proving.portfolio import UNREAD
from fidelean.proving.problem import problem_of
from fidelean.proving.records import Aim, Leaning, ProofAttempt, ProofSearch, ProofTry, ProvingObligation
from fidelean.proving.rendering import render_proposition
from fidelean.proving.statements import Stated, under_conditions
from fidelean.proving.transfer import transfer_of_proof, transfer_of_refutation

__all__ = ["ProofLoop", "ScriptReply"]

_FAULTS = frozenset((Reason.VACUOUS, Reason.JUNK_DIVISION, Reason.JUNK_SUBTRACTION))
_SIDES = {Leaning.CORRECT: (Aim.CLAIM,), Leaning.WRONG: (Aim.NEGATION,), Leaning.UNCERTAIN: (Aim.CLAIM, Aim.NEGATION)}
_ROOM = "fidelean.proving"


class ScriptReply(BaseModel):
    """A tactic script for a frozen theorem."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    script: str = Field(description="the tactics, one to a line, without by; empty only where the theorem is at fault")
    helpers: str = Field(default="", description="whole theorems that the script uses, with names of their own; usually empty")
    statement_fault: str = Field(default="", description="how the theorem itself is at fault; empty where it is not", max_length=2_000)


@dataclass(slots=True)
class _Search:
    """What has happened so far on one statement."""

    frozen: Frozen
    """The statement."""
    attempt: ProofAttempt
    """What came of the portfolio."""
    deadline: float
    """When to stop, by the loop's clock (seconds)."""
    tries: list[ProofTry] = field(default_factory=list[ProofTry])
    """The model's scripts so far."""
    seconds: float = 0.0
    """Lean's time on them (seconds)."""
    suspected: str = ""
    """What the prover holds against the statement."""

    def done(self, outcome: Outcome, **changes: object) -> ProofSearch:
        """End with an outcome."""
        attempt = replace(self.attempt, outcome=outcome, seconds=self.attempt.seconds + self.seconds, **changes)
        fault = outcome.detail if isinstance(outcome, Inconclusive) and outcome.reason in _FAULTS else ""
        return ProofSearch(attempt, tuple(self.tries), fault, self.suspected)


@dataclass(frozen=True, slots=True)
class ProofLoop:
    """Proves or refutes frozen statements."""

    engine: LeanEngine
    """What checks every script."""
    policy: Policy
    """Bounds of the portfolio and of the model's scripts."""
    prover: Asker | None = None
    """Who writes scripts where the portfolio does not close the goal; without one the portfolio is all there is."""
    clock: Callable[[], float] = time.monotonic
    """Tells the time (seconds)."""

    async def run(self, statement: LeanStatement, *, leaning: Leaning = Leaning.UNCERTAIN) -> ProofSearch:
        """Try to prove a statement or its negation; ``leaning`` says which side a model is asked for.

        Raises:
            EngineError: the engine failed in a way that no single script explains.
            ValueError: the statement does not meet the contract for statements.
        """
        frozen = freeze(statement)
        deadline = self.clock() + self.policy.model_proofs.seconds
        search = _Search(frozen, await self._portfolio(frozen), deadline)
        outcome = search.attempt.outcome
        if not isinstance(outcome, Inconclusive) or outcome.reason in _FAULTS | {Reason.UNAVAILABLE} or self.prover is None:
            return search.done(outcome)
        for aim in _SIDES[leaning]:
            ended = await self._scripts(search, aim, self.prover)
            if ended is not None:
                return ended
        tried = f"{len(search.tries)} script{'s' if len(search.tries) != 1 else ''} by a model"
        return search.done(Inconclusive(Reason.GAVE_UP, f"neither the portfolio nor {tried} decided it"))

    async def _portfolio(self, frozen: Frozen) -> ProofAttempt:
        if frozen.is_alone:
            (attempt,) = await prove([ProvingObligation(frozen.statement.name, frozen.statement.signature)], self.engine, self.policy)
            return attempt
        return await self._portfolio_in_context(frozen)

    async def _portfolio_in_context(self, frozen: Frozen) -> ProofAttempt:
        """A statement with helper definitions: the scripts that need no reading, on the claim and on what its conditions amount to."""
        sides = (("claim", frozen.claim), ("vacuity", frozen.vacuity), ("negation", frozen.negation))
        tasks = [(role, name, side, side.with_script(script)) for role, side in sides for name, script in UNREAD]
        answers = await self.engine.elaborate([LeanSource(text, name=role) for role, _, _, text in tasks])
        closed: dict[str, tuple[str, str]] = {}
        for (role, name, side, text), answer in zip(tasks, answers, strict=True):
            if accept_proof(text, answer, frozen=side.frozen).accepted:
                closed.setdefault(role, (name, text))
        outcome, role = _settled(frozen, closed, {answer.status for answer in answers})
        entry, text = closed.get(role, ("", ""))
        tried = tuple(f"{role}/{name}" for role, name, _, _ in tasks)
        return ProofAttempt(frozen.statement.name, outcome, entry, text, seconds=sum(answer.seconds for answer in answers), tried=tried)

    async def _scripts(self, search: _Search, aim: Aim, prover: Asker) -> ProofSearch | None:
        """Scripts for one side; the end of the search, or None where the side stays open."""
        stated = search.frozen.claim if aim is Aim.CLAIM else search.frozen.negation
        seen: dict[str, str] = {}
        for sample in range(self.policy.model_proofs.scripts):
            if self.clock() >= search.deadline:
                return search.done(Inconclusive(Reason.TIMEOUT, f"the proof loop may take {self.policy.model_proofs.seconds:g} s"))
            reply = await prover.ask(_prompt(search, aim, stated), ScriptReply, sample=sample)
            if isinstance(reply, Inconclusive):
                return search.done(reply)
            if reply.statement_fault.strip():
                search.suspected = reply.statement_fault.strip()
                return search.done(Inconclusive(Reason.GAVE_UP, f"the prover holds the statement to be at fault: {search.suspected[:300]}"))
            text = _assembled(search.frozen, stated, reply)
            vacuous = _assembled(search.frozen, search.frozen.vacuity, reply) if aim is Aim.CLAIM else ""
            tried, is_vacuous = await self._try(search, aim, stated, (text, vacuous), said_before=seen.get(text))
            seen.setdefault(text, tried.feedback)
            search.tries.append(tried)
            if is_vacuous:
                words = "the conditions contradict each other: the same script proves False from them"
                return search.done(Inconclusive(Reason.VACUOUS, words), entry="model", script=vacuous)
            if tried.accepted:
                return await self._accepted(search, tried)
        return None

    async def _try(
        self, search: _Search, aim: Aim, stated: Stated, texts: tuple[str, str], *, said_before: str | None
    ) -> tuple[ProofTry, bool]:
        """One script, and whether the second of ``texts``, the same script on ``conditions → False``, is proved too; one start for both."""
        text, vacuous = texts
        number, limit = len(search.tries) + 1, self.policy.model_proofs.max_feedback_chars
        if said_before is not None:
            return ProofTry(number, aim, text, accepted=False, feedback=f"this script was sent before:\n{said_before}"[:limit]), False
        if len(text) > self.policy.model_proofs.max_script_chars:
            return ProofTry(number, aim, text[:200], accepted=False, feedback="the script is too long to be run"), False
        if refusals := screen(normalise(text)).refusals:
            words = "\n".join(f"line {each.position.line}: {each.detail}" for each in refusals[:10])
            return ProofTry(number, aim, text, accepted=False, feedback=f"the source guard refuses it:\n{words}"[:limit]), False
        answers = await self.engine.elaborate([LeanSource(each, name="script") for each in texts if each])
        search.seconds += sum(answer.seconds for answer in answers)
        acceptance = accept_proof(text, answers[0], frozen=stated.frozen)
        if not acceptance.accepted:
            objections = [str(objection) for objection in acceptance.objections[:5]]
            feedback = "\n".join([*objections, errors_as_text(answers[0], max_chars=limit)])[:limit]
            return ProofTry(number, aim, text, accepted=False, feedback=feedback), False
        is_vacuous = len(answers) > 1 and accept_proof(vacuous, answers[1], frozen=search.frozen.vacuity.frozen).accepted
        return ProofTry(number, aim, text, accepted=True), is_vacuous

    async def _accepted(self, search: _Search, tried: ProofTry) -> ProofSearch:
        """A script met the contract: does it say something about the text, or only about Lean?"""
        doubt = await self._junk(search)
        if doubt is not None:
            return search.done(doubt, entry="model", script=tried.text)
        signature = search.frozen.signature
        if tried.aim is Aim.CLAIM:
            transfer, outcome = transfer_of_proof(signature), Passed(f"kernel-checked, script {tried.number} of a model")
        else:
            problem = problem_of(signature) if signature is not None else None
            transfer = transfer_of_refutation(signature, problem)
            outcome = Refuted(f"its negation is kernel-checked, script {tried.number} of a model")
        return search.done(outcome, entry="model", script=tried.text, transfer=transfer)

    async def _junk(self, search: _Search) -> Inconclusive | None:
        """Why the statement may rest on a conventional value of Lean, or None where every term is known to mean something."""
        signature, text = search.frozen.signature, search.frozen.statement.signature
        if signature is None:
            return unread_junk(search.frozen.context + text, "it has definitions of its own, or is outside the grammar")
        guards = guards_of(signature)
        asked = [
            ProvingObligation(f"guard{number}", under_conditions(text, render_proposition(guard.proposition)), needs_conditions=False)
            for number, guard in enumerate(guards)
        ]
        for guard, attempt in zip(guards, await prove(asked, self.engine, self.policy), strict=True):
            if not isinstance(attempt.outcome, Passed):
                return Inconclusive(guard.reason, f"{render_proposition(guard.proposition)} is not known under the conditions")
        return None


def _settled(frozen: Frozen, closed: dict[str, tuple[str, str]], statuses: set[Status]) -> tuple[Outcome, str]:
    if "negation" in closed:
        junk = unread_junk(frozen.statement.text, "it has definitions of its own")
        return (junk or Refuted("the kernel proves its negation")), "negation"
    if "vacuity" in closed:
        return Inconclusive(Reason.VACUOUS, "the conditions contradict each other: everything follows from them"), "vacuity"
    if "claim" in closed:
        junk = unread_junk(frozen.statement.text, "it has definitions of its own")
        return (junk or Passed(f"kernel-checked, closed by {closed['claim'][0]}")), "claim"
    if statuses == {Status.UNAVAILABLE}:
        return Inconclusive(Reason.UNAVAILABLE, "there is no engine to ask"), ""
    return Inconclusive(Reason.GAVE_UP, "neither a proof nor a counterexample was found"), ""


def _assembled(frozen: Frozen, stated: Stated, reply: ScriptReply) -> str:
    """The whole text: context, helpers, the theorem, the script."""
    whole = stated.with_script(_script(reply.script))
    helpers = reply.helpers.strip()
    return f"{frozen.context}{helpers}\n\n{whole[len(frozen.context) :]}" if helpers else whole


def _script(text: str) -> str:
    """The tactics without a fence, without ``by``, and without the indentation they share."""
    lines = text.strip("\n").split("\n")
    if len(lines) > 1 and lines[0].strip().startswith("```") and lines[-1].strip() == "```":
        lines = lines[1:-1]
    if lines and lines[0].strip() in ("by", ":= by"):
        lines = lines[1:]
    elif lines and lines[0].startswith("by "):
        lines[0] = lines[0][3:]
    indents = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
    shared = min(indents, default=0)
    return "\n".join(line[shared:].rstrip() for line in lines)


def _prompt(search: _Search, aim: Aim, stated: Stated) -> Prompt:
    mine = [tried for tried in search.tries if tried.aim is aim]
    theorem = f"{stated.head} := by\n  sorry"
    if mine:
        return load_prompt(_ROOM, "repair", theorem=theorem, script=mine[-1].text, feedback=mine[-1].feedback or "(nothing)")
    return load_prompt(_ROOM, "prove", theorem=theorem, tried=_tried(search.attempt.tried))


def _tried(tried: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(tried)) or "(nothing)"
