"""Parameters of gui-v0."""

from __future__ import annotations

from typing import Final, Self

from pydantic import Field, model_validator

from envhub.core.difficulty import BaseParams
from envhub.envs.tools.gui.site import KINDS

_PARTS: Final = (1, 1, 1, 2, 2, 2, 3, 3, 4, 4)


class Params(BaseParams):
    """The tasks."""

    parts: int = Field(1, ge=1, le=6, description="number of tasks, each of another kind")
    size: int = Field(3, ge=1, le=10, description="how much else is on the pages")
    kinds: tuple[str, ...] = Field((), description="the kinds to draw from; all if none is named")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        unknown = [name for name in self.kinds if name not in KINDS]
        if unknown:
            raise ValueError(f"kinds must be among {', '.join(KINDS)}; got {unknown[0]!r}")
        if self.parts > len(set(self.kinds or KINDS)):
            raise ValueError(
                f"parts must be at most the number of kinds, {len(set(self.kinds or KINDS))}; got {self.parts}"
            )
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        return cls(parts=_PARTS[difficulty - 1], size=difficulty)
