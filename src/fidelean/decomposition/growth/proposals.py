"""What a model says of one edge: the part of its reply that the tree is built from."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from fidelean.decomposition.records import BranchRole, ConditionKind, TransitionKind

__all__ = ["ChildProposal", "ConditionProposal", "EdgeProposal", "Restatement"]

_NAME = 60
_TEXT = 4_000


class ConditionProposal(BaseModel):
    """A condition that an edge adds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(min_length=1, max_length=_NAME, description="a new short name: h1, h2, ...")
    kind: ConditionKind = Field(description="assumption, definition or derived")
    text: str = Field(min_length=1, max_length=_TEXT, description="the condition in the words of the substep")


class Restatement(BaseModel):
    """A condition in force that becomes another."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(max_length=_NAME, description="name of the condition in force")
    into: ConditionProposal = Field(description="what it becomes")


class ChildProposal(BaseModel):
    """A state that an edge leads to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: BranchRole = Field(default=BranchRole.CONTINUES, description="what the state is for the edge")
    conditions: tuple[ConditionProposal, ...] = Field(default=(), max_length=60, description="the conditions it has and its parent has not")
    consumed: tuple[str, ...] = Field(default=(), max_length=60, description="names of conditions in force that are used up")
    transformed: tuple[Restatement, ...] = Field(default=(), max_length=60, description="conditions in force that become others")
    goal: str = Field(default="", max_length=_TEXT, description="its goal; empty where the goal stays")


class EdgeProposal(BaseModel):
    """The edge of one substep."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    substep: str = Field(max_length=_NAME, description="id of the substep, as given")
    parent: str = Field(max_length=_NAME, description="the state it starts from: root, or S/k")
    pattern: TransitionKind = Field(description="the pattern of the inference")
    children: tuple[ChildProposal, ...] = Field(max_length=60, description="the states it leads to, in order")
    joins: tuple[str, ...] = Field(default=(), max_length=60, description="the last states of the branches it rests on")
    closes: bool = Field(default=False, description="whether the inference reaches the goal of its state")
    explanation: str = Field(default="", max_length=2_000, description="why it has this pattern, in one sentence")
