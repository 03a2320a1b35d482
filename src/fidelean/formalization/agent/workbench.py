"""What the agent's tools do: translate, run in Lean, look up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fidelean.errors import MachineryError
from fidelean.formalization.agent.actions import AgentReply
from fidelean.formalization.agent.records import Tool
from fidelean.informal.records import Statement
from fidelean.lean.contracts import accept_statement
from fidelean.lean.engine import LeanEngine
from fidelean.lean.guard import normalise
from fidelean.lean.library.records import Declaration, LibrarySearch
from fidelean.lean.messages import errors_as_text
from fidelean.lean.records import LeanSource, SourceKind, Status
from fidelean.llm.desk import RoleAsker
from fidelean.llm.prompts import load_prompt
from fidelean.llm.replies import MalformedReply
from fidelean.outcome import Inconclusive

__all__ = ["Compiled", "ModelTranslator", "Translator", "Workbench", "unfenced"]

_PROBE = "import Mathlib\n\ntheorem probe : True := by sorry\n"
_NO_WORD = frozenset((Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.CRASHED, Status.UNAVAILABLE))
_MAX_TRANSLATION_CHARS = 20_000


class Translator(Protocol):
    """T: something that drafts a statement in Lean."""

    async def translate(self, statement: Statement, *, sample: int = 0) -> str | Inconclusive:
        """Give a Lean text, or why there is none."""
        ...


class ModelTranslator:
    """A drafting model, asked in plain text: a fine-tuned one knows no schema."""

    def __init__(self, asker: RoleAsker) -> None:
        self._asker = asker

    async def translate(self, statement: Statement, *, sample: int = 0) -> str | Inconclusive:
        """See ``Translator``."""
        prompt = load_prompt("fidelean.formalization", "translate", statement=statement.text)
        return await self._asker.ask_text(prompt, _translation, sample=sample)


@dataclass(frozen=True, slots=True)
class Compiled:
    """What became of a file in Lean."""

    passed: bool | None
    """Whether it elaborates and meets the statement contract; None where Lean came to no end or is not there."""
    text: str
    """The same for the agent: objections, errors, goals."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """What the tools work with; what is None is not there, and the tool says so."""

    engine: LeanEngine
    """What runs files."""
    translator: Translator | None = None
    """Who drafts."""
    library: LibrarySearch | None = None
    """Where names are looked up."""

    async def lean_at_hand(self) -> str:
        """One line about the engine for the prompt; that Mathlib is missing is found out, not assumed."""
        (answer,) = await self.engine.elaborate([LeanSource(_PROBE, SourceKind.STATEMENT, name="probe")])
        if answer.status is Status.UNAVAILABLE:
            return "There is no Lean at hand: nothing is run."
        if answer.status is Status.OK:
            return f"{self.engine.name}, with Mathlib."
        if answer.missing_modules:
            return f"{self.engine.name}. It has no Mathlib: import nothing and use core Lean alone."
        return f"{self.engine.name}. Whether it has Mathlib could not be found out ({answer.status.value})."

    async def compile(self, text: str) -> Compiled:
        """Run a file behind the guard."""
        text = normalise(text)
        (answer,) = await self.engine.elaborate([LeanSource(text, SourceKind.STATEMENT, name="file")])
        acceptance = accept_statement(text, answer)
        if acceptance.accepted:
            return Compiled(True, "it elaborates and meets the contract of a statement")
        words = [str(objection) for objection in acceptance.objections[:10]]
        if any(module.split(".")[0] == "Mathlib" for module in answer.missing_modules):
            words.insert(0, "this Lean has no Mathlib, so nothing can be said of a file that imports it")
        said = "\n".join([*words, errors_as_text(answer)]).strip()
        return Compiled(None if answer.status in _NO_WORD else False, said)

    async def use(self, reply: AgentReply, statement: Statement, file: str, *, sample: int = 0) -> tuple[bool, str]:
        """Do what a reply asks for; whether it could be done, and what came of it."""
        if reply.action is Tool.DRAFT_TRANSLATION:
            return await self._translate(statement, sample)
        if reply.action is Tool.COMPILE:
            if not file:
                return False, "there is no file: write one first"
            compiled = await self.compile(file)
            return compiled.passed is True, compiled.text
        try:
            return self._look_up(reply)
        except MachineryError as error:
            return False, f"the library could not be searched: {error}"

    async def _translate(self, statement: Statement, sample: int) -> tuple[bool, str]:
        if self.translator is None:
            return False, "there is no drafting model"
        said = await self.translator.translate(statement, sample=sample)
        return (False, f"no draft: {said.reason}: {said.detail}") if isinstance(said, Inconclusive) else (True, said)

    def _look_up(self, reply: AgentReply) -> tuple[bool, str]:
        word = reply.text.strip()
        if self.library is None:
            return False, "there is no library index here"
        if not word:
            return False, "`text` is empty: say what to look up"
        found: Sequence[Declaration]
        if reply.action is Tool.SHOW_NAME:
            found = self.library.show(word)
        else:
            exact = self.library.resolve(word) if reply.action is Tool.RESOLVE_NAME else ()
            hits = [hit.declaration for hit in self.library.search(word, reply.k)]
            found = list(dict.fromkeys([*exact, *hits]))[: reply.k]
        lines = [_line(one, whole=reply.with_print) for one in found]
        return bool(lines), "\n".join(lines) or f"nothing is named like {word[:200]}"


def unfenced(text: str) -> str:
    """Lean text without the code fence and the prose that models put around it: the last fenced block, where there is one."""
    parts = text.strip().split("```")
    if len(parts) >= 2:
        block = parts[-2] if len(parts) % 2 else parts[-1]
        first, _, rest = block.partition("\n")
        text = rest if first.strip().isalnum() or not first.strip() else block
    return text.strip() + "\n"


def _translation(text: str) -> str | MalformedReply:
    lean = unfenced(text)
    if not lean.strip():
        return MalformedReply("the draft is empty")
    if len(lean) > _MAX_TRANSLATION_CHARS:
        return MalformedReply(f"the draft has more than {_MAX_TRANSLATION_CHARS} characters")
    return lean


def _line(one: Declaration, *, whole: bool) -> str:
    line = " ".join(f"{one.kind} {one.name} {one.signature}".split())
    return f"{line}\n    {one.module}:{one.line}  {' '.join((one.doc or '').split())}".rstrip() if whole else line
