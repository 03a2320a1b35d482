"""A model that answers from a recording, and from nothing else."""

from __future__ import annotations

from pathlib import Path

from fidelean.errors import ModelError
from fidelean.llm.keys import request_key
from fidelean.llm.recordings import Recorded, Recording, read_recording
from fidelean.llm.records import Finish, ModelReply, ModelRequest, ModelRole, Usage
from fidelean.outcome import Reason
from fidelean.runs.records import CallOutcome

__all__ = ["NotAnswered", "ReplayModel"]


class NotAnswered(ModelError):
    """The recorded call brought no reply: the replay brings none either, for the same reason."""

    def __init__(self, recorded: Recorded) -> None:
        super().__init__(recorded.detail or "no reply was recorded")
        self.outcome = recorded.outcome
        self.reason = Reason.BUDGET_SPENT if recorded.outcome is CallOutcome.NOT_MADE else Reason.NO_REPLY


class ReplayModel:
    """Answers what was recorded; it bears the name of the model that was recorded, so that the keys of a replay are those of the run."""

    def __init__(self, recording: Recording, role: ModelRole = ModelRole.MAIN, *, label: str = "recording") -> None:
        self.recording = recording
        self._role = role
        self._label = label
        self._name = next(iter(recording.models(role)), f"replay:{label}")

    @classmethod
    def from_file(cls, file: Path, role: ModelRole = ModelRole.MAIN) -> ReplayModel:
        """Replay a JSONL recording, a ledger or the folder of a run. Raises ``InputError``."""
        return cls(read_recording(file), role, label=file.name)

    @property
    def name(self) -> str:
        """The recorded model, or the recording where no model wrote it."""
        return self._name

    async def answer(self, request: ModelRequest) -> ModelReply:
        """Give the recorded reply. Raises ``ModelError`` naming stage and key where there is none."""
        found = self.recording.find(request, self._role)
        if found is None:
            key = request_key(request, self._name)
            raise ModelError(f"{self._label} has no reply for this request of the stage {request.prompt.stage} (key {key[:16]})")
        if found.reply is None:
            raise NotAnswered(found)
        return ModelReply(
            found.reply,
            found.answered_by or self._name,
            Usage(found.input_tokens, found.output_tokens),
            Finish(found.finish),
            found.seconds,
            found.price,
        )

    async def aclose(self) -> None:
        """Nothing is open."""
