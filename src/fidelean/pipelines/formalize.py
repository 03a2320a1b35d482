"""From a sentence to Lean: several runs of the agent, grouped, and the statement that most of the admitted ones make."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fidelean.errors import InputError, UsageError
from fidelean.formalization.agent.gate import ConsensusGate
from fidelean.formalization.agent.loop import MAX_STEPS, StatementAgent
from fidelean.formalization.agent.policy import TrajectoryPolicy
from fidelean.formalization.agent.records import AgentRun, ToolSet
from fidelean.formalization.agent.workbench import ModelTranslator, Workbench
from fidelean.informal.records import Statement
from fidelean.lean.declarations import statement_of
from fidelean.lean.guard import normalise
from fidelean.lean.tokens import TokenKind, meaningful, tokenize
from fidelean.llm.desk import Desk
from fidelean.llm.naming import models_from
from fidelean.llm.prices import PriceTable
from fidelean.llm.records import ModelRole
from fidelean.pipelines.absent_engine import AbsentEngine
from fidelean.pipelines.event_loops import run
from fidelean.pipelines.kept_engine import KeptEngine
from fidelean.runs.ledger import Ledger
from fidelean.settings import read_settings

if TYPE_CHECKING:
    from fidelean.lean.engine import LeanEngine
    from fidelean.lean.library.records import LibrarySearch
    from fidelean.llm.model import LanguageModel

__all__ = ["GROUPED_BY", "FormalizedStatement", "Formalizer", "formalize", "formalize_async", "group_drafts"]

GROUPED_BY = "identical text, but for comments, blanks and the theorem's name"
"""How drafts are grouped."""


@dataclass(frozen=True, slots=True)
class FormalizedStatement:
    """What came of a sentence."""

    statement: Statement
    """The sentence."""
    drafts: tuple[AgentRun, ...]
    """The runs of the agent, in order."""
    groups: tuple[tuple[int, ...], ...]
    """Admitted drafts that say the same, by 0-based index, the largest group first; the earlier one where two are as large."""
    grouped_by: str = GROUPED_BY
    """What says that two drafts are the same."""
    notices: tuple[str, ...] = ()
    """What a reader has to know, one line each."""

    @property
    def chosen(self) -> AgentRun | None:
        """The first draft of the largest group; None where no draft was admitted."""
        return self.drafts[self.groups[0][0]] if self.groups else None

    @property
    def admitted(self) -> bool:
        """Whether a draft compiles and passed the gate."""
        return bool(self.groups)


@dataclass(frozen=True, slots=True)
class Formalizer:
    """What it takes to state any number of sentences."""

    desk: Desk
    """Where models are asked: the main model, the drafter, the judge."""
    engine: LeanEngine
    """Which Lean is asked."""
    library: LibrarySearch | None = None
    """Where names are looked up."""
    tools: ToolSet = field(default_factory=ToolSet)
    """Which tools are on."""
    drafts: int = 1
    """How many runs each sentence gets."""
    max_steps: int = MAX_STEPS
    """Most steps of a run."""
    policy: TrajectoryPolicy = field(default_factory=TrajectoryPolicy)
    """Decides between two steps."""

    async def formalize(self, statement: Statement) -> FormalizedStatement:
        """State one sentence. Raises ``EngineError`` where the engine fails as a whole."""
        judge, drafter = (self.desk.asker(role, proof=statement.id) for role in (ModelRole.JUDGE, ModelRole.DRAFTER))
        bench = Workbench(self.engine, ModelTranslator(drafter), self.library)
        gate = ConsensusGate((judge, judge))
        main = self.desk.asker(proof=statement.id)
        agent = StatementAgent(main, bench, gate, self.tools, self.policy, self.max_steps)
        drafts = tuple([await agent.run(statement, sample=number) for number in range(self.drafts)])
        return FormalizedStatement(statement, drafts, group_drafts(drafts), notices=self.notices)

    @property
    def notices(self) -> tuple[str, ...]:
        """What holds for every sentence."""
        main, judge = (self.desk.model(role).name for role in (ModelRole.MAIN, ModelRole.JUDGE))
        return (f"the judge is the model that wrote the file ({main}): it is not independent",) if main == judge else ()


def group_drafts(drafts: Sequence[AgentRun]) -> tuple[tuple[int, ...], ...]:
    """Group the admitted drafts, the largest group first."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, draft in enumerate(drafts):
        if draft.admitted:
            groups.setdefault(_words(draft.lean_text), []).append(number)
    return tuple(sorted((tuple(group) for group in groups.values()), key=lambda group: (-len(group), group[0])))


def _words(text: str) -> tuple[str, ...]:
    text = normalise(text)
    read = statement_of(text)
    name = read.name if read is not None else ""
    return tuple("_" if token.text == name else token.text for token in meaningful(tokenize(text)) if token.kind is not TokenKind.DOC)


async def formalize_async(  # noqa: PLR0913 - every choice has a default
    statement: str | Statement,
    *,
    engine: LeanEngine | None = None,
    tools: str = "111",
    drafts: int = 1,
    max_steps: int = MAX_STEPS,
    model: LanguageModel | str | None = None,
    library: Path | None = None,
    run_folder: Path | None = None,
) -> FormalizedStatement:
    """State a sentence in Lean.

    ``tools`` are three digits for draft, feedback and search; ``model`` plays every role, as a model or by name, and without it the
    settings say who does. ``library`` is an index that ``fidelean library build`` wrote. ``engine`` stays its owner's to close; without
    one nothing is admitted. ``run_folder`` keeps calls and Lean's answers; with the same folder nothing is asked twice.

    Raises ``InputError`` where there is no sentence, ``UsageError`` for a tool set, a model or a setting that does not exist,
    ``SetupError`` for an index that does not, ``EngineError`` where the engine fails as a whole.
    """
    from fidelean.lean.library.index import LibraryIndex

    asked = statement if isinstance(statement, Statement) else Statement(statement, id="statement")
    if not asked.text.strip():
        raise InputError("a statement without a word")
    settings = read_settings(flags={"models.main": model if isinstance(model, str) else None})
    models = models_from(settings) if model is None or isinstance(model, str) else model
    with ExitStack() as opened:
        ledger = opened.enter_context(Ledger.open(run_folder) if run_folder is not None else Ledger.in_memory())
        index = LibraryIndex(library) if library is not None else None
        if index is not None:
            opened.callback(index.close)
        async with Desk(models, ledger=ledger, policy=settings.asking, prices=PriceTable(settings.prices)) as desk:
            kept = KeptEngine(engine or AbsentEngine("no Lean engine was given"), ledger)
            return await Formalizer(desk, kept, index, _tools(tools), drafts, max_steps).formalize(asked)


def formalize(  # noqa: PLR0913 - every choice has a default
    statement: str | Statement,
    *,
    engine: LeanEngine | None = None,
    tools: str = "111",
    drafts: int = 1,
    max_steps: int = MAX_STEPS,
    model: LanguageModel | str | None = None,
    library: Path | None = None,
    run_folder: Path | None = None,
) -> FormalizedStatement:
    """State a sentence as ``formalize_async`` does, from ordinary code and from inside a running event loop alike."""
    return run(
        formalize_async(
            statement,
            engine=engine,
            tools=tools,
            drafts=drafts,
            max_steps=max_steps,
            model=model,
            library=library,
            run_folder=run_folder,
        )
    )


def _tools(code: str) -> ToolSet:
    try:
        return ToolSet.of(code)
    except ValueError as error:
        raise UsageError(str(error)) from None
