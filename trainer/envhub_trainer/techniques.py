"""Settings of techniques that a run need not use."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from envhub_trainer.section import Section


class SelectionConfig(Section):
    """How tasks are chosen from the stream."""

    repeat: float = Field(
        0.0, ge=0, lt=1, description="share of tasks played before, in proportion to their failure rate"
    )
    pool: int = Field(1024, ge=1, description="maximum number of tasks to repeat; the latest are kept")
    candidates: int = Field(
        1, ge=1, description="tasks drawn per task played: the one of most suitable predicted success"
    )
    target: float = Field(0.5, ge=0, le=1, description="most suitable predicted success")
    discount: float = Field(0.99, gt=0, le=1, description="factor of earlier results of a level for each new one")


class DemonstrationsConfig(Section):
    """Demonstrations in the groups of a run."""

    demonstrator: str = Field("oracle", description="oracle, greedy, random, mixed:SHARE or slips:SHARE")
    join: bool = Field(False, description="compare one demonstration with the episodes of each group")
    hint: tuple[float, float] = Field(
        (0.9, 0.0), description="share of a demonstration given as a hint: first and last"
    )
    hint_steps: int = Field(0, ge=0, description="number of steps with hints; 0 gives none")

    @property
    def used(self) -> bool:
        """Whether there are demonstrations."""
        return self.join or self.hint_steps > 0


class ReplayConfig(Section):
    """Earlier successes in the groups of repeated tasks."""

    episodes: int = Field(0, ge=0, description="maximum number of earlier successes per group; 0 keeps none")
    keep: int = Field(4, ge=1, description="maximum number of successes kept per task")


class LeagueConfig(Section):
    """Frozen opponents in self-play."""

    share: float = Field(0.0, ge=0, le=1, description="share of the self-play tasks played against an earlier policy")
    every: int = Field(20, ge=1, description="steps between two snapshots")
    keep: int = Field(4, ge=1, description="maximum number of snapshots; the latest are kept")


class StageConfig(Section):
    """A ``[[stage]]`` entry: settings of rollout that change from a step on."""

    step: int = Field(ge=0, description="first step of the stage")
    max_tokens: int | None = Field(None, ge=1)
    context: int | None = Field(None, ge=2)
    temperature: float | None = Field(None, gt=0)

    @property
    def changes(self) -> dict[str, Any]:
        """The settings that change."""
        return self.model_dump(exclude={"step"}, exclude_none=True)
